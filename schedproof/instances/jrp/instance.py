"""The jrp family's Instance: frozen and exact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from msgspec.structs import replace

from schedproof.core.base.untyped import Network
from schedproof.core.data.reading import PositiveAmount
from schedproof.core.data.records import some
from schedproof.core.errors import expect
from schedproof.core.simulation.instance import Instance as AnyInstance
from schedproof.instances.jrp.edges import Edges
from schedproof.instances.jrp.entities import DataNode, Job, Server
from schedproof.instances.jrp.hexagons import centres
from schedproof.instances.jrp.server_feasibility import fits

MAP = "number: data nodes that may use the server\nline: data nodes that may use both servers"


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
    """A validated jrp instance.

    Attributes
    ----------
    communication_share
        epsilon of (16) and (17): under the rule ``split``, the fraction of each job's time for communication.
    servers, jobs
        In file order.
    """

    communication_share: PositiveAmount
    servers: Annotated[tuple[Server, ...], some(Server)]
    jobs: tuple[Job, ...]

    family = "jrp"
    sense = "maximize"

    def validate(self) -> None:
        """Refuse a communication share outside (0, 1)."""
        share, between = self.communication_share, "expected a number strictly between 0 and 1"
        expect(share < 1, between, "communication_share", float(share))

    def to_networkx(self) -> Network:
        """Return the bipartite graph of data nodes and servers, with cells of a map.

        A server has its name in the file, a data node the pair (job, data node).

        Returns
        -------
        networkx.Graph
            A node of ``kind`` "server" has ``capacity`` (r^s of (7), GB; r^c of (8), GFLOP/s; r^b of (9), Gbit/s) and
            ``centre``, the centre of the hexagonal cell where the generator puts the server, in widths of a cell. A
            node of ``kind`` "data node" has ``job`` and ``demand``: d_i (GB), and a_k d_i (GFLOP/s) and b_k d_i
            (Gbit/s), as in (10). An edge joins a data node and a server of A_i, (5).
        """
        from schedproof.core.simulation.networks import NO_NUMBERS, bipartite

        names, middles = ("storage", "compute", "bandwidth"), centres(len(self.servers))
        servers = {
            s.name: {"capacity": {name: getattr(s, name) for name in names}, "centre": middle}
            for s, middle in zip(self.servers, middles, strict=True)
        }
        nodes = {(job.name, node.name): (job, node) for job in self.jobs for node in job.nodes}
        data = {
            name: {"job": job.name, "demand": dict(zip(names, (node.size, *job.need(node.size)), strict=True))}
            for name, (job, node) in nodes.items()
        }
        edges = ((name, self.servers[j].name, NO_NUMBERS) for name, (_, node) in nodes.items() for j in node.servers)
        return bipartite(("data node", data), ("server", servers), edges, words=MAP)

    @cached_property
    def edges(self) -> Edges:
        """All admissible (data node, server) edges, as arrays."""
        return Edges.of(self.servers, self.jobs)

    @cached_property
    def unservable_jobs(self) -> Mapping[int, str]:
        """The reasons why jobs can never be accepted, by the job's file position."""
        result = {}
        for job in self.jobs:
            for node in job.nodes:
                if not any(serves_alone(self.servers[j], job, node) for j in node.servers):
                    result[job.index] = f"no server alone can serve its data node {node.name}"
                    break
        return result

    def part(self, jobs: Iterable[int], left: Iterable[tuple[Fraction, Fraction, Fraction]]) -> Instance:
        """Return an instance of the given jobs with the remaining resources."""
        servers = tuple(
            replace(server, storage=storage, compute=compute, bandwidth=bandwidth)
            for server, (storage, compute, bandwidth) in zip(self.servers, left, strict=True)
        )
        chosen = tuple(replace(self.jobs[k], index=n) for n, k in enumerate(jobs))
        return Instance(self.communication_share, servers, chosen)


def serves_alone(server: Server, job: Job, node: DataNode) -> bool:
    """Return whether a server without other load can serve a data node, (7)-(10)."""
    return node.size <= server.storage and fits(server.compute, server.bandwidth, [job.need(node.size)])


def notes(instance: Instance) -> tuple[str, ...]:
    """Return a warning about jobs that can never be accepted."""
    unservable = instance.unservable_jobs
    if not unservable:
        return ()
    first = ", ".join(f"{instance.jobs[k].name} ({why})" for k, why in list(unservable.items())[:3])
    more = ", ..." if len(unservable) > 3 else ""
    return (f"{len(unservable)} of {len(instance.jobs)} jobs can never be accepted: {first}{more}",)
