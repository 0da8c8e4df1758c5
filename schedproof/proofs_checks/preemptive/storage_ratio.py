"""Section VI, limited storage: claim capacitated_theorem3."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.builders import CLOUD, build_instance, edge, job
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Options
from schedproof.proofs_checks.preemptive.shown import fractional_cost, pieces, total_jct
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import st
from schedproof.proofs_checks.writing import at, table


def capacitated_ratio(case: Case, fluid: bool = False, slack: Fraction = Fraction(1)) -> Finding | None:
    """A_online's total JCT at speed 1+eps is at most D_max (1 + 1/eps) times that of any schedule of (7) at speed 1."""
    if "plan" not in case.data:
        return None
    instance, speed = case.instance, regimes.speed(case)
    out = regimes.run(instance, Options(speed=speed, storage=True, whole_slots=not fluid))
    factor = instance.largest_chunk_count * (1 + 1 / (speed - 1)) * slack
    return Finding(out.total_jct, factor * total_jct(pieces(case, whole_slots=True)), "at most", "total JCT")


@st.composite
def blocked(draw: Any) -> Case:
    """A long job fills the only edge server; short ones that come while it runs must go to the cloud."""
    pick: Callable[..., int] = draw
    speed, shorts, far = pick(st.sampled_from((2, 3))), pick(st.integers(1, 5)), pick(st.integers(2, 24))
    room = pick(st.sampled_from((1, 1, 2)))
    both = {"edge": 0, "cloud": far}
    jobs = [job("long", shorts * speed, both, chunk_size=1)]
    jobs += [job(f"short{n}", 1, both, arrival=n, chunk_size=1) for n in range(shorts)]
    servers = [edge("edge", storage=room), CLOUD]
    plan = [[0, 1, far], *([n + 1, 0, n] for n in range(shorts))]
    return Case(build_instance(servers, jobs), {"speed": Fraction(speed), "plan": plan})


THEOREM3 = Claim(
    id="preemptive.capacitated_theorem3",
    source="paper 000, section VI, 'Theoretical Analysis'",
    statement="The competitive ratio of Theorem 3 holds for (7) and (8).",
    readings=(
        Reading("(7), whole slots", "Chunk times rounded up, total JCT.", capacitated_ratio),
        Reading("(7), fluid", "Chunk times as they are, total JCT.", at(capacitated_ratio, fluid=True)),
        Reading("(8)", "Sum alpha against (4)'s cost of the same schedule.", lambda c: fractional_ratio(c)),
    ),
    regimes=(regimes.STORAGE, regimes.CLOUD, regimes.SINGLE_CHUNK, regimes.ZERO_DELAY),
    strategy=blocked(),
    planted=(Planted("a tenth of the ratio", at(capacitated_ratio, slack=Fraction(1, 10))),),
    witnesses=WITNESSES,
    repaired_by="preemptive.capacitated_theorem3_repaired",
)


def fractional_ratio(case: Case) -> Finding | None:
    """Sum alpha at speed 1+eps is at most (1 + 1/eps) times the cost (3), with slots charged t + 1 - r, of a schedule
    of (8)."""
    if "plan" not in case.data:
        return None
    instance, speed = case.instance, regimes.speed(case)
    out = regimes.run(instance, Options(speed=speed, storage=True))
    cost = fractional_cost(pieces(case, whole_slots=True), Fraction(1, 2))
    return Finding(out.alpha_total, (1 + 1 / (speed - 1)) * cost, "at most", "sum alpha, and a schedule of (8)")


def room_for_all(case: Case) -> Finding | None:
    """Where every server has room for all chunks of all jobs, A_online with storage is A_online without it.

    Proof
    -----
    The chunks stored on a server at any time are among all chunks of all jobs, whose sizes add up to at most U_s: the
    test before pricing always finds room, so no server is ever left out and every decision is the same; and (7b)
    binds no offline solution either. Every bound that is proved without storage (theorem3_minlp_repaired) then holds
    as it is.
    """
    instance, speed = case.instance, regimes.speed(case)
    need = sum(job.chunks * job.chunk_size for job in instance.jobs)
    if any(s.storage is not None and s.storage < need for s in instance.edges):
        return None
    return _same_placements(instance, speed)


def _same_placements(i: Instance, speed: Fraction) -> Finding:
    runs = [regimes.run(i, Options(speed=speed, storage=kept)) for kept in (True, False)]
    moved = sum(a.worker != b.worker for a, b in zip(runs[0].chunks, runs[1].chunks, strict=True))
    return Finding(Fraction(moved), Fraction(0), "equal", "chunks placed otherwise")


THEOREM3_REPAIRED = Claim(
    id="preemptive.capacitated_theorem3_repaired",
    source="paper 000, section VI, 'Theoretical Analysis', repaired",
    statement="Where every server has room for all chunks, storage changes nothing and the repaired Theorem 3 applies.",
    readings=(Reading("room for all", "U_s at least the size of all chunks of all jobs.", room_for_all),),
    regimes=(regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.CLOUD, regimes.QUEUE),
    strategy=draw.online(storage=True, roomy=True),
    planted=(Planted("without enough room", lambda c: worst([_same_placements(tight(), Fraction(2))])),),
)


def tight() -> Instance:
    """Two chunks that do not fit together."""
    both = {"edge": 0, "cloud": 9}
    return build_instance([edge("edge", storage=1), CLOUD], [job(n, 2, both, chunk_size=1) for n in ("a", "b")])


CLAIMS = table(THEOREM3, THEOREM3_REPAIRED)
