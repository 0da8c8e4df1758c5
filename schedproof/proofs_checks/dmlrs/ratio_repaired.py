"""The competitive ratio, repaired: what `dmlrs.pd_ors` with ``bounds=repaired`` is guaranteed.

Claims theorem5_ratio_repaired, theorem6_ratio_repaired and theorem5_ratio_limit.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.builders import build_instance, job
from schedproof.proofs_checks.dmlrs.duality import lasts
from schedproof.proofs_checks.dmlrs.enclosures import power
from schedproof.proofs_checks.dmlrs.literal import Outcome
from schedproof.proofs_checks.dmlrs.optimum import best_packing, offline
from schedproof.proofs_checks.dmlrs.regimes import outcome
from schedproof.proofs_checks.dmlrs.schedules import plans
from schedproof.proofs_checks.dmlrs.theorems import printed_factor
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, table

ONE, THIRD = Fraction(1), Fraction(4, 3)
Factor = Callable[[Outcome, Fraction], Fraction]


def growth_factor(out: Outcome, cap: Fraction) -> Fraction:
    """At least eps = max(1, max_r ((U^r/L)^(x/(1-x)) - 1)/x)."""
    rises = [power(high / out.tariff.lowest, cap / (1 - cap))[1] for high in out.tariff.highest.values()]
    return max([ONE, *((rise - 1) / cap for rise in rises)])


def repaired_sum(case: Case, factor: Factor = growth_factor, share: Fraction = ONE) -> Finding | None:
    """OPT <= psi (D_0 + eps P_I) with the repaired prices, for schedules within x C, OPT's as well.

    eps = max(1, max_r ((U^r/L)^(x/(1-x)) - 1)/x); U^r = max u_i(ceil(V c_i/F)) over the smallest positive one of alpha
    and beta, or more; any L with 0 < L <= U^r; the price is L (U^r/L)^(rho/((1-x) C)); every Theta is within a factor
    psi >= 1 of the least cost; D_0 is the sum of p C at the start, C being what is not reserved.

    Proof
    -----
    By dual_feasible_repaired, lambda and psi p satisfy (11): by weak duality OPT <= D_I := sum lambda + psi sum p C at
    the end. An admitted job earns u = lambda_i + c, where c = sum p_old a is what its schedule costs. By
    lemma10_finite_repaired each C (p_new - p_old) <= eps p_old a, so that D grows by lambda_i + psi eps c at most,
    which is at most psi eps u because psi eps >= 1. A rejected job changes neither. So D_I <= psi D_0 + psi eps P_I.
    (Where a part of C is reserved, rho counts it and the dual has the rest, which is less.)
    """
    out, cap, slack = outcome(case, "repaired"), case.data["cap"], case.data["slack"]
    if out is None:
        return None
    most = slack * (out.start[1] + factor(out, cap) * out.primal)
    return Finding(best_packing(case.instance, cap), share * most, "at most", "OPT within x C, psi (D_0 + eps P)")


def repaired_ratio(case: Case, factor: Factor = growth_factor, share: Fraction = ONE) -> Finding | None:
    """OPT <= 2 psi eps P_I, where some job that can finish within x C has u_i(T - a_i) >= 2 psi D_0.

    L of (14) divided by psi meets the premise wherever such a job has u_i(T - a_i) > 0 and nothing is reserved.

    Proof
    -----
    That job alone is a solution, which earns u_i(T - a_i) or more: psi D_0 <= OPT/2. With OPT <= psi D_0 + psi eps P_I
    (the other reading) OPT/2 <= psi eps P_I. For (14): psi D_0 is then at most half the least u_i(T - a_i) of the jobs
    that count in L (d0_half_opt_repaired).
    """
    out, cap, slack = outcome(case, "repaired"), case.data["cap"], case.data["slack"]
    if out is None or max(lasts(case.instance, cap), default=Fraction(0)) < 2 * slack * out.start[1]:
        return None
    most = 2 * slack * factor(out, cap) * out.primal
    return Finding(best_packing(case.instance, cap), share * most, "at most", "OPT within x C, 2 psi eps P")


def climb(jobs: int, base: int) -> Case:
    """Where the bound with D_0 is almost met: jobs of one k-th of a machine climb its prices, then k of value U come.

    x = 1/k, L = 1/(2 k) and (U/L)^(x/(1-x)) = ``base``: each of k - 1 jobs earns a hundredth more than the price that
    it meets, but the first one 1; then the price is U.
    """
    met = [Decimal(base) ** n / (2 * jobs) for n in range(jobs)]
    values = [Decimal(1), *((v * Decimal("1.01")).quantize(Decimal("1e-6")) for v in met[1:-1])]
    top = met[-1].quantize(Decimal("1e-6"))
    rows = [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values + [top] * jobs)]
    return Case(build_instance([{"gpu": jobs}], rows), {"cap": Fraction(1, jobs), "slack": ONE})


@st.composite
def _climbs(pick: Any) -> Case:
    return climb(pick(st.integers(2, 4)), pick(st.sampled_from((20, 100, 1000))))


_REPAIRED = (
    Reading("with D_0", "OPT <= psi (D_0 + eps P).", repaired_sum),
    Reading("ratio", "OPT <= 2 psi eps P, where 2 psi D_0 <= u_i(T - a_i) of a job that can finish.", repaired_ratio),
)
_REPAIRED_REGIMES = (
    *regimes.of_run("repaired"),
    *regimes.SHAPES,
    regimes.RESERVED,
    of_data("theta within a factor", lambda d: d["slack"] > 1),
    Regime("the premise on D_0", lambda c: repaired_ratio(c) is not None),
)
_STATEMENT = (
    "If no job takes more than x C of a resource in a slot (x < 1), U^r = max u_i(ceil(V c_i/F)) over the smallest "
    "positive one of alpha, beta, the price is L (U^r/L)^(rho/((1-x) C)), every Theta is within a factor psi of the "
    "least and 2 psi D_0 <= u_i(T - a_i) for a job that can finish, then OPT <= 2 psi eps P, eps = max(1, max_r "
    "((U^r/L)^(x/(1-x)) - 1)/x)."
)


def _printed(out: Outcome, cap: Fraction) -> Fraction:
    return printed_factor(out)


def _repaired(number: int) -> Claim:
    return Claim(
        id=f"dmlrs.theorem{number}_ratio_repaired",
        source=f"paper 001, section 4.4, Theorem {number} (the ratio), repaired",
        statement=_STATEMENT
        + f" With psi = 3G/delta, where Theorem {number - 2} gives it, this is Theorem {number}'s form.",
        readings=_REPAIRED,
        regimes=_REPAIRED_REGIMES,
        strategy=st.one_of(draw.within_caps(), _climbs()),
        planted=(
            Planted("nine tenths of it, with D_0", at(repaired_sum, share=Fraction(9, 10))),
            Planted("a third of the ratio", at(repaired_ratio, share=Fraction(1, 3))),
            Planted("eps = max(1, ln(U/L))", at(repaired_ratio, factor=_printed)),
        ),
    )


# --- small shares ----------------------------------------------------------------------------------------------------


def largest_share(case: Case) -> Fraction:
    """x: the largest share of a machine's resource that a schedule of one job takes in a slot."""
    instance = case.instance
    uses = (plan.use for one in instance.jobs for plan in plans(instance, one))
    return max(a / instance.machines[h].capacity[r] for use in uses for (_, h, r), a in use.items())


