"""The cumulative reward (7)-(9) of allocations in doubles, enclosed rigorously, and the rewards of single slots.

Additions, multiplications, divisions and square roots of doubles are off by at most u = 2^-53, relatively. Gains of one
utility are therefore summed in doubles, all of them positive, with their roundings counted:

    alpha y,   1/alpha - 1/(y + alpha) = y/(y + alpha) / alpha,   alpha sqrt(y + 1) - alpha = alpha y/(sqrt(y + 1) + 1)

Logarithms are gathered in one product per utility, ln(1 + y) + ln(1 + y') + ... = ln((1 + y)(1 + y') ...), and ball
arithmetic takes its logarithm once, at the end. The enclosure's ends are rationals.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from schedproof.core.balls import enclosed
from schedproof.core.errors import UnknownName
from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.utility import BITS, LOG, POLY, RECIPROCAL, VALUES, Enclosure, Utility, at_each

UNIT = Fraction(1, 2**53)
TINY = Fraction(1, 2**900)  # more than underflows in all: 2^-1075 an operation, times 1/alpha <= 1e18
GAINS = ("node", "total")  # (12), each channel through its node's utility; or (7), a port's total through f_k
FACTORS = 500  # mantissas >= 1/2 whose product cannot underflow


def cumulative(instance: Instance, blocks: Iterable[np.ndarray], gain: str = "node") -> Enclosure:
    """Rationals around the cumulative reward (9) of exactly these blocks (n, E, K), in the order of the slots."""
    account = Account(instance, gain)
    for block in blocks:
        account.add(block)
    return account.reward()


class Account:
    """The reward of the slots seen so far."""

    def __init__(self, instance: Instance, gain: str = "node") -> None:
        if gain not in GAINS:
            raise UnknownName("gain", gain, GAINS)
        self.instance, self.graph = instance, instance.graph
        names, by_node = instance.resources, gain == "node"
        kinds = len(instance.nodes) if by_node else 1
        self.by_node = by_node
        self.groups = self.graph.edge_node if by_node else np.zeros(len(self.graph.port), dtype=np.int64)
        self.utilities = [
            [instance.utility(g, name) if by_node else instance.utilities[name] for name in names] for g in range(kinds)
        ]
        self.sums = np.zeros((kinds, len(names)))
        self.mantissa, self.exponent = np.ones((kinds, len(names))), np.zeros((kinds, len(names)), dtype=np.int64)
        self.terms = np.zeros(kinds, dtype=np.int64)  # how many amounts each utility has been applied to
        self.overheads = np.zeros(len(self.graph.port))
        self.slots = self.blocks = 0
        self.given = False  # whether anybody present got anything

    def add(self, block: np.ndarray) -> None:
        """Add the next slots: (n, E, K), each amount >= 0."""
        if not len(block):
            return
        graph = self.graph
        present = self.instance.present(self.slots, self.slots + len(block)).astype(bool)
        self.slots += len(block)
        self.blocks += 1
        totals = port_totals(graph, block) * present[:, :, None]
        self.overheads += (totals * graph.overhead).max(axis=2).sum(axis=0)
        self.given = self.given or bool(totals.any())
        amounts = block * present[:, graph.edge_copy, None] if self.by_node else totals
        self.terms += np.bincount(self.groups, minlength=len(self.terms)) * len(block)
        for code, utilities in self._columns():
            for k in range(len(self.instance.resources)):
                columns = np.flatnonzero(utilities[self.groups, k])
                if columns.size:
                    self._gain(code, k, amounts[:, columns, k], self.groups[columns])

    def reward(self) -> Enclosure:
        """The enclosure of the reward of the slots added."""
        low = high = Fraction(0)
        error = 2 * self.roundings * UNIT
        for g, row in enumerate(self.utilities):
            for k, utility in enumerate(row):
                ends = self._total(utility, g, k, error)
                low, high = low + ends[0], high + ends[1]
        overhead, tiny = sum(map(Fraction, self.overheads.tolist()), Fraction(0)), TINY * self.given
        return low - overhead * (1 + error) - tiny, high - overhead * (1 - error) + tiny

    @property
    def roundings(self) -> int:
        """More than an amount meets on its way into a sum: over edges, over slots, over blocks, and its own formula."""
        return len(self.graph.edge_copy) + self.slots + self.blocks + 8

    def _columns(self) -> Iterable[tuple[int, np.ndarray]]:
        codes = np.array([[f.code for f in row] for row in self.utilities]).reshape(self.sums.shape)
        return ((code, codes == code) for code in range(len(VALUES)) if (codes == code).any())

    def _gain(self, code: int, k: int, amounts: np.ndarray, groups: np.ndarray) -> None:
        """Amounts (n, m) of one resource through utilities of one kind; ``groups`` (m,) says whose."""
        if code == LOG:
            order = np.argsort(groups, kind="stable")
            self._multiply(1 + amounts[:, order], groups[order], k)
            return
        alpha = np.array([float(row[k].alpha) for row in self.utilities])[groups]
        if code == RECIPROCAL:
            amounts = amounts / (amounts + alpha)
        elif code == POLY:
            amounts = amounts / (np.sqrt(amounts + 1) + 1)
        self.sums[:, k] += np.bincount(groups, weights=amounts.sum(axis=0), minlength=len(self.sums))

    def _multiply(self, factors: np.ndarray, groups: np.ndarray, k: int) -> None:
        """Multiply factors (n, m) >= 1 into the products of their groups, sorted; mantissas and exponents apart."""
        mantissa, exponent = np.frexp(factors)
        np.add.at(self.exponent[:, k], groups, exponent.sum(axis=0))
        while len(mantissa) > 1:
            mantissa, more = np.frexp(np.multiply.reduceat(mantissa, np.arange(0, len(mantissa), FACTORS), axis=0))
            np.add.at(self.exponent[:, k], groups, more.sum(axis=0))
        row, starts = mantissa[0], np.flatnonzero(np.r_[True, np.diff(groups) > 0])
        while len(row) > len(starts):
            cuts = np.union1d(starts, np.arange(0, len(row), FACTORS))
            row, more = np.frexp(np.multiply.reduceat(row, cuts))
            groups = groups[cuts]
            starts = np.flatnonzero(np.r_[True, np.diff(groups) > 0])
            np.add.at(self.exponent[:, k], groups, more)
        self.mantissa[groups, k], more = np.frexp(self.mantissa[groups, k] * row)
        self.exponent[groups, k] += more

    def _total(self, utility: Utility, g: int, k: int, error: Fraction) -> Enclosure:
        """The gains of one utility: a sum of positive terms, each with few roundings, or a product."""
        terms, alpha = int(self.terms[g]), utility.alpha
        if utility.code != LOG:
            sum_ = Fraction(self.sums[g, k]) * (1 / alpha if utility.code == RECIPROCAL else alpha)
            return sum_ * (1 - error), sum_ * (1 + error)
        mantissa, exponent = Fraction(self.mantissa[g, k]), int(self.exponent[g, k])
        ends = enclosed(lambda ball: ball(alpha) * (ball(mantissa).log() + exponent * ball(Fraction(2)).log()), BITS)
        each = 3 if self.by_node else 3 + len(self.graph.edge_copy)  # roundings of a factor, and of multiplying it
        slack = alpha * 2 * (each * terms + self.blocks) * UNIT
        return max(ends[0] - slack, Fraction(0)), ends[1] + slack


def port_totals(graph: Graph, block: np.ndarray) -> np.ndarray:
    """(n, C, K): what each copy has in all, from (n, E, K)."""
    totals = np.zeros((len(block), len(graph.port), block.shape[2]))
    if block.shape[1]:
        starts = np.flatnonzero(np.r_[True, np.diff(graph.edge_copy) > 0])
        totals[:, graph.edge_copy[starts]] = np.add.reduceat(block, starts, axis=1)
    return totals


def slot_rewards(graph: Graph, block: np.ndarray, present: np.ndarray, gain: str = "node") -> np.ndarray:
    """The reward (8) of each slot in plain doubles (n,), for allocations (n, E, K) and who is present (n, C)."""
    totals = port_totals(graph, block)
    if gain == "node":
        values = at_each(VALUES, graph.kind[graph.edge_node], graph.alpha[graph.edge_node], block)
        earned = (values.sum(axis=2) * present[:, graph.edge_copy]).sum(axis=1)
    else:
        earned = (at_each(VALUES, graph.total_kind, graph.total_alpha, totals).sum(axis=2) * present).sum(axis=1)
    return earned - ((totals * graph.overhead).max(axis=2) * present).sum(axis=1)
