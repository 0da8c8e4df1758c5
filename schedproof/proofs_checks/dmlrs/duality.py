"""What the dual is worth, at the optimum and at the start: claims dual_value, d0_half_opt and any_job_admitted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs import builders, regimes
from schedproof.proofs_checks.dmlrs.fees import bill, fees, worth
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.literal import capacity, least_use, lowest
from schedproof.proofs_checks.dmlrs.optimum import best_packing
from schedproof.proofs_checks.dmlrs.schedules import Use, plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, restricted, table

ZERO = Fraction(0)

# --- the optimum of the dual -----------------------------------------------------------------------------------------


def fractional(case: Case) -> Fraction:
    """The value of a solution of R-DMLRS with real x: an equal part of each job's best schedule.

    It is a lower bound on the optimum of D-R-DMLRS, by weak duality of the two linear programs.
    """
    instance = case.instance
    chosen = [max(menu, key=lambda plan: plan.utility) for job in instance.jobs if (menu := plans(instance, job))]
    total: Use = {}
    for plan in chosen:
        for spot, amount in plan.use.items():
            total[spot] = total.get(spot, ZERO) + amount
    machines = instance.machines
    part = min([Fraction(1), *(instance.free(s[0], machines[s[1]], s[2]) / a for s, a in total.items())])
    return part * sum((plan.utility for plan in chosen), ZERO)


def dual_point(case: Case, kept: Fraction = Fraction(1)) -> Fraction:
    """The value of a solution of D-R-DMLRS: the case's prices, and the least lambda that (11) allows."""
    fee, total = fees(case), worth(case)
    for job in case.instance.jobs:
        margins = [plan.utility - bill(plan.use, fee) for plan in plans(case.instance, job)]
        total += max([ZERO, *margins])
    return kept * total


def ilp_is_dual(case: Case) -> Finding:
    """No real solution of R-DMLRS, so no optimum of its dual, is worth more than the integer optimum."""
    return Finding(fractional(case), best_packing(case.instance), "at most", "a shown real solution, and OPT")


def lp_is_dual(case: Case, kept: Fraction = Fraction(1)) -> Finding:
    """With real x, the optimum of R-DMLRS is that of D-R-DMLRS: no real solution beats a solution of the dual.

    Proof
    -----
    Pi_i is finite up to PSs and workers that no row needs, so that both programs are finite linear programs, each the
    dual of the other. x = 0 solves the first and (9) bounds it; so both have an optimum, and by strong duality it is
    the same number.
    """
    return Finding(fractional(case), dual_point(case, kept), "at most", "a real solution, a solution of the dual")


def weak_duality(case: Case, kept: Fraction = Fraction(1)) -> Finding:
    """Every solution of D-R-DMLRS is worth at least the optimum of R-DMLRS.

    Proof
    -----
    Take a binary solution x, and lambda, p that satisfy (11). Summed over the chosen schedules, sum u <= sum lambda_i +
    sum of p times what they use. Each job is chosen at most once (9) and lambda >= 0; what they use is at most C (8)
    and p >= 0. So the sum is at most sum lambda + sum p C.
    """
    return Finding(best_packing(case.instance), dual_point(case, kept), "at most", "OPT, a solution of the dual")


