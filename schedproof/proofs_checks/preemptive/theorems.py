"""Theorem 3, the competitive ratio: claims theorem3_lp, theorem3_ilp and theorem3_minlp."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.builders import build_instance, edge, job
from schedproof.proofs_checks.preemptive.dual_fitting import unmixed
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Options, in_order
from schedproof.proofs_checks.preemptive.shown import fractional_cost, pieces, total_jct
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import st
from schedproof.proofs_checks.writing import at, table

START, END, FLUID = Fraction(-1, 2), Fraction(1, 2), Fraction(0)


def factor(speed: Fraction) -> Fraction:
    """1 + 1/eps."""
    return 1 + 1 / (speed - 1)


# --- as printed ------------------------------------------------------------------------------------------------------


def spread_cost(case: Case, offset: Fraction) -> Fraction:
    """Relaxed (4) without (4e), as the paper drops it: jobs in file order, each over all its workers, earliest slots
    first."""
    used: dict[tuple[int, int], Fraction] = {}
    cost = Fraction(0)
    for one in case.instance.jobs:
        left, slot = one.chunks * one.chunk_time, one.arrival
        while left:
            for q, delay in case.instance.qualified(one):
                free = q.count - used.get((q.index, slot), Fraction(0))
                taken = min(left, free) if slot >= one.arrival + delay else Fraction(0)
                used[q.index, slot] = used.get((q.index, slot), Fraction(0)) + taken
                left -= taken
                cost += taken * (slot + Fraction(1, 2) + offset - one.arrival) / (one.chunks * one.chunk_time)
            slot += 1
    return cost


def against_lp(
    case: Case, offset: Fraction = START, spread: bool = True, slack: Fraction = Fraction(1)
) -> Finding | None:
    """Sum alpha at speed 1+eps is at most (1 + 1/eps) times the cost of any solution of relaxed (4) at speed 1."""
    out = regimes.run(case.instance, Options(speed=regimes.speed(case), whole_slots=False))
    if spread and case.instance.cloud is not None:
        return None
    cost = fractional_cost(pieces(case, whole_slots=True), offset)
    if spread and "plan" not in case.data:
        cost = min(cost, spread_cost(case, offset))
    most = factor(regimes.speed(case)) * slack * cost
    return Finding(out.alpha_total, most, "at most", "sum alpha, and a shown solution")


def against_ilp(case: Case, offset: Fraction = START, slack: Fraction = Fraction(1)) -> Finding:
    """Sum alpha at speed 1+eps is at most (1 + 1/eps) times the cost of any binary solution of (4) at speed 1."""
    out = regimes.run(case.instance, Options(speed=regimes.speed(case), whole_slots=offset != FLUID))
    cost = fractional_cost(pieces(case, whole_slots=offset != FLUID), offset)
    most = factor(regimes.speed(case)) * slack * cost
    return Finding(out.alpha_total, most, "at most", "sum alpha, and a shown schedule")


def against_minlp(case: Case, whole: bool = True, slack: Fraction = Fraction(1)) -> Finding:
    """Total JCT at speed 1+eps is at most D_max (1 + 1/eps) times that of any schedule of (2) at speed 1."""
    out = regimes.run(case.instance, Options(speed=regimes.speed(case), whole_slots=whole))
    most = case.instance.largest_chunk_count * factor(regimes.speed(case)) * slack * total_jct(pieces(case, whole))
    return Finding(out.total_jct, most, "at most", "total JCT, and that of a shown schedule")


def pool(slot: int, on_hub: str) -> Case:
    """The static order's trap, at double speed: a pool of almost finished jobs, each preempted by the next.

    Job i takes slot + N - i slots at double speed and arrives at i slot, when its predecessor has one or a few slots
    left (N jobs in all). It is a slot shorter, so the static order runs it first: on the ``hub`` it is priced at its
    own time for itself and for each of the i jobs that it postpones. Its own server ``far`` is one slot dearer than
    that.

    Parameters
    ----------
    slot
        The time of a job at double speed, about; it should be much larger than the number of jobs squared.
    on_hub
        The shown schedule, for each job in order of arrival: ``1`` if it runs on the hub, ``0`` on its own server.
    """
    rows, servers, plan, free = [], [edge("hub")], [], 0
    for i, side in enumerate(on_hub):
        time, arrival = slot + len(on_hub) - i, i * slot
        delay = i * time + 1
        rows.append(job(f"j{i}", 2 * time, {"hub": 0, f"far{i}": delay}, arrival=arrival))
        servers.append(edge(f"far{i}"))
        start = max(free, arrival) if side == "1" else arrival + delay
        free = start + 2 * time if side == "1" else free
        plan.append([i, 0 if side == "1" else i + 1, start])
    return Case(build_instance(servers, rows, horizon=100 * len(on_hub) * slot), {"speed": Fraction(2), "plan": plan})


@st.composite
def pools(draw_: Any) -> Case:
    """Small pools, with a random shown schedule."""
    pick: Callable[..., int] = draw_
    return pool(20, "".join(str(pick(st.integers(0, 1))) for _ in range(pick(st.integers(2, 5)))))


_REGIMES = (
    regimes.PREEMPTION,
    regimes.QUEUE,
    regimes.DELAYS,
    regimes.BROKEN,
    regimes.ZERO_DELAY,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.CLOUD_FREE,
    regimes.TIE,
)
_STRATEGY = st.one_of(draw.online(), draw.online(cloud="none"), pools())
_TENTH = Fraction(1, 10)

LP = Claim(
    id="preemptive.theorem3_lp",
    source="paper 000, section IV-E, Theorem 3, and Appendix D",
    statement="Sum alpha <= (1 + 1/eps) times the optimum of relaxed (4) at the slower speed.",
    readings=(
        Reading("slot start", "Slot t costs t - r_j, as (3) prints it; (4e) dropped, as the paper does.", against_lp),
        Reading("slot end", "Slot t costs t + 1 - r_j; (4e) dropped.", at(against_lp, offset=END)),
        Reading("continuous", "The mean of t - r_j over the slot; (4e) dropped.", at(against_lp, offset=FLUID)),
        Reading("slot end, (4e) kept", "A chunk is on one worker at a time.", at(against_lp, offset=END, spread=False)),
        Reading(
            "continuous, (4e) kept", "A chunk is on one worker at a time.", at(against_lp, offset=FLUID, spread=False)
        ),
    ),
    regimes=_REGIMES,
    strategy=_STRATEGY,
    planted=(Planted("a tenth of the ratio", at(against_lp, slack=_TENTH)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem3_lp_repaired",
)

ILP = Claim(
    id="preemptive.theorem3_ilp",
    source="paper 000, section IV-E, Theorem 3, and Appendix D",
    statement="Sum alpha <= (1 + 1/eps) times the optimum of ILP (4) at the slower speed.",
    readings=(
        Reading("slot start", "Slot t costs t - r_j, as (3) prints it.", against_ilp),
        Reading("slot end", "Slot t costs t + 1 - r_j.", at(against_ilp, offset=END)),
        Reading("continuous", "The mean of t - r_j, chunk times as they are.", at(against_ilp, offset=FLUID)),
    ),
    regimes=(*_REGIMES, regimes.MIXED),
    strategy=_STRATEGY,
    planted=(Planted("a tenth of the ratio", at(against_ilp, slack=_TENTH)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem3_ilp_repaired",
)

MINLP = Claim(
    id="preemptive.theorem3_minlp",
    source="paper 000, section IV-E, Theorem 3, and Appendix D",
    statement="Total JCT <= D_max (1 + 1/eps) times the optimum of (2) at the slower speed.",
    readings=(
        Reading("whole slots", "Chunk times rounded up at both speeds.", against_minlp),
        Reading("fluid", "Chunk times as they are.", at(against_minlp, whole=False)),
    ),
    regimes=(*_REGIMES, regimes.MIXED),
    strategy=_STRATEGY,
    planted=(Planted("a tenth of the ratio", at(against_minlp, slack=_TENTH)),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem3_minlp_repaired",
)

# --- repaired --------------------------------------------------------------------------------------------------------


def exact_at_both_speeds(i: Instance, speed: Fraction) -> bool:
    """Whether chunk times are whole slots at speed 1 and at speed 1 + eps."""
    times = [t for one in i.jobs for t in (one.chunk_time, one.chunk_time_in_cloud)]
    return all(t.denominator == 1 and (t / speed).denominator == 1 for t in times)


def premises(case: Case, whole: bool) -> bool:
    """Landing order on each server, no job pays for a mixed placement, and no loss from rounding."""
    exact = not whole or exact_at_both_speeds(case.instance, regimes.speed(case))
    return exact and in_order(case.instance) and unmixed(case)


def repaired_lp(case: Case, whole: bool = False, slack: Fraction = Fraction(1)) -> Finding | None:
    """In the residual order, sum alpha <= (1 + 1/eps) LP+, where LP+ is relaxed (4) at speed 1 with cost t - r +
    p/(1+eps).

    Premises: chunks land in the order of placement on each server; no job pays for a mixed placement; chunk times are
    whole slots at both speeds, or time is fluid.

    Proof
    -----
    Write p for chunk times at speed 1, so that A_online's are p/(1+eps). By lemma2_repaired, alpha <= (t - r +
    p/(1+eps))/D + (p/(1+eps)) beta(t) wherever (4) has a column. Divide by p: (alpha, beta/(1+eps)) meets alpha/p <=
    (t - r + p/(1+eps))/(D p) + beta'(t), the dual rows of relaxed (4) with cost (t - r + p/(1+eps))/(D p) and without
    (4e), which only lowers it. Weak duality: sum alpha - sum beta/(1+eps) <= LP+. By the landing order sum alpha =
    sum beta (lemma4_repaired, whose proof covers the residual order), so eps/(1+eps) sum alpha <= LP+. Every solution
    of relaxed (4), and so every binary one, costs at least LP+.
    """
    if not premises(case, whole):
        return None
    speed = regimes.speed(case)
    out = regimes.run(case.instance, Options(speed=speed, whole_slots=whole, order="residual"))
    shown = pieces(case, whole_slots=whole)
    cost = fractional_cost(shown, START if whole else FLUID, speed)
    return Finding(out.alpha_total, factor(speed) * slack * cost, "at most", "sum alpha, and a shown schedule in LP+")


def repaired_minlp(case: Case, whole: bool = False, slack: Fraction = Fraction(1)) -> Finding | None:
    """In the residual order, total JCT <= D_max max(1 + 1/eps, (3 + eps)/(2 eps)) OPT: D_max (1 + 1/eps) from eps = 1
    on.

    Premises as for LP+ (and those of theorem2_repaired, so that the schedule is feasible). OPT is the optimum of (2)
    at speed 1, chunks pinned or floating.

    Proof
    -----
    Take an optimal schedule of (2) at speed 1 and read it in LP+. A job holds at most D workers at any time before c,
    in all D p: the mean of t - r over its work is at most that over the last p before c, which is c - r - p/2. So LP+
    <= sum_j (c - r - p/2 + p/(1+eps)). For eps >= 1 this is at most sum_j (c - r) = OPT. For eps < 1 use p <= c - r:
    it is at most (1/2 + 1/(1+eps)) OPT = (3 + eps)/(2 (1+eps)) OPT. Now sum_j (c_j - r_j) <= sum_jd (c_jd - r_j) <=
    D_max sum_jd (c_jd - r_j)/D_j = D_max sum alpha <= D_max (1 + 1/eps) LP+ (the theorem above, and Lemma 4
    repaired). Whole slots charge 1/2 less per unit than the fluid mean, so the same bound holds.
    """
    if not premises(case, whole):
        return None
    speed, eps = regimes.speed(case), regimes.speed(case) - 1
    out = regimes.run(case.instance, Options(speed=speed, whole_slots=whole, order="residual"))
    ratio = case.instance.largest_chunk_count * max(1 + 1 / eps, (3 + eps) / (2 * eps)) * slack
    most = ratio * total_jct(pieces(case, whole))
    return Finding(out.total_jct, most, "at most", "total JCT, and that of a shown schedule")


_IN_ORDER = st.one_of(
    draw.online(cloud="unmixed", in_order=True),
    draw.online(cloud="none", in_order=True, whole=True, speeds=(Fraction(2),), even=True),
    pools(),
)
_PAIR = (
    Reading("fluid", "Chunk times as they are, continuous time.", repaired_lp),
    Reading("whole slots", "Chunk times whole at both speeds; slot starts.", at(repaired_lp, whole=True)),
)
_HALF = Planted("a quarter of the ratio", at(repaired_lp, slack=Fraction(1, 4)))

LP_REPAIRED = Claim(
    id="preemptive.theorem3_lp_repaired",
    source="paper 000, section IV-E, Theorem 3, repaired",
    statement=(
        "In the residual order, with chunks landing in the order of placement, no job paying for a mixed placement and "
        "no loss by rounding: sum alpha <= (1 + 1/eps) LP+, relaxed (4) with cost t - r_j + p_j/(1+eps)."
    ),
    readings=_PAIR,
    regimes=(*_REGIMES, regimes.CLOUD),
    strategy=_IN_ORDER,
    planted=(_HALF,),
)

ILP_REPAIRED = Claim(
    id="preemptive.theorem3_ilp_repaired",
    source="paper 000, section IV-E, Theorem 3, repaired",
    statement="The same against every binary solution of (4) with cost t - r_j + p_j/(1+eps).",
    readings=_PAIR,
    regimes=(*_REGIMES, regimes.CLOUD),
    strategy=_IN_ORDER,
    planted=(_HALF,),
)

MINLP_REPAIRED = Claim(
    id="preemptive.theorem3_minlp_repaired",
    source="paper 000, section IV-E, Theorem 3, repaired",
    statement=(
        "In the residual order and under the premises, total JCT <= D_max max(1 + 1/eps, (3 + eps)/(2 eps)) OPT; "
        "from eps = 1 on this is the printed ratio."
    ),
    readings=(
        Reading("fluid", "Chunk times as they are, continuous time.", repaired_minlp),
        Reading("whole slots", "Chunk times whole at both speeds.", at(repaired_minlp, whole=True)),
    ),
    regimes=(*_REGIMES, regimes.CLOUD),
    strategy=_IN_ORDER,
    planted=(Planted("a tenth of the ratio", at(repaired_minlp, slack=_TENTH)),),
)

CLAIMS = table(LP, LP_REPAIRED, ILP, ILP_REPAIRED, MINLP, MINLP_REPAIRED)
