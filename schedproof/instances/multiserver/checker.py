"""Is an allocation feasible? An independent checker, exact for doubles; it shares no code with any model or policy.

A double is a rational, so that feasibility is decided, not estimated: one compiled pass keeps sums as two doubles with
a proven error, and where that leaves a doubt the row is summed again in rationals.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np

from schedproof.core.checking import SHOWN, Violation, broken
from schedproof.core.numbers import LARGEST, below
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.review_kernels import doubtful_rows, frozen, within


class Checker:
    """Looks at the slots of a schedule, some at a time, and remembers what is broken of (5) and (6)."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.found: dict[str, list[Violation]] = {"demand": [], "capacity": [], "finite": [], "slots": []}
        self.slots = 0
        self.sound = True  # whether every amount so far is a number from 0 to 1e18: only then it has a reward
        ports, names = instance.ports, instance.resources
        self.edges = [  # (port, number of the copy, node) in the order of a slot's allocation
            (port, number + 1, node)
            for port, copies in zip(ports, instance.copies, strict=True)
            for number in range(copies)
            for node in port.nodes
        ]
        most = [[below(port.demand.get(name, Fraction(0))) for name in names] for port in ports]
        capacity = [[below(node.capacity.get(name, Fraction(0))) for name in names] for node in instance.nodes]
        self.most = np.array([most[port.index] for port, _, _ in self.edges]).reshape(-1, len(names))
        self.capacity = np.array(capacity).reshape(-1, len(names))
        node_of_edge = np.array([node for _, _, node in self.edges], dtype=np.int64)
        self.order = np.argsort(node_of_edge, kind="stable")  # the edges of node r: order[begin[r] : begin[r + 1]]
        self.begin = np.searchsorted(node_of_edge[self.order], np.arange(len(instance.nodes) + 1))

    def look(self, block: np.ndarray) -> None:
        """Check the next slots: (n, E, K)."""
        shape = (len(self.edges), len(self.instance.resources))
        if block.shape[1:] != shape or block.dtype != np.float64:
            self.sound = False
            found = f"{block.dtype} of {block.shape[1:]}"
            self._broken("slots", f"slot {self.slots}: expected doubles of {shape}, found {found}", 1)
        elif within(frozen(block), self.most):
            self._capacity(block)
        elif not np.isfinite(block).all():
            self.sound = False
            for t, e, k in np.argwhere(~np.isfinite(block))[:SHOWN]:
                self._broken("finite", self._edge(t, e, k), 1)
        else:
            self._demand(block)
            self._capacity(block)
        self.slots += len(block)

    def violations(self) -> list[Violation]:
        """Everything found, by constraint."""
        if missing := self.instance.horizon - self.slots:
            self._broken("slots", f"{self.slots} slots in place of {self.instance.horizon}", abs(missing))
        return [v for rows in self.found.values() for v in rows]

    def _demand(self, block: np.ndarray) -> None:
        """(5) No channel gives less than nothing or more than the port asks for."""
        wrong = (block < 0) | (block > self.most)
        self.sound = self.sound and block.min() >= 0 and block.max() <= LARGEST
        for t, e, k in np.argwhere(wrong)[:SHOWN]:
            amount = Fraction(block[t, e, k])
            limit = self.edges[e][0].demand.get(self.instance.resources[k], Fraction(0))
            self._broken("demand", self._edge(t, e, k), -amount if amount < 0 else amount - limit)

    def _capacity(self, block: np.ndarray) -> None:
        """(6) No node gives more than it has."""
        for t, r, k in doubtful_rows(frozen(block), self.order, self.begin, self.capacity).tolist():
            if len(self.found["capacity"]) >= SHOWN:
                return
            amounts = block[t, self.order[self.begin[r] : self.begin[r + 1]], k].tolist()
            if self.sound and fsum([*amounts, -self.capacity[r, k]]) <= 0:  # rounded once: its sign is right
                continue
            name = self.instance.resources[k]
            amount = sum(map(Fraction, amounts), Fraction(0))
            limit = self.instance.nodes[r].capacity.get(name, Fraction(0))
            if amount > limit:
                where = f"{name} of {self.instance.nodes[r].name} in slot {self.slots + t}"
                self._broken("capacity", where, amount - limit)

    def _edge(self, t: int, e: int, k: int) -> str:
        port, number, node = self.edges[e]
        copy = f" (job {number})" if self.instance.copies[port.index] > 1 else ""
        place = f"{self.instance.resources[k]} of {self.instance.nodes[node].name} for {port.name}{copy}"
        return f"{place} in slot {self.slots + t}"

    def _broken(self, constraint: str, where: str, by: int | Fraction) -> None:
        if len(self.found[constraint]) < SHOWN:
            self.found[constraint].append(broken(constraint, where, by))
