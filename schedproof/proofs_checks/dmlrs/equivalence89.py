"""(8)-(9): R-DMLRS against DMLRS."""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.optimum import best_by_slots, best_packing, packing
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs_schedules import plans

EQUIVALENCE89 = Claim(
    "dmlrs.equivalence89",
    YU22.at("section 4.1, (8)-(9)"),
    "R-DMLRS and DMLRS have the same optimum.",
    Domain(
        OfInstance,
        draw.cases(),
        (*regimes.SHAPES, *regimes.DETAILS, regimes.LATE, regimes.RESERVED, regimes.UNFINISHABLE),
    ),
    severity="slip",
)
REPAIRED = EQUIVALENCE89.repair(
    "With Pi_i the schedules that satisfy (2), (3), (4) and (7), R-DMLRS and DMLRS have the same optimum.", small=True
)


@EQUIVALENCE89.reading("Pi_i as printed", "The schedules are all that satisfy (3) and (4).")
def printed_sets(case: OfInstance) -> Finding:
    """R-DMLRS over all schedules that satisfy (3) and (4) has the optimum of DMLRS.

    Section 4.1 defines Pi_i in this way. A completion before the job's first slot counts as a training time of 1,
    which has the largest utility.
    """
    instance = case.instance
    menus = [
        [(job.utility.lower(max(1, plan.time)), plan) for plan in plans(instance, job, first=0)]
        for job in instance.jobs
    ]
    optimum = best_by_slots(instance)
    return Finding(packing(instance, menus), optimum, "equal", "R-DMLRS and DMLRS", optimum=optimum)


SAME_OPTIMUM_PROOF = """
Let a solution of DMLRS be given. Each job with x_i = 1 trains V_i samples by (3) within (2), (4) and (7). So its w, s
are a schedule pi of Pi_i, which completes at the time of (6). Set x_pi = 1. Then (9) holds. (8) is (5), because jobs
with x_i = 0 have w = 0 by (4) and may drop their PSs. The utilities agree. Conversely, let x_pi be given. Set x_i = 1
for the jobs with a schedule, and let w, s be its numbers. Then (8) is (5), and (2)-(4), (6), (7) hold by the choice of
Pi_i.
- *A job may continue after it has its samples.* Then (6) counts its last worker in both programs. An optimum need not
continue such a job.
- *(6) is undefined for a job without workers.* It has x_i = 0 by (3), and no utility in either program.
"""


@EQUIVALENCE89.reading(
    "Pi_i with (2) and (7)",
    "All schedules of the job that are feasible without other jobs.",
    SAME_OPTIMUM_PROOF,
    also=REPAIRED,
)
def same_optimum(case: OfInstance) -> Finding:
    return Finding(best_packing(case.instance), best_by_slots(case.instance), "equal", "R-DMLRS and DMLRS")


@EQUIVALENCE89.false_variant("one job at most")
def one_job(case: OfInstance) -> Finding:
    instance = case.instance
    alone = [packing(instance, [[(plan.utility, plan) for plan in plans(instance, job)]]) for job in instance.jobs]
    return Finding(max(alone), best_by_slots(instance), "equal")
