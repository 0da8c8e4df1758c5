"""LRU with k pages is k/(k - h + 1)-competitive against an offline cache of h <= k pages.

Source: Sleator and Tarjan, Communications of the ACM 28 (1985).

The source covers all h <= k; here k <= 3 and n = k + 1 are proven.
"""

from fractions import Fraction

from lru import LRU


class LargerCache(LRU):
    def __init__(self, h=2, k=3, n=4):
        super().__init__(k, n)
        self.h = h

    def offline(self):
        return frozenset(range(self.h))


def theory(h, k, n):
    return Fraction(k, k - h + 1)


SYSTEM = LargerCache
SIZES = ({"h": 1, "k": 2, "n": 3}, {"h": 1, "k": 3, "n": 4}, {"h": 2, "k": 3, "n": 4})
KNOWN = "proven for these sizes"
