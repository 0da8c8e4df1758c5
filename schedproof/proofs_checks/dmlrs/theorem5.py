"""Theorem 5 (0 < G <= 1): the probability of a feasible solution, and the ratio.

One repaired theorem on the ratio replaces Theorems 5 and 6: rounding enters only through psi.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Domain, Outside, Premise, Regime
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import beside, lasting_utilities, printed_factor, ratio_claim
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.dmlrs.shared.premises import ONE, PRICED_REPAIRED
from schedproof.proofs_checks.dmlrs.shared.regimes import outcome
from schedproof.proofs_checks.dmlrs.shared.rounding import printed_below
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import gain3
from schedproof.proofs_checks.dmlrs.shared.states import probability
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies import dmlrs_ratio as ratio_draw
from schedproof.proofs_checks.strategies.dmlrs import Capped
from schedproof.reference.dmlrs import Outcome, demand, spots
from schedproof.reference.dmlrs_enclosures import power


def some_job_pays(case: Capped) -> bool:
    """Whether some job that can finish within x C earns 2 psi D_0 at the horizon.

    The result is False if there are no prices.
    """
    out, utilities = outcome(case, "repaired"), lasting_utilities(case.instance, case.cap)
    return isinstance(out, Outcome) and max(utilities, default=Fraction(0)) >= 2 * case.slack * out.start[1]


SOME_JOB_PAYS: Premise[Capped] = Premise("2 psi D_0 <= u_i(T - a_i) for a job that can finish", some_job_pays)

Factor = Callable[[Outcome, Fraction], Fraction]


def gain_29(instance: Instance, delta: Fraction) -> Fraction:
    """A lower bound on the largest G_delta of (29) over the jobs.

    W_2 = min(F, C/alpha, C/beta) on the empty cluster.
    """
    rows, result = len(instance.resources) * len(instance.machines) + 1, []
    for job in instance.jobs:
        sizes = [instance.machines[h].capacity[r] / d for _, h, r in spots(instance) for d in demand(job, r) if d]
        result.append(printed_below(min([Fraction(job.batch_size), *sizes]), rows, delta)[1])
    return max(result)


THEOREM5_RATIO = ratio_claim(5, "0 < G <= 1 of (29)", gain_29)
THEOREM5_PROBABILITY = probability(5, "delta/3", gain3, lambda slot: 1, above_one=False)  # the single cover row
REPAIRED = THEOREM5_RATIO.repair(
    "Let no job take more than x C of a resource in a slot, x < 1, in PD-ORS and in the schedules of OPT."
    " If U^r = max u_i(ceil(V c_i/F)) over the smallest positive one of alpha, beta, 0 < L <= U^r, the "
    "price is L (U^r/L)^(rho/((1-x) C)), every Theta is within a factor psi of the least cost and 2 psi "
    "D_0 <= u_i(T - a_i) for a job that can finish, then OPT <= 2 psi eps P, eps = max(1, max_r "
    "((U^r/L)^(x/(1-x)) - 1)/x).",
    domain=Domain(
        Capped,
        draw.within_caps() | ratio_draw.climbs(),
        (*regimes.REPAIRED_RUNS, Regime("the premise on D_0", some_job_pays)),
    ),
)


def growth_factor(out: Outcome, cap: Fraction) -> Fraction:
    """A lower bound on eps = max(1, max_r ((U^r/L)^(x/k) - 1)/x).

    The price reaches U at k C, k = 1 - x or 1 - x + g.
    """
    exponent = cap / out.tariff.full_share
    rises = [power(high / out.tariff.lowest, exponent)[1] for high in out.tariff.highest.values()]
    return max([ONE, *((rise - 1) / cap for rise in rises)])


REPAIRED_SUM_PROOF = """
By dual_feasible_repaired, lambda and psi p satisfy (11). By weak duality OPT <= D_I := sum lambda + psi sum p C at the
end. An admitted job earns u = lambda_i + c, where c = sum p_old a is the cost of its schedule. By
lemma10_finite_repaired each C (p_new - p_old) <= eps p_old a. So D grows by at most lambda_i + psi eps c, which is at
most psi eps u because psi eps >= 1. A rejected job changes neither. So D_I <= psi D_0 + psi eps P_I. (If a part of C is
reserved, rho counts it, and the dual has the rest, which is less.)
Coq: pd_ors.v pd_ors_within_psi, pd_ors_earns. Objects: ml_job, cluster, schedules, feasible, highest, price_repaired,
start_value, earns, pd_ors. `earns` holds for the total utility of Algorithm 1 if each job's schedule costs at most psi
times the least. `pd_ors` lists all schedules and takes the best (psi = 1). Premises of the theorem: data are
nonnegative, utilities do not rise with time, and the reserved amounts are at most the capacities.
- *PD-ORS pays psi times the least cost, and eps c counts its payment.* Yes: the payment bounds the growth by eps c. The
factor psi is added because the dual prices are psi p.
- *Is OPT over all schedules?* No: only over schedules within x C. A schedule that holds more may earn any amount
(theorem5_ratio-swallow).
- *Is psi = 3 G/delta?* Theorem 3 compares a rounded point with the LP, and that point misses the demand (theorem3): no
psi follows from it.
"""


@REPAIRED.reading("with D_0", "OPT <= psi (D_0 + eps P), for every D_0.", REPAIRED_SUM_PROOF, where=(PRICED_REPAIRED,))
@REPAIRED.false_variant("nine tenths of it, with D_0", share=Fraction(9, 10))
def repaired_sum(case: Capped, factor: Factor = growth_factor, share: Fraction = ONE) -> Answer:
    """OPT <= psi (D_0 + eps P_I) with the repaired prices, for schedules within x C.

    U^r may exceed its formula. D_0 is the sum of p C at the start, C being the unreserved capacity.
    """
    out = outcome(case, "repaired")
    if not isinstance(out, Outcome):
        return out
    limit = case.slack * (out.start[1] + factor(out, case.cap) * out.primal)
    return beside(best_packing(case.instance, case.cap), limit, share, "OPT within x C over psi (D_0 + eps P)")


REPAIRED_RATIO_PROOF = """
That job by itself is a solution, which earns at least u_i(T - a_i). So psi D_0 <= OPT/2. With OPT <= psi D_0 + psi eps
P_I (the other reading) OPT/2 <= psi eps P_I. For (14): psi D_0 is then at most half the least u_i(T - a_i) of the jobs
in (14) (d0_half_opt_repaired).
Coq: pd_ors.v pd_ors_ratio_within_psi, pd_ors_ratio. Objects: ml_job, cluster, schedules, feasible, highest,
price_repaired, start_value, earns, pd_ors. The job that can finish has a schedule pi within the free capacity.
`pd_ors_ratio` is the case psi = 1, for the algorithm as defined.
- *psi on both sides of the premise?* L is free: L of (14), divided by psi, makes psi D_0 equal to the D_0 of (14).
- *And if no job lasts?* Then the premise fails, and only the reading with D_0 applies.
"""


@REPAIRED.reading("ratio", "OPT <= 2 psi eps P.", REPAIRED_RATIO_PROOF, where=(PRICED_REPAIRED, SOME_JOB_PAYS))
@REPAIRED.false_variant("a third of the ratio", share=Fraction(1, 3))
@REPAIRED.false_variant("eps = max(1, ln(U/L))", factor=lambda out, cap: printed_factor(out))
def repaired_ratio(case: Capped, factor: Factor = growth_factor, share: Fraction = ONE) -> Answer:
    """OPT <= 2 psi eps P_I.

    L of (14) divided by psi meets the premise if a job that can finish within x C has u_i(T - a_i) > 0 and nothing is
    reserved.
    """
    out = outcome(case, "repaired")
    if not isinstance(out, Outcome):
        return out
    if not some_job_pays(case):
        return Outside(SOME_JOB_PAYS)
    limit = 2 * case.slack * factor(out, case.cap) * out.primal
    return beside(best_packing(case.instance, case.cap), limit, share, "OPT within x C over 2 psi eps P")
