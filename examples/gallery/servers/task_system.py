"""The work function algorithm is (2n - 1)-competitive for metrical task systems with n states.

Source: Borodin, Linial and Saks, Journal of the ACM 39 (1992).

No deterministic algorithm is better. All states have the distance ``far``, and a task costs 1 in one state. The source
covers all n, metrics and tasks; here n <= 3 is proven for two distances each.
"""

import schedproof as sp


class TaskSystem(sp.System):
    """After its task becomes known, each side changes the state and then pays the task."""

    def __init__(self, n=2, far=2):
        self.n, self.far = n, far

    def start(self):
        return 0, (0, *(self.far for _ in range(1, self.n)))  # the state, and the work function

    def offline(self):
        return 0

    def requests(self, offline):
        return range(self.n)

    def answer(self, state, request):
        here, work = state
        paid = [work[s] + (s == request) for s in range(self.n)]
        work = [min(paid[t] + self.far * (s != t) for t in range(self.n)) for s in range(self.n)]
        then = min(
            (s for s in range(self.n) if work[s] == paid[s]),
            key=lambda s: (work[s] + self.far * (s != here), s != here),
        )
        return (then, tuple(cost - min(work) for cost in work)), self.far * (then != here) + (then == request)

    def moves(self, offline, request):
        return [(then, self.far * (then != offline) + (then == request)) for then in range(self.n)]


def theory(n, far):
    return 2 * n - 1


SYSTEM = TaskSystem
SIZES = ({"n": 2, "far": 1}, {"n": 2, "far": 4}, {"n": 3, "far": 2}, {"n": 3, "far": 4})
KNOWN = "proven for these sizes"
