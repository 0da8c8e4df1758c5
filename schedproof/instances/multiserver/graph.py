"""A multiserver instance as arrays of copies, edges and rounded doubles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Graph:
    """The bipartite graph of C copies of ports, R nodes, E edges and K resources.

    Demands and capacities are rounded down to doubles, so an allocation that is feasible for the doubles is feasible
    for the rationals.

    Attributes
    ----------
    port
        (C,) file position of each copy's port.
    edge_copy, edge_node
        (E,) copy and node of each edge, by copy, nodes in the port's file order.
    demand, capacity
        (C, K) and (R, K), in the resource's unit.
    kind, alpha
        (R, K): the kind of the utility f_r^k, as a position in `utility.KINDS`, and its alpha.
    total_kind, total_alpha
        (K,): kind and alpha of f_k, for the reading ``total``.
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
        """The shape of one slot's allocation, (E, K)."""
        return len(self.edge_copy), len(self.overhead)
