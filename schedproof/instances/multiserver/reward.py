"""The cumulative reward (7)-(9) of allocations in doubles, rigorously enclosed.

Additions, multiplications, divisions and square roots of doubles have a relative error of at most u = 2^-53. The gains
of one utility are positive; they are summed in doubles in each slot, and the roundings are counted:

    alpha y,   1/alpha - 1/(y + alpha) = y/(y + alpha) / alpha,   alpha sqrt(y + 1) - alpha = alpha y/(sqrt(y + 1) +
    1)

Logarithms form one product per row, ln(1 + y) + ln(1 + y') + ... = ln((1 + y)(1 + y') ...). Ball arithmetic takes the
logarithm of the product once, at the end. The enclosure's ends are rationals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from math import fsum, prod

import numpy as np

from schedproof.core.base.balls import enclose
from schedproof.core.base.untyped import Ball
from schedproof.core.errors import UnknownName
from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.review_kernels import Stretches, add_gains, add_totals, frozen
from schedproof.instances.multiserver.utility import BITS, LOG, POLY, RECIPROCAL, VALUES, Enclosure, Utility, at_each

UNIT = Fraction(1, 2**53)
TINY = Fraction(1, 2**900)  # exceeds the total underflow, which is 2^-1075 per operation, times 1/alpha <= 1e18
GAINS = ("node", "total")  # (12), each channel through its node's utility; or (7), a port's total through f_k


class Account:
    """The reward of the slots seen so far."""

    def __init__(self, instance: Instance, gain: str = "node") -> None:
        if gain not in GAINS:
            raise UnknownName("gain", gain, GAINS)
        self.instance, self.graph = instance, instance.graph
        names, self.by_node = instance.resources, gain == "node"
        copy, node = self.graph.edge_copy, self.graph.edge_node
        groups = node if self.by_node else np.zeros(len(self.graph.port), dtype=np.int64)
        kinds = len(instance.nodes) if self.by_node else 1
        self.stretches = Stretches.of(copy if self.by_node else np.arange(len(groups)), groups, kinds)
        self.terms = np.bincount(groups, minlength=kinds)  # the number of amounts of each utility in a slot
        row = [instance.utilities[name] for name in names]
        utilities = [[instance.utility(r, name) for name in names] for r in range(kinds)] if self.by_node else [row]
        self.rows: dict[Utility, list[int]] = defaultdict(list)  # the rows of each utility, numbered through all groups
        for at, utility in enumerate(chain.from_iterable(utilities)):
            self.rows[utility].append(at)
        shape = (kinds, len(names))
        self.kind = np.array([[f.code for f in row] for row in utilities], dtype=np.int8).reshape(shape)
        self.alpha = np.array([[float(f.alpha) for f in row] for row in utilities]).reshape(shape)
        reciprocal, poly = self.kind == RECIPROCAL, self.kind == POLY
        self.divisor = np.array([reciprocal, np.where(reciprocal, self.alpha, 1.0), poly], dtype=np.float64)
        self.sums = np.zeros(shape)
        self.mantissa, self.exponent = np.ones(shape), np.zeros(shape, dtype=np.int64)
        self.overheads = np.zeros(len(self.graph.port))
        self.slots = 0
        self.given = False  # whether a present copy has a positive amount

    def add(self, block: np.ndarray) -> np.ndarray:
        """Add the next n slots (n, E, K); return their rewards (n,) in doubles."""
        present = self.instance.present(self.slots, self.slots + len(block))
        self.slots += len(block)
        totals = port_totals(self.graph, block, present)
        overheads = (totals * self.graph.overhead).max(axis=2)
        self.overheads += overheads.sum(axis=0)
        self.given = self.given or bool(totals.any())
        amounts, rules = block if self.by_node else totals, (self.divisor, self.kind, self.alpha)
        state = (self.sums, self.mantissa, self.exponent)
        earned: np.ndarray = add_gains(frozen(amounts), frozen(present), self.stretches, *rules, *state)
        return earned - overheads.sum(axis=1)

    def reward(self) -> Enclosure:
        """Return the enclosure of the reward of all slots so far."""
        low = high = Fraction(0)
        error = 2 * self.roundings * UNIT
        for utility, rows in self.rows.items():
            ends = self._total(utility, np.array(rows), error)
            low, high = low + ends[0], high + ends[1]
        overhead, tiny = sum(map(Fraction, self.overheads.tolist()), Fraction(0)), TINY * self.given
        return low - overhead * (1 + error) - tiny, high - overhead * (1 - error) + tiny

    @property
    def roundings(self) -> int:
        """Return an upper bound on the number of roundings of an amount in the total."""
        return len(self.graph.edge_copy) + self.slots + 8

    def _total(self, utility: Utility, rows: np.ndarray, error: Fraction) -> Enclosure:
        alpha = utility.alpha
        if utility.code != LOG:
            sum_ = Fraction(fsum(self.sums.flat[rows])) * (1 / alpha if utility.code == RECIPROCAL else alpha)
            return sum_ * (1 - error), sum_ * (1 + error)
        mantissas, exponent = [Fraction(m) for m in self.mantissa.flat[rows]], int(self.exponent.flat[rows].sum())

        def logarithm(ball: Callable[[Fraction], Ball]) -> Ball:
            return ball(alpha) * (prod(map(ball, mantissas)).log() + exponent * ball(Fraction(2)).log())

        ends = enclose(logarithm, BITS)
        terms = int(self.terms[rows // self.sums.shape[1]].sum()) * self.slots
        each = (
            3 if self.by_node else 3 + len(self.graph.edge_copy)
        )  # of the factor, of its slot's product, of the whole product
        slack = alpha * 2 * each * terms * UNIT
        return max(ends[0] - slack, Fraction(0)), ends[1] + slack


def port_totals(graph: Graph, block: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return the totals (n, C, K) of present (n, C) copies from amounts (n, E, K)."""
    totals = np.zeros((len(block), len(graph.port), block.shape[2]))
    add_totals(frozen(block), graph.edge_copy, frozen(present.astype(np.uint8, copy=False)), totals)
    return totals


def slot_rewards(graph: Graph, block: np.ndarray, present: np.ndarray, gain: str = "node") -> np.ndarray:
    """Return the reward (8) of each slot (n,) for allocations (n, E, K), in doubles."""
    rewards: np.ndarray = copy_rewards(graph, block, present, gain).sum(axis=1)
    return rewards


def copy_rewards(graph: Graph, block: np.ndarray, present: np.ndarray, gain: str = "node") -> np.ndarray:
    """Return each copy's contribution to (8) in each slot (n, C); 0 if not present."""
    totals = port_totals(graph, block, present)
    if gain == "node":
        values = at_each(VALUES, graph.kind[graph.edge_node], graph.alpha[graph.edge_node], block).sum(axis=2)
        earned = np.zeros(totals.shape[:2])
        np.add.at(earned.T, graph.edge_copy, values.T)
    else:
        earned = at_each(VALUES, graph.total_kind, graph.total_alpha, totals).sum(axis=2)
    return (earned - (totals * graph.overhead).max(axis=2)) * present
