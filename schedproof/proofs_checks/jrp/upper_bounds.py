"""Which relaxation bounds JRP? Claims lp_i_upper_bound, split_free_upper_bound and conic_upper_bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.proofs_checks.jrp import linear
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Rule, cone, optimum, split, storage_only
from schedproof.proofs_checks.strategies import jrp as draw
from schedproof.proofs_checks.strategies.jrp import st
from schedproof.proofs_checks.writing import at, of_data, table

# --- LP_I ------------------------------------------------------------------------------------------------------------


def configured(case: Case) -> Finding:
    """The optimum of LP_I at the instance's epsilon is at least that of JRP, (5)-(13)."""
    return Finding(linear.lp_i(case.instance).value, Fraction(optimum(case.instance)), "at least", "LP_I, JRP")


def best_epsilon(case: Case) -> Finding:
    """The optimum of LP_I at the epsilon that makes it largest is at least that of JRP."""
    return Finding(linear.best_share(case.instance)[0], Fraction(optimum(case.instance)), "at least", "LP_I, JRP")


def reformulated(case: Case, kept: Fraction = ONE) -> Finding:
    """The optimum of LP_I is at least that of JRP with (16) and (17) in the place of (10).

    Proof
    -----
    Both have the same rows: (5)-(9), (13), (16) and (17). LP_I replaces (11) and (12) by (14) and (15), which binary x
    and y satisfy. So every solution of the one is a solution of the other, of the same value.
    """
    most = Fraction(optimum(case.instance, split))
    return Finding(kept * linear.lp_i(case.instance).value, most, "at least", "LP_I, JRP with (16)-(17)")


def divided(case: Case, kept: Fraction = ONE) -> Finding:
    """The optimum of LP_I, divided by the smaller of epsilon and 1 - epsilon, is at least that of JRP.

    Proof
    -----
    Let s be the smaller of the two. A solution of JRP has sum a D <= r^c and sum b D <= r^b on each server (the claim
    split_free_upper_bound). s times its x and y satisfy (6), (7), (14), (15); (16) and (17) ask for sum a D <= (1 -
    epsilon) r^c and sum b D <= epsilon r^b, which they satisfy as s is at most either. So LP_I is at least s times JRP.
    """
    share = case.instance.communication_share
    bound = linear.lp_i(case.instance).value / min(share, 1 - share)
    return Finding(kept * bound, Fraction(optimum(case.instance)), "at least", "LP_I / min(epsilon, 1 - epsilon), JRP")


def _binding(case: Case) -> bool:
    return optimum(case.instance, split) < optimum(case.instance)


def _of_instance(name: str, reached: Any) -> Regime:
    return Regime(name, lambda case: bool(reached(case.instance)))


def _short(rule: Rule) -> Any:
    """Whether a rule turns jobs away that could be stored."""
    return lambda instance: optimum(instance, rule) < optimum(instance, storage_only)


_SHAPES = (
    _of_instance("several servers", lambda i: len(i.servers) > 1),
    _of_instance("several jobs", lambda i: len(i.jobs) > 1),
    _of_instance("a job with several data nodes", lambda i: any(len(job.nodes) > 1 for job in i.jobs)),
    _of_instance("a job without data nodes", lambda i: not all(job.nodes for job in i.jobs)),
    _of_instance("a data node without servers", lambda i: not all(n.servers for job in i.jobs for n in job.nodes)),
    _of_instance("a job without a deadline", lambda i: any(job.deadline is None for job in i.jobs)),
    _of_instance("scarce storage", lambda i: optimum(i, storage_only) < len(i.jobs)),
    _of_instance("scarce time", _short(cone)),
)
_CASES = st.one_of(draw.cases(), draw.timed(odd=False))
_REFORMULATED = Reading(
    "JRP as reformulated", "(16) and (17) take the place of (10) in JRP itself, before (14)-(15).", reformulated
)
_NINE_TENTHS = Planted("nine tenths of it", at(reformulated, kept=Fraction(9, 10)))

LP_I = Claim(
    id="jrp.lp_i_upper_bound",
    source="paper 003, section IV-A, Theorem 1 and section V-A, end",
    statement="The optimum of LP_I, a relaxation of JRP, is at least the optimum of JRP.",
    readings=(
        Reading("any epsilon", "JRP is (5)-(13); epsilon is configured, whatever it is.", configured),
        Reading("the best epsilon", "JRP is (5)-(13); epsilon is the best one for the instance.", best_epsilon),
        _REFORMULATED,
    ),
    regimes=(*_SHAPES, Regime("the split turns jobs away", _binding)),
    strategy=_CASES,
    planted=(_NINE_TENTHS,),
    witnesses=WITNESSES,
    repaired_by="jrp.lp_i_upper_bound_repaired",
)
LP_I_REPAIRED = Claim(
    id="jrp.lp_i_upper_bound_repaired",
    source="paper 003, section IV-A, repaired",
    statement=(
        "The optimum of LP_I is at least that of JRP with (16)-(17), lambda for eta, in the place of (10); divided by "
        "min(epsilon, 1 - epsilon), it is at least that of JRP."
    ),
    readings=(_REFORMULATED, Reading("JRP, after division", "JRP is (5)-(13).", divided)),
    regimes=LP_I.regimes,
    strategy=_CASES,
    planted=(_NINE_TENTHS, Planted("of JRP with (10)", configured)),
)

