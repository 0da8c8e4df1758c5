"""The multiserver family's Instance: ports, nodes, a bipartite graph between them, and an arrival trajectory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import msgspec
import numpy as np

from schedproof.core.instance import Instance as AnyInstance
from schedproof.core.numbers import below
from schedproof.core.reading import Amount, Name, Row
from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.utility import Utility

BLOCK_BYTES = 1 << 24  # of arrivals handed out at a time
SLOTS = 1 << 16  # looked at together where only counts are wanted


class NodeRow(Row, frozen=True):
    """A computing instance.

    Attributes
    ----------
    capacity
        Resource -> c_r^k, in the resource's unit; a resource that is not named has capacity 0.
    """

    name: Name
    capacity: dict[str, Amount]


class Node(NodeRow, frozen=True, kw_only=True):
    """A computing instance with its position in the file."""

    index: int


class Task(Row, frozen=True):
    """A task component of a gang: what it may take through each channel, and what it needs in total to have started."""

    demand: dict[str, Amount]
    minimum: dict[str, Amount]


@dataclass(frozen=True, slots=True)
class Port:
    """A job type.

    Attributes
    ----------
    index
        Position in the file.
    demand
        Resource -> a_l^k, the most that a channel may give; a resource that is not named has demand 0.
    nodes
        R_l as positions in the file's list of nodes.
    tasks, minimum_tasks
        For gang scheduling: the job's task components, and how many must start for it to launch (0 without tasks).
    """

    index: int
    name: str
    demand: Mapping[str, Fraction]
    nodes: tuple[int, ...]
    tasks: tuple[Task, ...] = ()
    minimum_tasks: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
    """A validated multiserver instance.

    Attributes
    ----------
    resources
        Their names.
    nodes, ports
        In file order.
    utilities, node_utilities
        Resource -> f_k, and (node index, resource) -> the utility that a node has in its place.
    overhead
        Resource -> beta_k in [0, 1].
    arrivals
        (T, L) counts x_l(t); read only, possibly a memory map.
    """

    resources: tuple[str, ...]
    nodes: tuple[Node, ...]
    ports: tuple[Port, ...]
    utilities: Mapping[str, Utility]
    node_utilities: Mapping[tuple[int, str], Utility]
    overhead: Mapping[str, Fraction]
    arrivals: np.ndarray

    family = "multiserver"
    sense = "maximize"

    @property
    def horizon(self) -> int:
        """T in slots."""
        return len(self.arrivals)

    def utility(self, node: int, resource: str) -> Utility:
        """f_r^k of a node and a resource."""
        return self.node_utilities.get((node, resource), self.utilities[resource])

    @cached_property
    def graph(self) -> Graph:
        """The copies, edges, demands, capacities and utilities as arrays."""
        ports, names, port = self.ports, self.resources, self._port_of_copy
        degree = np.array([len(p.nodes) for p in ports], dtype=np.int64)
        nodes = [np.tile(np.array(p.nodes, dtype=np.int64), n) for p, n in zip(ports, self.copies, strict=True)]
        utility = [[self.utility(node.index, name) for name in names] for node in self.nodes]
        totals = [self.utilities[name] for name in names]
        return Graph(
            port=port,
            edge_copy=np.repeat(np.arange(len(port)), degree[port]),
            edge_node=np.concatenate([np.empty(0, dtype=np.int64), *nodes]),
            demand=self._doubles([p.demand for p in ports])[port],
            capacity=self._doubles([node.capacity for node in self.nodes]),
            kind=np.array([[f.code for f in row] for row in utility], dtype=np.int8).reshape(-1, len(names)),
            alpha=np.array([[float(f.alpha) for f in row] for row in utility]).reshape(-1, len(names)),
            total_kind=np.array([f.code for f in totals], dtype=np.int8),
            total_alpha=np.array([float(f.alpha) for f in totals]),
            overhead=np.array([float(self.overhead[name]) for name in names]),
        )

    def _doubles(self, rows: Sequence[Mapping[str, Fraction]]) -> np.ndarray:
        """Amounts by resource, rounded down."""
        table = [[below(row.get(name, Fraction(0))) for name in self.resources] for row in rows]
        return np.array(table).reshape(-1, len(self.resources))

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """J_l: the most jobs of each port in a slot, at least 1; each copy is a port of the basic problem."""
        return tuple(np.maximum(self.arrivals.max(axis=0), 1).tolist())

    def present(self, start: int, stop: int) -> np.ndarray:
        """(stop - start, copies) uint8: whether copy j of port l is present, j <= x_l(t)."""
        port = self._port_of_copy
        number = np.arange(len(port)) - np.searchsorted(port, port) + 1  # 1, 2, ... among the copies of a port
        return (self.arrivals[start:stop][:, port] >= number).astype(np.uint8)

    def blocks(self, size: int | None = None) -> Iterator[np.ndarray]:
        """`present` of successive slots, ``size`` at a time (as many as make 16 MiB if not given)."""
        step = size or max(1, BLOCK_BYTES // max(1, sum(self.copies)))
        for start in range(0, self.horizon, step):
            yield self.present(start, min(start + step, self.horizon))

    def counts(self, slots: int | None = None, after: int = 0) -> np.ndarray:
        """(copies,) int64: in how many of the first slots (of all if not given), less those before, each is present."""
        end = self.horizon if slots is None else slots
        total = np.zeros(sum(self.copies), dtype=np.int64)
        for start in range(after, end, SLOTS):
            total += self.present(start, min(start + SLOTS, end)).sum(axis=0, dtype=np.int64)
        return total

    def canonical(self) -> bytes:
        """The bytes that identify it: its JSON with sorted keys, the arrivals in it by the SHA-256 of their counts."""
        digest = hashlib.sha256()
        for start in range(0, self.horizon, SLOTS):
            digest.update(np.ascontiguousarray(self.arrivals[start : start + SLOTS], dtype="<i8").tobytes())
        row = replace(self, arrivals=self.arrivals[:0]).to_json()
        row["arrivals"] = {"slots": self.horizon, "sha256": digest.hexdigest()}
        return msgspec.json.Encoder(decimal_format="number", order="sorted").encode(row)

    @property
    def _port_of_copy(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.ports)), self.copies)


def notes(instance: Instance) -> tuple[str, ...]:
    """What a user should know of an instance before anything is solved, one sentence each."""
    alone = [port.name for port in instance.ports if not port.nodes]
    idle = len(instance.nodes) - len({node for port in instance.ports for node in port.nodes})
    found = []
    if alone:
        found.append(f"ports without a node, which earn nothing: {len(alone)}, as {', '.join(alone[:5])}")
    if idle:
        found.append(f"nodes that serve no port: {idle}")
    if any(port.tasks for port in instance.ports):
        found.append("ports have tasks: only multiserver.gang reads them, everything else schedules without gangs")
    return tuple(found)
