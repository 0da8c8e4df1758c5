"""List scheduling on machines of speed 1 and s is min((2s + 1)/(s + 1), 1 + 1/s)-competitive for the makespan.

Source: Epstein, Noga, Seiden, Sgall and Woeginger, Journal of Scheduling 4 (2001).

A job goes to the machine that completes it first; no deterministic algorithm is better. The source covers all s; here
all sequences of n jobs with integer sizes are searched.
"""

from fractions import Fraction

from machines import Makespan


class Related(Makespan):
    """State: the jobs, and the work on each machine."""

    def __init__(self, s, largest, n):
        super().__init__(2, tuple(range(1, largest + 1)), n)
        self.speeds = 1, s

    def cost(self, work):
        return max(Fraction(load) / speed for load, speed in zip(work, self.speeds, strict=True))

    def answers(self, state, move):
        slow, fast = state[1]
        after = min((slow, fast + move), (slow + move, fast), key=lambda work: self.completion(state[1], work))
        yield (*state[0], move), after

    def completion(self, before, work):
        return max(Fraction(w) / s for b, w, s in zip(before, work, self.speeds, strict=True) if w > b)

    def optimum(self, jobs, work):
        total, found = sum(jobs), {0}
        for job in jobs:
            found |= {slow + job for slow in found}
        return min(self.cost((slow, total - slow)) for slow in found)


def theory(s, largest, n):
    return min((2 * s + 1) / (s + 1), 1 + 1 / s)


GAME = Related
SIZES = (
    {"s": Fraction(1), "largest": 2, "n": 3},
    {"s": Fraction(3, 2), "largest": 15, "n": 3},
    {"s": Fraction(2), "largest": 3, "n": 4},
)
KNOWN = "proven for these sizes"
