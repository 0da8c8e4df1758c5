"""The competitive ratio of Theorems 5 and 6, printed and repaired; theta is exact, the best that Algorithm 4 can do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.core.untyped import Case
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.optimum import at_most_optimum, best_packing
from schedproof.proofs_checks.dmlrs.shared.regimes import ONE, outcome
from schedproof.proofs_checks.readings import readings
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies import dmlrs_ratio as ratio_draw
from schedproof.proofs_checks.strategies.dmlrs import Capped
from schedproof.proofs_checks.strategies.dmlrs_ratio import Tempted
from schedproof.reference.dmlrs import Outcome, demand, spots
from schedproof.reference.dmlrs_enclosures import logarithm, neatly_up, power
from schedproof.reference.dmlrs_schedules import plans

TENTH = Fraction(1, 10)
Gain = Callable[[Instance, Fraction], Fraction]
Factor = Callable[[Outcome, Fraction], Fraction]

# --- as printed ------------------------------------------------------------------------------------------------------


def ratio(
    case: Tempted, gain: Gain, worker: bool = False, job: bool = False, limit: bool = False, share: Fraction = ONE
) -> Answer:
    """OPT <= (6 G/delta) max_r(1, ln(U^r/L)) P_I, for PD-ORS with exact Theta.

    Parameters
    ----------
    worker, job
        Whether one worker or PS, and one job in a slot, must hold at most a tenth of a resource for the case to count.
    limit
        Whether (U^r/L)^x <= 4/3 must hold.
    """
    out = outcome(case)
    if not isinstance(out, Outcome):
        return out
    if worker and not small_worker(case.instance):
        return Outside("alpha, beta <= C/10")
    if job and largest_share(case.instance) > TENTH:
        return Outside("a job takes at most C/10")
    if limit and not flat(out):
        return FLAT
    claimed = 6 * gain(case.instance, case.delta) / case.delta * printed_factor(out) * out.primal
    optimum = at_most_optimum(case.instance, case.plan)
    return Finding(optimum, neatly_up(share * claimed), "at most", "OPT, and the ratio times what PD-ORS earns")


def printed_factor(out: Outcome) -> Fraction:
    """At least max(1, max_r ln(U^r/L)), which Lemma 10 has for eps."""
    return max([ONE, *(logarithm(high / out.tariff.lowest)[1] for high in out.tariff.highest.values())])


def small_worker(instance: Instance) -> bool:
    """Whether one worker or PS takes a tenth of any machine's resource at most."""
    sizes = [(instance.machines[h].capacity[r], r) for _, h, r in spots(instance)]
    return all(d <= TENTH * size for size, r in sizes for job in instance.jobs for d in demand(job, r))


FLAT = Outside("(U^r/L)^x <= 4/3")


def flat(out: Outcome) -> bool:
    """Whether one job raises no price by more than a third, (U^r/L)^x <= 4/3."""
    spread = max(out.tariff.highest.values()) / out.tariff.lowest
    return power(spread, largest_share(out.instance))[1] <= Fraction(4, 3)


def largest_share(instance: Instance) -> Fraction:
    """x: the largest share of a machine's resource that a schedule of one job takes in a slot; 0 without any."""
    uses = (plan.use for job in instance.jobs for plan in plans(instance, job))
    shares = (a / instance.machines[h].capacity[r] for use in uses for (_, h, r), a in use.items())
    return max(shares, default=Fraction(0))


TEMPTED = Domain(
    Tempted,
    draw.also_roomy(ratio_draw.tempted) | ratio_draw.families() | ratio_draw.tempting_crowds(),
    (
        *regimes.of_run("printed"),
        regimes.SEVERAL_MACHINES,
        regimes.SEVERAL_SLOTS,
        regimes.SEVERAL_RESOURCES,
        regimes.LATE,
        Regime("one worker small", lambda c: small_worker(c.instance)),
        Regime("one job small", lambda c: small_worker(c.instance) and largest_share(c.instance) <= TENTH),
    ),
)

