"""The constants of Theorem 1: claims bound48, steps46_47 and diameter51."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.model import (
    Gain,
    Gradient,
    Network,
    Tie,
    every,
    network,
    pairs,
    smallest,
    supergradient,
)
from schedproof.proofs_checks.multiserver.regret_bounds import diameter51, norm48
from schedproof.proofs_checks.multiserver.rows import distance
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, table

ZERO = Fraction(0)
_BUSY: dict[str, Any] = {"busy": True, "full": True}

# --- (48) ------------------------------------------------------------------------------------------------------------


def slopes(net: Network, node: int, gain: Gain = "node") -> list[Fraction]:
    """varpi_r^k by resource: the utilities' slopes at 0."""
    return [f.steepest for f in (net.channel[node] if gain == "node" else net.total)]


def sharp_norm(instance: Instance, gain: Gain = "node") -> Fraction:
    """sum_l max_k sum_(r in R_l) (sum of the other resources' varpi^2, and max(beta_k^2, (varpi_k - beta_k)^2))."""
    net = network(instance)
    total = ZERO
    for edges in net.of_copy:
        rows = [slopes(net, net.edges[e][1], gain) for e in edges]
        dominant = (
            sum(sum(s**2 for s in row) - row[k] ** 2 + max(b**2, (row[k] - b) ** 2) for row in rows)
            for k, b in enumerate(net.overhead)
        )
        total += max(dominant)
    return total


def square(gradient: Gradient) -> Fraction:
    """The squared norm of a gradient, rounded down."""
    return sum((max(low, -high, ZERO) ** 2 for row in gradient for low, high in row), ZERO)


def norm(case: Case, tie: Tie = smallest, gain: Gain = "node", most: Callable[..., Fraction] = norm48) -> Finding:
    """|grad q|^2 is at most (48), for every x in {0, 1} and feasible y.

    Proof
    -----
    In one channel, with the slopes f_k in [0, varpi_k] and one k*, the sum of squares is (f_k* - beta_k*)^2 + sum_(k /=
    k*) f_k^2. The first term is convex in f_k*, so at most max(beta_k*^2, (varpi_k* - beta_k*)^2) <= max(beta*^2,
    varpi*^2), where varpi* is the largest of the channel's varpi_k; the others are at most (K - 1) varpi*^2. Together
    that is at most beta*^2 + K varpi*^2, also where slopes lie below beta. Channels of absent ports have 0. Slopes are
    largest at 0 because the utilities are concave. For the gain of the total, f_k and its varpi_k = f_k'(0) take the
    place of f_r^k and varpi_r^k in every channel. Without the second estimate this is the sharper bound: the dominant
    resource of a port is the same for all of its channels.
    """
    instance = case.instance
    there = [1] * len(network(instance).demand)
    measured = square(supergradient(instance, there, case.data["y"], tie, gain))
    return Finding(measured, most(instance, gain), "at most", "squared norm when all ports have a job")


def _without_beta(instance: Instance, gain: Gain) -> Fraction:
    net = network(instance)
    return sum((len(net.overhead) * max(slopes(net, node, gain)) ** 2 for _, node in net.edges), ZERO)


_NORMS = (*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.FLAT, regimes.TIE)
_PLACED = st.one_of(
    draw.placed(),
    draw.placed(**_BUSY),
    draw.idle(**_BUSY, kinds=("linear", "poly"), alphas=(draw.ALPHAS[-2],), resources=3),
)


def _bound48(id: str, source: str, statement: str, most: Callable[..., Fraction]) -> Claim:
    return Claim(
        id=id,
        source=source,
        statement=statement,
        readings=(
            Reading("gain per node", "varpi_r^k = (f_r^k)'(0); one maximiser k* per port.", at(norm, most=most)),
            Reading("gain of the total", "varpi_r^k = f_k'(0) for all r.", at(norm, gain="total", most=most)),
        ),
        regimes=_NORMS,
        strategy=_PLACED,
        planted=(
            Planted("beta subtracted at every maximiser", at(norm, tie=every, most=most)),
            Planted("without beta*", at(norm, most=_without_beta)),
        ),
    )


BOUND48 = _bound48(
    "multiserver.bound48",
    "paper 002, proof of Theorem 1, (43)-(48)",
    "|grad q|^2 <= sum_l sum_(r in R_l) ((beta*)^2 + K (varpi_r*)^2).",
    norm48,
)
BOUND48_SHARP = _bound48(
    "multiserver.bound48_sharp",
    "paper 002, proof of Theorem 1, (43), sharper",
    "|grad q|^2 <= sum_l max_k sum_(r in R_l) (sum_(k' /= k) (varpi_r^k')^2 + max(beta_k^2, (varpi_r^k - beta_k)^2)).",
    sharp_norm,
)

# --- (46)-(47) -------------------------------------------------------------------------------------------------------


