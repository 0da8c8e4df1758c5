"""Counter-based random choices: they depend on the seed, not on the call order.

A choice is a hash of the seed and of the choice's context (a slot, a cluster, the purpose), so that an environment in a
batch makes the same draws as alone. The hash is the 32-bit mixer ``[16 21f0aaad 15 735a2d97 15]`` of Chris Wellons'
hash prospector, applied once for each number. All products are below 2^63, so that compiled functions return the same
values.
"""

from __future__ import annotations

from schedproof.core.base.untyped import Array

BITS = 0xFFFFFFFF
STEP = 0x9E3779B9  # 2^32 / the golden ratio: the hashed value is never 0 twice in a row


def mix(state: Array, number: Array) -> Array:
    """Return the hash state, below 2^32, after one more number."""
    x = ((state ^ (number & BITS)) + STEP) & BITS
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & BITS
    x ^= x >> 15
    x = (x * 0x735A2D97) & BITS
    return x ^ (x >> 15)


def below(state: Array, size: Array) -> Array:
    """Return an integer from 0 to size - 1 < 2^31, uniform to within size / 2^32."""
    return (state * size) >> 32
