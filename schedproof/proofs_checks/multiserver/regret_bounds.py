"""The constants of Theorem 1: diam(Y) and max |grad q| themselves, and the bounds (51), (48) and (39); all squared."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.model import Gain, network, pairs
from schedproof.proofs_checks.multiserver.oga import ZERO
from schedproof.proofs_checks.multiserver.roots import NoRun
from schedproof.proofs_checks.multiserver.rows import distance

PORTS = 3  # at a node, for which the vertices of a row are enumerated


def diameter51(instance: Instance) -> Fraction:
    """(51): 2 sum_k max_l a_l^k sum_r c_r^k."""
    net = network(instance)
    most = [max((row[k] for row in net.demand), default=ZERO) for k in net.resources]
    return 2 * sum((most[k] * row[k] for row in net.capacity for k in net.resources), ZERO)


def norm48(instance: Instance, gain: Gain = "node") -> Fraction:
    """(48): sum over channels of beta*^2 + K varpi_r*^2, varpi the slopes at 0."""
    net = network(instance)
    slopes = [net.total if gain == "total" else row for row in net.channel]
    steepest = [max(f.steepest for f in row) for row in slopes]
    dearest = max(net.overhead)
    return sum((dearest**2 + len(net.overhead) * steepest[r] ** 2 for _, r in net.edges), ZERO)


def bound39(instance: Instance, gain: Gain = "node", slots: int | None = None) -> Fraction:
    """(39), squared: T times (51) times (48)."""
    return (slots or instance.horizon) * diameter51(instance) * norm48(instance, gain)


def diameter(instance: Instance) -> Fraction:
    """diam(Y), squared: row by row the largest distance between two vertices, of up to `PORTS` ports.

    Raises
    ------
    NoRun
        Where a node has more ports.
    """
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        corners = vertices(tuple(net.most(e, k) for e in edges), capacity)
        total += max((distance(one, other) for one, other in combinations(corners, 2)), default=ZERO)
    return total


def vertices(demand: tuple[Fraction, ...], capacity: Fraction) -> list[tuple[Fraction, ...]]:
    """The vertices of 0 <= y <= a, sum y <= c, and perhaps more of its points: all amounts but one are 0 or a."""
    if len(demand) > PORTS:
        raise NoRun(f"a node with {len(demand)} ports")
    found: set[tuple[Fraction, ...]] = set()
    for chosen in range(1 << len(demand)):
        full = [a if chosen >> port & 1 else ZERO for port, a in enumerate(demand)]
        for port, a in enumerate(demand):
            before, behind = full[:port], full[port + 1 :]
            rest = capacity - sum(before + behind, ZERO)
            if rest >= 0:
                found.add((*before, min(a, rest), *behind))
    return sorted(found | {(ZERO,) * len(demand)})


def largest_norm(instance: Instance) -> Fraction:
    """max |grad q| squared over all arrivals and all of Y, for linear utilities, whose slopes do not depend on y.

    k* is any resource with beta_k > 0 of which the port can get something, or the first, at y = 0.

    Raises
    ------
    NoRun
        Where a utility is not linear.
    """
    net, total = network(instance), ZERO
    for edges in net.of_copy:
        rows = [[net.utility(e, k) for k in net.resources] for e in edges]
        if any(f.kind != "linear" for row in rows for f in row):
            raise NoRun("a utility whose slope depends on y")
        gets = [any(min(net.most(e, k), net.capacity[net.edges[e][1]][k]) for e in edges) for k in net.resources]
        dominant = [k for k in net.resources if k == 0 or (net.overhead[k] and gets[k])]
        total += sum((f.alpha**2 for row in rows for f in row), ZERO)
        total += max(
            sum((net.overhead[k] ** 2 - 2 * net.overhead[k] * row[k].alpha for row in rows), ZERO) for k in dominant
        )
    return total
