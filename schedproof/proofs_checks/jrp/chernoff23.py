"""The Chernoff bound (23) on the random data of a server.

exp(-z) is irrational for rational z other than 0, so < and <= differ only at z = 0. There mu = 0 and Pr(D_j < 0) = 0 <
1.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.enclosures import above
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import Tail
from schedproof.reference.jrp_load import ONE, ZERO, Load, load_distribution

CHERNOFF = Claim(
    "jrp.chernoff23",
    WANG19.at("section IV-C, (23)"),
    "Pr(D_j < (1 - delta) mu_j) < exp(-mu_j delta^2/2) for every delta with 0 < delta < 1.",
    Domain(
        Tail,
        st.one_of(draw.tails(), draw.tails(sizes=draw.UNIT)),
        (regimes.SMALL, regimes.LARGE, regimes.NOTHING, regimes.SURE, regimes.SIZES, regimes.EMPTY_NODE, regimes.MANY),
    ),
)
REPAIRED = CHERNOFF.repair(
    "Pr(D_j < (1 - delta) mu_j) < exp(-mu_j delta^2/(2 max d_i)) for every delta with 0 < delta < 1."
)


@CHERNOFF.reading("in GB", "d_i and mu_j are numbers of GB; section V-B has 2 to 8 GB in a data node.")
@CHERNOFF.false_variant("the mean itself on the left", all_of_mean=True)
def tail(case: Tail, all_of_mean: bool = False) -> Finding:
    return compare(case.load, case.load.mean * case.delta**2 / 2, ONE if all_of_mean else 1 - case.delta)


TAIL_REPAIRED_PROOF = """
If all sizes are 0, mu = 0 and the left side is 0, the right side 1. Otherwise let d = max d_i > 0 and measure data in
units of d. D/d is a sum of independent terms (d_i/d) X_i with d_i/d <= 1. Its mean is mu/d, and the event is D/d < (1 -
delta) mu/d. `SIZES_AT_MOST_1` gives the strict bound exp(-(mu/d) delta^2/2). It holds also for mu = 0: Pr(D < 0) = 0 <
1.
- *The bound then depends on the unit again, through d.* mu/d and delta have no unit: both sides are the same in GB and
in MB.
"""


@REPAIRED.reading("any sizes", "The sizes may be in any unit.", TAIL_REPAIRED_PROOF)
@REPAIRED.false_variant("the mean itself on the left", all_of_mean=True)
@REPAIRED.false_variant("without the largest size", largest=False)
def tail_repaired(case: Tail, all_of_mean: bool = False, largest: bool = True) -> Finding:
    load = case.load
    unit = load.largest if largest and load.largest else ONE
    return compare(load, load.mean * case.delta**2 / (2 * unit), ONE if all_of_mean else 1 - case.delta)


SIZES_AT_MOST_1 = """
For mu = 0 the left side is 0 and the right side 1. Let mu > 0 and h > 0. As e^(-h z) is convex, it is at most 1 - z
(1 - e^(-h)) for z in [0, 1]. So the term of a data node has E e^(-h d X) <= 1 - d x (1 - e^(-h)) <= exp(-d x (1 -
e^(-h))). By independence E e^(-h D) <= exp(-mu (1 - e^(-h))). Markov's inequality for e^(-h D) at the level (1 - delta)
mu gives Pr(D <= (1 - delta) mu) <= exp(h (1 - delta) mu - mu (1 - e^(-h))). With h = -ln(1 - delta) the right side is
exp(-mu ((1 - delta) ln(1 - delta) + delta)). With s = delta, (1 - s) ln(1 - s) + s = s^2/2 + s^3/6 + ... > s^2/2. So
the inequality is strict.
- *Chernoff's bound is for terms that are 0 or 1.* The proof uses only E e^(-h d X) <= exp(-d x (1 - e^(-h))) of a
term. This holds for every d in [0, 1].
- *The event is 'less than' (1 - delta) mu, and Markov's inequality bounds 'at most'.* The event D < (1 - delta) mu is
part of D <= (1 - delta) mu.
"""


@CHERNOFF.assume("sizes at most 1", "no data node has more than 1 (GB)", SIZES_AT_MOST_1)
def at_most_one(case: Tail) -> bool:
    return case.load.largest <= 1


def compare(load: Load, exponent: Fraction, share: Fraction) -> Finding:
    chance = sum((p for held, p in load_distribution(load).items() if held < share * load.mean), ZERO)
    claimed = above(lambda ball: ball(-exponent).exp()) if exponent else ONE
    return Finding(chance, claimed, "at most", f"Pr(D < {share} mu), mu = {load.mean}")
