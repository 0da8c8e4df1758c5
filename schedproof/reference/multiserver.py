"""The reward (7)-(8), the supergradient (30), the feasible set (5)-(6) and its projection (32), in rationals.

An allocation is a sequence of rows of Fractions, ``y[edge][resource]``: edges copy by copy, nodes in the port's file
order, as in ``instance.graph``; resources in file order. Copies are those of section III-D; in the basic problem a
copy is a port. ``present`` has a 1 for each copy that is there in the slot. What may be irrational is enclosed: an
`Interval` is two rationals around the number, equal where it is rational (everything but the values of the logarithm
and the poly utility).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from schedproof.instances.multiserver import Instance, Utility
from schedproof.reference.multiserver_projection import Numbers, outside, project_row

Interval = tuple[Fraction, Fraction]
Allocation = Sequence[Numbers]
Matrix = tuple[tuple[Fraction, ...], ...]
Gradient = tuple[tuple[Interval, ...], ...]
Gain = Literal["node", "total"]  # f_r^k of each channel's amount (12), or f_k of the port's total (7)
Tie = Callable[[Sequence[int]], Collection[int]]  # among the maximisers of (27): at which beta_k is subtracted
ZERO = Fraction(0)


@dataclass(frozen=True)
class Network:
    """An instance's graph and numbers as the formulas use them; copies stand for ports.

    Attributes
    ----------
    edges
        (copy, node) of each channel.
    demand, capacity
        a by copy and resource, c by node and resource.
    overhead
        beta by resource.
    channel, total
        f_r^k by node and resource, f_k by resource.
    """

    edges: tuple[tuple[int, int], ...]
    demand: Matrix
    capacity: Matrix
    overhead: tuple[Fraction, ...]
    channel: tuple[tuple[Utility, ...], ...]
    total: tuple[Utility, ...]

    @cached_property
    def of_copy(self) -> tuple[tuple[int, ...], ...]:
        """R_l: the edges of each copy."""
        return self._edges_at(0, len(self.demand))

    @cached_property
    def of_node(self) -> tuple[tuple[int, ...], ...]:
        """L_r: the edges at each node."""
        return self._edges_at(1, len(self.capacity))

    @property
    def resources(self) -> range:
        """Their positions."""
        return range(len(self.overhead))

    def edge_demand(self, edge: int, k: int) -> Fraction:
        """a_l^k of an edge's copy."""
        return self.demand[self.edges[edge][0]][k]

    def utility(self, edge: int, k: int) -> Utility:
        """f_r^k of an edge's node."""
        return self.channel[self.edges[edge][1]][k]

    def _edges_at(self, end: int, count: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(e for e, ends in enumerate(self.edges) if ends[end] == n) for n in range(count))


@lru_cache(maxsize=256)
def network(instance: Instance) -> Network:
    """The network of an instance, its ports replicated."""
    names = instance.resources
    ports = [port for port, many in zip(instance.ports, instance.copies, strict=True) for _ in range(many)]
    return Network(
        edges=tuple((copy, node) for copy, port in enumerate(ports) for node in port.nodes),
        demand=tuple(tuple(port.demand.get(name, ZERO) for name in names) for port in ports),
        capacity=tuple(tuple(node.capacity.get(name, ZERO) for name in names) for node in instance.nodes),
        overhead=tuple(instance.overhead[name] for name in names),
        channel=tuple(tuple(instance.utility(node.index, name) for name in names) for node in instance.nodes),
        total=tuple(instance.utilities[name] for name in names),
    )


def present(instance: Instance, slot: int) -> tuple[int, ...]:
    """Which copies are there: copy j of port l (from 1) when j <= x_l(t); ``slot`` from 0."""
    counts = instance.arrivals[slot].tolist()
    many = zip(counts, instance.copies, strict=True)
    return tuple(int(j < count) for count, copies in many for j in range(copies))


def by_copy(instance: Instance, y: Allocation) -> list[list[Allocation]]:
    """y_(l,.)^(j,.): by port and copy, a row of amounts for each node of the port."""
    rows = iter(y)
    ports = zip(instance.ports, instance.copies, strict=True)
    return [[[next(rows) for _ in port.nodes] for _ in range(many)] for port, many in ports]


def nothing(instance: Instance) -> Matrix:
    """The allocation 0, at which all resources are tied."""
    net = network(instance)
    return ((ZERO,) * len(net.overhead),) * len(net.edges)


def totals(instance: Instance, allocation: Allocation, copy: int) -> tuple[Fraction, ...]:
    """sum_r y_(l,r)^k of a copy, by resource."""
    net = network(instance)
    return tuple(sum((allocation[e][k] for e in net.of_copy[copy]), ZERO) for k in net.resources)


