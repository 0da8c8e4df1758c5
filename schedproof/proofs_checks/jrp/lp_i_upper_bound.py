"""Sections IV-A and V-A: is LP_I an upper bound on JRP?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding, Regime
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.upper_bounds import INSTANCES
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference.jrp import ONE, split
from schedproof.reference.jrp_linear import best_share, lp_i
from schedproof.reference.jrp_model import optimum

TURNED_AWAY: Regime[OfInstance] = Regime(
    "the split turns jobs away", lambda case: optimum(case.instance, split) < optimum(case.instance)
)
LP_I = Claim(
    "jrp.lp_i_upper_bound",
    WANG19.at("section IV-A, Theorem 1 and section V-A, end"),
    "The optimum of LP_I, a relaxation of JRP, is at least the optimum of JRP.",
    INSTANCES.but(regimes=(*INSTANCES.regimes, TURNED_AWAY)),
    severity="false theorem",
)
REPAIRED = LP_I.repair(
    "The optimum of LP_I is at least that of JRP with (16)-(17), lambda for eta, in the place of (10); "
    "divided by min(epsilon, 1 - epsilon), it is at least that of JRP.",
    source=WANG19.at("section IV-A, repaired"),
)


@LP_I.reading("any epsilon", "JRP is (5)-(13); epsilon is any configured value.")
@REPAIRED.false_variant("of JRP with (10)")
def any_epsilon(case: OfInstance) -> Finding:
    best = Fraction(optimum(case.instance))
    return Finding(lp_i(case.instance).value, best, "at least", "LP_I, JRP", optimum=best)


@LP_I.reading("the best epsilon", "JRP is (5)-(13); epsilon is the best one for the instance.")
def best_epsilon(case: OfInstance) -> Finding:
    best = Fraction(optimum(case.instance))
    return Finding(best_share(case.instance)[0], best, "at least", "LP_I, JRP", optimum=best)


SAME_ROWS = """
Both have the same rows: (5)-(9), (13), (16) and (17). LP_I replaces (11) and (12) by (14) and (15), which binary x and
y satisfy. So both have the same solutions, of the same value.
Coq: jrp.v lp_i_upper_bound. Objects: program, LP_I, JRP_split, accepted. In words: the rows are those of the paper, in
units of the deadline.
- *eta in (16) is not defined.* lambda replaces it on both sides; any positive constant is enough.
"""


@LP_I.reading(
    "JRP as reformulated",
    "(16) and (17) take the place of (10) in JRP itself, before (14)-(15).",
    SAME_ROWS,
    also=REPAIRED,
)
@LP_I.false_variant("nine tenths of it", kept=Fraction(9, 10), also=REPAIRED)
def reformulation(case: OfInstance, kept: Fraction = ONE) -> Finding:
    limit = Fraction(optimum(case.instance, split))
    return Finding(kept * lp_i(case.instance).value, limit, "at least", "LP_I, JRP with (16)-(17)")


SCALED_DOWN = """
Let s = min(epsilon, 1 - epsilon). A solution of JRP has sum a D <= r^c and sum b D <= r^b on each server (the claim
split_free_upper_bound). s times its x and y satisfy (6), (7), (14), (15). (16) and (17) require sum a D <= (1 -
epsilon) r^c and sum b D <= epsilon r^b. The scaled point satisfies them, as s is at most epsilon and 1 - epsilon. So
LP_I is at least s times JRP.
Coq: jrp.v lp_i_after_division. Objects: program, LP_I, JRP, accepted. In words: the rows are those of the paper, in
units of the deadline; binary x and y are between 0 and 1.
- *epsilon near 0 makes the divided bound useless.* True: this is the cost of a fixed split. `split_free_upper_bound`
and `conic_upper_bound` have no epsilon.
"""


@REPAIRED.reading("JRP, after division", "JRP is (5)-(13).", SCALED_DOWN)
@REPAIRED.false_variant("nine tenths after division", kept=Fraction(9, 10))
def after_division(case: OfInstance, kept: Fraction = ONE) -> Finding:
    share = case.instance.communication_share
    bound = kept * lp_i(case.instance).value / min(share, 1 - share)
    return Finding(bound, Fraction(optimum(case.instance)), "at least", "LP_I / min(epsilon, 1 - epsilon), JRP")