# --- repaired --------------------------------------------------------------------------------------------------------


def growth_factor(out: Outcome, cap: Fraction) -> Fraction:
    """At least eps = max(1, max_r ((U^r/L)^(x/k) - 1)/x), where the price reaches U at k C, k = 1 - x or 1 - x + g."""
    exponent = cap / out.tariff.full_share
    rises = [power(high / out.tariff.lowest, exponent)[1] for high in out.tariff.highest.values()]
    return max([ONE, *((rise - 1) / cap for rise in rises)])


def beside(optimum: Fraction, most: Fraction, share: Fraction, what: str) -> Finding:
    """OPT over its bound, rounded up, beside 1 or a share of it: the closest case has the largest quotient."""
    return (
        Finding(neatly_up(optimum / most), share, "at most", what) if most else Finding(optimum, most, "at most", what)
    )


def repaired_sum(case: Capped, factor: Factor = growth_factor, share: Fraction = ONE) -> Answer:
    """OPT <= psi (D_0 + eps P_I) with the repaired prices, for schedules within x C, OPT's as well.

    eps = max(1, max_r ((U^r/L)^(x/(1-x)) - 1)/x); U^r = max u_i(ceil(V c_i/F)) over the smallest positive one of alpha
    and beta, or more; any 0 < L <= U^r; the price is L (U^r/L)^(rho/((1-x) C)); every Theta is within a factor
    psi >= 1 of the least cost; D_0 is the sum of p C at the start, C being what is not reserved.
    """
    out = outcome(case, "repaired")
    if not isinstance(out, Outcome):
        return out
    most = case.slack * (out.start[1] + factor(out, case.cap) * out.primal)
    return beside(best_packing(case.instance, case.cap), most, share, "OPT within x C over psi (D_0 + eps P)")


REPAIRED_SUM_PROOF = Proof(
    """
    By dual_feasible_repaired, lambda and psi p satisfy (11): by weak duality OPT <= D_I := sum lambda + psi sum p C
    at the end. An admitted job earns u = lambda_i + c, where c = sum p_old a is what its schedule costs. By
    lemma10_finite_repaired each C (p_new - p_old) <= eps p_old a, so that D grows by lambda_i + psi eps c at most,
    which is at most psi eps u because psi eps >= 1. A rejected job changes neither. So D_I <= psi D_0 + psi eps
    P_I. (Where a part of C is reserved, rho counts it and the dual has the rest, which is less.)
    """,
    answers={
        "PD-ORS pays psi times the least cost, and eps c counts what it pays.": "Yes: growth is bounded by what is "
        "paid, eps c, times psi since the dual prices are psi p.",
        "Is OPT over all schedules?": "No: over those within x C; a schedule that holds more may be worth anything "
        "(theorem5_ratio-swallow).",
        "Is psi = 3 G/delta?": "Theorem 3 compares a rounded point with the LP, and that point misses the demand "
        "(theorem3): no psi follows from it.",
    },
)


def repaired_ratio(case: Capped, factor: Factor = growth_factor, share: Fraction = ONE) -> Answer:
    """OPT <= 2 psi eps P_I, where some job that can finish within x C has u_i(T - a_i) >= 2 psi D_0.

    L of (14) divided by psi meets the premise wherever such a job has u_i(T - a_i) > 0 and nothing is reserved.
    """
    out = outcome(case, "repaired")
    if not isinstance(out, Outcome):
        return out
    if max(lasting_utilities(case.instance, case.cap), default=Fraction(0)) < 2 * case.slack * out.start[1]:
        return Outside("2 psi D_0 <= u_i(T - a_i) for a job that can finish")
    most = 2 * case.slack * factor(out, case.cap) * out.primal
    return beside(best_packing(case.instance, case.cap), most, share, "OPT within x C over 2 psi eps P")


