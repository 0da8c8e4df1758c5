"""The exact projection (32), one (node, resource) row at a time.

The problem is separable: y = clip(z - tau, 0, a) over the node's ports, where tau is 0 or a root of
sum clip(z - tau, 0, a) = c. `kernels` has the method and the proof of accuracy: every amount is within
11 (w + 4) 2^-53 c of the projection, w the number of ports rounded up to a multiple of eight. In exact arithmetic the
sum of the doubles is at most c, and each double is between 0 and a.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numba
import numpy as np

from schedproof.core.errors import InputError
from schedproof.instances.multiserver.graph import Graph
from schedproof.online.multiserver import kernels
from schedproof.online.multiserver.kernels import Rows

BLOCK_ENTRIES = 4096  # at least
PARALLEL_FROM = 1 << 15  # entries at which several threads become faster than one


def project_row(point: np.ndarray, demand: np.ndarray, capacity: float) -> np.ndarray:
    """Project ``point`` (n,) onto {0 <= y <= demand, sum y <= capacity}."""
    z, a = (np.asarray(values, dtype=np.float64) for values in (point, demand))
    if z.ndim != 1 or z.shape != a.shape:
        raise InputError(f"point and demand: expected rows of equal length, found shapes {z.shape} and {a.shape}")
    if not (np.isfinite(z).all() and np.isfinite(a).all() and np.isfinite(capacity)):
        raise InputError("point, demand and capacity: expected finite numbers")
    if (a < 0).any() or capacity < 0:
        raise InputError("demand and capacity: expected numbers >= 0")
    if not z.size:
        return np.zeros(0)
    work = np.zeros((kernels.LINES, -(-z.size // kernels.LANES) * kernels.LANES))
    work[kernels.POINT, : z.size], work[kernels.DEMAND, : z.size] = z, a
    kernels.project_row(work, work.shape[1], float(capacity), 0.0)
    return work[kernels.KEPT, : z.size]


def project(point: np.ndarray, graph: Graph, threads: int | None = None) -> np.ndarray:
    """Return the feasible allocation nearest to ``point`` (E, K).

    At most ``threads`` threads run; their number does not change the result.
    """
    z = np.asarray(point, dtype=np.float64)
    if z.shape != graph.shape:
        raise InputError(f"point: expected the shape {graph.shape}, found {z.shape}")
    if not np.isfinite(z).all():
        raise InputError("point: expected finite numbers")
    layout = Layout.of(graph)
    out = np.zeros(layout.size)
    with limit_threads(threads, layout.size) as together:
        (kernels.project_together if together else kernels.project_alone)(layout.rows, layout.to_rows(z), out)
    return layout.to_edges(out)


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions of an allocation's amounts in the kernels' arrays.

    A node's amounts are consecutive: resource by resource, and within a resource port by port.

    Attributes
    ----------
    rows
        The arrays of the cluster for the kernels.
    place
        (E, K): the position of each edge's amounts.
    size
        The number of entries of an allocation, with padding.
    """

    rows: Rows
    place: np.ndarray
    size: int

    @classmethod
    def of(cls, graph: Graph, gain: str = "node") -> Layout:
        """Return the layout of a graph under one reading of the gain."""
        per_node = gain == "node"
        copies, nodes, resources = len(graph.port), len(graph.capacity), len(graph.overhead)
        count = np.bincount(graph.edge_node, minlength=nodes)
        width = -(-count // kernels.LANES) * kernels.LANES
        begin = np.concatenate([[0], np.cumsum(width)])
        order = np.argsort(graph.edge_node, kind="stable")  # by node, and by copy in a node
        seat = np.empty(len(order), dtype=np.int64)  # position of each edge among the ports of its node
        seat[order] = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
        port = copies + np.arange(begin[-1]) - np.repeat(begin[:-1] + count, width)  # columns C, C + 1, ... pad
        port[begin[graph.edge_node] + seat] = graph.edge_copy
        start = begin[graph.edge_node] * resources + seat
        place = start[:, None] + width[graph.edge_node][:, None] * np.arange(resources)
        none = np.full_like(graph.total_kind if per_node else graph.kind, kernels.NONE)
        none.setflags(write=False)  # for numba read-only is another type; two types would compile everything twice
        largest = 1.0 + graph.demand.max(initial=0.0)
        rows = Rows(
            begin=begin,
            port=port,
            block=_blocks(begin * resources, max(BLOCK_ENTRIES, 32 * resources * copies)),
            demand=np.ascontiguousarray(np.pad(graph.demand, ((0, kernels.LANES), (0, 0))).T),
            capacity=graph.capacity,
            kind=graph.kind if per_node else none,
            alpha=graph.alpha,
            port_kind=none if per_node else graph.total_kind,
            port_alpha=graph.total_alpha,
            overhead=graph.overhead,
            factors=kernels.LANES * max(1, int(1000 / max(1.0, np.log2(largest))) // kernels.LANES),
        )
        return cls(rows, place, int(begin[-1]) * resources)

    def to_rows(self, allocation: np.ndarray) -> np.ndarray:
        """Convert (E, K) to the kernels' order."""
        out = np.zeros(self.size)
        out[self.place] = allocation
        return out

    def to_edges(self, values: np.ndarray) -> np.ndarray:
        """Convert the kernels' order, (..., size), to (..., E, K)."""
        return np.take(values, self.place, axis=-1)


def _blocks(entries: np.ndarray, size: int) -> np.ndarray:
    """Divide the nodes into blocks of at least ``size`` entries.

    ``entries`` (R + 1,) are the positions at which nodes begin.
    """
    cuts = [0]
    while entries[-1] - entries[cuts[-1]] > 0:
        cuts.append(int(min(np.searchsorted(entries, entries[cuts[-1]] + size), len(entries) - 1)))
    return np.array(cuts)


def threads_for(threads: int | None, entries: int) -> int:
    """Return the number of threads for an allocation of ``entries`` entries."""
    available = numba.config.NUMBA_NUM_THREADS
    return min(threads, available) if threads else available if entries >= PARALLEL_FROM else 1


@contextmanager
def limit_threads(threads: int | None, entries: int) -> Iterator[bool]:
    """Limit numba's threads for ``entries`` entries; yield whether several are in use."""
    wanted = threads_for(threads, entries)
    if wanted <= 1:
        yield False
        return
    before = numba.get_num_threads()
    numba.set_num_threads(wanted)
    try:
        yield True
    finally:
        numba.set_num_threads(before)
