"""The proof of Theorem 1, from (24) to (25)."""

from __future__ import annotations

from typing import Any

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.enclosures import HALF, above, below, right_side24, two_pi
from schedproof.proofs_checks.jrp.shared.premises import FULL, SPREAD
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ETAS, worst_order_limit

NORMAL = Claim(
    "jrp.normal25",
    WANG19.at("proof of Theorem 1, (24) to (25)"),
    "If D_j is normal with mu_j = r_j^s and sigma_j > 0, the right side of (24) is at least (1 - 1/(2 "
    "eta)) mu_j - sigma_j/sqrt(2 pi), as (25) states.",
    Domain.of(
        ServerLoad,
        draw.any_loads(full=True),
        {
            "values below 0 count": lambda case: case.load.mean**2 < 4 * case.load.variance,
            "they hardly count": lambda case: case.load.mean**2 > 9 * case.load.variance > 0,
        },
        regimes.SIZES,
        regimes.ONE_SIZE,
        regimes.INSIDE,
        regimes.MANY,
        premises=(FULL, SPREAD),
    ),
)
HALF_OF_THE_DENSITY = """
Let p be the density of N(r, sigma^2). The integral of z p(z) from minus infinity to r is r/2 - sigma/sqrt(2 pi). The
integral from minus infinity to 0 is not positive. So the integral from 0 to r is at least r/2 - sigma/sqrt(2 pi).
Pr(D > r) = 1/2 adds (1 - 1/eta) r/2. The sum is (1 - 1/(2 eta)) r - sigma/sqrt(2 pi), and r = mu.
- *The paper calls (D - mu)/sigma^2 normal.* Its variance is 1/sigma^2 (`normal_scale`); (25) itself shows that the
paper means sigma.
- *(24) is false for some eta.* The claim is only the step from the right side of (24) to that of (25), for any eta >=
1.
"""


@NORMAL.false_variant("sigma_j/sqrt(3 pi)", loss=3)
def right_side(case: ServerLoad, loss: int = 2, eta: Any = worst_order_limit) -> Finding:
    """The right side of (24) is at least (1 - 1/(2 eta)) mu_j - sigma_j/sqrt(2 pi).

    D_j is normal with mu_j = r_j^s. The first number is rounded up and the second down, so only a true violation is
    found.

    Parameters
    ----------
    loss
        The divisor of sigma_j^2 under the root, as a multiple of pi.
    """
    load = case.load
    number = eta(load)
    right24 = above(lambda ball: right_side24(ball, load.mean, load.variance, number))

    def right25(ball: Any) -> Any:
        spread = ball(load.variance).sqrt() / (two_pi(ball) * ball(HALF * loss)).sqrt()
        return ball(load.mean * (1 - HALF / number)) - spread

    return Finding(right24, below(right25), "at least", f"right sides of (24) and (25), eta = {number}")


for name, sentence, eta in reversed(ETAS):
    NORMAL.reading(name, sentence, HALF_OF_THE_DENSITY, eta=eta)(right_side)
