"""Paging: k of n pages fit into the cache, and a fault costs 1."""

from fractions import Fraction

import schedproof as sp


class Paging(sp.System):
    """The offline side may evict any page; it evicts only on a fault, which loses nothing."""

    def __init__(self, k=2, n=3):
        self.k, self.n = k, n

    def start(self):
        return tuple(range(self.k))

    def offline(self):
        return frozenset(range(self.k))

    def requests(self, offline):
        return range(self.n)

    def moves(self, offline, request):
        return [(offline, 0)] if request in offline else [(offline - {page} | {request}, 1) for page in offline]


def harmonic(k):
    return sum(Fraction(1, i) for i in range(1, k + 1))
