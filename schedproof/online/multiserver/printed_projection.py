"""Algorithm 1, lines 6-31, as printed, and OGASched with these lines.

These lines do not compute (32): only the first port respects its demand. Also, rho of (38) may be negative, so that
rows below their capacity are raised to the capacity. Readings of the open points:

=================================  =====================================================================================
line                               reading
=================================  =====================================================================================
7, "sort the elements of z"        ports are renumbered by decreasing z, ties by index, together with their demands
16, B1 <- {1}                      B1 never grows beyond the first port: line 23 sets it to its demand, so that line 15
                                   finds no larger entry
20, "(39)"                         rho of (38)
20, B3 empty                       rho is undefined, and the loop ends
21, S                              emptied before each pass; otherwise line 31 would repeat forever
26, y < 0 and all later ports      B2 is the set with y = 0, by its definition; lines 21-28 would leave the first of
                                   these ports negative and the others at their last value
=================================  =====================================================================================

Every pass except the last removes a port from B3, and the outer loop runs at most twice: a row takes at most
2 (n + 1) passes.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.simulation.policy import Hidden
from schedproof.instances.multiserver.instance import Instance
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.steps import Steps, StepSizes

Number = Any  # a double or a rational


def printed_row(point: Sequence[Number], demand: Sequence[Number], capacity: Number) -> list[Number]:
    """Apply lines 7-31 to z, a and c of a row; the result may be infeasible."""
    order = sorted(range(len(point)), key=lambda port: -point[port])  # line 7
    z, a = [point[port] for port in order], [demand[port] for port in order]
    ports = range(len(z))
    b1: set[int] = set()
    b3 = set(ports)
    y = [0 * capacity for _ in ports]
    while ports:  # line 9
        b2: set[int] = set()
        while b3:  # line 19
            half = (sum(z[port] for port in b3) - capacity + sum(a[port] for port in b1)) / len(b3)  # rho / 2, (38)
            s: set[int] = set()
            for port in ports:
                if port in b1:
                    y[port] = a[port]
                elif port in b3:
                    y[port] = z[port] - half
                    if y[port] < 0:
                        s = set(ports[port:])
                        break
            b2, b3 = b2 | s, b3 - s
            if not s:
                break
        if b1 and not b3:
            y[0] = a[0]
        y = [0 * capacity if port in b2 else amount for port, amount in enumerate(y)]
        if not y[0] > a[0]:  # line 15
            break
        b1, b3 = {0}, set(ports[1:])
    amounts = dict(zip(order, y, strict=True))
    return [amounts[port] for port in ports]


def printed_projection(graph: AnyFamily, point: np.ndarray) -> np.ndarray:
    """Apply lines 6-31 to every row: (E, K) to (E, K), edges as in the graph."""
    result = np.zeros(graph.shape)
    for node in range(len(graph.capacity)):
        edges = np.flatnonzero(graph.edge_node == node)
        for k in range(graph.shape[1]):
            demand = graph.demand[graph.edge_copy[edges], k].tolist()
            result[edges, k] = printed_row(point[edges, k].tolist(), demand, float(graph.capacity[node, k]))
    return result


class PrintedOgaSched:
    """OGASched as printed: its allocations may violate (5); slow."""

    protocol = "commits"

    def __init__(self, steps: Steps) -> None:
        self.steps, self.gain = steps, steps.gain

    def start(self, system: Hidden) -> None:
        self.graph = system.graph
        self.sizes = StepSizes(self.steps.rule(system))
        self.allocation = np.zeros(self.graph.shape)

    def decide(self, slot: int) -> np.ndarray:
        return self.allocation

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        g = supergradient(self.graph, self.allocation, arrivals, self.gain)
        point = self.allocation + self.sizes.next(float((g * g).sum())) * g
        self.allocation = printed_projection(self.graph, point)

    def guarantee(self, instance: Instance) -> Guarantee:
        return Guarantee(None, "multiserver.theorem1_constant", {"exact projection": "no"})
