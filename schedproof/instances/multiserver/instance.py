"""The multiserver family's Instance: ports, nodes, a bipartite graph between them, and an arrival trajectory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from schedproof.core.files import sha256
from schedproof.core.policy import Hidden
from schedproof.instances.multiserver.graph import Graph, graph
from schedproof.instances.multiserver.utility import Utility

BLOCK_BYTES = 1 << 24  # of arrivals handed out at a time
SLOTS = 1 << 16  # looked at together where only counts are wanted


@dataclass(frozen=True, slots=True)
class Node:
    """A computing instance.

    Attributes
    ----------
    index
        Position in the file.
    capacity
        Resource -> c_r^k, in the resource's unit; a resource that is not named has capacity 0.
    """

    index: int
    name: str
    capacity: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Task:
    """A task component of a gang: what it may take through each channel, and what it needs in total to have started."""

    demand: Mapping[str, Fraction]
    minimum: Mapping[str, Fraction]


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


@dataclass(frozen=True, eq=False)
class Instance:
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

    @property
    def extent(self) -> tuple[int, str]:
        """How much there is to do, and of what."""
        return self.horizon, "slot"

    def utility(self, node: int, resource: str) -> Utility:
        """f_r^k of a node and a resource."""
        return self.node_utilities.get((node, resource), self.utilities[resource])

    @cached_property
    def graph(self) -> Graph:
        """The copies, edges, demands, capacities and utilities as arrays."""
        return graph(self)

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

    def counts(self, slots: int | None = None) -> np.ndarray:
        """(copies,) int64: in how many of the first slots (of all if not given) each copy is present."""
        end = self.horizon if slots is None else slots
        total = np.zeros(sum(self.copies), dtype=np.int64)
        for start in range(0, end, SLOTS):
            total += self.present(start, min(start + SLOTS, end)).sum(axis=0, dtype=np.int64)
        return total

    def notes(self) -> tuple[str, ...]:
        """What a user should know of the instance before anything is solved, one sentence each."""
        alone = [port.name for port in self.ports if not port.nodes]
        idle = len(self.nodes) - len({node for port in self.ports for node in port.nodes})
        gangs = any(port.tasks for port in self.ports)
        return tuple(
            sentence
            for sentence, told in (
                (f"ports without a node, which earn nothing: {len(alone)}, as {', '.join(alone[:5])}", alone),
                (f"nodes that serve no port: {idle}", idle),
                ("ports have tasks: only multiserver.gang reads them, everything else schedules without gangs", gangs),
            )
            if told
        )

    def system(self) -> Hidden:
        """What a policy may know beforehand: everything but the arrivals."""
        return Hidden(
            family=self.family,
            horizon=self.horizon,
            resources=self.resources,
            nodes=self.nodes,
            ports=self.ports,
            graph=self.graph,
            cluster=replace(self, arrivals=np.array([self.copies], dtype=np.int64)),  # a slot with every copy present
        )

    def drive(
        self, policy: Any, name: str, options: Mapping[str, Any], seed: int, progress: Callable[[int], None]
    ) -> Any:
        """Run a policy on this instance; returns its Schedule."""
        from schedproof.instances.multiserver.drive import drive

        return drive(policy, self, name, options, seed, progress)

    def read_schedule(self, value: Any) -> Any:
        """A Schedule of this instance from a parsed JSON object."""
        from schedproof.instances.multiserver.schedule import Schedule

        return Schedule.from_json(value, self)

    @property
    def _port_of_copy(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.ports)), self.copies)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the instance's canonical JSON, the arrivals in it by the SHA-256 of their counts."""
        from schedproof.instances.multiserver.file import canonical

        return sha256(canonical(self))
