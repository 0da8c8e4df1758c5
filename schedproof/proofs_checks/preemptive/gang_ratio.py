"""SRTF of whole gangs has no ratio at any speed: many jobs wait for one.

The jobs take one slot each; the number that waits is arbitrary.
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
    "For all k >= 2 and N >= 1 there are jobs of one or two chunks of one slot, which may move between two workers of "
    "one server, without uploads, on which SRTF, all workers of a job together, costs at least k N/(N + 4 (k - 1)) "
    "times a schedule at speed 1, at any speed of its own. So no ratio holds for it.",
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
A round has k slots. In each slot a job of one slot comes: in the first k - 1 a wide one, of two chunks, in the last a
narrow one, of one. In the first slot of rounds 0, 2, ..., 2 (k - 2) a wide job comes besides. After these 2 (k - 1)
rounds come N more. SRTF: a chunk takes one slot at any speed, so all jobs have equal time left, no job runs from one
slot into the next, and the order is that in which they came. At most k jobs are present at any time, by induction: the
first in the order runs in each slot. If it is wide, it takes both workers. If it is narrow, no other narrow one is
present, since of k jobs that came one after another at most one is narrow; a wide one needs two workers, and one is
left. So one job is done in each slot, one comes, and each job that comes besides stays one more for ever. In the last N
rounds k are present at the start of each slot: k k N slots in all, or more. The other schedule runs at once each job
that comes without others in its slot, and of those that come besides the first chunk next to the narrow job of their
round, the second next to that of the next round. A job that comes at once costs 1; there are k (2 (k - 1) + N) of
these. One that comes besides costs 2 k; there are k - 1. In all k (N + 4 (k - 1)).
- *Is a gang not the better choice where chunks must run together?* Then the other schedule may not run them one by one.
Let every other narrow job wait for the next, and run both together: that leaves one slot in two rounds for the wide job
besides, and about half a job more is present. The quotient still grows with k.
- *Is it the order among equal jobs?* No: let jobs of two chunks of two slots wait while a narrow job of one slot comes
in every slot. That one has less time left.
- *Do faster workers not help?* Not in whole slots, where a chunk takes at least one.
"""


@CLAIM.reading("shown schedule", "The quotient is to a schedule that is shown, not to the optimum.", ONE_AT_A_TIME)
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
