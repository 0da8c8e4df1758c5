"""Random choices by counters: the same for a seed in any place and any order of calls.

A choice is a hash of the seed and of what it is about (a slot, a cluster, the purpose), so that one environment of many
draws what it would draw alone. The hash is the 32-bit mixer ``[16 21f0aaad 15 735a2d97 15]`` of Chris Wellons' hash
prospector, once for each number. All its products are below 2^63: compiled, the functions give what they give here.
"""

from __future__ import annotations

from schedproof.core.base.untyped import Array

BITS = 0xFFFFFFFF
STEP = 0x9E3779B9  # 2^32 / the golden ratio: what is hashed is never 0 twice in a row


def mix(state: Array, number: Array) -> Array:
    """The state, below 2^32, with one number more in it."""
    x = ((state ^ (number & BITS)) + STEP) & BITS
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & BITS
    x ^= x >> 15
    x = (x * 0x735A2D97) & BITS
    return x ^ (x >> 15)


def below(state: Array, size: Array) -> Array:
    """A whole number from 0 to size - 1 < 2^31, by its share of the states, which is even to within size / 2^32."""
    return (state * size) >> 32
