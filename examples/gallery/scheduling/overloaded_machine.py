"""D-over is at most (1 + sqrt(k))^2-competitive for the value of jobs without laxity, at value densities from 1 to k.

Source: Koren and Shasha, RTSS (1992), for all jobs with deadlines on one machine.

A job that does not run from its arrival to its end gains nothing. D-over then gives the running job up for a new job
of more than (1 + sqrt(k)) times its value. Here jobs of up to ``longest`` slots are proven.
"""

from math import isqrt

import schedproof as sp


class DOver(sp.System):
    """A side's state: the slots left and the value of the running job."""

    gains = True

    def __init__(self, k=1, longest=2):
        self.k, self.longest = k, longest

    def start(self):
        return 0, 0

    def requests(self, offline):
        jobs = [(slots, value) for slots in range(1, self.longest + 1) for value in range(slots, self.k * slots + 1)]
        return ["slot", *jobs]

    def answer(self, state, request):
        if request == "slot":
            return worked(state)
        return (request if request[1] > (1 + isqrt(self.k)) * state[1] else state), 0

    def moves(self, offline, request):
        return [worked(offline)] if request == "slot" else [(offline, 0), (request, 0)]


def worked(job):
    """The running job after a slot, and the gain."""
    slots, value = job
    return ((slots - 1, value), 0) if slots > 1 else ((0, 0), value)


def theory(k, longest):
    return (1 + isqrt(k)) ** 2


SYSTEM = DOver
SIZES = ({"k": 1, "longest": 3}, {"k": 1, "longest": 6}, {"k": 4, "longest": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
