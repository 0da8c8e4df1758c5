"""When a server can meet all its deadlines: claim server_test, of ours, on which every exact optimum here rests."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Need, in_time, in_time_with
from schedproof.proofs_checks.jrp.radicals import merge, root, root_below
from schedproof.proofs_checks.strategies.jrp import st
from schedproof.proofs_checks.writing import of_data, table


def grants(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need], bits: int) -> list[Need]:
    """Resources that share what is left in proportion to sqrt(c b), rounded where the proportions are irrational."""
    spare, room = left(compute, bandwidth, wanted)
    first = next((c * b for c, b in wanted if c * b), ONE)
    roots = [(root(c * b / first), root_below(c * b / first, bits)) for c, b in wanted]
    weights = [near if whole is None else whole for whole, near in roots]
    total = sum(weights) or ONE
    return [(c + spare * w / total, b + room * w / total) for (c, b), w in zip(wanted, weights, strict=True)]


def left(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need]) -> tuple[Fraction, Fraction]:
    """u and v: what the sums of c and of b leave."""
    return compute - sum(c for c, _ in wanted), bandwidth - sum(b for _, b in wanted)


def enough(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need], given: Sequence[Need]) -> bool:
    """(8), (9), (10) and (13) of shown resources; what there is nothing of takes no time."""
    within = sum(r for r, _ in given) <= compute and sum(s for _, s in given) <= bandwidth
    return within and all(map(in_time_with, wanted, given))


def refuses(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need], theta: Fraction, bits: int) -> bool:
    """Whether theta proves that there are none: theta u + v/theta < 2 sum w_k, w_k <= sqrt(c_k b_k); or u, v < 0."""
    u, v = left(compute, bandwidth, wanted)
    return min(u, v) < 0 or theta * u + v / theta < 2 * sum(root_below(c * b, bits) for c, b in wanted)


def decided(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need]) -> bool:
    """Whether there are resources: shown ones, or a slope that proves that there are none, whichever is found first."""
    bits = 16
    while True:
        if enough(compute, bandwidth, wanted, grants(compute, bandwidth, wanted, bits)):
            return True
        u, v = left(compute, bandwidth, wanted)
        tiny = Fraction(1, 1 << bits)
        theta = root_below(max(v, ZERO) / u, bits) + tiny if u > 0 else 1 / tiny
        if refuses(compute, bandwidth, wanted, theta, bits):
            return False
        bits *= 2


def closed_test(case: Case) -> Finding:
    """Resources (8)-(10), (13) exist exactly when u, v >= 0 and sqrt(u v) >= sum_k sqrt(c_k b_k).

    Here c_k = a_k D and b_k (times D) are what job k would need if computing, or sending, had all the time, and u, v
    what is left of the server's compute and bandwidth after the sums of these. Rational resources will do.

    Proof
    -----
    (10) is c/r + b/s <= 1; with r = c + x and s = b + y it is x y >= c b, x, y >= 0. *Necessary*: (8) and (9) say sum
    x_k <= u and sum y_k <= v, and by Cauchy and Schwarz sqrt(u v) >= sum_k sqrt(x_k y_k) >= K = sum_k sqrt(c_k b_k).
    *Sufficient*: if K = 0, x = y = 0 will do; else x_k = u sqrt(c_k b_k)/K and y_k = v sqrt(c_k b_k)/K, for then their
    product is c_k b_k u v/K^2. *Rational*: if u v > K^2, shares near these will do. If u v = K^2, then K is the root of
    a rational; roots of rationals that are not rational multiples of each other are linearly independent over the
    rationals, so that all sqrt(c_k b_k) > 0 are rational multiples of one, and their shares of K are rational.
    """
    d = case.data
    test = in_time(d["compute"], d["bandwidth"], d["needs"])
    shown = decided(d["compute"], d["bandwidth"], d["needs"])
    return Finding(Fraction(test), Fraction(shown), "equal", "the test, resources shown or refuted")


def linear_test(case: Case) -> Finding:
    """False: u, v >= 0 is enough."""
    d = case.data
    test = min(left(d["compute"], d["bandwidth"], d["needs"])) >= 0
    return Finding(Fraction(test), Fraction(decided(d["compute"], d["bandwidth"], d["needs"])), "equal")


def pooled_test(case: Case) -> Finding:
    """False: the test of one job that needs as much as all of them together."""
    d = case.data
    whole = [(sum(c for c, _ in d["needs"]), sum(b for _, b in d["needs"]))]
    test = in_time(d["compute"], d["bandwidth"], whole)
    return Finding(Fraction(test), Fraction(decided(d["compute"], d["bandwidth"], d["needs"])), "equal")


@st.composite
def _servers(pick: Any) -> Case:
    """Up to three needs, and a server that is too small, just enough (where that is rational) or larger."""
    amounts = st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 2, 3, 4, 8)])
    needs = [[pick(amounts), pick(amounts)] for _ in range(pick(st.sampled_from([0, 1, 2, 2, 3])))]
    if pick(st.booleans()):  # c b is a square in each need
        needs = [[c, c * pick(st.sampled_from([1, 4, Fraction(1, 4)]))] for c, _ in needs]
    theta = pick(st.sampled_from([Fraction(1, 2), ONE, Fraction(2)]))
    roots = sum((root_below(c * b, 8) for c, b in needs), ZERO)
    more = st.sampled_from([(0, 0), (0, 0), (0, 1), (1, 0), (1, -1), (-1, 0), (8, 8), *2 * [(-40, 0), (0, -40)]])
    x, y = pick(more)
    compute = sum((c for c, _ in needs), ZERO) + roots / theta + Fraction(x, 8)
    bandwidth = sum((b for _, b in needs), ZERO) + roots * theta + Fraction(y, 8)
    return Case(None, {"compute": max(compute, ZERO), "bandwidth": max(bandwidth, ZERO), "needs": needs})


def _spare(d: Any) -> tuple[Fraction, Fraction]:
    return left(d["compute"], d["bandwidth"], d["needs"])


def _roots(d: Any) -> list[tuple[Fraction, Fraction]]:
    return merge((ONE, c * b) for c, b in d["needs"])


def _just(d: Any) -> bool:
    u, v = _spare(d)
    return min(u, v) >= 0 and u * v > 0 and not merge([(-ONE, u * v), *((ONE, c * b) for c, b in d["needs"])])


SERVER_TEST = Claim(
    id="jrp.server_test",
    source="paper 003, (8)-(10) and (13), a test of ours",
    statement=(
        "A server can meet all its deadlines exactly when u, v >= 0 and u v >= (sum_k sqrt(c_k b_k))^2; rational "
        "resources will do."
    ),
    readings=(Reading("any needs", "c_k = a_k D and b_k = b_k D of the jobs on the server, 0 included.", closed_test),),
    regimes=(
        of_data("several jobs", lambda d: len(d["needs"]) > 1),
        of_data("nothing on the server", lambda d: not d["needs"]),
        of_data("too little compute", lambda d: _spare(d)[0] < 0),
        of_data("too little bandwidth", lambda d: _spare(d)[1] < 0),
        of_data("it fits", lambda d: in_time(d["compute"], d["bandwidth"], d["needs"])),
        of_data("only just", _just),
        of_data("nearly", lambda d: min(_spare(d)) >= 0 and not in_time(d["compute"], d["bandwidth"], d["needs"])),
        of_data("irrational roots", lambda d: any(root(v) is None for _, v in _roots(d))),
        of_data("roots that cannot be merged", lambda d: len(_roots(d)) > 1),
        of_data("a need of 0", lambda d: any(not c * b for c, b in d["needs"])),
    ),
    strategy=_servers(),
    planted=(Planted("u, v >= 0 alone", linear_test), Planted("all jobs as one", pooled_test)),
)

CLAIMS = table(SERVER_TEST)
