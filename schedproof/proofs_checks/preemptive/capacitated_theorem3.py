"""Section VI, 'Theoretical Analysis': Theorem 3's ratio with limited storage."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import fractional_cost, pieces, total_jct
from schedproof.proofs_checks.preemptive.shared.premises import ABOVE_ONE, ROOM
from schedproof.proofs_checks.preemptive.theorem3 import factor
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import CLOUD, Online, build_instance, edge, job

THEOREM3 = Claim(
    "preemptive.capacitated_theorem3",
    WANG22.at("section VI, 'Theoretical Analysis'"),
    "The competitive ratio of Theorem 3 holds for (7) and (8).",
    Domain(
        Online,
        draw.blocked_cases(),
        (regimes.STORAGE, regimes.CLOUD, regimes.SINGLE_CHUNK, regimes.ZERO_DELAY),
        (ABOVE_ONE,),
    ),
    severity="false theorem",
)
REPAIRED = THEOREM3.repair(
    "If every server has room for all chunks, storage does not change the schedule, and the repaired "
    "Theorem 3 applies.",
    domain=Domain(
        Online,
        draw.online(storage=True, ample=True),
        (regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.CLOUD, regimes.QUEUE),
        (ROOM,),
    ),
)


@THEOREM3.reading("(7), whole slots", "Chunk times are rounded up; total JCT.")
@THEOREM3.reading("(7), fluid", "Chunk times are exact; total JCT.", fluid=True)
@THEOREM3.false_variant("a tenth of the ratio", slack=Fraction(1, 10))
def capacitated_ratio(case: Online, fluid: bool = False, slack: Fraction = Fraction(1)) -> Finding:
    """Total JCT at speed 1+eps is at most D_max (1 + 1/eps) times OPT of (7).

    OPT is at speed 1, and the cost of every schedule of (7) is an upper bound on OPT.
    """
    out = regimes.outcome(case, storage=True, whole_slots=not fluid)
    limit = case.instance.largest_chunk_count * factor(case) * slack * total_jct(pieces(case, whole_slots=True))
    return Finding(out.total_jct, limit, "at most", "total JCT")


@THEOREM3.reading("(8)", "Sum alpha is compared with (4)'s cost of the same schedule.")
def fractional_ratio(case: Online) -> Finding:
    """Sum alpha at speed 1+eps is at most (1 + 1/eps) times the cost (3) in (8).

    Any schedule of (8) at speed 1 counts, with slot t at t + 1 - r.
    """
    out = regimes.outcome(case, storage=True)
    cost = fractional_cost(pieces(case, whole_slots=True), Fraction(1, 2))
    return Finding(out.alpha_total, factor(case) * cost, "at most", "sum alpha, and a schedule of (8)")


ROOM_FOR_ALL = """
The chunks stored on a server at any time are among all chunks of all jobs, whose sizes add up to at most U_s. So the
test before pricing always finds room. No server is ever excluded, and every decision is the same. (7b) does not bind
any offline solution either. Every bound that is proved without storage (theorem3_minlp_repaired) then holds unchanged.
Coq, core: preemptive.v room_for_all; theorem3.v theorem3_minlp_repaired. Outside: A_online with storage. In detail:
stored chunks are different chunks of the jobs; a schedule without an excluded server is the schedule of A_online
without storage.
- *Why is the check about placements and not about a ratio?* If every placement is the same, so is the schedule, and
theorem3_minlp_repaired applies to it.
"""


@REPAIRED.reading("room for all", "U_s is at least the size of all chunks of all jobs.", ROOM_FOR_ALL)
def storage_for_all(case: Online) -> Finding:
    return same_placements(case)


REPAIRED.false_variant("without enough room")(lambda case: same_placements(tight()))


def same_placements(case: Online) -> Finding:
    kept, free = (regimes.outcome(case, storage=limited).chunks for limited in (True, False))
    moved = sum(a.worker != b.worker for a, b in zip(kept, free, strict=True))
    return Finding(Fraction(moved), Fraction(0), "equal", "chunks placed otherwise")


def tight() -> Online:
    jobs = [job(name, 2, {"edge": 0, "cloud": 9}, chunk_size=1) for name in ("a", "b")]
    return Online(build_instance([edge("edge", storage=1), CLOUD], jobs), Fraction(2))
