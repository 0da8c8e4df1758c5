"""A multiserver instance as arrays: copies of ports, edges to nodes, and doubles that err on the safe side."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from schedproof.core.numbers import below

if TYPE_CHECKING:
    from schedproof.instances.multiserver.instance import Instance


@dataclass(frozen=True, eq=False)
class Graph:
    """The bipartite graph and its numbers; C copies of ports, E edges, R nodes, K resources.

    Demands and capacities are rounded down to doubles, so that what is feasible for them is feasible for the rationals.

    Attributes
    ----------
    port
        (C,) file position of each copy's port; in the basic problem there is one copy of each.
    edge_copy, edge_node
        (E,) copy and node of each edge, copy by copy, nodes in the port's file order.
    demand, capacity
        (C, K) and (R, K), in the resource's unit.
    kind, alpha
        (R, K): the utility f_r^k, its kind's number as in `utility.KINDS` and its alpha.
    total_kind, total_alpha
        (K,): the same of f_k, for the gain per total.
    overhead
        (K,): beta_k.
    """

    port: np.ndarray
    edge_copy: np.ndarray
    edge_node: np.ndarray
    demand: np.ndarray
    capacity: np.ndarray
    kind: np.ndarray
    alpha: np.ndarray
    total_kind: np.ndarray
    total_alpha: np.ndarray
    overhead: np.ndarray

    def __post_init__(self) -> None:
        for array in vars(self).values():
            array.setflags(write=False)

    @property
    def shape(self) -> tuple[int, int]:
        """(E, K), the shape of one slot's allocation."""
        return len(self.edge_copy), len(self.overhead)


def graph(instance: Instance) -> Graph:
    """The arrays of an instance."""
    ports, names = instance.ports, instance.resources
    port = np.repeat(np.arange(len(ports)), np.array(instance.copies, dtype=np.int64))
    degree = np.array([len(p.nodes) for p in ports], dtype=np.int64)
    nodes = [np.tile(np.array(p.nodes, dtype=np.int64), n) for p, n in zip(ports, instance.copies, strict=True)]
    utility = [[instance.utility(node.index, name) for name in names] for node in instance.nodes]
    totals = [instance.utilities[name] for name in names]
    width = len(names)
    return Graph(
        port=port,
        edge_copy=np.repeat(np.arange(len(port)), degree[port]),
        edge_node=np.concatenate([np.empty(0, dtype=np.int64), *nodes]),
        demand=_down([[p.demand.get(name) for name in names] for p in ports], width)[port],
        capacity=_down([[node.capacity.get(name) for name in names] for node in instance.nodes], width),
        kind=np.array([[f.code for f in row] for row in utility], dtype=np.int8).reshape(-1, width),
        alpha=np.array([[float(f.alpha) for f in row] for row in utility]).reshape(-1, width),
        total_kind=np.array([f.code for f in totals], dtype=np.int8),
        total_alpha=np.array([float(f.alpha) for f in totals]),
        overhead=np.array([float(instance.overhead[name]) for name in names]),
    )


def _down(rows: list[list[Fraction | None]], width: int) -> np.ndarray:
    return np.array([[below(value or Fraction(0)) for value in row] for row in rows]).reshape(-1, width)
