"""Reward (7)-(8), supergradient (30), feasible region (5)-(6), projection (32).

All numbers are rationals. An allocation is a sequence of rows, ``y[edge][resource]``: edges copy by copy, nodes
in the port's file order, as in ``instance.graph``; resources in file order. Copies are those of section III-D; in the
basic problem a copy is a port. ``present`` has 1 for each copy present in the slot, else 0. An `Interval` encloses
a number in two rationals, equal for a rational number. Only logarithm and poly utilities have irrational
values.
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
Tie = Callable[[Sequence[int]], Collection[int]]  # the maximisers of (27) at which beta_k is subtracted
ZERO = Fraction(0)


@dataclass(frozen=True)
class Network:
    """An instance's graph and numbers in the form of the formulas, by copies of ports.

    Attributes
    ----------
    edges
        (copy, node) of each channel.
    demand, capacity
        The demands a by copy and resource, the capacities c by node and resource.
    overhead
        The overheads beta by resource.
    channel, total
        The utilities f_r^k by node and resource, and f_k by resource.
    """

    edges: tuple[tuple[int, int], ...]
    demand: Matrix
    capacity: Matrix
    overhead: tuple[Fraction, ...]
    channel: tuple[tuple[Utility, ...], ...]
    total: tuple[Utility, ...]

    @cached_property
    def of_copy(self) -> tuple[tuple[int, ...], ...]:
        """The edges of each copy, R_l."""
        return self._edges_at(0, len(self.demand))

    @cached_property
    def of_node(self) -> tuple[tuple[int, ...], ...]:
        """The edges at each node, L_r."""
        return self._edges_at(1, len(self.capacity))

    @property
    def resources(self) -> range:
        return range(len(self.overhead))

    def edge_demand(self, edge: int, k: int) -> Fraction:
        return self.demand[self.edges[edge][0]][k]

    def utility(self, edge: int, k: int) -> Utility:
        return self.channel[self.edges[edge][1]][k]

    def _edges_at(self, end: int, count: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(e for e, ends in enumerate(self.edges) if ends[end] == n) for n in range(count))


@lru_cache(maxsize=256)
def network(instance: Instance) -> Network:
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
    """Return the present copies: copy j of port l (from 1) iff j <= x_l(t).

    ``slot`` counts from 0.
    """
    counts = instance.arrivals[slot].tolist()
    many = zip(counts, instance.copies, strict=True)
    return tuple(int(j < count) for count, copies in many for j in range(copies))


def by_copy(instance: Instance, y: Allocation) -> list[list[Allocation]]:
    """Return y_(l,.)^(j,.): by port and copy, a row of amounts for each node."""
    rows = iter(y)
    ports = zip(instance.ports, instance.copies, strict=True)
    return [[[next(rows) for _ in port.nodes] for _ in range(many)] for port, many in ports]


def nothing(instance: Instance) -> Matrix:
    """Return the allocation 0, at which all resources tie."""
    net = network(instance)
    return ((ZERO,) * len(net.overhead),) * len(net.edges)


def totals(instance: Instance, allocation: Allocation, copy: int) -> tuple[Fraction, ...]:
    """Return sum_r y_(l,r)^k of a copy, by resource."""
    net = network(instance)
    return tuple(sum((allocation[e][k] for e in net.of_copy[copy]), ZERO) for k in net.resources)


def computation_gain(instance: Instance, allocation: Allocation, copy: int, gain: Gain = "node") -> Interval:
    """Return the computation gain of a copy, the first part of (7)."""
    net = network(instance)
    if gain == "total":
        amounts = totals(instance, allocation, copy)
        return plus(f.value(amount) for f, amount in zip(net.total, amounts, strict=True))
    return plus(net.utility(e, k).value(allocation[e][k]) for e in net.of_copy[copy] for k in net.resources)


def penalty(instance: Instance, allocation: Allocation, copy: int) -> Fraction:
    """Return the dominant overhead of a copy, max_k beta_k sum_r y_(l,r)^k."""
    amounts = totals(instance, allocation, copy)
    return max(b * amount for b, amount in zip(network(instance).overhead, amounts, strict=True))


def reward(instance: Instance, present: Sequence[int], allocation: Allocation, gain: Gain = "node") -> Interval:
    """Return q(x, y), (7)-(8), of one slot."""
    there = [copy for copy, x in enumerate(present) if x]
    less = sum((penalty(instance, allocation, copy) for copy in there), ZERO)
    low, high = plus(computation_gain(instance, allocation, copy, gain) for copy in there)
    return low - less, high - less


def maximisers(instance: Instance, allocation: Allocation, copy: int) -> tuple[int, ...]:
    """Return the arg max of (27), in ascending order."""
    net, amounts = network(instance), totals(instance, allocation, copy)
    largest = penalty(instance, allocation, copy)
    return tuple(k for k in net.resources if net.overhead[k] * amounts[k] == largest)


def smallest(tied: Sequence[int]) -> Collection[int]:
    """Return the first maximiser as k*, the convention of this project."""
    return tied[:1]


def every(tied: Sequence[int]) -> Collection[int]:
    """Return every maximiser as k*."""
    return tied


def supergradient(
    instance: Instance, present: Sequence[int], allocation: Allocation, tie: Tie = smallest, gain: Gain = "node"
) -> Gradient:
    """Return the supergradient (30) by edge and resource.

    With the gain of the total, f_k' at the port's total replaces (f_r^k)'(y).
    """
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
    """Return the largest violation of (5) or (6); 0 for a point of Y."""
    net = network(instance)
    return max((outside(*row) for row in as_rows(net, allocation)), default=ZERO)


def project(instance: Instance, point: Allocation) -> Matrix:
    """Return the projection (32) of a point onto Y, row by row."""
    return row_by_row(instance, point, project_row)


def row_by_row(instance: Instance, point: Allocation, rule: Callable[[Numbers, Numbers, Fraction], Numbers]) -> Matrix:
    """Apply a rule to each (r, k): the point and demands of its edges, the capacity."""
    net = network(instance)
    answer = [list(row) for row in nothing(instance)]
    for (edges, k, _), row in zip(pairs(net), as_rows(net, point), strict=True):
        for e, amount in zip(edges, rule(*row), strict=True):
            answer[e][k] = amount
    return tuple(map(tuple, answer))


def corner(instance: Instance, order: Callable[[Sequence[int], int], Iterable[int]]) -> Matrix:
    """Return a corner of Y: in each (r, k) the edges, in order, take all they can."""
    net = network(instance)
    answer = [list(row) for row in nothing(instance)]
    for edges, k, rest in pairs(net):
        for e in order(edges, k):
            answer[e][k] = min(rest, net.edge_demand(e, k))
            rest -= answer[e][k]
    return tuple(map(tuple, answer))


def pairs(net: Network) -> list[tuple[tuple[int, ...], int, Fraction]]:
    """Return for each (r, k) the edges at the node, the resource and the capacity."""
    return [(edges, k, net.capacity[r][k]) for r, edges in enumerate(net.of_node) for k in net.resources]


def as_rows(net: Network, allocation: Allocation) -> list[tuple[list[Fraction], list[Fraction], Fraction]]:
    """Return for each (r, k) the amounts and demands of its edges, and the capacity."""
    return [
        ([allocation[e][k] for e in edges], [net.edge_demand(e, k) for e in edges], capacity)
        for edges, k, capacity in pairs(net)
    ]


def plus(terms: Iterable[Interval]) -> Interval:
    ends = list(terms)
    return sum((low for low, _ in ends), ZERO), sum((high for _, high in ends), ZERO)
