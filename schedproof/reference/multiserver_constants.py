"""The constants of Theorem 1, squared: diam(Y) and max |grad q| themselves, and their bounds, printed and sharper."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from schedproof.instances.multiserver import Instance
from schedproof.reference.multiserver import ZERO, Allocation, Gain, as_rows, network, pairs
from schedproof.reference.multiserver_oga import NoExactRun, exact_root
from schedproof.reference.multiserver_projection import distance

Constants = Callable[[Instance, Gain], tuple[Fraction, Fraction]]  # diam(Y) and max |grad q|, squared
PORTS = 3  # at a node, for which the vertices of a row are enumerated


def diameter51(instance: Instance) -> Fraction:
    """(51): 2 sum_k max_l a_l^k sum_r c_r^k."""
    net = network(instance)
    largest = [max((row[k] for row in net.demand), default=ZERO) for k in net.resources]
    return 2 * sum((largest[k] * row[k] for row in net.capacity for k in net.resources), ZERO)


def sharp_diameter(instance: Instance) -> Fraction:
    """sum over (r, k) of min(sum_l m_l^2, 2 max_l m_l min(c, sum_l m_l)), m_l = min(a_l, c), over the ports of r."""
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        limit = [min(net.edge_demand(e, k), capacity) for e in edges]
        squares, amount = sum((m**2 for m in limit), ZERO), min(capacity, sum(limit, ZERO))
        total += min(squares, 2 * max(limit, default=ZERO) * amount)
    return total


def norm48(instance: Instance, gain: Gain = "node") -> Fraction:
    """(48): sum over channels of beta*^2 + K varpi_r*^2, varpi the slopes at 0."""
    net = network(instance)
    beta = max(net.overhead)
    steepest = [max(f.steepest for f in (net.total if gain == "total" else row)) for row in net.channel]
    return sum((beta**2 + len(net.overhead) * steepest[r] ** 2 for _, r in net.edges), ZERO)


def sharp_norm(instance: Instance, gain: Gain = "node") -> Fraction:
    """sum_l max_k sum_(r in R_l) (sum of the other resources' varpi^2, and max(beta_k^2, (varpi_k - beta_k)^2))."""
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
    """(39), squared: T times (51) times (48)."""
    return instance.horizon * diameter51(instance) * norm48(instance, gain)


def bounds(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    """(51) and (48)."""
    return diameter51(instance), norm48(instance, gain)


def exact(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    """diam(Y) and max |grad q| themselves."""
    return diameter(instance), largest_norm(instance)


def proof_step(instance: Instance, constants: Constants = bounds, gain: Gain = "node") -> Fraction:
    """D/(G sqrt T), the step of Theorem 1's proof, where it is rational; 0 where no gradient can be."""
    wide, steep = constants(instance, gain)
    return exact_root(wide / (steep * instance.horizon)) if steep else ZERO


def diameter(instance: Instance) -> Fraction:
    """diam(Y), squared: row by row the largest distance between two vertices, of up to `PORTS` ports."""
    net, total = network(instance), ZERO
    for edges, k, capacity in pairs(net):
        corners = vertices(tuple(net.edge_demand(e, k) for e in edges), capacity)
        total += max((distance(one, other) for one, other in combinations(corners, 2)), default=ZERO)
    return total


def farthest(instance: Instance, point: Allocation) -> Fraction:
    """The largest distance of a point of Y from a given one, squared; it is taken at a vertex, row by row."""
    rows = as_rows(network(instance), point)
    return sum((max(distance(y, corner) for corner in vertices(tuple(a), c)) for y, a, c in rows), ZERO)


def vertices(demand: tuple[Fraction, ...], capacity: Fraction) -> list[tuple[Fraction, ...]]:
    """The vertices of 0 <= y <= a, sum y <= c, and perhaps more of its points: all amounts but one are 0 or a."""
    if len(demand) > PORTS:
        raise NoExactRun(f"a node with {len(demand)} ports")
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
    """max |grad q| squared over all arrivals and all of Y, for linear utilities, whose slopes do not depend on y.

    k* is any resource with beta_k > 0 of which the port can get something, or the first, at y = 0.
    """
    net, total = network(instance), ZERO
    for edges in net.of_copy:
        rows = [[net.utility(e, k) for k in net.resources] for e in edges]
        if any(f.kind != "linear" for row in rows for f in row):
            raise NoExactRun("a utility whose slope depends on y")
        gets = [any(min(net.edge_demand(e, k), net.capacity[net.edges[e][1]][k]) for e in edges) for k in net.resources]
        dominant = [k for k in net.resources if k == 0 or (net.overhead[k] and gets[k])]
        total += sum((f.alpha**2 for row in rows for f in row), ZERO)
        total += max(
            sum((net.overhead[k] ** 2 - 2 * net.overhead[k] * row[k].alpha for row in rows), ZERO) for k in dominant
        )
    return total
