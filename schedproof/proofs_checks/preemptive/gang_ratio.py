"""SRTF of whole gangs has no bounded ratio at any speed: many jobs wait for one.

The waiting jobs take one slot each; their number is arbitrary.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.cases import AtLeastOne
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.data.reading import AtLeastTwo, Positive
from schedproof.core.errors import expect
from schedproof.core.results.run import policy
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive.timetable import Row, timetable
from schedproof.proofs_checks.strategies.preemptive import require_small

SPEEDS = (Fraction(1), Fraction(3, 2), Fraction(4))


@dataclass(frozen=True)
class Rounds:
    """Rounds of ``present`` slots each, and their number once so many jobs wait."""

    speed: AtLeastOne
    present: AtLeastTwo
    rounds: Positive


CLAIM = Claim(
    "preemptive.gang_ratio",
    WANG22.at("section V-A, SRTF with chunks that may move; a statement of ours"),
    "Let jobs have one or two chunks of one slot, which may move between two workers of one server, "
    "without uploads. Let SRTF run all workers of a job together. For all k >= 2 and N >= 1 there are "
    "such jobs on which SRTF at any speed costs at least k N/(N + 4 (k - 1)) times a schedule at speed 1."
    " So SRTF has no finite ratio.",
    Domain.of(
        Rounds,
        st.builds(Rounds, st.sampled_from(SPEEDS), st.integers(2, 5), st.integers(1, 9)),
        {
            "speed 1": lambda case: case.speed == 1,
            "faster": lambda case: case.speed > 1,
            "two wait": lambda case: case.present == 2,
            "more wait": lambda case: case.present > 2,
            "one round": lambda case: case.rounds == 1,
            "several rounds": lambda case: case.rounds > 1,
        },
    ),
)
ONE_AT_A_TIME = """
A round has k slots. In each slot a regular job of one slot comes. In the first k - 1 slots of a round this job is a
wide job of two chunks, in the last slot a narrow job of one chunk. In the first slot of rounds 0, 2, ..., 2 (k - 2) an
extra wide job comes. N more rounds follow these 2 (k - 1) rounds. First consider SRTF. A chunk takes one slot at any
speed. So all jobs have equal time left, no job runs from one slot into the next, and the order is the order of arrival.
At most k jobs are present at any time, by induction. In each slot the first job in the order runs. If it is wide, it
takes both workers. If it is narrow, no other narrow job is present, since of k consecutive jobs at most one is narrow.
A wide job needs two workers, and only one is free. So one job ends and one job arrives in each slot, and each extra job
permanently increases the number of jobs by one. In the last N rounds k jobs are present at the start of each slot,
which costs at least k k N slots. The other schedule runs each regular job at once. It runs the first chunk of an extra
job next to the narrow job of its round, and the second chunk next to the narrow job of the next round. A regular job
costs 1; their number is k (2 (k - 1) + N). An extra job costs 2 k; their number is k - 1. The total is k (N + 4 (k -
1)).
- *What if chunks must run together?* Then the other schedule may not run them one by one. Let every other narrow job
wait for the next narrow job, and run both together. This leaves one slot in two rounds for the extra wide job, and
increases the number of jobs present by about one half. The quotient still grows with k.
- *Is the tie-breaking the cause?* No: let jobs of two chunks of two slots wait while a narrow job of one slot comes in
every slot. The narrow job has less time left.
- *Do faster workers not help?* Not in whole slots, where a chunk takes at least one.
"""


@CLAIM.reading("shown schedule", "The quotient is to a given schedule, not to the optimum.", ONE_AT_A_TIME)
@CLAIM.false_variant("k from the first round on", at_once=True)
def waits(case: Rounds, at_once: bool = False) -> Finding:
    k, n = case.present, case.rounds
    require_small(k * (2 * (k - 1) + n))
    instance, shown = timetable((0, 0), [row for t in range(k * (2 * (k - 1) + n)) for row in jobs_at(t, k)])
    expect(not shown.violations(instance, chunks="floating"), "expected a feasible schedule", "shown", case)
    online = policy("preemptive.srtf", chunks="floating", speed=case.speed).run(instance).objective
    claimed = Fraction(k) if at_once else Fraction(k * n, n + 4 * (k - 1))
    return Finding(Fraction(online) / shown.objective(instance), claimed, "at least", "SRTF, shown")


def jobs_at(slot: int, k: int) -> list[Row]:
    round_, narrow = slot // k, slot % k == k - 1
    jobs: list[Row] = [(slot, 1, [[(worker, slot)] for worker in range(1 if narrow else 2)])]
    if slot % (2 * k) == 0 and round_ < 2 * (k - 1):
        jobs.append((slot, 1, [[(1, slot + k - 1)], [(1, slot + 2 * k - 1)]]))
    return jobs
