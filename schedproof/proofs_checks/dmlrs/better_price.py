"""A price that reaches U later than the repaired price, for uses in whole grains.

For equal jobs, the price reaches U only at the full capacity.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Premise, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import printed_factor
from schedproof.proofs_checks.dmlrs.shared.premises import ONE, PRICED_REPAIRED
from schedproof.proofs_checks.dmlrs.theorem5 import Factor, growth_factor, repaired_sum
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies import dmlrs_ratio as ratio_draw
from schedproof.proofs_checks.strategies.dmlrs import Grained
from schedproof.reference.dmlrs import demand, spots


def in_grains(case: Grained) -> bool:
    """Whether all demands, reserved amounts and capacities are multiples of g C."""
    instance, sizes = case.instance, case.instance.machines
    return (1 / case.grain).denominator == 1 and all(
        (amount / (case.grain * sizes[spot[1]].capacity[spot[2]])).denominator == 1
        for spot in spots(instance)
        for amount in (
            instance.reserved.get(spot, Fraction(0)),
            *(d for j in instance.jobs for d in demand(j, spot[2])),
        )
    )


IN_GRAINS: Premise[Grained] = Premise("all amounts and capacities are multiples of g C", in_grains)

BETTER_PRICE: Claim[Grained] = Claim(
    "dmlrs.better_price",
    YU22.at("(12), repaired once more: a better price for demands that are multiples of a grain"),
    "In theorem5_ratio_repaired (0 < L <= U^r, no job takes more than x C, OPT within x C as well), if all amounts and "
    "capacities are multiples of g C, the price may reach U at (1 - x + g) C: OPT <= psi (D_0 + eps P) with eps = "
    "max(1, max_r ((U^r/L)^(x/(1-x+g)) - 1)/x). For equal jobs, g = x, the exponent falls from x/(1-x) to x.",
    Domain(
        Grained,
        draw.grained_cases() | ratio_draw.whole_climbs(),
        (
            *regimes.of_run("repaired"),
            *regimes.SHAPES,
            Regime("equal jobs, g = x", lambda case: case.grain == case.cap),
            Regime("a smaller grain", lambda case: case.grain < case.cap),
        ),
        (IN_GRAINS, PRICED_REPAIRED),
    ),
)

LATER_PRICE_PROOF = """
Let k = 1 - x + g. Suppose first that a schedule pi does not fit the free capacity. Then rho + a > C somewhere, where a
<= x C is the use of pi there. As rho, a and C are multiples of g C, rho + a >= C + g C. So rho >= k C, and the price is
at least U^r. For this use pi already pays U^r a >= u_i(pi) (price_blocks_repaired). As lambda_i >= 0, its row of (11)
is met. Suppose next that pi fits. Then lambda_i >= u_i(pi) - psi p a_pi. So lambda and psi p satisfy (11) at the prices
that job i meets, and also at the later prices, which are higher. Hence OPT <= D_I = sum lambda + psi sum p C. A job
that takes y C, y <= x, raises C p by C p ((U^r/L)^(y/k) - 1) <= eps p y C (lemma10_finite_repaired). So an admitted job
raises D by at most psi eps u, as psi eps >= 1. Hence D_I <= psi D_0 + psi eps P. If every job that uses a resource
takes the same x C of it, then g = x and k = 1. Then the exponent x/k is x.
Coq, core: dmlrs.v better_price. Outside: that no schedule earns more than U^r for each unit of r that it uses
(price_blocks_repaired). Algorithm 2 with Theta within psi is the rule of `run`. For g = x the exponent x/(1-x+g) is x.
- *The price passes U before the machine is full: which job pays that price?* A job that still fits and has enough
utility. The argument does not need p <= U, because p grows by the same exponential above U.
- *Does the grain not depend on the machine?* g C uses the C of each machine and resource. g is a common share for all
of them; a smaller g helps less.
- *Is the loss smaller, or only the bound better?* Let k equal jobs fill a machine. The old price reaches U when one
more job still fits; the new price when no job fits. `whole_climb` meets this bound to within 1 %.
"""


@BETTER_PRICE.reading("with D_0", "PD-ORS runs with the better price.", LATER_PRICE_PROOF)
@BETTER_PRICE.false_variant("nine tenths of it", share=Fraction(9, 10))
@BETTER_PRICE.false_variant("eps = max(1, ln(U/L))", factor=lambda out, cap: printed_factor(out))
def later_price(case: Grained, factor: Factor = growth_factor, share: Fraction = ONE) -> Answer:
    return repaired_sum(case, factor, share)
