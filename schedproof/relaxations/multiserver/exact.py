"""An instance's own numbers as doubles above or below them: what certificates reckon with.

Read from the instance itself, not from its graph, whose doubles err on the side that suits allocations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import UnknownName
from schedproof.core.numbers import below
from schedproof.instances.multiserver import Instance, Utility
from schedproof.instances.multiserver.reward import GAINS
from schedproof.instances.multiserver.utility import RECIPROCAL

ZERO = Fraction(0)


class Curves(NamedTuple):
    """Kinds of utilities, and alphas with which they and their conjugates are at least, and at most, the true ones."""

    kind: np.ndarray
    high: np.ndarray
    low: np.ndarray


class Numbers:
    """The numbers of an instance under one reading of the gain.

    Attributes
    ----------
    copy, node
        (E,) of each edge, copy by copy, a port's nodes in the file's order.
    most
        (E, K) at least min(a, c), the most that a channel can give.
    curves
        (E, K) for the gain per node, (C, K) per total.
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
        demand = np.array([[above(row.get(name, ZERO)) for name in names] for row in (p.demand for p in ports)])
        room = np.array(
            [[above(row.get(name, ZERO)) for name in names] for row in (n.capacity for n in instance.nodes)]
        )
        demand, room = demand.reshape(self.shape), room.reshape(-1, len(names))
        self.most = np.minimum(demand[self.copy], room[self.node])

    @cached_property
    def curves(self) -> Curves:
        """The utilities in the shape in which they are applied."""
        instance, names = self.instance, self.instance.resources
        if not self.by_node:
            return Curves(*(np.tile(part, (self.shape[0], 1)) for part in _curves([instance.utilities], names)))
        rows = [{name: instance.utility(node.index, name) for name in names} for node in instance.nodes]
        return Curves(*(part[self.node] for part in _curves(rows, names)))

    def overheads(self, round_up: bool) -> np.ndarray:
        """(K,) at least, or at most, beta."""
        rounded = above if round_up else below
        return np.array([rounded(self.instance.overhead[name]) for name in self.instance.resources])


def _curves(rows: Sequence[Mapping[str, Utility]], names: Sequence[str]) -> Curves:
    table = [[row[name] for name in names] for row in rows]
    shape = len(rows), len(names)
    kind = np.array([[f.code for f in row] for row in table], dtype=np.int64).reshape(shape)
    over = np.array([[above(f.alpha) for f in row] for row in table]).reshape(shape)
    under = np.array([[below(f.alpha) for f in row] for row in table]).reshape(shape)
    falling = kind == RECIPROCAL  # the larger its alpha, the smaller the gain
    return Curves(kind, np.where(falling, under, over), np.where(falling, over, under))


def above(value: Fraction) -> float:
    """The smallest double that is not below a rational."""
    return -below(-value)


def largest_sum(values: np.ndarray) -> Fraction:
    """At least the sum of doubles >= 0, by one rounding."""
    return Fraction(fsum(values.ravel().tolist())) * (1 + Fraction(1, 2**52))


def least_sum(values: np.ndarray) -> Fraction:
    """At most the sum of doubles >= 0, by one rounding."""
    return Fraction(fsum(values.ravel().tolist())) * (1 - Fraction(1, 2**52))
