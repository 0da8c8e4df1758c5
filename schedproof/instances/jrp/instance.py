"""The jrp family's Instance: frozen, exact, with the little arithmetic that every layer needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from schedproof.core.files import sha256
from schedproof.instances.jrp.server_test import fits

if TYPE_CHECKING:
    from schedproof.instances.jrp.edges import Edges

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Server:
    """An edge server.

    Attributes
    ----------
    index
        Position in the file.
    storage, compute, bandwidth
        r^s in GB, r^c in GFLOP/s, r^b in Gbit/s.
    """

    index: int
    name: str
    storage: Fraction
    compute: Fraction
    bandwidth: Fraction


@dataclass(frozen=True, slots=True)
class DataNode:
    """A data node: all its data goes to one of its servers.

    Attributes
    ----------
    index
        Position in its job's list.
    size
        d_i in GB.
    servers
        A_i: file positions, in the order of the file.
    """

    index: int
    name: str
    size: Fraction
    servers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """A training job; it is accepted when each of its data nodes has a server.

    Attributes
    ----------
    index
        Position in the file.
    deadline
        tau_k in s; None where there is none.
    compute_rate, bandwidth_rate
        a_k in GFLOP/s and b_k in Gbit/s, for each GB; 0 without a deadline.
    """

    index: int
    name: str
    deadline: Fraction | None
    epochs: int
    minibatch_size: Fraction
    minibatch_work: Fraction
    parameter_size: Fraction
    sync_period: int
    nodes: tuple[DataNode, ...]
    compute_rate: Fraction
    bandwidth_rate: Fraction

    def need(self, data: Fraction) -> tuple[Fraction, Fraction]:
        """What so many GB on one server take if computing, or communicating, had all the time: (a D, b D)."""
        return self.compute_rate * data, self.bandwidth_rate * data


@dataclass(frozen=True, eq=False)
class Instance:
    """A validated jrp instance.

    Attributes
    ----------
    communication_share
        epsilon of (16) and (17): the part of a job's time that its communication may take, where time is split.
    """

    communication_share: Fraction
    servers: tuple[Server, ...]
    jobs: tuple[Job, ...]

    family = "jrp"
    sense = "maximize"

    @property
    def extent(self) -> tuple[int, str]:
        """How much there is to do, and of what."""
        return len(self.jobs), "job"

    @cached_property
    def edges(self) -> Edges:
        """Every (data node, server) that may be joined, as arrays."""
        from schedproof.instances.jrp.edges import edges

        return edges(self)

    @cached_property
    def hopeless(self) -> Mapping[int, str]:
        """Job's file position -> why it can never be accepted: the first data node that no server can serve alone."""
        found = {}
        for job in self.jobs:
            for node in job.nodes:
                if not any(self._serves(self.servers[j], job, node) for j in node.servers):
                    found[job.index] = f"no server can serve its data node {node.name}"
                    break
        return found

    @staticmethod
    def _serves(server: Server, job: Job, node: DataNode) -> bool:
        return node.size <= server.storage and fits(server.compute, server.bandwidth, [job.need(node.size)])

    def notes(self) -> tuple[str, ...]:
        """What a user should know of the instance before anything is solved, one sentence each."""
        if not self.hopeless:
            return ()
        first = ", ".join(f"{self.jobs[k].name} ({why})" for k, why in list(self.hopeless.items())[:3])
        more = ", ..." if len(self.hopeless) > 3 else ""
        return (f"{len(self.hopeless)} of {len(self.jobs)} jobs can never be accepted: {first}{more}",)

    def part(self, jobs: Iterable[int], left: Iterable[tuple[Fraction, Fraction, Fraction]]) -> Instance:
        """An instance of some of the jobs, in the given order, with so much left of each server.

        Parameters
        ----------
        left
            Storage, compute and bandwidth of each server, none below 0.
        """
        from dataclasses import replace

        servers = tuple(
            replace(server, storage=storage, compute=compute, bandwidth=bandwidth)
            for server, (storage, compute, bandwidth) in zip(self.servers, left, strict=True)
        )
        chosen = tuple(replace(self.jobs[k], index=n) for n, k in enumerate(jobs))
        return Instance(self.communication_share, servers, chosen)

    def drive(
        self, policy: Any, name: str, options: Mapping[str, Any], seed: int, progress: Callable[[int], None]
    ) -> Any:
        """Run a batch policy on this instance; returns its Schedule."""
        from schedproof.instances.jrp.drive import drive

        return drive(policy, self, name, options, seed, progress)

    def read_schedule(self, value: Any) -> Any:
        """A Schedule of this instance from a parsed JSON object."""
        from schedproof.instances.jrp.schedule import Schedule

        return Schedule.from_json(value, self)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the instance's canonical JSON: the same for every spacing of the same file."""
        from schedproof.instances.jrp.file import canonical

        return sha256(canonical(self))