def small_shares(case: Case, most: Fraction = Fraction(6)) -> Finding | None:
    """With the prices (12) and (U^r/L)^x <= 4/3, OPT <= 6 max_r(1, ln(U^r/L)) P_I; exact theta, U^r with the smallest.

    x C is the most that a job takes of a resource in a slot; U^r = max u_i(ceil(V c_i/F)) over the smallest positive
    one of alpha and beta; some job that can finish has u_i(T - a_i) >= 2 D_0.

    Proof
    -----
    Let K = max_r (U^r/L)^x <= 4/3. A schedule pi that does not fit what is left meets some rho > (1 - x) C, where the
    price is at least U^r (L/U^r)^x >= U^r/K; so K p a_pi >= u_i(pi). One that fits has lambda_i >= u_i(pi) - p a_pi. So
    lambda and K p satisfy (11), and as in the repaired theorem OPT <= K (D_0 + eps P), eps = max(1, max_r ((U^r/L)^x -
    1)/x), with D_0 <= OPT/2: OPT <= K eps/(1 - K/2) P <= 4 eps P. With z = x ln(U^r/L) <= ln(4/3), ((U^r/L)^x - 1)/x =
    ln(U^r/L) (e^z - 1)/z <= 1.16 ln(U^r/L), as (e^z - 1)/z does not decrease. So 4 eps <= 4.64 max(1, ln(U^r/L)).
    """
    out = outcome(case, "denominators")
    if out is None:
        return None
    spread = max(out.tariff.highest.values()) / out.tariff.lowest
    if power(spread, largest_share(case))[1] > THIRD:
        return None
    if max(lasts(case.instance, ONE), default=Fraction(0)) < 2 * out.start[1]:
        return None
    claimed = most * printed_factor(out) * out.primal
    return Finding(offline(case), claimed, "at most", "OPT, 6 max(1, ln(U/L)) P")


SIZE = 20  # jobs that the machine of a crowd holds


@st.composite
def _crowds(pick: Any) -> Case:
    """Many small jobs for one machine in one slot: values in any order, or each just above the price that it meets."""
    if pick(st.booleans()):
        values = pick(st.lists(st.integers(1, 6), min_size=SIZE // 2, max_size=3 * SIZE // 2))
    else:
        base = pick(st.sampled_from([Decimal(b) for b in ("1.2", "1.25", "1.3")]))
        met = [base**n / (2 * SIZE) for n in range(SIZE + 1)]
        values = [max(Decimal(1), (v * Decimal("1.05")).quantize(Decimal("0.01"))) for v in met[:-1]]
        values += [met[-1].quantize(Decimal("0.01"))] * pick(st.integers(1, SIZE))
    jobs = [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values)]
    best = sorted(range(len(values)), key=lambda n: -values[n])[:SIZE]
    plan = [[n, 0, 0, 1, 1] for n in sorted(best)]
    return Case(build_instance([{"gpu": SIZE}], jobs), {"plan": plan})


LIMIT = Claim(
    id="dmlrs.theorem5_ratio_limit",
    source="paper 001, section 4.4, Theorems 5 and 6 (the ratio), for small shares",
    statement=(
        "With the prices (12), exact theta and U^r over the smallest positive one of alpha, beta: if no job takes more "
        "than x C of a resource in a slot and (U^r/L)^x <= 4/3, then OPT <= 6 max_r(1, ln(U^r/L)) P."
    ),
    readings=(Reading("small shares", "The regime that Appendix C has in mind.", small_shares),),
    regimes=(
        *regimes.of_run("denominators"),
        Regime("more jobs than fit", lambda c: len(c.instance.jobs) > SIZE),
    ),
    strategy=_crowds(),
    planted=(Planted("a fifteenth of it", at(small_shares, most=Fraction(2, 5))),),
)

CLAIMS = table(_repaired(5), _repaired(6), LIMIT)
