"""Eight or sixteen bytes at a time: int8 arrays read and written as 64-bit words and as lanes, at any byte.

Lanes are sixteen bytes that are worked on together: the 14 numbers of a rank row, and two bytes of whatever stands
behind it. Compiled, each function is an instruction or two; in plain Python words are ints and lanes NumPy arrays.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import models, register_model

from president_env.cards import NUM_RANKS
from president_env.engine.compiled import inlined
from president_env.engine.emit import BYTE, WORD, compile_to

NUM_LANES = 16
BYTES_OF_BITS = np.array(
    [int.from_bytes(bytes(mask >> bit & 1 for bit in range(8)), "little") for mask in range(256)], dtype=np.int64
)
"""[mask]: a word whose byte k is bit k of the mask."""

_VECTOR = ir.VectorType(BYTE, NUM_LANES)


class _Lanes(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


LANES = _Lanes()


def _load(kind: ir.Type) -> Callable[..., Any]:
    def emit(builder: Any, first: Any, index: Any) -> Any:
        loaded = builder.load(builder.bitcast(builder.gep(first, [index]), kind.as_pointer()))
        loaded.align = 1
        return loaded

    return emit


def _store(builder: Any, first: Any, index: Any, value: Any) -> None:
    pointer = builder.bitcast(builder.gep(first, [index]), value.type.as_pointer())
    builder.store(value, pointer).align = 1


def _store_row(builder: Any, first: Any, index: Any, lanes: Any) -> None:
    """Two halves that overlap."""
    for at in (0, NUM_RANKS - 8):
        places = ir.Constant(ir.VectorType(ir.IntType(32), 8), list(range(at, at + 8)))
        half = builder.shuffle_vector(lanes, ir.Constant(_VECTOR, ir.Undefined), places)
        _store(builder, first, builder.add(index, ir.Constant(WORD, at)), half)


def _in_all_lanes(builder: Any, number: Any) -> Any:
    one = builder.insert_element(
        ir.Constant(_VECTOR, ir.Undefined), builder.trunc(number, BYTE), ir.Constant(ir.IntType(32), 0)
    )
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), NUM_LANES), None))


def _fetch(builder: Any, first: Any, index: Any) -> None:
    number, pointer = ir.IntType(32), BYTE.as_pointer()
    prefetch = builder.module.declare_intrinsic(
        "llvm.prefetch.p0i8", fnty=ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    )
    to_write, as_near_as_can_be, data = number(1), number(3), number(1)
    builder.call(prefetch, [builder.gep(first, [index]), to_write, as_near_as_can_be, data])


def _more_than(builder: Any, lanes: Any, k: Any) -> Any:
    return builder.zext(builder.icmp_signed(">", lanes, _in_all_lanes(builder, k)), _VECTOR)


def _bits_of_equal(builder: Any, lanes: Any, k: Any) -> Any:
    equal = builder.icmp_signed("==", lanes, _in_all_lanes(builder, k))
    return builder.zext(builder.bitcast(equal, ir.IntType(NUM_LANES)), WORD)


def _counts(builder: Any, lanes: Any) -> Any:
    count = builder.module.declare_intrinsic(f"llvm.ctpop.v{NUM_LANES}i8", fnty=ir.FunctionType(_VECTOR, [_VECTOR]))
    return builder.call(count, [lanes])


def _lanes_of_bits(builder: Any, bits: Any) -> Any:
    flags = builder.bitcast(builder.trunc(bits, ir.IntType(NUM_LANES)), ir.VectorType(ir.IntType(1), NUM_LANES))
    return builder.zext(flags, _VECTOR)


def load_word(array, index):
    """The eight bytes from byte `index` of a contiguous array, little-endian."""
    data = array.reshape(-1).view(np.uint8)[index : index + 8].tobytes()
    return int.from_bytes(data, "little")


def store_word(array, index, word):
    """Write eight bytes from byte `index` on."""
    data = (int(word) & (2**64 - 1)).to_bytes(8, "little")
    array.reshape(-1).view(np.uint8)[index : index + 8] = np.frombuffer(data, dtype=np.uint8)


def load_lanes(array, index):
    """The sixteen bytes from byte `index` of a contiguous array on; what lies beyond its end is not looked at."""
    lanes = np.zeros(NUM_LANES, dtype=np.int8)
    data = array.reshape(-1).view(np.int8)[index : index + NUM_LANES]
    lanes[: len(data)] = data
    return lanes


def store_lanes(array, index, lanes):
    """Write sixteen bytes from byte `index` on: two more than a rank row, which are for the next one to write over."""
    array[index : index + NUM_LANES] = lanes


def store_row(array, index, lanes):
    """Write the 14 bytes of a rank row from byte `index` on."""
    array[index : index + NUM_RANKS] = lanes[:NUM_RANKS]


def fetch(array, index):
    """Begin to bring the cache line of byte `index` near, since it will be read and written soon."""


def lanes_of_bits(bits):
    """0 or 1 in each lane, by the bits of a mask of 16."""
    return np.array([int(bits) >> k & 1 for k in range(NUM_LANES)], dtype=np.int8)


def lanes_sum(lanes, others):
    """Lane by lane."""
    return lanes + others


def lanes_difference(lanes, others):
    """Lane by lane."""
    return lanes - others


def lanes_shown(lanes, shown):
    """The lanes if `shown` is −1, zeros if it is 0."""
    return lanes & np.int8(shown)


def more_than(lanes, k):
    """1 in each lane that is greater than k."""
    return (lanes > k).astype(np.int8)


def bits_of_equal(lanes, k):
    """A mask of 16 bits, one for each lane that is k."""
    return sum(1 << lane for lane in np.flatnonzero(lanes == k).tolist())


def counts_of_masks(lanes):
    """The popcount of each lane."""
    return np.bitwise_count(lanes.view(np.uint8)).astype(np.int8)


compile_to(load_word, types.int64, _load(WORD))
compile_to(store_word, types.void, _store)
compile_to(load_lanes, LANES, _load(_VECTOR))
compile_to(store_lanes, types.void, _store)
compile_to(store_row, types.void, _store_row)
compile_to(fetch, types.void, _fetch)
compile_to(lanes_of_bits, LANES, _lanes_of_bits)
compile_to(lanes_sum, LANES, lambda builder, lanes, others: builder.add(lanes, others))
compile_to(lanes_difference, LANES, lambda builder, lanes, others: builder.sub(lanes, others))
compile_to(lanes_shown, LANES, lambda builder, lanes, shown: builder.and_(lanes, _in_all_lanes(builder, shown)))
compile_to(more_than, LANES, _more_than)
compile_to(bits_of_equal, types.int64, _bits_of_equal)
compile_to(counts_of_masks, LANES, _counts)


@inlined
def zeros_written(row, at, length):
    """Write 0 into `length` bytes from byte `at` on."""
    end = at + length
    if length < NUM_LANES:
        for k in range(at, end):
            row[k] = 0
        return
    zeros = lanes_of_bits(0)
    while at < end - NUM_LANES:
        store_lanes(row, at, zeros)
        at += NUM_LANES
    store_lanes(row, end - NUM_LANES, zeros)


@inlined
def rotated_bytes(word, steps, length):
    """The first `length` bytes turned so that byte `steps` comes first; bytes are below 128, the others 0."""
    low = word & ((1 << (8 * steps)) - 1)
    # in two shifts: by 64 in one would be undefined
    return (word >> (8 * steps)) | (low << (8 * (length - steps - 1)) << 8)


@inlined
def rotated_bits(mask, steps, length):
    """The first `length` bits turned so that bit `steps` comes first."""
    return ((mask >> steps) | (mask << (length - steps))) & ((1 << length) - 1)
