"""A jrp schedule: which server each data node of an accepted job goes to, and what each job gets of the servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from schedproof.core.data.codecs import ref
from schedproof.core.simulation.instance import Schedule as AnySchedule
from schedproof.core.simulation.occupied import Occupied, totals
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.jrp.entities import NOTHING
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule_file import NODE, RATE


class Placement(NamedTuple):
    """A data node on a server; job and server are file positions, the node its position in its job's list."""

    job: Annotated[int, ref("jobs")]
    node: Annotated[int, NODE]
    server: Annotated[int, ref("servers")]


class Grant(NamedTuple):
    """What a job gets of a server: r_{j,k}^c in GFLOP/s and r_{j,k}^b in Gbit/s."""

    job: Annotated[int, ref("jobs")]
    server: Annotated[int, ref("servers")]
    compute: Annotated[Fraction, RATE]
    bandwidth: Annotated[Fraction, RATE]


@dataclass(frozen=True)
class Assignment:
    """What a batch policy decides: placements and grants, and a trace with one row for each of its iterations."""

    placements: Sequence[Placement]
    grants: Sequence[Grant]
    trace: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    placements, grants
        In the order of their positions.
    trace
        The policy's account of its iterations, one row each.
    """

    placements: tuple[Placement, ...] = field(metadata={"key": "nodes"})
    grants: tuple[Grant, ...] = field(metadata={"key": "resources"})
    trace: tuple[dict[str, Any], ...] = ()

    family = "jrp"

    @classmethod
    def of(cls, assignment: Assignment, instance: Instance, by: DecidedBy) -> Schedule:
        """A schedule of an assignment."""
        trace = tuple(map(dict, assignment.trace))
        return cls.by(by, instance, tuple(assignment.placements), tuple(assignment.grants), trace)

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", tuple(sorted(self.placements)))
        object.__setattr__(self, "grants", tuple(sorted(self.grants)))

    def accepted_jobs(self, instance: Instance) -> list[int]:
        """File positions of the jobs whose data nodes all have a server; one without data nodes is among them."""
        placed: dict[int, set[int]] = {}
        for row in self.placements:
            placed.setdefault(row.job, set()).add(row.node)
        return [job.index for job in instance.jobs if len(placed.get(job.index, ())) == len(job.nodes)]

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """The throughput, (5): the number of accepted jobs."""
        return Fraction(len(self.accepted_jobs(instance)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The iterations of each batch, in a sentence, from the trace."""
        sentences, rows = [], []
        for row in self.trace:
            rows.append(row)
            if "ended" in row:
                solved = sum(bool(r.get("solved")) for r in rows)
                words = [f"iterations: {len(rows)}", f"linear programs solved: {solved}"]
                if overfilled := sum(r.get("overfilled", 0) for r in rows):
                    words.append(f"resources of servers overfilled: {overfilled}")
                batch = f"batch {row['batch']}: " if "batch" in row else ""
                sentences.append(f"{batch}{', '.join(words)}; {row['ended']}")
                rows = []
        return tuple(sentences)

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """The storage of each data node, and what is granted of compute and bandwidth."""
        for k, i, j in self.placements:
            yield Occupied(k, j, "storage", 0, 1, instance.jobs[k].nodes[i].size)
        for k, j, compute, bandwidth in self.grants:
            yield Occupied(k, j, "compute", 0, 1, compute)
            yield Occupied(k, j, "bandwidth", 0, 1, bandwidth)

    def storage_use(self, instance: Instance) -> list[Fraction]:
        """GB on each server."""
        held = totals(self.occupied(instance), "place", "resource")
        return [Fraction(held[server.index, "storage"]) for server in instance.servers]

    def utilisation(self, instance: Instance) -> Fraction:
        """The storage utilisation of section V-A: the mean over servers of stored / storage (0 of no storage)."""
        pairs = zip(self.storage_use(instance), instance.servers, strict=True)
        shares = [held / server.storage if server.storage else NOTHING for held, server in pairs]
        return sum(shares, NOTHING) / len(shares)

    def frame_of(self, instance: Instance) -> Any:
        """One row per job: data nodes, data (GB), accepted, servers it uses, compute (GFLOP/s), bandwidth (Gbit/s)."""
        import pandas as pd

        accepted = set(self.accepted_jobs(instance))
        servers: dict[int, set[int]] = {}
        for row in self.placements:
            servers.setdefault(row.job, set()).add(row.server)
        got = totals(self.occupied(instance), "job", "resource")
        return pd.DataFrame(
            {
                "job": [job.name for job in instance.jobs],
                "data_nodes": [len(job.nodes) for job in instance.jobs],
                "data": [float(sum((node.size for node in job.nodes), NOTHING)) for job in instance.jobs],
                "accepted": [job.index in accepted for job in instance.jobs],
                "servers": [len(servers.get(job.index, ())) for job in instance.jobs],
                "compute": [float(got[job.index, "compute"]) for job in instance.jobs],
                "bandwidth": [float(got[job.index, "bandwidth"]) for job in instance.jobs],
            }
        )
