"""Random numbers of one game: xoshiro128++ (Blackman and Vigna), its state in the record.

Words of 32 bits in 64-bit integers, so that no operation overflows and plain Python gives the same numbers.
"""

from numpy import int64

from president_env.engine.compiled import compiled, part

WORD = 0xFFFFFFFF


@part
def _mixed(x):
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & WORD
    x = ((x ^ (x >> 15)) * 0x68E31DA5) & WORD
    return x ^ (x >> 16)


@compiled
def rng_seeded(rng, seed):
    """Set the state, four words, from a seed from 0 to 2**63 − 1."""
    low, high = seed & WORD, (seed >> 32) & WORD
    state = _mixed(low ^ 0x1234567)
    for k in range(4):
        state = _mixed((state + low * 3 + 0x1E3779B9 * (k + 1)) & WORD) ^ _mixed((high + state + k) & WORD)
        rng[k] = state | (1 if k == 0 else 0)


@part
def _rotated(x, k):
    return ((x << k) | (x >> (32 - k))) & WORD


@compiled
def random_word(rng):
    """The next 32 random bits."""
    s0, s1, s2, s3 = int64(rng[0]), int64(rng[1]), int64(rng[2]), int64(rng[3])
    word = (_rotated((s0 + s3) & WORD, 7) + s0) & WORD
    shifted = (s1 << 9) & WORD
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2 ^ shifted
    rng[3] = _rotated(s3, 11)
    return word


@part
def random_below(rng, n):
    """A whole number from 0 to n − 1; n up to 2**31, its bias below n / 2**32."""
    return (random_word(rng) * n) >> 32
