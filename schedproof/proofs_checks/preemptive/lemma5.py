"""Lemma 5: the effect of a slower speed on a dual solution."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Job
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Priced

PRICED = Domain.of(
    Priced,
    draw.priced_cases(),
    {"a tight row": lambda case: case.share == 1, "a price of zero": lambda case: any(0 in row for row in case.beta)},
    regimes.BROKEN,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
)
LEMMA5 = Claim(
    "preemptive.lemma5",
    WANG22.at("Appendix D, Lemma 5"),
    "If (alpha, beta) is feasible for (6), (alpha, beta/(1+eps)) is feasible for (11).",
    PRICED,
)
SAME_ROW_SCALED = """
(11a) with alpha' = alpha and beta' = beta/(1+eps) is (6a) with both sides divided by 1 + eps > 0. The scaled variables
are nonnegative too. The proof uses no integrality and no property of A_online, so it holds for every feasible pair. (If
chunk times are rounded up to slots at both speeds, the factor 1/(1+eps) is no longer the ratio of the two rates, and
the lemma differs. For example p = 1 takes one slot at any speed; alpha = beta = 1 meets alpha <= beta but not alpha <=
beta/(1+eps).)
Coq, core: preemptive.v lemma5. Outside: the programs (6) and (11) around the row. (6a) and (11a) are rows of the
theorem's form.
- *Does (11) have the same columns as (6)?* Yes: whether a job may use a worker and when it lands depend on the servers,
not on the speed.
"""


@LEMMA5.reading("as printed", "Rates are n_jsw/(E_j B_j) and n_jsw/((1+eps) E_j B_j), real numbers.", SAME_ROW_SCALED)
@LEMMA5.false_variant("beta divided twice", power=2)
def slower_rows(case: Priced, power: int = 1) -> Answer:
    result = []
    for job, workers in _rows(case):
        rate = 1 / job.chunk_time  # n_jsw / (E_j B_j)
        waits = {(w, ago): rate / job.chunks * ago for w in workers for ago in range(len(case.beta[w]))}
        tightest = min((wait + case.beta[w][ago]) / rate for (w, ago), wait in waits.items())
        alpha = case.share * tightest  # feasible for (6) by construction
        for (w, ago), wait in waits.items():
            right = wait / case.speed + case.beta[w][ago] / case.speed**power
            place = f"{job.name}, worker {w}, slot {job.arrival + ago}"
            result.append(Finding(alpha * rate / case.speed, right, "at most", place))
    return worst(result)


def _rows(case: Priced) -> Iterator[tuple[Job, list[int]]]:
    classes = [q for q in case.instance.classes for _ in range(q.count)]
    for job in case.instance.jobs:
        may = {q.index for q, _ in case.instance.qualified(job)}
        yield job, [w for w, q in enumerate(classes) if q.index in may]


WHOLE_SLOTS = Claim(
    "preemptive.lemma5_whole_slots",
    WANG22.at("Appendix D, next to Lemma 5, with time in slots as in section III; not printed"),
    "(alpha, beta max_j ceil(p_j/(1+eps))/ceil(p_j)) is feasible for (11) in whole slots.",
    PRICED,
)
LARGEST_QUOTIENT = """
(6a) gives alpha <= (t - r)/D + p' beta with p' = ceil(p/(1+eps)). With p'' = ceil(p) and a factor of at least p'/p''
for every job, p' beta = p'' (p'/p'') beta <= p'' (factor beta), which is (11a). The factor is 1/(1+eps) exactly if
rounding changes no chunk time at either speed, the premise of the repaired Theorem 3.
Coq, core: preemptive.v lemma5_whole_slots. Outside: the programs (6) and (11) around the row, and the maximum over
jobs. `fast` and `slow` are the chunk's times at the two speeds, rounded up.
- *The largest quotient may be 1, and then the factor has no effect.* Yes: a chunk of one slot takes one slot at any
speed. This is the reason for the premise of the repaired Theorem 3.
"""


@WHOLE_SLOTS.reading("whole slots", "Chunk times are ceil(p/(1+eps)) in (6) and ceil(p) in (11).", LARGEST_QUOTIENT)
def whole_slot_rows_scaled(case: Priced) -> Answer:
    """(11a) in whole slots, with a larger factor in place of 1/(1+eps).

    The factor is the largest quotient of both chunk times.
    """
    return whole_slot_rows(case, max(Fraction(j.slots(speed=case.speed), j.slots()) for j in case.instance.jobs))


@WHOLE_SLOTS.false_variant("1/(1+eps)")
def whole_slot_rows(case: Priced, factor: Fraction | None = None) -> Answer:
    """(11a) with beta times a factor, chunk times in whole slots at each speed.

    They are ceil(p/(1+eps)) in (6) and ceil(p) in (11).
    """
    result = []
    for job, workers in _rows(case):
        fast, slow = job.slots(speed=case.speed), job.slots()
        places = [(w, ago) for w in workers for ago in range(len(case.beta[w]))]
        alpha = case.share * min(Fraction(ago, job.chunks) + fast * case.beta[w][ago] for w, ago in places)
        for w, ago in places:
            right = Fraction(ago, job.chunks) + slow * (factor or 1 / case.speed) * case.beta[w][ago]
            result.append(Finding(alpha, right, "at most", f"{job.name}, worker {w}, t - r = {ago}"))
    return worst(result)
