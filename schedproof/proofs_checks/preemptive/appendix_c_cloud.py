"""Appendix C: 'allocating to the cloud is obviously feasible'."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.lemma2 import rows
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.premises import IN_CLOUD
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online

CLOUD = Claim(
    "preemptive.appendix_c_cloud",
    WANG22.at("Appendix C, 'allocating to the cloud is obviously feasible'"),
    "If a chunk is allocated to the cloud, it meets (6a).",
    Domain(
        Online,
        draw.online(cloud="unmixed") | draw.blocked_cases(),
        (regimes.CLOUD, regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.BROKEN),
        (IN_CLOUD,),
    ),
    severity="false proof step",
)
REPAIRED = CLOUD.repair(
    "If a chunk is allocated to the cloud, it meets the row of the worker that takes it.", small=True
)


@CLOUD.reading(
    "every worker",
    "The rows of all workers that may train the chunk, from the landing on. "
    "Slot t costs t + 1 - r_j; slot starts are stricter.",
)
def every_row(case: Online) -> Answer:
    out = regimes.outcome(case)
    result = [
        Finding(c.alpha, c.weight * (ago + 1) + c.work * beta, "at most", f"{c.job.name} on {w}, t - r = {ago}")
        for c, w, ago, beta in rows(out, lead=False)
        if c.server.cloud
    ]
    return worst(result)


@CLOUD.reading(
    "its own worker",
    "Only the row of the cloud worker that takes the chunk; slot starts.",
    """
    Here alpha = (Delta + p)/D. Until the chunk is complete, beta = 1/D on its worker, and (t - r)/D + p/D >= (Delta +
    p)/D from the landing on. After its completion t - r >= Delta + p.
    Coq, core: preemptive.v appendix_c_cloud. Outside: the values of alpha and beta in Appendix C. The worker is used by
    no other chunk.
    - *Why is this not enough?* The dual has a row for every worker that may take the chunk, chosen or not.
    """,
    also=REPAIRED,
)
@CLOUD.false_variant("without beta", counted=False)
def own_row(case: Online, counted: bool = True) -> Answer:
    """The row of the cloud worker that has the chunk, with beta = 1/D until its end."""
    out, result = regimes.outcome(case), []
    for c in out.chunks:
        done = c.landing + c.work
        for t in (c.landing, done) if c.server.cloud else ():
            beta = c.weight if t < done and counted else Fraction(0)
            right = c.weight * (t - c.job.arrival) + c.work * beta
            result.append(Finding(c.alpha, right, "at most", f"{c.job.name} on its own cloud worker, t = {t}"))
    return worst(result)
