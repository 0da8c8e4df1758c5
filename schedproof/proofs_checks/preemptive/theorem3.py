"""Theorem 3, the competitive ratio: against relaxed (4), (4) and (2)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import Piece, fractional_cost, pieces, total_jct
from schedproof.proofs_checks.preemptive.shared.optima import least_fractional_cost, least_total_jct
from schedproof.proofs_checks.preemptive.shared.premises import (
    ABOVE_ONE,
    ENOUGH,
    IN_ORDER_OR_ALIKE,
    NEVER_SPLIT,
    NO_ROUNDING,
)
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies import preemptive_traps as traps
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.proofs_checks.strategies.preemptive_traps import Ladder

SOURCE = WANG22.at("section IV-E, Theorem 3, and Appendix D")
RUNS = tuple(regime for regime in regimes.RUNS if regime is not regimes.CLOUD)
CLOUD_FREE = Domain(Online, draw.online() | draw.online(cloud="none") | traps.pools(), RUNS, (ABOVE_ONE,))
UNDER = (
    f"In the residual order, with {IN_ORDER_OR_ALIKE.sentence}, no job paying for a mixed placement and no loss "
    "by rounding"
)
IN_ORDER = Domain.of(
    Online,
    draw.online(cloud="unmixed", in_order=True)
    | draw.online(cloud="unmixed", alike=True)
    | draw.online(cloud="none", in_order=True, whole=True, speeds=(Fraction(2),), even=True)
    | draw.uploads()
    | traps.pools(),
    {"compared with an exact optimum": lambda case: compared_exactly(case)},
    *RUNS,
    regimes.CLOUD,
    premises=(ABOVE_ONE, IN_ORDER_OR_ALIKE, NEVER_SPLIT),
)
WHOLE = (NO_ROUNDING,)
LISTED: Premise[Online | Ladder] = Premise("its servers are listed one by one", lambda case: isinstance(case, Online))
AT_EDGE: tuple[Premise[Online]] = (
    Premise("the solution shown spreads over edge workers only", lambda case: case.instance.cloud is None),
)
REPAIRED_AT = WANG22.at("section IV-E, Theorem 3, repaired")
START, END, FLUID = Fraction(-1, 2), Fraction(1, 2), Fraction(0)
ONE = Fraction(1)
OWN = "objective (4) of A_online, and of a shown schedule"
TENTH, A_TENTH = Fraction(1, 10), "a tenth of the ratio"
NINE_TENTHS = Fraction(9, 10)  # reached by long uploads and great speeds; at eps = 1 the closest is a half
ANYWHERE = CLOUD_FREE.but(regimes=(*RUNS, regimes.MIXED))
WITH_LADDERS = ANYWHERE.but(others=(Ladder,))
BY_JOB = (LISTED,)
LP = Claim(
    "preemptive.theorem3_lp",
    SOURCE,
    "Sum alpha <= (1 + 1/eps) times the optimum of relaxed (4) at the slower speed.",
    CLOUD_FREE,
    severity="false theorem",
)
LP_REPAIRED = LP.repair(
    f"{UNDER}: sum alpha <= (1 + 1/eps) LP+, relaxed (4) with cost t - r_j + p_j/(1+eps).",
    domain=IN_ORDER,
    source=REPAIRED_AT,
)
ILP = Claim(
    "preemptive.theorem3_ilp",
    SOURCE,
    "Sum alpha <= (1 + 1/eps) times the optimum of ILP (4) at the slower speed.",
    WITH_LADDERS,
    severity="false theorem",
)
ILP_REPAIRED = ILP.repair(
    f"{UNDER}: sum alpha <= (1 + 1/eps) times the cost of any binary solution of (4), where a unit costs "
    "t - r_j + p_j/(1+eps).",
    domain=IN_ORDER,
    source=REPAIRED_AT,
)


@LP.reading("slot start", "Slot t costs t - r_j, as printed in (3); (4e) is dropped, as in the paper.", where=AT_EDGE)
@LP.reading("slot end", "Slot t costs t + 1 - r_j; (4e) is dropped.", where=AT_EDGE, offset=END)
@LP.reading("continuous", "A slot costs the mean of t - r_j over it; (4e) is dropped.", where=AT_EDGE, offset=FLUID)
@LP.reading("slot end, (4e) kept", "A chunk is on one worker at a time.", offset=END, spread=False)
@LP.reading("continuous, (4e) kept", "A chunk is on one worker at a time.", offset=FLUID, spread=False)
@LP.false_variant(A_TENTH, slack=TENTH)
def against_lp(case: Online, offset: Fraction = START, spread: bool = True, slack: Fraction = ONE) -> Finding:
    out = regimes.outcome(case, whole_slots=False)
    cost = fractional_cost(pieces(case, whole_slots=True), offset)
    if spread and case.instance.cloud is None and case.plan is None:
        cost = min(cost, spread_cost(case, offset))
    return Finding(
        out.alpha_total, factor(case) * slack * cost, "at most", "sum alpha, and a shown solution", relative=True
    )


DUAL_OF_LP_PLUS = """
Let p be the chunk times at speed 1, so that A_online's are p/(1+eps). By lemma2_repaired, alpha <= (t - r +
p/(1+eps))/D + (p/(1+eps)) beta(t) if (4) has a column. Let beta' = beta/(1+eps) and divide by p. Then (alpha, beta')
meets alpha/p <= (t - r + p/(1+eps))/(D p) + beta'(t). These are the dual rows of relaxed (4) with cost (t - r +
p/(1+eps))/(D p) and without (4e), which only lowers its optimum. By weak duality sum alpha - sum beta/(1+eps) <= LP+.
With the landing order sum alpha = sum beta (lemma4_repaired, whose proof covers the residual order). If every job has
the same number of chunks, sum alpha >= sum beta (lemma4_alike). In both cases (1 - 1/(1+eps)) sum beta <= LP+, so sum
beta <= (1 + 1/eps) LP+, and then sum alpha <= LP+ + sum beta/(1+eps) <= LP+ + LP+/eps. Every solution of relaxed (4),
and so every binary one, costs at least LP+.
Coq, core: preemptive.v theorem3_lp_at_least, weak_duality_9_8; placed.v a_online_placed. Outside: relaxed (4) with the
cost of LP+, and weak duality for it. In detail: Lemmas 2 and 4 are proven for A_online as defined. The rows of Lemma 2,
divided by p, are the dual rows of relaxed (4) with the cost of LP+, without storage. The sum of a worker's beta over
time is the sum of (c_jd - r_j)/D_j over its chunks.
- *The dual rows exist from the landing on; lemma2_repaired is about the same times.* Yes: (4) and LP+ have no column
before the landing.
- *Is beta of the fluid run a price for each slot?* In fluid time the dual has a price for every moment; in whole slots
chunk times are whole at both speeds, so beta is constant within a slot.
- *LP+ costs more than relaxed (4) at the slower speed.* Yes, by p/(1+eps) for each unit, which the printed theorem
omits.
"""


@LP_REPAIRED.reading("fluid", "Chunk times are exact, and time is continuous.", DUAL_OF_LP_PLUS, also=ILP_REPAIRED)
@LP_REPAIRED.reading(
    "whole slots",
    "Chunk times are whole at both speeds; slot starts.",
    DUAL_OF_LP_PLUS,
    where=WHOLE,
    whole=True,
    also=ILP_REPAIRED,
)
@LP_REPAIRED.false_variant("nine tenths of the ratio", slack=NINE_TENTHS, also=ILP_REPAIRED)
def repaired_lp(case: Online, whole: bool = False, slack: Fraction = ONE) -> Finding:
    """In the residual order, sum alpha <= (1 + 1/eps) LP+.

    On tiny instances LP+ is exact, in whole slots; otherwise it is the cost of a constructed schedule.
    """
    out = regimes.outcome(case, whole_slots=whole, order="residual")
    cost = least_fractional_cost(case.instance, case.speed) if whole else None
    shown = fractional_cost(pieces(case, whole_slots=whole), START if whole else FLUID, case.speed)
    return Finding(out.alpha_total / (cost or shown), factor(case) * slack, "at most", "sum alpha over LP+")


@ILP.reading("slot start", "Slot t costs t - r_j, as printed in (3).", where=BY_JOB)
@ILP.reading("slot end", "Slot t costs t + 1 - r_j.", where=BY_JOB, offset=END)
@ILP.reading(
    "continuous", "A slot costs the mean of t - r_j over it; chunk times are exact.", where=BY_JOB, offset=FLUID
)
def against_ilp(case: Online, offset: Fraction = START) -> Finding:
    out = regimes.outcome(case, whole_slots=offset != FLUID)
    cost = fractional_cost(pieces(case, whole_slots=offset != FLUID), offset)
    return Finding(out.alpha_total, factor(case) * cost, "at most", "sum alpha, and a shown schedule", relative=True)


ILP_FLUID = Claim(
    "preemptive.theorem3_ilp_fluid",
    SOURCE,
    "In fluid time the sum of f_jd over A_online's y is at most (1 + 1/eps) times the optimum of ILP (4) "
    "at the slower speed.",
    WITH_LADDERS,
    severity="false theorem",
)
ILP_FLUID_REPAIRED = ILP_FLUID.repair(
    f"{UNDER}: the sum of f_jd over A_online's y is at most (1 + 1/eps) LP+.", domain=IN_ORDER, source=REPAIRED_AT
)


def own_objective(case: Online, offset: Fraction) -> tuple[Fraction, Fraction]:
    """(4) of A_online at speed 1 + eps, and of a binary solution at speed 1."""
    whole = offset != FLUID
    out = regimes.outcome(case, whole_slots=whole)
    mine = fractional_cost([Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks], offset)
    return mine, fractional_cost(pieces(case, whole), offset)


@ILP.reading(
    "objective, slot start", "The sum of f_jd over A_online's y replaces sum alpha; slot t costs t - r_j.", where=BY_JOB
)
@ILP.reading(
    "objective, slot end",
    "The sum of f_jd over A_online's y replaces sum alpha; slot t costs t + 1 - r_j.",
    where=BY_JOB,
    offset=END,
)
def objective(case: Online, offset: Fraction = START) -> Finding:
    mine, shown = own_objective(case, offset)
    return Finding(mine, factor(case) * shown, "at most", OWN, relative=True)


@ILP_FLUID.reading(
    "objective, continuous", "A slot costs the mean of t - r_j over it; chunk times are exact.", also=ILP
)
@ILP_FLUID.false_variant(A_TENTH, also=ILP, slack=TENTH)
def fluid_objective(case: Online | Ladder, slack: Fraction = ONE) -> Finding:
    mine, shown = case.costs if isinstance(case, Ladder) else own_objective(case, FLUID)
    return Finding(mine, factor(case) * slack * shown, "at most", OWN, relative=True)


BELOW_BETA = """
A chunk's f_jd is 1/D_j of the mean of t - r_j over its runs, which is less than (c_jd - r_j)/D_j. So the sum of f_jd is
less than sum beta, which is at most (1 + 1/eps) LP+ by the proof of theorem3_lp_repaired.
Coq, core: preemptive.v theorem3_ilp_fluid_repaired, weak_duality_9_8; placed.v a_online_placed. Outside: relaxed (4)
with the cost of LP+, and weak duality for it. In detail: the prose of theorem3_lp_repaired; a chunk's runs are between
its arrival and its completion, with total length p.
- *LP+ is larger than the optimum of (4).* Yes, by sum p_j/(1+eps). At eps = 1 the sum of f_jd is not always at most (1
+ 1/eps) times that optimum, in either order (theorem3_ilp_fluid). For other eps this is open.
"""


@ILP_FLUID_REPAIRED.reading("fluid", "Chunk times are exact.", BELOW_BETA)
@ILP_FLUID_REPAIRED.false_variant(A_TENTH, slack=TENTH)
def repaired_objective(case: Online, slack: Fraction = ONE) -> Finding:
    out = regimes.outcome(case, whole_slots=False, order="residual")
    mine = fractional_cost([Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks])
    cost = fractional_cost(pieces(case, whole_slots=False), FLUID, case.speed)
    return Finding(mine / cost, factor(case) * slack, "at most", "the sum of f_jd over LP+")


MINLP = Claim(
    "preemptive.theorem3_minlp",
    SOURCE,
    "Total JCT <= D_max (1 + 1/eps) times the optimum of (2) at the slower speed.",
    ANYWHERE,
    severity="false theorem",
)
MINLP_REPAIRED = MINLP.repair(
    f"{UNDER}, and with enough parameter servers for every job that runs: total JCT <= D_max max(1 + 1/eps, "
    "(3 + eps)/(2 eps)) OPT; from eps = 1 on this is the printed ratio.",
    domain=IN_ORDER.but(premises=(*IN_ORDER.premises, ENOUGH)),
    source=REPAIRED_AT,
)


@MINLP.reading("whole slots", "Chunk times are rounded up at both speeds.")
@MINLP.reading("fluid", "Chunk times are exact.", whole=False)
@MINLP.false_variant(A_TENTH, slack=TENTH)
def against_minlp(case: Online, whole: bool = True, slack: Fraction = ONE) -> Finding:
    out = regimes.outcome(case, whole_slots=whole)
    limit = case.instance.largest_chunk_count * factor(case) * slack * total_jct(pieces(case, whole))
    return Finding(out.total_jct, limit, "at most", "total JCT, and that of a shown schedule", relative=True)


READ_IN_LP_PLUS = """
Take an optimal schedule of (2) at speed 1 as a solution of LP+. A job holds at most D workers at any time before c, in
total D p. So the mean of t - r over its work is at most the mean over the last p before c, which is c - r - p/2. So LP+
<= sum_j (c - r - p/2 + p/(1+eps)). For eps >= 1 this is at most sum_j (c - r) = OPT. For eps < 1 use p <= c - r: it is
at most (1/2 + 1/(1+eps)) OPT = (3 + eps)/(2 (1+eps)) OPT. Now sum_j (c_j - r_j) <= sum_jd (c_jd - r_j) <= D_max sum_jd
(c_jd - r_j)/D_j = D_max sum beta <= D_max (1 + 1/eps) LP+ (the proof of theorem3_lp_repaired). Whole slots charge 1/2
less per unit than the fluid mean, so the bound also holds for whole slots.
Coq: theorem3.v theorem3_minlp_repaired; placed.v a_online_feasible; servers.v parameter_servers. Objects: job,
a_online, residual, total_jct, feasible, opt_cost, in_arrival_order, lands_in_order, equally_many, at_speed,
never_split, runs, running. In words: a_online is A_online at speed 1 + eps, in units of time in which all data of the
instance are whole: slots, or parts of a slot for fluid chunk times. `feasible` has the workers' constraints of (2) at
speed 1, in real time; a schedule in whole slots has one phase in a slot. Its parameter servers only exclude schedules.
The theorem bounds the JCT of A_online's lists, which run on workers. By `parameter_servers` they are a schedule of (2)
under the premise: in each slot every running job finds a free one. The proof in Coq adds the rows of Lemma 2 over the
optimal schedule itself, without LP+.
- *D_max is lost twice?* Once: from sum_j (c_j - r_j) to sum_jd (c_jd - r_j)/D_j. The comparison with OPT loses none.
- *Does the bound cover parameter servers?* (2) requires a parameter server for every running job, but the bound
concerns workers only. The schedule is a schedule of (2) if A_ps always finds a parameter server; under the premise it
does (theorem2_repaired). `ratio` checks this for the run.
- *OPT may move chunks.* The bound on LP+ uses only that a job holds at most D workers at a time, which (2c) requires
for moving chunks too.
"""


@MINLP_REPAIRED.reading("fluid", "Chunk times are exact, and time is continuous.", READ_IN_LP_PLUS)
@MINLP_REPAIRED.reading(
    "whole slots", "Chunk times are whole at both speeds.", READ_IN_LP_PLUS, where=WHOLE, whole=True
)
@MINLP_REPAIRED.false_variant("nine tenths of the ratio", slack=NINE_TENTHS)
def repaired_minlp(case: Online, whole: bool = False, slack: Fraction = ONE) -> Finding:
    """In the residual order, JCT <= D_max max(1 + 1/eps, (3 + eps)/(2 eps)) OPT.

    OPT has pinned or floating chunks. On tiny instances with jobs of one chunk OPT is exact; otherwise it is the cost
    of a constructed schedule.
    """
    eps = case.speed - 1
    out = regimes.outcome(case, whole_slots=whole, order="residual")
    ratio = case.instance.largest_chunk_count * max(1 + 1 / eps, (3 + eps) / (2 * eps)) * slack
    least = least_total_jct(case.instance, whole) or total_jct(pieces(case, whole))
    return Finding(out.total_jct / least, ratio, "at most", "total JCT over OPT")


def spread_cost(case: Online, offset: Fraction) -> Fraction:
    """Relaxed (4) without (4e), as the paper drops it.

    In turn, each job takes the earliest slots of all its workers.
    """
    used: dict[tuple[int, int], Fraction] = {}
    cost = Fraction(0)
    for job in case.instance.jobs:
        rest, slot = job.chunks * job.chunk_time, job.arrival
        while rest:
            for q, delay in case.instance.qualified(job):
                free = q.count - used.get((q.index, slot), Fraction(0))
                taken = min(rest, free) if slot >= job.arrival + delay else Fraction(0)
                used[q.index, slot] = used.get((q.index, slot), Fraction(0)) + taken
                rest -= taken
                cost += taken * (slot + Fraction(1, 2) + offset - job.arrival) / (job.chunks * job.chunk_time)
            slot += 1
    return cost


def compared_exactly(case: Online) -> bool:
    """Whether OPT is exact rather than bounded by a shown schedule."""
    return least_total_jct(case.instance, False) is not None


def factor(case: Online | Ladder) -> Fraction:
    return 1 + 1 / (case.speed - 1)
