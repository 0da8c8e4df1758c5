"""An instance's numbers as doubles above or below them, for certificates.

The numbers are read from the instance, because the doubles in its graph are rounded for feasible allocations.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import NamedTuple

import numpy as np

from schedproof.core.base.numbers import below
from schedproof.core.errors import UnknownName
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.reward import GAINS
from schedproof.instances.multiserver.utility import RECIPROCAL
from schedproof.relaxations.multiserver.enclosures import UP, least_values

ZERO = Fraction(0)
TINY = 2.0**-900  # smaller gains count as 0


class Curves(NamedTuple):
    """Utilities with rounded alphas, so that they bound the true utilities."""

    kind: np.ndarray
    high: np.ndarray
    low: np.ndarray


class Numbers:
    """The numbers of an instance under one reading of the gain.

    Attributes
    ----------
    copy, node
        (E,) the copy and node of each edge: copy by copy, a port's nodes in the file's order.
    most
        (E, K) at least min(a, c), the largest amount that a channel can give.
    curves
        The utilities: (E, K) for the gain per node, (C, K) for the gain per total.
    """

    def __init__(self, instance: Instance, gain: str) -> None:
        if gain not in GAINS:
            raise UnknownName("gain", gain, GAINS)
        self.by_node = gain == "node"
        self.instance, names = instance, instance.resources
        ports = [port for port, copies in zip(instance.ports, instance.copies, strict=True) for _ in range(copies)]
        self.copy = np.array([c for c, port in enumerate(ports) for _ in port.nodes], dtype=np.int64)
        self.node = np.array([node for port in ports for node in port.nodes], dtype=np.int64)
        self.shape = len(ports), len(names)
        demand, capacity = (
            _table([[above(row.get(name, ZERO)) for name in names] for row in rows], len(names))
            for rows in ([port.demand for port in ports], [node.capacity for node in instance.nodes])
        )
        self.most = np.minimum(demand[self.copy], capacity[self.node])

    @cached_property
    def curves(self) -> Curves:
        instance, names = self.instance, self.instance.resources
        if self.by_node:
            rows, at = [[instance.utility(node.index, name) for name in names] for node in instance.nodes], self.node
        else:
            rows, at = [[instance.utilities[name] for name in names]], np.zeros(self.shape[0], dtype=np.int64)
        kind = _table([[f.code for f in row] for row in rows], len(names))
        over = _table([[above(f.alpha) for f in row] for row in rows], len(names))
        under = _table([[below(f.alpha) for f in row] for row in rows], len(names))
        falling = kind == RECIPROCAL  # a larger alpha has a smaller gain
        return Curves(kind[at], np.where(falling, under, over)[at], np.where(falling, over, under)[at])

    def overheads(self, round_up: bool) -> np.ndarray:
        """Return beta (K,), rounded up or down."""
        rounded = above if round_up else below
        return np.array([rounded(self.instance.overhead[name]) for name in self.instance.resources])


def _table(rows: list[list[float]], width: int) -> np.ndarray:
    return np.array(rows).reshape(-1, width)


def earnings(numbers: Numbers, counts: np.ndarray, allocation: np.ndarray) -> Fraction:
    """Return a lower bound on sum_c n_c [gain_c(y) - max_k beta_k T_(c,k)].

    y is (E, K) and n (C,). A total of at most R amounts has a relative error of R u, u = 2^-53, in any order.
    """
    totals = np.zeros(numbers.shape)
    np.add.at(totals, numbers.copy, allocation)
    slack = 2.0**-52 * (len(numbers.instance.nodes) + 1)
    times = counts.astype(float)[:, None]
    kind, _, alpha = numbers.curves
    amounts = allocation if numbers.by_node else totals * (1 - slack)
    values = least_values(kind, alpha, np.where(amounts < TINY, 0, amounts))
    gains = (times[numbers.copy] if numbers.by_node else times) * values
    overheads = times[:, 0] * (totals * numbers.overheads(round_up=True)).max(axis=1) * (1 + slack) * UP
    return least_sum(gains * (1 - 2.0**-50)) - largest_sum(overheads)


def above(value: Fraction) -> float:
    """Return the smallest double that is at least a rational."""
    return -below(-value)


def largest_sum(values: np.ndarray) -> Fraction:
    """Return an upper bound on the sum of doubles >= 0."""
    return Fraction(fsum(values.ravel().tolist())) * (1 + Fraction(1, 2**52))


def least_sum(values: np.ndarray) -> Fraction:
    """Return a lower bound on the sum of doubles >= 0."""
    return Fraction(fsum(values.ravel().tolist())) * (1 - Fraction(1, 2**52))