def computation_gain(instance: Instance, allocation: Allocation, copy: int, gain: Gain = "node") -> Interval:
    """The computation gain of a copy, the first part of (7)."""
    net = network(instance)
    if gain == "total":
        amounts = totals(instance, allocation, copy)
        return plus(f.value(amount) for f, amount in zip(net.total, amounts, strict=True))
    return plus(net.utility(e, k).value(allocation[e][k]) for e in net.of_copy[copy] for k in net.resources)


def penalty(instance: Instance, allocation: Allocation, copy: int) -> Fraction:
    """The dominant overhead of a copy, max_k beta_k sum_r y_(l,r)^k."""
    amounts = totals(instance, allocation, copy)
    return max(b * amount for b, amount in zip(network(instance).overhead, amounts, strict=True))


def reward(instance: Instance, present: Sequence[int], allocation: Allocation, gain: Gain = "node") -> Interval:
    """q(x, y), (7)-(8), of one slot."""
    there = [copy for copy, x in enumerate(present) if x]
    less = sum((penalty(instance, allocation, copy) for copy in there), ZERO)
    low, high = plus(computation_gain(instance, allocation, copy, gain) for copy in there)
    return low - less, high - less


def maximisers(instance: Instance, allocation: Allocation, copy: int) -> tuple[int, ...]:
    """The arg max of (27), all of them in ascending order."""
    net, amounts = network(instance), totals(instance, allocation, copy)
    largest = penalty(instance, allocation, copy)
    return tuple(k for k in net.resources if net.overhead[k] * amounts[k] == largest)


def smallest(tied: Sequence[int]) -> Collection[int]:
    """k* is the first of the maximisers: the rule of this project."""
    return tied[:1]


def every(tied: Sequence[int]) -> Collection[int]:
    """k = k* at each of the maximisers."""
    return tied


def supergradient(
    instance: Instance, present: Sequence[int], allocation: Allocation, tie: Tie = smallest, gain: Gain = "node"
) -> Gradient:
    """(30) by edge and resource; with the gain of the total, f_k' at the port's total in place of (f_r^k)'(y)."""
    net = network(instance)
    rows = []
    for e, (copy, _) in enumerate(net.edges):
        amounts = totals(instance, allocation, copy) if gain == "total" else allocation[e]
        slopes = net.total if gain == "total" else [net.utility(e, k) for k in net.resources]
        marked = tie(maximisers(instance, allocation, copy))
        row = [f.slope(amount) for f, amount in zip(slopes, amounts, strict=True)]
        less = [net.overhead[k] if k in marked else ZERO for k in net.resources]
        row = [(low - b, high - b) for (low, high), b in zip(row, less, strict=True)]
        rows.append(tuple(row) if present[copy] else ((ZERO, ZERO),) * len(row))
    return tuple(rows)


def excess(instance: Instance, allocation: Allocation) -> Fraction:
    """By how much an allocation misses (5) or (6), at most; 0 for a point of Y."""
    net = network(instance)
    return max((outside(*row) for row in as_rows(net, allocation)), default=ZERO)


def project(instance: Instance, point: Allocation) -> Matrix:
    """The projection (32) of a point onto Y, row by row."""
    return row_by_row(instance, point, project_row)


def row_by_row(instance: Instance, point: Allocation, rule: Callable[[Numbers, Numbers, Fraction], Numbers]) -> Matrix:
    """The allocation that a rule makes of each (r, k): what the point gives its edges, their demands, the capacity."""
    net = network(instance)
    answer = [list(row) for row in nothing(instance)]
    for (edges, k, _), row in zip(pairs(net), as_rows(net, point), strict=True):
        for e, amount in zip(edges, rule(*row), strict=True):
            answer[e][k] = amount
    return tuple(map(tuple, answer))


def corner(instance: Instance, order: Callable[[Sequence[int], int], Iterable[int]]) -> Matrix:
    """A corner of Y: of each (r, k) the edges of an order take what they can, one after the other."""
    net = network(instance)
    answer = [list(row) for row in nothing(instance)]
    for edges, k, rest in pairs(net):
        for e in order(edges, k):
            answer[e][k] = min(rest, net.edge_demand(e, k))
            rest -= answer[e][k]
    return tuple(map(tuple, answer))


def pairs(net: Network) -> list[tuple[tuple[int, ...], int, Fraction]]:
    """Each (r, k): the edges at the node, the resource, the capacity."""
    return [(edges, k, net.capacity[r][k]) for r, edges in enumerate(net.of_node) for k in net.resources]


def as_rows(net: Network, allocation: Allocation) -> list[tuple[list[Fraction], list[Fraction], Fraction]]:
    """Each (r, k): what its edges get, their demands, the capacity."""
    return [
        ([allocation[e][k] for e in edges], [net.edge_demand(e, k) for e in edges], capacity)
        for edges, k, capacity in pairs(net)
    ]


def plus(terms: Iterable[Interval]) -> Interval:
    """The sum of intervals."""
    ends = list(terms)
    return sum((low for low, _ in ends), ZERO), sum((high for _, high in ends), ZERO)
