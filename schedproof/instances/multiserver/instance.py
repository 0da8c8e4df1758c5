"""The multiserver family's Instance: ports, nodes, their graph and arrivals."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import msgspec
import numpy as np

from schedproof.core.base.numbers import below
from schedproof.core.base.untyped import Network
from schedproof.core.data.codecs import DISTINCT
from schedproof.core.data.reading import Amount
from schedproof.core.errors import expect
from schedproof.core.simulation.instance import Instance as AnyInstance
from schedproof.instances.multiserver.entities import Node, Port
from schedproof.instances.multiserver.file import ARRIVALS, NODE_UTILITIES, NodeUtilities
from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.utility import KINDS, Utility

BLOCK_BYTES = 1 << 24  # bytes of arrivals per block
SLOTS = 1 << 16  # slots per step where only counts are needed
MOST_COPIES = 100_000  # the sum over ports of each port's most jobs in a slot
MOST_ENTRIES = 10_000_000  # numbers in one slot's allocation: edges of all copies, times resources


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
        Resource -> f_k, and (node index, resource) -> the utility that replaces it on a node.
    overhead
        Resource -> beta_k in [0, 1].
    arrivals
        (T, L) counts x_l(t); read only, possibly a memory map.
    """

    resources: Annotated[tuple[str, ...], DISTINCT]
    nodes: tuple[Node, ...]
    ports: tuple[Port, ...]
    utilities: dict[str, Utility]
    overhead: dict[str, Amount]
    node_utilities: Annotated[NodeUtilities, NODE_UTILITIES]
    arrivals: Annotated[np.ndarray, ARRIVALS]

    family = "multiserver"
    sense = "maximize"

    def validate(self) -> None:
        """Refuse unknown resources, resources with missing data, and too many jobs."""
        for i, node in enumerate(self.nodes):
            self._require_names(node.capacity, f"nodes[{i}].capacity")
        for i, port in enumerate(self.ports):
            self._require_port(port, f"ports[{i}]")
        for path, each in (("utilities", self.utilities), ("overhead", self.overhead)):
            self._require_names(each, path)
            for name in self.resources:
                expect(name in each, f"expected an entry for the resource '{name}'", path)
        known = {f"utilities.{name}": utility for name, utility in self.utilities.items()}
        for (position, name), utility in self.node_utilities.items():
            path = f"node_utilities.{self.nodes[position].name}"
            self._require_names((name,), path)
            known[f"{path}.{name}"] = utility
        for path, utility in known.items():
            expect(utility.kind in KINDS, f"expected one of {', '.join(KINDS)}", f"{path}.kind", utility.kind)
        for name, beta in self.overhead.items():
            expect(beta <= 1, "expected a number in [0, 1]", f"overhead.{name}", float(beta))
        edges = sum(max(1, len(port.nodes)) * n for port, n in zip(self.ports, self.copies, strict=True))
        numbers, jobs = edges * len(self.resources), sum(self.copies)
        many = f"expected at most {MOST_ENTRIES} numbers in a slot's allocation, but these counts need {numbers}"
        expect(numbers <= MOST_ENTRIES, many, "arrivals")
        expect(
            jobs <= MOST_COPIES,
            f"expected at most {MOST_COPIES} jobs in a slot, but these counts allow {jobs}",
            "arrivals",
        )

    def _require_port(self, port: Port, path: str) -> None:
        self._require_names(port.demand, f"{path}.demand")
        for q, task in enumerate(port.tasks):
            minimum = f"{path}.tasks[{q}].minimum"
            self._require_names(task.demand, f"{path}.tasks[{q}].demand")
            self._require_names(task.minimum, minimum)
            expect(any(task.minimum.values()), "expected an amount > 0: a started task needs a share", minimum)
        least, tasks = port.minimum_tasks, len(port.tasks)
        expect(least <= tasks, f"expected at most {tasks}, the number of tasks", f"{path}.minimum_tasks", least)

    def _require_names(self, names: Iterable[str], path: str) -> None:
        for name in names:
            expect(name in self.resources, "expected the name of a resource", path, name)

    def to_networkx(self) -> Network:
        """Return the bipartite graph of ports and nodes; each edge is a channel.

        A node of the graph has its name in the file, or (kind, name) if a port and a node share a name.

        Returns
        -------
        networkx.Graph
            A node of ``kind`` "port" has ``demand`` (a_l^k by resource) and ``copies`` (J_l, the most jobs in a slot).
            A node of ``kind`` "node" has ``capacity`` (c_r^k by resource). An edge joins a port l and a node r of R_l.
            It has ``demand``, the channel's limit in a slot (a_l^k, the bound on y_(l,r)^k in (1)).
            Amounts are in the unit of their resource.
        """
        from schedproof.core.simulation.networks import bipartite

        ports = {p.name: {"demand": p.demand, "copies": n} for p, n in zip(self.ports, self.copies, strict=True)}
        nodes = {node.name: {"capacity": node.capacity} for node in self.nodes}
        edges = ((p.name, self.nodes[r].name, {"demand": p.demand}) for p in self.ports for r in p.nodes)
        return bipartite(("port", ports), ("node", nodes), edges)

    @property
    def horizon(self) -> int:
        """The number T of slots."""
        return len(self.arrivals)

    def utility(self, node: int, resource: str) -> Utility:
        """Return the utility f_r^k of a node and a resource."""
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
        table = [[below(row.get(name, Fraction(0))) for name in self.resources] for row in rows]
        return np.array(table).reshape(-1, len(self.resources))

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """J_l: each port's largest number of jobs in a slot, at least 1."""
        return tuple(np.maximum(self.arrivals.max(axis=0), 1).tolist())

    def present(self, start: int, stop: int) -> np.ndarray:
        """Return whether copy j of port l is present, j <= x_l(t), by slot and copy."""
        port = self._port_of_copy
        number = np.arange(len(port)) - np.searchsorted(port, port) + 1  # 1, 2, ... within the copies of a port
        return (self.arrivals[start:stop][:, port] >= number).astype(np.uint8)

    def blocks(self, size: int | None = None) -> Iterator[np.ndarray]:
        """Yield `present` for successive blocks of ``size`` slots (by default 16 MiB)."""
        step = size or max(1, BLOCK_BYTES // max(1, sum(self.copies)))
        for start in range(0, self.horizon, step):
            yield self.present(start, min(start + step, self.horizon))

    def counts(self, slots: int | None = None, after: int = 0) -> np.ndarray:
        """Return the number of slots in which each copy is present, int64.

        Counts the first ``slots`` slots (default: all) except the first ``after``.
        """
        end = self.horizon if slots is None else slots
        total = np.zeros(sum(self.copies), dtype=np.int64)
        for start in range(after, end, SLOTS):
            total += self.present(start, min(start + SLOTS, end)).sum(axis=0, dtype=np.int64)
        return total

    def canonical(self) -> bytes:
        """Return identifying bytes: sorted JSON, with the SHA-256 of the arrivals."""
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
    """Return warnings about an instance, one sentence each."""
    alone = [port.name for port in instance.ports if not port.nodes]
    idle = len(instance.nodes) - len({node for port in instance.ports for node in port.nodes})
    result = []
    if alone:
        result.append(f"{len(alone)} ports have no node and thus no reward: {', '.join(alone[:5])}")
    if idle:
        result.append(f"nodes that serve no port: {idle}")
    if any(port.tasks for port in instance.ports):
        result.append("ports have tasks: only the program multiserver.gang uses tasks")
    return tuple(result)
