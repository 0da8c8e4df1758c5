"""Sections I and IV-D: is the assignment of parameter servers decoupled?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.lemma3 import lingering
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import SERVED
from schedproof.proofs_checks.preemptive.shared.premises import ENOUGH
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options
from schedproof.reference.preemptive_parameter_servers import a_ps, open_to

DECOUPLED = Claim(
    "preemptive.decoupled",
    WANG22.at("section I, second contribution, and section IV-D"),
    "The decision of PS allocation is decoupled from worker allocation, and A_ps selects an available PS "
    "for each running job without affecting the objectives of (2) and (4).",
    SERVED,
    severity="false theorem",
)
REPAIRED = DECOUPLED.repair(
    f"If {ENOUGH.sentence}, and a job whose chunks are all in the cloud takes its PS there, A_ps affects "
    "neither objective.",
    domain=SERVED.but(premises=(ENOUGH,)),
)


@DECOUPLED.reading("any PS", "Line 6 as printed; a job in the cloud with an edge PS has zeta_j = 0.")
def drawn_at_edge(case: Online) -> Finding:
    out = regimes.run(case.instance, Options())
    mine = [job for job in case.instance.jobs if job.index in out.all_in_cloud and open_to(case.instance, job)]
    slower, faster = (sum(job.slots(in_cloud=z) for job in mine) for z in (False, True))
    return Finding(
        Fraction(slower), Fraction(faster), "equal", "slots of the jobs in the cloud, PS at the edge or there"
    )


@DECOUPLED.reading("an available PS", "In favour of the statement: the cloud's PS for a job in the cloud.")
def waiting(case: Online) -> Finding:
    out = regimes.run(case.instance, Options())
    missing = max(a_ps(case.instance, out.rows, out.all_in_cloud, pick)[1] for pick in (min, max))
    return Finding(Fraction(missing), Fraction(0), "equal", "running jobs without a PS")


UNDISTURBED = """
By lemma3_repaired every running job has a PS in every slot of the workers' schedule, so no slot is lost. A job with all
chunks in the cloud has its PS there, so zeta_j = 1, as A_greedy priced it. Any other job has a worker at the edge, so
zeta_j = 0 for every place of its PS, as A_greedy priced it. So y, all n_j and both objectives, which depend only on y
and n_j, are the same as before A_ps.
- *Is this not the meaning of 'decoupled'?* Only under these two conditions, which the paper does not state. Line 6
draws any PS with o_jsp = 1, and (4c), (4d) bind A_greedy's schedule as soon as parameter servers are scarce.
"""


REPAIRED.reading("enough", "Every running job has a parameter server, and zeta_j is as priced.", UNDISTURBED)(waiting)
REPAIRED.false_variant("however few there are")(lambda case: waiting(lingering()))
DECOUPLED.false_variant("some job always waits")(lambda case: Finding(waiting(case).measured, Fraction(1), "equal"))
