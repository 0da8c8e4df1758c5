"""Independent checker of allocations, exact for doubles.

It shares no code with any model or policy. One compiled pass keeps each sum as two doubles with a proven error. Rows in
doubt are summed again in rationals.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np

from schedproof.core.base.numbers import LARGEST, below
from schedproof.core.data.checking import SHOWN, Violation, violation
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.review_kernels import Stretches, frozen, look_through


class Checker:
    """Checker of blocks of slots in order; it collects violations of (5) and (6)."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.found: dict[str, list[Violation]] = {"demand": [], "capacity": [], "finite": [], "slots": []}
        self.slots = 0
        self.sound = True  # whether every amount so far is a number from 0 to 1e18: only then is there a reward
        ports, names = instance.ports, instance.resources
        self.owners = [  # per copy: its port, and its number among the port's copies
            (port, number + 1) for port, copies in zip(ports, instance.copies, strict=True) for number in range(copies)
        ]
        nodes = [np.array(port.nodes, dtype=np.int64) for port, _ in self.owners]
        self.copy = np.repeat(np.arange(len(nodes)), [len(reached) for reached in nodes])  # of each edge in their order
        self.node = np.concatenate([np.empty(0, dtype=np.int64), *nodes])
        limit = [[below(port.demand.get(name, Fraction(0))) for name in names] for port in ports]
        capacity = [[below(node.capacity.get(name, Fraction(0))) for name in names] for node in instance.nodes]
        self.most = np.repeat(np.array(limit).reshape(-1, len(names)), instance.copies, axis=0)
        self.capacity = np.array(capacity).reshape(-1, len(names))
        self.stretches = Stretches.of(self.copy, self.node, len(instance.nodes))

    def look(self, block: np.ndarray) -> None:
        """Check the next slots: (n, E, K)."""
        shape = (len(self.node), len(self.instance.resources))
        if block.shape[1:] != shape or block.dtype != np.float64:
            self.sound = False
            result = f"{block.dtype} of {block.shape[1:]}"
            self._report("slots", f"slot {self.slots}: expected doubles of {shape}, found {result}", 1)
        else:
            within, rows = look_through(frozen(block), self.stretches, self.most, self.capacity)
            if within:
                self._capacity(block, rows)
            elif np.isfinite(block).all():
                self._demand(block)
                self._capacity(block, rows)
            else:
                self.sound = False
                for t, e, k in np.argwhere(~np.isfinite(block))[:SHOWN]:
                    self._report("finite", self._edge(t, e, k), 1)
        self.slots += len(block)

    def violations(self) -> list[Violation]:
        """Return all violations found, by constraint."""
        if missing := self.instance.horizon - self.slots:
            self._report("slots", f"{self.slots} slots, expected {self.instance.horizon}", abs(missing))
        return [v for rows in self.found.values() for v in rows]

    def _demand(self, block: np.ndarray) -> None:
        """(5) Each channel's amount is between 0 and the port's demand."""
        wrong = (block < 0) | (block > self.most[self.copy])
        self.sound = self.sound and block.min() >= 0 and block.max() <= LARGEST
        for t, e, k in np.argwhere(wrong)[:SHOWN]:
            amount = Fraction(block[t, e, k])
            limit = self.owners[self.copy[e]][0].demand.get(self.instance.resources[k], Fraction(0))
            self._report("demand", self._edge(t, e, k), -amount if amount < 0 else amount - limit)

    def _capacity(self, block: np.ndarray, rows: np.ndarray) -> None:
        """(6) Each node's amounts are within its capacity; ``rows`` (m, 3) are to test."""
        for t, r, k in rows.tolist():
            if len(self.found["capacity"]) >= SHOWN:
                return
            amounts = block[t, self.node == r, k].tolist()
            if self.sound and fsum([*amounts, -self.capacity[r, k]]) <= 0:  # rounded once: its sign is exact
                continue
            name = self.instance.resources[k]
            amount = sum(map(Fraction, amounts), Fraction(0))
            limit = self.instance.nodes[r].capacity.get(name, Fraction(0))
            if amount > limit:
                where = f"{name} of {self.instance.nodes[r].name} in slot {self.slots + t}"
                self._report("capacity", where, amount - limit)

    def _edge(self, t: int, e: int, k: int) -> str:
        port, number = self.owners[self.copy[e]]
        copy = f" (job {number})" if self.instance.copies[port.index] > 1 else ""
        place = f"{self.instance.resources[k]} of {self.instance.nodes[self.node[e]].name} for {port.name}{copy}"
        return f"{place} in slot {self.slots + t}"

    def _report(self, constraint: str, where: str, by: int | Fraction) -> None:
        if len(self.found[constraint]) < SHOWN:
            self.found[constraint].append(violation(constraint, where, by))
