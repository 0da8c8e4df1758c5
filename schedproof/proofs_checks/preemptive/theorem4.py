"""Theorem 4: the number of operations of A_online."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise, Regime
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Growing, Online
from schedproof.reference.preemptive import Chunk, Options, Outcome, Queue, Worker


def of_kind(kind: str) -> Regime[Growing]:
    return Regime(f"family of {kind}", lambda case: case.kind == kind)


KINDS = tuple(of_kind(kind) for kind in ("chunks", "jobs", "duration"))
THEOREM4 = Claim(
    "preemptive.theorem4",
    WANG22.at("section IV-E, Theorem 4, and Appendix E"),
    "A_online takes O(J H K_max) operations.",
    Domain(Growing, draw.growing(), KINDS),
    severity="slip",
)
REPAIRED = THEOREM4.repair(
    "With intervals, A_online takes O(J H K_max + sum_j D_j (H + K_max)) operations.",
    domain=Domain.of(
        Online,
        draw.online() | draw.growing().map(lambda member: Online(member.instance)),
        {
            "D_max > H or H > K_max": lambda case: not as_appendix_e_expects(case.instance),
            "D_max <= H <= K_max": lambda case: as_appendix_e_expects(case.instance),
            "several jobs": lambda case: len(case.instance.jobs) > 1,
        },
    ),
    small=True,
)
IN_PRACTICE: Premise[Growing | Online] = Premise(
    "D_max <= H <= K_max", lambda case: as_appendix_e_expects(case.instance)
)
WITHIN_H_K = """
By theorem4_repaired the steps are at most sum_j [H (K_max + 1) + D_j (H + 2 K_max)]. With D_j <= H <= K_max the second
term is at most H K_max + 2 H K_max. The total is at most 5 J H K_max, as H <= H K_max.
- *Does doubling show an O()?* A bounded quotient cannot keep doubling; the check looks for one that does. The proof
gives the constant.
- *Does a computer need one step for each element of a list?* Appendix E counts this: a sorted list with straight
insertion.
"""


@THEOREM4.reading(
    "slot arrays",
    "With D_max <= H <= K_max, as in Appendix E; y_jdsw(t) is written slot by slot (Algorithm 4).",
    where=(IN_PRACTICE,),
    slot_arrays=True,
)
@THEOREM4.reading(
    "the loop over [T]",
    "With D_max <= H <= K_max; y in intervals, and each slot of Algorithm 1, line 1, is a step.",
    where=(IN_PRACTICE,),
    slot_loop=True,
)
@THEOREM4.reading(
    "intervals, any D_max", "As printed in Theorem 4, without an assumption; y in intervals, arrivals only."
)
@THEOREM4.reading(
    "intervals",
    "With D_max <= H <= K_max; y in intervals, lists as in Appendix E, arrivals only.",
    WITHIN_H_K,
    where=(IN_PRACTICE,),
)
@THEOREM4.false_variant("the quotient shrinks to a third", claimed=Fraction(1, 3))
def grows(
    case: Growing,
    slot_arrays: bool = False,
    slot_loop: bool = False,
    claimed: Fraction = Fraction(3, 2),
) -> Finding:
    """operations/(J H K_max) stays bounded along the family.

    The measured value is the smaller growth factor of the quotient over two doublings; for an O() bound it tends to at
    most 1. On ``chunks`` the list of the only worker grows by one with each chunk, so the operations are 2 (1 + ... +
    n) + O(n) = n^2 + O(n) against J H K_max = 2n. On ``duration`` two chunks write n slots each, and the loop passes
    through 10 n slots, against J H K_max = 8. These quotients grow linearly in n: the factor tends to 2.
    """
    members = [Growing(case.kind, case.n * 2**k) for k in range(3)]
    quotients = [
        Fraction(operations(m.instance, slot_arrays) + slot_loop * m.instance.horizon, bound(m.instance))
        for m in members
    ]
    factors = [b / a for a, b in pairwise(quotients)]
    return Finding(min(factors), claimed, "at most", f"{case.kind}: {[m.n for m in members]}")


STEPS_SUMMED = """
Before a chunk is placed, a worker's pending list has at most K_max - 1 chunks, as K_max counts all chunks and the new
one is not in the list. So CALCULATEQ and UPDATEVARIABLES take at most K_max steps each. A job's first chunk is priced
on at most H workers and on the cloud, which takes O(1). This takes at most H (K_max + 1) steps. Each of its D_j chunks
compares H prices (line 11) and calls each function once more, which takes H + 2 K_max steps. With intervals the update
of y takes one step per list element. So the sum is O(J H K_max + sum_j D_j (H + K_max)).
- *Is D_max <= H <= K_max not Appendix E's premise?* Yes, and with it this is O(J H K_max), the reading 'intervals' of
theorem4. This claim assumes no such premise.
- *The loop over [T]?* It is passed through at arrivals only; in other slots no other step occurs.
"""


@REPAIRED.reading("intervals", "Counted as Appendix E counts.", STEPS_SUMMED)
@REPAIRED.false_variant("an eighth of it", share=Fraction(1, 8))
def interval_steps(case: Online, share: Fraction = Fraction(1)) -> Finding:
    h, k = workers_and_cloud(case.instance), sum(j.chunks for j in case.instance.jobs)
    limit = sum(h * (k + 1) + j.chunks * (h + 2 * k) for j in case.instance.jobs)
    return Finding(Fraction(operations(case.instance, False)), share * limit, "at most", "steps")


def workers_and_cloud(instance: Instance) -> int:
    """Return H, the number of edge workers plus one for the cloud."""
    return sum(q.count for q in instance.classes) + 1


def as_appendix_e_expects(instance: Instance) -> bool:
    chunks = [j.chunks for j in instance.jobs]
    return max(chunks) <= workers_and_cloud(instance) <= sum(chunks)


def operations(instance: Instance, slot_arrays: bool, storage: bool = False) -> int:
    """The steps of Algorithms 2-4 as Appendix E counts them.

    A step is a touched list element or a written slot. CALCULATEQ touches the pending chunks of the worker and the
    new one; it is called for every worker on a job's first chunk and for the chosen worker after each. Line 11 looks
    at every worker's Q. UPDATEVARIABLES touches the pending chunks again and, with arrays over slots, writes y for
    each slot of the chunk.
    """
    out = regimes.run(instance, Options(storage=storage))
    steps = 0
    for chunk in out.chunks:
        if chunk.index == 0:
            steps += sum(pending(out, chunk, worker) + 1 for worker in chunk.prices)
        steps += workers_and_cloud(instance)  # line 11
        steps += 2 * (pending(out, chunk, chunk.worker) + 1)  # line 22 and UPDATEVARIABLES
        steps += int(chunk.work) if slot_arrays else 0
    return steps


def bound(instance: Instance) -> int:
    """Return the bound J H K_max, with K_max the chunks of all jobs."""
    return len(instance.jobs) * workers_and_cloud(instance) * sum(j.chunks for j in instance.jobs)


def pending(out: Outcome, chunk: Chunk, worker: Worker) -> int:
    before = [c for c in out.chunks[: chunk.number] if c.worker == worker]
    delay = chunk.job.delay(out.instance.servers[worker[0]]) or 0
    return len(Queue("static", before).advance(chunk.job.arrival + delay).unfinished_slots)