# --- what does bound it ----------------------------------------------------------------------------------------------


def without_split(case: Case, computing: Fraction = ONE) -> Finding:
    """With sum a D <= r^c and sum b D <= r^b on each server in the place of (8)-(10), the linear optimum bounds JRP.

    Proof
    -----
    (10) is a D/r^c + b D/r^b <= 1 with terms that are not negative: a D <= r^c and b D <= r^b for each job and server.
    Summed over the jobs, with (8) and (9), these are the two rows. (11) and (12) imply (14) and (15). So a solution of
    JRP is a solution of the linear program, of the same value.
    """
    bound = linear.linear(case.instance, computing, ONE).value
    return Finding(bound, Fraction(optimum(case.instance)), "at least", "linear optimum, JRP")


SPLIT_FREE = Claim(
    id="jrp.split_free_upper_bound",
    source="paper 003, (5)-(13), a bound of ours",
    statement="The linear program with sum a D <= r^c and sum b D <= r^b on each server bounds JRP from above.",
    readings=(Reading("JRP", "JRP is (5)-(13).", without_split),),
    regimes=_SHAPES,
    strategy=st.one_of(_CASES, draw.just_enough().map(lambda pair: Case(pair[0]))),
    planted=(Planted("half of the compute", at(without_split, computing=Fraction(1, 2))),),
)


def priced(case: Case, stretched: Fraction = ONE) -> Finding:
    """Any prices prove a bound on JRP: all that servers have, and what jobs gain above their cheapest costs.

    With sigma_j, p_j, q_j >= 0 and any w_jk >= 0 with w_jk^2 <= 4 p_j q_j a_k b_k, and c_ij = d_i (sigma_j + p_j a_k +
    q_j b_k + w_jk) for a data node i of job k: JRP is at most the sum of sigma_j r_j^s + p_j r_j^c + q_j r_j^b over the
    servers and of max(0, 1 - sum over i in C_k of min over j in A_i of c_ij) over the jobs. A min over nothing is
    infinite, a job without data nodes gains 1.

    Proof
    -----
    Take a solution; let D = D_j^k. By (10), u = r_jk^c - a D and v = r_jk^b - b D satisfy u v >= a b D^2, u, v >= 0
    (multiply a D/r^c + b D/r^b <= 1 by r^c r^b). So p u + q v >= 2 sqrt(p q u v) >= 2 sqrt(p q a b) D >= w D. Summed
    over the jobs, with (8) and (9): p r_j^c + q r_j^b >= sum_k (p a + q b + w) D_j^k. With sigma times (7), what all
    servers have is worth at least the sum of c_ij x_i^j, which by (6) is at least sum_k y_k sum_i min_j c_ij. So sum y
    is at most this worth and sum_k y_k (1 - sum_i min_j c_ij), with y_k in [0, 1]. Nothing used that x and y are whole:
    it bounds the conic relaxation, too.
    """
    bound = linear.conic(case.instance, case.data["prices"], stretched)
    return Finding(bound, Fraction(optimum(case.instance)), "at least", "bound of the prices, JRP")


@st.composite
def _priced(pick: Any) -> Case:
    """Prices of tangents to the cone at a slope, with a part of the prices of a linear optimum."""
    instance = pick(st.one_of(draw.instances(), draw.instances(deadlines=True, stored=False, odd=False)))
    rows = []
    for linear_prices in linear.split_free(instance).prices:
        mu = pick(st.sampled_from([ZERO, Fraction(1, 16), Fraction(1, 4), ONE]))
        theta = pick(st.sampled_from([Fraction(1, 2), ONE, Fraction(2)]))
        kept = pick(st.sampled_from([ZERO, Fraction(1, 2), ONE]))
        sigma, p, q = (kept * price for price in linear_prices)
        rows.append([sigma, p + mu * theta, q + mu / theta])
    return Case(instance, {"prices": rows})


@st.composite
def _just_met(pick: Any) -> Case:
    """A server that is just enough for all its jobs, and prices that prove that it is no more than that."""
    instance, theta = pick(draw.just_enough())
    mu = pick(st.sampled_from([Fraction(1, 64), Fraction(1, 16)]))
    return Case(instance, {"prices": [[ZERO, mu * theta, mu / theta]]})


CONIC = Claim(
    id="jrp.conic_upper_bound",
    source="paper 003, (5)-(13), a bound of ours",
    statement="Rational prices of storage, compute and bandwidth prove an upper bound on JRP, with (10) as it is.",
    readings=(
        Reading("any prices", "Whatever prices, none of them negative; w rational and as large as it may be.", priced),
    ),
    regimes=(
        *_SHAPES,
        of_data("a root counts", lambda d: any(p * q for _, p, q in d["prices"])),
        of_data("compute or bandwidth for nothing", lambda d: not all(p * q for _, p, q in d["prices"])),
        Regime("a bound that is met", lambda c: priced(c).excess == 0),
    ),
    strategy=st.one_of(_priced(), _just_met()),
    planted=(Planted("w a tenth too large", at(priced, stretched=Fraction(11, 10))),),
)

CLAIMS = table(LP_I, LP_I_REPAIRED, SPLIT_FREE, CONIC)
