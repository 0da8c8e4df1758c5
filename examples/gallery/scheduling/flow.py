"""Total flow time on one machine: in each slot each unfinished job costs 1.

A job of at most ``longest`` units of work may arrive before each slot, as long as fewer than ``present`` jobs are
unfinished on either side. In a slot the machine does some units of work, each for any job.
"""

import schedproof as sp


class Flow(sp.System):
    own, other = 1, 1  # units of work in a slot, for the algorithm and for the offline side

    def __init__(self, longest=2, present=3):
        self.longest, self.present = longest, present

    def start(self):
        return ()  # the algorithm's jobs: (work done, size), in order of arrival

    def offline(self):
        return ()  # work left of each job, sorted

    def requests(self, offline, state):
        sizes = range(1, self.longest + 1) if max(len(offline), len(state)) < self.present else ()
        return ["none", *sizes]

    def answer(self, state, request):
        jobs = [*state, *([] if request == "none" else [(0, request)])]
        cost = len(jobs)
        for _ in range(self.own):
            if jobs:
                i = self.choose(jobs)
                done, size = jobs[i]
                jobs[i : i + 1] = [(done + 1, size)] if done + 1 < size else []
        return tuple(jobs), cost

    def moves(self, offline, request):
        jobs = tuple(sorted([*offline, *([] if request == "none" else [request])]))
        found = {jobs}
        for _ in range(self.other):
            found = {after for left in found for after in worked(left)}
        return [(after, len(jobs)) for after in found]


def worked(jobs):
    """The jobs after a unit of work for one of them."""
    after = ((*jobs[:i], *([left - 1] if left > 1 else []), *jobs[i + 1 :]) for i, left in enumerate(jobs))
    return {tuple(sorted(left)) for left in after} or {()}
