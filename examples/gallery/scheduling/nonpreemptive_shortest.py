"""Shortest job first without preemption is (D + 1)/2-competitive for the total flow time, for sizes from 1 to D.

Source: Bunde, Information Processing Letters 90 (2004).

The offline side does not preempt either, and may wait. No deterministic algorithm is better. The source covers all
jobs; here at most one job arrives in a slot, and up to five are present.
"""

from fractions import Fraction

import schedproof as sp


class ShortestFirst(sp.System):
    """A side's state: the running job's slots left, and the sizes of the waiting jobs, sorted."""

    def __init__(self, longest=2, present=3):
        self.longest, self.present = longest, present

    def start(self):
        return 0, ()

    def requests(self, offline, state):
        busy = max(bool(left) + len(waiting) for left, waiting in (offline, state))
        return ["none", *(range(1, self.longest + 1) if busy < self.present else ())]

    def answer(self, state, request):
        return next(iter(self.moves(state, request)))

    def moves(self, offline, request):
        left, waiting = offline[0], sorted([*offline[1], *([] if request == "none" else [request])])
        cost = bool(left) + len(waiting)
        if left:
            return [((left - 1, tuple(waiting)), cost)]
        starts = [((size - 1, tuple(waiting[:i] + waiting[i + 1 :])), cost) for i, size in enumerate(waiting)]
        return [*starts, ((0, tuple(waiting)), cost)]


def theory(longest, present):
    return Fraction(longest + 1, 2)


SYSTEM = ShortestFirst
SIZES = ({"longest": 3, "present": 5}, {"longest": 4, "present": 4}, {"longest": 4, "present": 5})
RELATION = "<="
KNOWN = "proven for these sizes"
