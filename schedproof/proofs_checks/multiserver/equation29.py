"""The proof of Proposition 1, (26)-(29): q in vector form."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Placed
from schedproof.reference.multiserver import ZERO, maximisers, network, present, totals

EQUATION29 = Claim(
    "multiserver.equation29",
    ZHAO24.at("proof of Proposition 1, (26)-(29)"),
    "Without loss of generality k* = 1, and q(x, y) = chi . f(y) - beta . y with beta of (28).",
    Domain(Placed, draw.placed_cases(), (*regimes.SHAPES, regimes.ABSENT, regimes.TIE, regimes.NOTHING)),
    severity="slip",
)
REPAIRED = EQUATION29.repair(
    "q is the least of chi . f(y) - sum_l x_l beta_k(l) sum_r y^k(l) over all choices of k(l), one per port.",
    small=True,
    source=ZHAO24.at("proof of Proposition 1, (29), repaired"),
)


@EQUATION29.reading("k* = 1 throughout", "(28) is as printed, for every y and every port.")
def first_resource(case: Placed) -> Finding:
    return Finding(sum((row[0] for row in _weights(case)), ZERO), _charge(case), "equal", "beta . y, penalties")


@EQUATION29.reading("renamed at each y", "Resources may be renamed, depending on y; one name for all ports.")
@REPAIRED.false_variant("one resource for all ports")
def one_for_all(case: Placed) -> Finding:
    limit = max(map(sum, zip(*_weights(case), strict=True)))
    return Finding(Fraction(limit), _charge(case), "equal", "beta . y, penalties")


OWN_RESOURCE_PROOF = """
By the choice of k* in (27), beta_k* sum_r y_(l,r)^k* is the maximum over k for each port l. Sum over the ports. As k*
depends on l and y, so does beta. So (29) is an identity at each y, not a linear penalty.
- *(27) may have several maximisers.* All of them have the same product, so any maximiser is valid.
- *beta then depends on y, and (29) is not linear.* This reading does not claim linearity: (29) is an identity at each
y. Concavity needs `equation29_repaired`.
"""


@EQUATION29.reading("own k* per port", "Each port has its own k*, which depends on y.", OWN_RESOURCE_PROOF)
def own_resource(case: Placed) -> Finding:
    rows = _weights(case)
    chosen = [maximisers(case.instance, case.y, copy)[0] for copy in range(len(rows))]
    return Finding(sum((row[k] for row, k in zip(rows, chosen, strict=True)), ZERO), _charge(case), "equal")


LEAST_CHOICE_PROOF = """
For each port the maximum over k of beta_k sum_r y is the largest of K linear functions; the choices of different ports
are independent. So the sum of the maxima is the maximum over choices of the sums. Hence q is a minimum of functions
that are concave in y. This proves Proposition 1 (ii) without fixing k*.
Coq, core: rows.v equation29. Outside: the reward (7). `charge` is x_l beta_k sum_r y of a port and a
resource, with x_l >= 0; `gain` is chi . f(y).
- *A minimum over K^|L| choices cannot be computed.* It is an argument for concavity; the reward itself is computed port
by port.
- *Utilities of (7) take the port's total.* The first part is the same concave function for each choice.
"""


@REPAIRED.reading("any graph", "The ports have any dominant resources.", LEAST_CHOICE_PROOF)
def least_choice(case: Placed) -> Finding:
    limit = max(sum(chosen, ZERO) for chosen in product(*_weights(case)))
    return Finding(limit, _charge(case), "equal", "largest choice, penalties")


EQUATION29.false_variant("no penalty")(lambda case: Finding(ZERO, _charge(case), "equal"))


def _weights(case: Placed) -> list[list[Fraction]]:
    net, x = network(case.instance), present(case.instance, 0)
    return [
        [n * b * amount for b, amount in zip(net.overhead, totals(case.instance, case.y, copy), strict=True)]
        for copy, n in enumerate(x)
    ]


def _charge(case: Placed) -> Fraction:
    return sum((max(row) for row in _weights(case)), ZERO)
