"""Marking is H_k-competitive for k + 1 pages, against an oblivious adversary.

Source: Fiat, Karp, Luby, McGeoch, Sleator and Young, Journal of Algorithms 12 (1991).

A request marks its page. A fault evicts a uniformly random unmarked page; if all pages are marked, all marks are
removed first. The source covers all k; here k <= 4 is proven.
"""

from fractions import Fraction

from paging import Paging, harmonic


class Marking(Paging):
    def start(self):
        return frozenset(range(self.k)), frozenset()

    def answer(self, state, request):
        held, marked = state
        if request in held:
            return (held, marked | {request}), 0
        marked = frozenset() if held == marked else marked
        out = held - marked
        return [(Fraction(1, len(out)), (held - {page} | {request}, marked | {request}), 1) for page in out]


def theory(k, n):
    return harmonic(k)


SYSTEM = Marking
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4}, {"k": 4, "n": 5})
KNOWN = "proven for these sizes"