REPAIRED_RATIO_PROOF = Proof(
    """
    That job alone is a solution, which earns u_i(T - a_i) or more: psi D_0 <= OPT/2. With OPT <= psi D_0 + psi eps
    P_I (the other reading) OPT/2 <= psi eps P_I. For (14): psi D_0 is then at most half the least u_i(T - a_i) of
    the jobs that count in L (d0_half_opt_repaired).
    """,
    answers={
        "psi on both sides of the premise?": "L is free: L of (14) over psi gives psi D_0 what L gives D_0.",
        "And if no job lasts?": "Then the premise fails, and only the reading with D_0 is left.",
    },
)


def lasting_utilities(instance: Instance, cap: Fraction = ONE) -> list[Fraction]:
    """u_i(T - a_i), where positive, of every job that can finish within a share of the capacities."""
    jobs = [job for job in instance.jobs if plans(instance, job, cap)]
    return [value for job in jobs if (value := job.utility.lower(instance.horizon - job.arrival))]


# --- the claims ------------------------------------------------------------------------------------------------------


def ratio_claim(number: int, which: str, gain: Gain, repair: Repair[Case]) -> Claim[Tempted]:
    """Theorem 5 or 6 with its G."""
    hundredth = with_settings(ratio, gain=gain, share=Fraction(1, 100))
    return Claim(
        id=f"dmlrs.theorem{number}_ratio",
        source=YU22.at(f"section 4.4, Theorem {number} (the ratio), and Appendix C"),
        statement=f"PD-ORS with {which} and 0 < L <= U^r is (6 G/delta) max_r(1, ln(U^r/L))-competitive.",
        readings=readings(
            ratio,
            ("any demand", "As the theorem states it; L of (14) over the jobs with u_i(T - a_i) > 0.", {"gain": gain}),
            ("one worker small", "alpha, beta <= C/10, as Appendix C assumes.", {"gain": gain, "worker": True}),
            (
                "one job small",
                "alpha, beta <= C/10, and a job takes at most C/10 in a slot, as its proof puts it.",
                {"gain": gain, "worker": True, "job": True},
            ),
            (
                "in the limit",
                "alpha, beta <= C/10 and (U^r/L)^x <= 4/3, x C the most that a job takes in a slot: what '<<' leads "
                "to.",
                {"gain": gain, "worker": True, "limit": True},
            ),
        ),
        domain=TEMPTED,
        false_variants=(FalseVariant("a hundredth of the ratio", hundredth),),
        old_repair=repair,
        severity="false theorem",
    )


# one theorem in place of Theorems 5 and 6: rounding enters through psi alone
WITHIN_SHARES: Repair[Capped] = Repair(
    statement="If no job takes more than x C of a resource in a slot (x < 1; PD-ORS and the schedules that OPT may "
    "choose from alike), U^r = max u_i(ceil(V c_i/F)) over the smallest positive one of alpha, beta, 0 < L <= U^r, "
    "the price is L (U^r/L)^(rho/((1-x) C)), every Theta is within a factor psi of the least cost and 2 psi D_0 <= "
    "u_i(T - a_i) for a job that can finish, then OPT <= 2 psi eps P, eps = max(1, max_r ((U^r/L)^(x/(1-x)) - 1)/x).",
    readings=(
        Reading("with D_0", "OPT <= psi (D_0 + eps P), whatever D_0 is.", repaired_sum, proof=REPAIRED_SUM_PROOF),
        Reading("ratio", "OPT <= 2 psi eps P.", repaired_ratio, proof=REPAIRED_RATIO_PROOF),
    ),
    domain=Domain(
        Capped,
        draw.within_caps() | ratio_draw.climbs(),
        (*regimes.REPAIRED_RUNS, Regime("the premise on D_0", lambda c: isinstance(repaired_ratio(c), Finding))),
    ),
    false_variants=(
        FalseVariant("nine tenths of it, with D_0", with_settings(repaired_sum, share=Fraction(9, 10))),
        FalseVariant("a third of the ratio", with_settings(repaired_ratio, share=Fraction(1, 3))),
        FalseVariant(
            "eps = max(1, ln(U/L))", with_settings(repaired_ratio, factor=lambda out, cap: printed_factor(out))
        ),
    ),
)
