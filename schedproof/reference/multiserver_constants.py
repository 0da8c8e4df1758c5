"""The constants of Theorem 1, squared: diam(Y), max |grad q| and their bounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from schedproof.instances.multiserver import Instance
from schedproof.reference.multiserver import ZERO, Allocation, Gain, as_rows, network, pairs
from schedproof.reference.multiserver_oga import NoExactRun, exact_root
from schedproof.reference.multiserver_projection import distance

Constants = Callable[[Instance, Gain], tuple[Fraction, Fraction]]  # diam(Y) and max |grad q|, squared
PORTS = 3  # largest number of ports at a node for which a row's vertices are enumerated


def diameter51(instance: Instance) -> Fraction:
    """Return (51): 2 sum_k max_l a_l^k sum_r c_r^k."""
    net = network(instance)
    largest = [max((row[k] for row in net.demand), default=ZERO) for k in net.resources]
    return 2 * sum((largest[k] * row[k] for row in net.capacity for k in net.resources), ZERO)


def sharp_diameter(instance: Instance) -> Fraction:
    """Return the sum over (r, k) of min(sum_l m_l^2, 2 max_l m_l min(c, sum_l m_l)).

    Here m_l = min(a_l, c), and l runs over the ports of r.
    """
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        limit = [min(net.edge_demand(e, k), capacity) for e in edges]
        squares, amount = sum((m**2 for m in limit), ZERO), min(capacity, sum(limit, ZERO))
        total += min(squares, 2 * max(limit, default=ZERO) * amount)
    return total


def norm48(instance: Instance, gain: Gain = "node") -> Fraction:
    """Return (48): sum over channels of beta*^2 + K varpi_r*^2, varpi the slopes at 0."""
    net = network(instance)
    beta = max(net.overhead)
    steepest = [max(f.steepest for f in (net.total if gain == "total" else row)) for row in net.channel]
    return sum((beta**2 + len(net.overhead) * steepest[r] ** 2 for _, r in net.edges), ZERO)


def sharp_norm(instance: Instance, gain: Gain = "node") -> Fraction:
    """Return the sharper bound of |grad q|^2.

    The bound is sum_l max_k sum_(r in R_l) (max(beta_k^2, (varpi_k - beta_k)^2) + sum of the other resources' varpi^2).
    """
    net, total = network(instance), ZERO
    for edges in net.of_copy:
        rows = [[f.steepest for f in (net.total if gain == "total" else net.channel[net.edges[e][1]])] for e in edges]
        dominant = (
            sum(sum(s**2 for s in row) - row[k] ** 2 + max(b**2, (row[k] - b) ** 2) for row in rows)
            for k, b in enumerate(net.overhead)
        )
        total += max(dominant)
    return total


def bound39(instance: Instance, gain: Gain = "node") -> Fraction:
    """Return (39) squared: T times (51) times (48)."""
    return instance.horizon * diameter51(instance) * norm48(instance, gain)


def bounds(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    return diameter51(instance), norm48(instance, gain)


def exact(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    """Return diam(Y) and max |grad q| themselves, squared."""
    return diameter(instance), largest_norm(instance)


def proof_step(instance: Instance, constants: Constants = bounds, gain: Gain = "node") -> Fraction:
    """Return D/(G sqrt T), the step of Theorem 1's proof, if rational; 0 if G = 0."""
    wide, steep = constants(instance, gain)
    return exact_root(wide / (steep * instance.horizon)) if steep else ZERO


def diameter(instance: Instance) -> Fraction:
    """Return diam(Y) squared: row by row over pairs of vertices, up to `PORTS` ports."""
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        corners = vertices(tuple(net.edge_demand(e, k) for e in edges), capacity)
        total += max((distance(one, other) for one, other in combinations(corners, 2)), default=ZERO)
    return total


def farthest(instance: Instance, point: Allocation) -> Fraction:
    """Return the largest squared distance of a point of Y; a vertex attains it."""
    rows = as_rows(network(instance), point)
    return sum((max(distance(y, corner) for corner in vertices(tuple(a), c)) for y, a, c in rows), ZERO)


def vertices(demand: tuple[Fraction, ...], capacity: Fraction) -> list[tuple[Fraction, ...]]:
    """Return points of 0 <= y <= a, sum y <= c that include all vertices.

    All amounts except one are 0 or a.
    """
    if len(demand) > PORTS:
        raise NoExactRun(f"no exact run: a node has {len(demand)} ports, expected at most {PORTS}")
    points: set[tuple[Fraction, ...]] = set()
    for chosen in range(1 << len(demand)):
        full = [a if chosen >> port & 1 else ZERO for port, a in enumerate(demand)]
        for port, a in enumerate(demand):
            before, behind = full[:port], full[port + 1 :]
            rest = capacity - sum(before + behind, ZERO)
            if rest >= 0:
                points.add((*before, min(a, rest), *behind))
    return sorted(points | {(ZERO,) * len(demand)})


def largest_norm(instance: Instance) -> Fraction:
    """Return max |grad q|^2 over all arrivals and all of Y, for linear utilities.

    The slopes of linear utilities do not depend on y. k* is any resource with beta_k > 0 that the port can get, or the
    first, at y = 0.
    """
    net, total = network(instance), ZERO
    for edges in net.of_copy:
        rows = [[net.utility(e, k) for k in net.resources] for e in edges]
        if any(f.kind != "linear" for row in rows for f in row):
            raise NoExactRun("no exact run: the slope of a utility depends on y")
        gets = [any(min(net.edge_demand(e, k), net.capacity[net.edges[e][1]][k]) for e in edges) for k in net.resources]
        dominant = [k for k in net.resources if k == 0 or (net.overhead[k] and gets[k])]
        total += sum((f.alpha**2 for row in rows for f in row), ZERO)
        total += max(
            sum((net.overhead[k] ** 2 - 2 * net.overhead[k] * row[k].alpha for row in rows), ZERO) for k in dominant
        )
    return total
