"""Eight bytes at a time: int8 arrays read and written as 64-bit words, at any byte.

A row of 14 rank counts is two words that overlap by two bytes, a mask of ranks one table look-up a word. Compiled,
a call is one instruction; in plain Python the same functions go byte by byte.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from president_env.engine.compiled import compiled

ONES = 0x0101010101010101
"""1 in each byte."""
HIGHEST = 0x7F7F7F7F7F7F7F7F
"""127 in each byte."""

BYTES_OF_BITS = np.array(
    [int.from_bytes(bytes(mask >> bit & 1 for bit in range(8)), "little") for mask in range(256)], dtype=np.int64
)
"""[mask]: a word whose byte k is bit k of the mask."""


def load_word(array, index):
    """The eight bytes from byte `index` of a contiguous array, little-endian."""
    data = array.reshape(-1).view(np.uint8)[index : index + 8].tobytes()
    return int.from_bytes(data, "little")


def store_word(array, index, word):
    """Write eight bytes from byte `index` on."""
    array[index : index + 8] = np.frombuffer((int(word) & (2**64 - 1)).to_bytes(8, "little"), dtype=np.int8)


def _word_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    byte = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [index])
    return builder.bitcast(byte, ir.IntType(64).as_pointer())


@intrinsic
def _load(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _word_pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        word = builder.load(pointer)
        word.align = 1
        return word

    return types.int64(array, types.int64), generate


@intrinsic
def _store(typing_context: Any, array: Any, index: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _word_pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store(arguments[2], pointer).align = 1
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@overload(load_word)
def _load_compiled(array, index):
    return lambda array, index: _load(array, index)


@overload(store_word)
def _store_compiled(array, index, word):
    return lambda array, index, word: _store(array, index, word)


@compiled
def zeros_written(row, at, length):
    """Write 0 into `length` bytes from byte `at` on."""
    for k in range(length >> 3):
        store_word(row, at + 8 * k, 0)
    for k in range(length & ~7, length):
        row[at + k] = 0


@compiled
def ranks_written(row, at, ranks):
    """Write a mask of ranks as 14 bytes."""
    store_word(row, at, BYTES_OF_BITS[ranks & 255])
    store_word(row, at + 6, BYTES_OF_BITS[(ranks >> 6) & 255])


@compiled
def counts_of_masks(word):
    """The popcount of each byte, in its place."""
    pairs = word - ((word >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    return (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F


@compiled
def more_than(word, k):
    """1 in each byte that is greater than k; bytes are below 128."""
    return ((word + (HIGHEST - k * ONES)) >> 7) & ONES


@compiled
def rotated_bytes(word, steps, length):
    """The first `length` bytes turned so that byte `steps` comes first; bytes are below 128, the others 0."""
    low = word & ((1 << (8 * steps)) - 1)
    # in two shifts: by 64 in one would be undefined
    return (word >> (8 * steps)) | (low << (8 * (length - steps - 1)) << 8)


@compiled
def rotated_bits(mask, steps, length):
    """The first `length` bits turned so that bit `steps` comes first."""
    return ((mask >> steps) | (mask << (length - steps))) & ((1 << length) - 1)
