"""Algorithm 4, line 8: does it compute the beta of section IV-C?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.lemma4 import without_waiting
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.premises import IN_ORDER
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Queue

BETA = Claim(
    "preemptive.algorithm4_beta",
    WANG22.at("Algorithm 4, line 8, with section IV-C"),
    "Algorithm 4 computes beta_sw(t), the total average weight of the uncompleted chunks on the worker.",
    Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT)),
    severity="slip",
)
REPAIRED = BETA.repair(
    "With the intervals of A_2 extended by p_j, line 8 computes beta, given the landing order.",
    domain=Domain(Online, draw.online(in_order=True), regimes.RUNS, (IN_ORDER,)),
    small=True,
)


@BETA.reading("whole slots", "Chunk times are rounded up.")
@BETA.reading("fluid", "Chunk times are exact.", fluid=True)
@REPAIRED.false_variant("line 8 as printed")
def line8_agrees(case: Online, fluid: bool = False) -> Finding:
    """The beta of line 8 adds up to the weight of uncompleted chunks over time.

    When chunk d is placed, line 8 adds 1/D_j over [r_j, t* + p_j], until the completion of d that is then expected.
    Line 8 adds nothing for the chunks in A_2, which d postpones.
    """
    out = regimes.outcome(case, whole_slots=not fluid)
    total = Fraction(0)
    for chunk in out.chunks:
        here = [c for c in out.chunks[: chunk.number + 1] if c.worker == chunk.worker]
        done = Queue("static", here).advance().completion(chunk.number)
        total += chunk.weight * (done - chunk.job.arrival)
    return Finding(total, out.beta_total, "equal", "sum of beta by line 8, and by its definition")


LANDING_ORDER_EXTENDED = """
By the landing order the worker runs a fixed list from t0 on. A new chunk takes its place in the list. Exactly the
chunks of A_2, which are after it, end p_j later (eq5_marginal_repaired). So after each placement the intervals end at
the current completions of the chunks. After the last placement these are the completions c_jd.
- *Is p_j the same for every moved chunk of A_2?* Yes: p_j is the new chunk's time, for which each later chunk waits.
- *And chunks in the cloud?* Each has a separate worker there: its list has only the chunk, and A_2 is empty.
"""


@REPAIRED.reading("whole slots", "Chunk times are rounded up.", LANDING_ORDER_EXTENDED)
@REPAIRED.reading("fluid", "Chunk times are exact.", LANDING_ORDER_EXTENDED, fluid=True)
def line8_extended(case: Online, fluid: bool = False) -> Finding:
    """Line 8 agrees if each chunk of A_2 gets 1/D_j' over p_j more slots.

    Premise: chunks land in the order of placement on each server.
    """
    out, finding = regimes.outcome(case, whole_slots=not fluid), line8_agrees(case, fluid)
    total = finding.measured
    for chunk in out.chunks:
        before = [c for c in out.chunks[: chunk.number] if c.worker == chunk.worker and not c.server.cloud]
        rest = Queue("static", before).advance(chunk.landing).unfinished_slots
        behind = [c for c in before if c.number in rest and c.work / c.weight > chunk.work / chunk.weight]
        total += chunk.work * sum((c.weight for c in behind), Fraction(0))
    return Finding(total, finding.claimed, "equal", "sum of the extended beta, and by its definition")


BETA.false_variant("without waiting and postponing")(without_waiting)