@st.composite
def _rivals(pick: Any) -> Case:
    """Two jobs of about the same worth, each of which needs more than half of the machine."""
    size = pick(st.integers(3, 5))
    needs = [pick(st.integers(size // 2 + 1, size - 1)) for _ in range(2)]
    rows = [
        builders.job(f"j{n}", need, pick(st.integers(2, 3)), {"gpu": 1}, batch=need) for n, need in enumerate(needs)
    ]
    return Case(builders.build_instance([{"gpu": size}], rows), {"price": [pick(st.sampled_from(draw.PRICES))]})


_PRICED = st.one_of(draw.priced(), draw.priced(), _rivals())
_PRICES = (
    of_data("a price of 0", lambda d: 0 in d["price"]),
    of_data("prices only", lambda d: min(d["price"]) > 0),
    regimes.RESERVED,
    *regimes.SHAPES,
)
_GAP = regimes.Regime("an integrality gap", lambda c: fractional(c) > best_packing(c.instance))

DUAL_VALUE = Claim(
    id="dmlrs.dual_value",
    source="paper 001, Appendix C (before Lemma 8), and section 4.2",
    statement="OPT, the optimum of R-DMLRS, is also the optimum of D-R-DMLRS.",
    readings=(
        Reading("binary x", "R-DMLRS as it stands, an integer program.", ilp_is_dual),
        Reading("real x", "R-DMLRS with its integrality relaxed, as section 4.2 dualises it.", lp_is_dual),
    ),
    regimes=(*_PRICES, _GAP),
    strategy=_PRICED,
    planted=(Planted("a third of the dual", at(lp_is_dual, kept=Fraction(1, 3))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.dual_value_repaired",
    small_repair=True,
)
DUAL_VALUE_REPAIRED = Claim(
    id="dmlrs.dual_value_repaired",
    source="paper 001, Appendix C, repaired",
    statement="The optimum of D-R-DMLRS is at least OPT.",
    readings=(Reading("binary x", "Against the integer optimum.", weak_duality),),
    regimes=(*_PRICES, _GAP),
    strategy=_PRICED,
    planted=(Planted("a third of the dual", at(weak_duality, kept=Fraction(1, 3))),),
)

# --- D_0 -------------------------------------------------------------------------------------------------------------


def start(instance: Instance, every: bool = True) -> Fraction | None:
    """D_0 = L times the sum of C over slots, machines and resources; None where L is not defined."""
    low = lowest(instance, every)
    return None if low is None else low * capacity(instance)


def half(case: Case, every: bool = True, share: Fraction = Fraction(1, 2)) -> Finding | None:
    """D_0 <= OPT/2, if every job demands something (14) and the optimum accepts one (which Appendix C assumes).

    Proof
    -----
    mu is at least T sum C/n_i for all i, where n_i = ceil(V_i c_e) sum_r (alpha + beta); so D_0 = T sum C times the
    least of u_i(T - a_i)/(2 mu n_i) is at most half the least u_i(T - a_i) over all i. OPT accepts some job j, which
    completes by T: it earns at least u_j(T - a_j), since u_j does not increase.
    """
    opt, begin = best_packing(case.instance), start(case.instance, every)
    if begin is None or not opt or not all(least_use(job) for job in case.instance.jobs):
        return None
    return Finding(begin, share * opt, "at most", "D_0, OPT/2")


def half_of_those_that_last(case: Case) -> Finding | None:
    """The same with L over the jobs with u_i(T - a_i) > 0 only."""
    return half(case, every=False)


def some_job_lasts(case: Case) -> bool:
    """Some job that can finish by the horizon earns something even then.

    Proof
    -----
    L leaves out the jobs with u_i(T - a_i) = 0, and D_0 is at most half the least u_i(T - a_i) of the others, as in the
    reading *all jobs*. By the assumption one of these, j, can be scheduled alone, so OPT >= u_j(T - a_j).
    """
    return any(lasts(case.instance, cap=Fraction(1)))


def lasts(instance: Instance, cap: Fraction) -> list[Fraction]:
    """u_i(T - a_i), where positive, of every job that can finish within a share of the capacities."""
    jobs = [job for job in instance.jobs if plans(instance, job, cap)]
    return [value for job in jobs if (value := job.utility.lower(instance.horizon - job.arrival))]


_LASTS = Assumption("some job lasts", "some job that can finish has u_i(T - a_i) > 0", some_job_lasts, some_job_lasts)

D0 = Claim(
    id="dmlrs.d0_half_opt",
    source="paper 001, Appendix C, proof of Theorems 5 and 6, with (14)",
    statement="D_0 <= OPT/2.",
    readings=(
        Reading("all jobs", "(14) as printed; L = 0 where some u_i(T - a_i) = 0.", half),
        Reading(
            "jobs that last", "(14) over the jobs with u_i(T - a_i) > 0, as (12) needs L > 0.", half_of_those_that_last
        ),
    ),
    regimes=(*regimes.SHAPES, regimes.LATE, regimes.HOPELESS, regimes.WORTHLESS_END),
    strategy=st.one_of(draw.cases(reserved=False), draw.cases(reserved=False, roomy=True, scenes=("plain",))),
    planted=(Planted("a fiftieth of OPT", at(half, share=Fraction(1, 50))),),
    witnesses=WITNESSES,
    assumption=_LASTS,
    repaired_by="dmlrs.d0_half_opt_repaired",
)
D0_REPAIRED = restricted(D0, readings=restricted(D0).readings[1:])


def admitted(case: Case, raised: int = 1) -> Finding | None:
    """At p = L the payoff of every job that can finish is at least u_i(T - a_i)/2 > 0.

    Premise: u_i(T - a_i) > 0 for all jobs (L would be 0 otherwise).

    Proof
    -----
    A schedule that fits uses at most T sum C in all, over the resources in use, which is at most mu n_i. L <= u_i(T -
    a_i)/(2 mu n_i), so it costs at most u_i(T - a_i)/2 at p = L, and it earns at least u_i(T - a_i).
    """
    instance, low = case.instance, lowest(case.instance)
    last = {job.index: job.utility.lower(instance.horizon - job.arrival) for job in instance.jobs}
    if low is None or not all(last.values()):
        return None
    found = []
    for job in instance.jobs:
        for plan in plans(instance, job):
            payoff = plan.utility - raised * low * sum(plan.use.values(), ZERO)
            found.append(Finding(payoff, last[job.index] / 2, "at least", f"{job.name}, payoff at L"))
    return worst(found)


ADMITTED = Claim(
    id="dmlrs.any_job_admitted",
    source="paper 001, section 4.2, after (14)",
    statement="At rho = 0 the price L is so low that any job (that can finish) can be admitted.",
    readings=(Reading("all jobs last", "u_i(T - a_i) > 0 for all jobs, so that L > 0.", admitted),),
    regimes=(*regimes.SHAPES, regimes.LATE, regimes.HOPELESS),
    strategy=st.one_of(
        draw.cases(reserved=False, lasting=True),
        draw.cases(reserved=False, lasting=True, roomy=True, scenes=("plain",)),
    ),
    planted=(Planted("at twenty times L", at(admitted, raised=20)),),
)

CLAIMS = table(DUAL_VALUE, DUAL_VALUE_REPAIRED, D0, D0_REPAIRED, ADMITTED)
