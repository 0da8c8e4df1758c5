"""Section I: NP-hard, even with perfect knowledge of the input."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.enumeration import least_cost
from schedproof.proofs_checks.strategies import placement_runs as draw
from schedproof.proofs_checks.strategies.placement_runs import SingleMachine

HARD = Claim(
    "placement.np_hard",
    LI23.at("section I: 'A multi-resource allocation problem is typically NP-hard even with perfect knowledge'"),
    "(1)-(8) is NP-hard even with perfect knowledge of the input. On one cluster with one unit it is the "
    "total flow time on a single machine with release dates, which is strongly NP-hard.",
    Domain.of(
        SingleMachine,
        draw.single_machines(),
        {
            "several jobs": lambda case: len(case.jobs) > 2,
            "different release dates": lambda case: len({arrival for arrival, _ in case.jobs}) > 1,
            "it pays to wait": lambda case: by_orders(case, wait=False) > by_orders(case),
        },
    ),
)
CONTAINED = """
Let jobs have integer release dates r_j and processing times p_j. Take one cluster with one unit of one resource. For
each job take a task with t^_j = r_j that needs the unit for p_j slots. Let T be the last release plus the sum of all
p_j. By (5) no two tasks overlap. By (3) each starts once, and by (6) not before r_j. (2) follows, as durations are at
least 1. So the schedules of (1)-(8) are the machine's schedules without preemption and with integer starts, and (1) is
the sum of C_j - r_j. An optimal schedule of the machine has integer starts: each job starts at its release or at the
end of another job. 1 | r_j | sum C_j is strongly NP-hard (Lenstra, Rinnooy Kan, Brucker 1977). sum (C_j - r_j) has the
same optimal schedules. In the hard instances T, of the order of sum p_j, is polynomial in the input's size. For sum
(C_j - r_j) no polynomial algorithm has a ratio O(n^(1/2 - e)) for any e > 0 unless P = NP. One polynomial algorithm has
the ratio O(sqrt n) (Kellerer, Tautenhahn, Woeginger, STOC 1996, SIAM Journal on Computing 28, 1999).
- *The two theorems are cited.* They are, and are not proved here; the check is that the optima are the same.
- *The paper writes "typically", and "a multi-resource allocation problem".* (1)-(8), which it states next, is NP-hard
already with a single resource, one cluster and no choice of allocations.
- *So no policy can do well?* Hardness is about computing time; online_ratio bounds the guarantee of online policies
with unlimited computation.
"""


@HARD.reading("one unit", "A special case suffices; theorems about this case are cited.", CONTAINED)
@HARD.false_variant("the machine never waits", wait=False)
def same_optimum(case: SingleMachine, wait: bool = True) -> Finding:
    best = least_cost(case.instance)
    assert best is not None
    return Finding(Fraction(best[0]), Fraction(by_orders(case, wait)), "equal", "optimum of (1), and of the machine")


def by_orders(case: SingleMachine, wait: bool = True) -> int:
    """The least total flow time of all orders.

    Without ``wait``, only schedules that never idle while a job is available.
    """
    totals = []
    for order in permutations(case.jobs):
        time = total = 0
        for n, (arrival, slots) in enumerate(order):
            earliest = min(here for here, _ in order[n:])
            if not wait and arrival > max(time, earliest):
                break
            time = max(time, arrival) + slots
            total += time - arrival
        else:
            totals.append(total)
    return min(totals)
