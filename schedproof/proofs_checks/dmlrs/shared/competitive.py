"""The competitive ratio of Theorems 5 and 6 as printed, with exact theta.

Exact theta is the best possible result of Algorithm 4.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, Regime
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.optimum import at_most_optimum
from schedproof.proofs_checks.dmlrs.shared.premises import ONE, PRICED
from schedproof.proofs_checks.dmlrs.shared.regimes import outcome
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies import dmlrs_ratio as ratio_draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.proofs_checks.strategies.dmlrs_ratio import Tempted
from schedproof.reference.dmlrs import Bounds, Outcome, demand, spots, tariff
from schedproof.reference.dmlrs_enclosures import logarithm, neatly_up, power
from schedproof.reference.dmlrs_schedules import plans

TENTH = Fraction(1, 10)
Gain = Callable[[Instance, Fraction], Fraction]


def printed_factor(out: Outcome) -> Fraction:
    """A lower bound on eps of Lemma 10, max(1, max_r ln(U^r/L))."""
    return max([ONE, *(logarithm(high / out.tariff.lowest)[1] for high in out.tariff.highest.values())])


def small_worker(instance: Instance) -> bool:
    """Whether one worker or PS takes at most a tenth of each machine's resource."""
    sizes = [(instance.machines[h].capacity[r], r) for _, h, r in spots(instance)]
    return all(d <= TENTH * size for size, r in sizes for job in instance.jobs for d in demand(job, r))


def flat(instance: Instance, bounds: Bounds = "printed") -> bool:
    """Whether prices exist and no job raises one by more than a third.

    In symbols, (U^r/L)^x <= 4/3.
    """
    prices = tariff(instance, bounds, ONE, ONE)
    if prices is None:
        return False
    return power(max(prices.highest.values()) / prices.lowest, largest_share(instance))[1] <= Fraction(4, 3)


FLAT: Premise[OfInstance] = Premise("(U^r/L)^x <= 4/3", lambda case: flat(case.instance))
SMALL_WORKER: Premise[OfInstance] = Premise("alpha, beta <= C/10", lambda case: small_worker(case.instance))
SMALL_JOB: Premise[OfInstance] = Premise("a job takes at most C/10", lambda case: largest_share(case.instance) <= TENTH)


def largest_share(instance: Instance) -> Fraction:
    """Return x, the largest share of a machine's resource for one job in a slot.

    x is 0 if there are no schedules.
    """
    uses = (plan.use for job in instance.jobs for plan in plans(instance, job))
    shares = (a / instance.machines[h].capacity[r] for use in uses for (_, h, r), a in use.items())
    return max(shares, default=Fraction(0))


TEMPTED = Domain(
    Tempted,
    draw.also_roomy(ratio_draw.tempted_cases) | ratio_draw.families() | ratio_draw.tempting_crowds(),
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


def beside(optimum: Fraction, most: Fraction, share: Fraction, what: str) -> Finding:
    """OPT over its bound, rounded up, compared with 1 or a share of 1.

    The tightest case has the largest quotient.
    """
    return (
        Finding(neatly_up(optimum / most), share, "at most", what) if most else Finding(optimum, most, "at most", what)
    )


def lasting_utilities(instance: Instance, cap: Fraction = ONE) -> list[Fraction]:
    """Positive u_i(T - a_i) of the jobs that can finish within the capped capacities."""
    jobs = [job for job in instance.jobs if plans(instance, job, cap)]
    return [value for job in jobs if (value := job.utility.lower(instance.horizon - job.arrival))]


def ratio_claim(number: int, which: str, gain: Gain) -> Claim[Tempted]:
    claim = Claim(
        f"dmlrs.theorem{number}_ratio",
        YU22.at(f"section 4.4, Theorem {number} (the ratio), and Appendix C"),
        f"PD-ORS with {which} and 0 < L <= U^r is (6 G/delta) max_r(1, ln(U^r/L))-competitive.",
        TEMPTED,
        severity="false theorem",
    )

    @claim.reading(
        "any demand", "As the theorem states it; L of (14) over the jobs with u_i(T - a_i) > 0.", where=(PRICED,)
    )
    @claim.reading("one worker small", "alpha, beta <= C/10, as Appendix C assumes.", where=(PRICED, SMALL_WORKER))
    @claim.reading(
        "one job small",
        "alpha, beta <= C/10, and a job takes at most C/10 in a slot, as in its proof.",
        where=(PRICED, SMALL_WORKER, SMALL_JOB),
    )
    @claim.reading(
        "in the limit",
        "alpha, beta <= C/10 and (U^r/L)^x <= 4/3; a job takes at most x C in a slot. This is the limit of '<<'.",
        where=(PRICED, SMALL_WORKER, FLAT),
    )
    @claim.false_variant("a hundredth of the ratio", share=Fraction(1, 100))
    def ratio(case: Tempted, share: Fraction = ONE) -> Answer:
        out = outcome(case)
        if not isinstance(out, Outcome):
            return out
        claimed = 6 * gain(case.instance, case.delta) / case.delta * printed_factor(out) * out.primal
        optimum = at_most_optimum(case.instance, case.plan)
        return Finding(
            optimum,
            neatly_up(share * claimed),
            "at most",
            "OPT, and the ratio times what PD-ORS earns",
            relative=True,
            optimum=optimum if case.plan is None else None,
        )

    return claim
