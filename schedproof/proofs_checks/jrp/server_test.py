"""Our test of whether a server can meet all its deadlines.

Every exact optimum uses this test.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from schedproof.core.base.radicals import Term, merge, root, root_below
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import ServerNeeds
from schedproof.reference.jrp import ONE, ZERO, Need, in_time
from schedproof.reference.jrp_model import in_time_with

SERVER_TEST = Claim(
    "jrp.server_test",
    WANG19.at("(8)-(10) and (13), a test of ours"),
    "A server can meet all its deadlines exactly if u, v >= 0 and u v >= (sum_k sqrt(c_k b_k))^2; "
    "rational resources are enough.",
    Domain.of(
        ServerNeeds,
        draw.servers(),
        {
            "several jobs": lambda case: len(case.needs) > 1,
            "nothing on the server": lambda case: not case.needs,
            "too little compute": lambda case: case.spare[0] < 0,
            "too little bandwidth": lambda case: case.spare[1] < 0,
            "it fits": lambda case: meets_all(case),
            "only just": lambda case: _only_just(case),
            "nearly": lambda case: min(case.spare) >= 0 and not meets_all(case),
            "irrational roots": lambda case: any(root(v) is None for _, v in merged_roots(case)),
            "roots that cannot be merged": lambda case: len(merged_roots(case)) > 1,
            "a need of 0": lambda case: any(not c * b for c, b in case.needs),
        },
    ),
)
CLOSED_TEST_PROOF = """
(10) is c/r + b/s <= 1. With r = c + x and s = b + y it is x y >= c b, x, y >= 0. *Necessary*: (8) and (9) are sum x_k
<= u and sum y_k <= v. By Cauchy and Schwarz sqrt(u v) >= sum_k sqrt(x_k y_k) >= K = sum_k sqrt(c_k b_k). *Sufficient*:
if K = 0, take x = y = 0. Otherwise take x_k = u sqrt(c_k b_k)/K and y_k = v sqrt(c_k b_k)/K. Their product is c_k b_k u
v/K^2. *Rational*: if u v > K^2, rational shares near these are enough. If u v = K^2, then K is the root of a rational
number. Roots of rationals that are not rational multiples of each other are linearly independent over the rationals. So
all sqrt(c_k b_k) > 0 are rational multiples of one root, and their shares of K are rational.
- *A job with c = 0 or b = 0.* Its x y >= 0 holds with x = y = 0: it needs only c and b.
- *May rational shares near irrational ones exceed u or v?* If u v > K^2, every x_k y_k exceeds its c_k b_k > 0. Take
both rational and a little smaller; the products are still large enough.
"""


@SERVER_TEST.reading(
    "any needs", "c_k = a_k D and b_k = b_k D of the jobs on the server, 0 included.", CLOSED_TEST_PROOF
)
def closed_test(case: ServerNeeds) -> Finding:
    """Feasible resources exist exactly when sqrt(u v) >= sum_k sqrt(c_k b_k).

    u, v >= 0 is required too. Feasible means (8)-(10) and (13), also in rationals. c_k = a_k D and b_k (times D) are
    the needs of job k if computing, or sending, took all the time. u and v are the server's compute and bandwidth less
    the sums of these needs.
    """
    return _like_decided(case, meets_all(case))


@SERVER_TEST.false_variant("all jobs as one")
def pooled_test(case: ServerNeeds) -> Finding:
    together = (sum((c for c, _ in case.needs), ZERO), sum((b for _, b in case.needs), ZERO))
    return _like_decided(case, in_time(case.compute, case.bandwidth, [together]))


SERVER_TEST.false_variant("u, v >= 0 alone")(lambda case: _like_decided(case, min(case.spare) >= 0))


def enough(case: ServerNeeds, given: Sequence[Need]) -> bool:
    """Return whether given resources satisfy (8), (9), (10) and (13).

    Zero work takes no time."""
    within = sum(r for r, _ in given) <= case.compute and sum(s for _, s in given) <= case.bandwidth
    return within and all(map(in_time_with, case.needs, given))


def grants(case: ServerNeeds, bits: int) -> list[Need]:
    """Shares of u and v in proportion to sqrt(c b), rounded if irrational."""
    u, v = case.spare
    first = next((c * b for c, b in case.needs if c * b), ONE)
    roots = [(root(c * b / first), root_below(c * b / first, bits)) for c, b in case.needs]
    weights = [near if exact is None else exact for exact, near in roots]
    total = sum(weights) or ONE
    return [(c + u * w / total, b + v * w / total) for (c, b), w in zip(case.needs, weights, strict=True)]


def refuses(case: ServerNeeds, theta: Fraction, bits: int) -> bool:
    """Whether theta proves infeasibility.

    The proof: u, v < 0, or theta u + v/theta < 2 sum w_k with w_k <= sqrt(c_k b_k).
    """
    u, v = case.spare
    return min(u, v) < 0 or theta * u + v / theta < 2 * sum(root_below(c * b, bits) for c, b in case.needs)


def is_feasible(case: ServerNeeds) -> bool:
    """Whether resources exist, decided by explicit ones or by a refuting slope."""
    bits = 16
    while True:
        if enough(case, grants(case, bits)):
            return True
        u, v = case.spare
        tiny = Fraction(1, 1 << bits)
        theta = root_below(max(v, ZERO) / u, bits) + tiny if u > 0 else 1 / tiny
        if refuses(case, theta, bits):
            return False
        bits *= 2


def _like_decided(case: ServerNeeds, test: bool) -> Finding:
    return Finding(Fraction(test), Fraction(is_feasible(case)), "equal", "the test, resources shown or refuted")


def meets_all(case: ServerNeeds) -> bool:
    return in_time(case.compute, case.bandwidth, case.needs)


def merged_roots(case: ServerNeeds) -> list[Term]:
    """Return sum_k sqrt(c_k b_k), with roots merged that are rational multiples."""
    return merge((ONE, c * b) for c, b in case.needs)


def _only_just(case: ServerNeeds) -> bool:
    u, v = case.spare
    return min(u, v) >= 0 and u * v > 0 and not merge([(-ONE, u * v), *((ONE, c * b) for c, b in case.needs)])