def parts(case: Case, second_set_only: bool = True) -> Finding | None:
    """(46) for one channel, and (47) where varpi > 2 beta (the set R_2), with varpi* >= varpi.

    Proof
    -----
    s (s - 2 beta) is convex in s, hence on [0, varpi] at most the larger of 0 and varpi^2 - 2 beta varpi, which is 0 on
    R_1 and the latter on R_2: (46). On R_2, varpi > 2 beta >= beta, where t^2 - 2 beta t is increasing in t; so varpi*
    >= varpi gives the first inequality of (47), and beta, varpi* >= 0 the second.
    """
    d = case.data
    slope, varpi, star, beta = d["slope"] * d["varpi"], d["varpi"], d["varpi"] + d["more"], d["beta"]
    second = varpi > 2 * beta
    own, largest = varpi**2 - 2 * beta * varpi, star**2 - 2 * beta * star
    found = [Finding(slope * (slope - 2 * beta), own if second else ZERO, "at most", "(46)")]
    if second or not second_set_only:
        found += [Finding(own, largest, "at most", "(47), first"), Finding(largest, star**2, "at most", "(47), second")]
    return worst(found)


@st.composite
def _channels(pick: Any) -> Case:
    """A channel's slope as a share of varpi, varpi, how much larger varpi* is, and beta."""
    share, size = [Fraction(n, 4) for n in range(5)], [Fraction(n, 4) for n in (1, 2, 3, 5, 8)]
    row = {"slope": share, "varpi": size, "more": [ZERO, *size], "beta": share}
    return Case(None, {name: pick(st.sampled_from(values)) for name, values in row.items()})


STEPS46_47 = Claim(
    id="multiserver.steps46_47",
    source="paper 002, proof of Theorem 1, (46)-(47)",
    statement="PART-B is at most (46), and (47) holds for the nodes of R_2.",
    readings=(Reading("one channel", "Each term of the sums.", parts),),
    regimes=(
        of_data("in R_1", lambda d: d["varpi"] <= 2 * d["beta"]),
        of_data("in R_2", lambda d: d["varpi"] > 2 * d["beta"]),
        of_data("another resource is steeper", lambda d: d["more"] > 0),
        of_data("slope below beta", lambda d: d["slope"] * d["varpi"] < d["beta"]),
    ),
    strategy=_channels(),
    planted=(Planted("(47) in R_1, too", at(parts, second_set_only=False)),),
)

# --- (51) ------------------------------------------------------------------------------------------------------------


def sharp_diameter(instance: Instance) -> Fraction:
    """sum over (r, k) of min(sum_l m_l^2, 2 max_l m_l min(c, sum_l m_l)), m_l = min(a_l, c), over the ports of r."""
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        most = [min(net.most(e, k), capacity) for e in edges]
        squares, amount = sum((m**2 for m in most), ZERO), min(capacity, sum(most, ZERO))
        total += min(squares, 2 * max(most, default=ZERO) * amount)
    return total


def apart(case: Case, most: Callable[[Instance], Fraction] = diameter51, factor: int = 1) -> Finding:
    """|y - z|^2 is at most 2 sum_k a^k sum_r c_r^k for y, z in Y.

    Proof
    -----
    By (5), |y - z| <= a_l^k <= a^k in each channel, so (y - z)^2 <= a^k |y - z| <= a^k (y + z), as y, z >= 0. Sum over
    the ports of a node and use (6) for y and for z: at most 2 a^k c_r^k. Nodes without ports add nothing on the left
    and ports without nodes only raise a^k. The sharper bound: with m_l = min(a_l, c) also |y - z| <= m_l, so that a
    row's sum is at most sum m_l^2, and at most max m_l sum (y + z) <= 2 max m_l min(c, sum m_l).
    """
    y, z = case.data["ys"]
    measured = sum((distance(*row) for row in zip(y, z, strict=True)), ZERO)
    return Finding(factor * measured, most(case.instance), "at most", "squared distance")


_FAR = st.one_of(draw.pairs_of_points(), draw.corners(), draw.corners(**_BUSY))


def _diameter(id: str, source: str, statement: str, most: Callable[[Instance], Fraction]) -> Claim:
    return Claim(
        id=id,
        source=source,
        statement=statement,
        readings=(
            Reading("any graph", "Demands and capacities of 0, lonely ports and nodes included.", at(apart, most=most)),
        ),
        regimes=(*regimes.SHAPES, regimes.CONTENDED, regimes.NOTHING),
        strategy=_FAR,
        planted=(Planted("half of it", at(apart, most=most, factor=2)),),
    )


DIAMETER51 = _diameter(
    "multiserver.diameter51",
    "paper 002, proof of Theorem 1, (49)-(51)",
    "diam(Y)^2 <= 2 sum_k a^k sum_r c_r^k, a^k the largest demand.",
    diameter51,
)
DIAMETER51_SHARP = _diameter(
    "multiserver.diameter51_sharp",
    "paper 002, proof of Theorem 1, (49)-(51), sharper",
    "diam(Y)^2 <= sum_(r, k) min(sum_l m^2, 2 max_l m min(c, sum_l m)) with m = min(a_l^k, c_r^k), l in L_r.",
    sharp_diameter,
)

CLAIMS = table(BOUND48, BOUND48_SHARP, STEPS46_47, DIAMETER51, DIAMETER51_SHARP)
