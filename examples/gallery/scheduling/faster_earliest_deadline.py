"""Earliest deadline first on two machines of speed 3/2 meets all deadlines that two machines of speed 1 can meet.

Source: Phillips, Stein, Torng and Wein, STOC (1997): at speed 2 - 1/m on m machines.

A finished job gains 1, and the offline side finishes every job in time. A slot has two units of work for the offline
side against three. A job runs on one machine at a time. Here deadlines within two slots are proven.
"""

from itertools import combinations

import schedproof as sp


class EDF(sp.System):
    """A side's state: the pending jobs as (slots until the deadline, units of work left), sorted."""

    gains = True

    def __init__(self, slots=1, present=3):
        self.present = present
        self.jobs = [(slot, units) for slot in range(1, slots + 1) for units in range(1, 2 * slot + 1)]

    def start(self):
        return ()

    def requests(self, offline):
        return [*(self.jobs if len(offline) < self.present else ()), "work"]

    def answer(self, state, request):
        if request != "work":
            return tuple(sorted((*state, request))), 0
        left = state
        for _ in range(3):
            left = worked(left, range(len(left))[:2])
        return tuple((slots - 1, units) for slots, units in left if slots > 1), len(state) - len(left)

    def moves(self, offline, request):
        if request != "work":
            return [(tuple(sorted((*offline, request))), 0)]
        found = {offline}
        for _ in range(2):
            found = {worked(left, two) for left in found for two in combinations(range(len(left)), min(2, len(left)))}
        return [
            (tuple((slots - 1, units) for slots, units in left), len(offline) - len(left))
            for left in found
            if not any(slots == 1 for slots, _ in left)
        ]


def worked(jobs, chosen):
    """The pending jobs after a unit of work on each chosen one."""
    left = ((slots, units - (i in chosen)) for i, (slots, units) in enumerate(jobs))
    return tuple(sorted((slots, units) for slots, units in left if units))


def theory(slots, present):
    return 1


SYSTEM = EDF
SIZES = ({"slots": 1, "present": 3}, {"slots": 1, "present": 4}, {"slots": 2, "present": 3})
KNOWN = "proven for these sizes"
