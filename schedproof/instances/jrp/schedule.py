"""A jrp schedule: the server of each data node, and the grants of accepted jobs."""

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
    """A data node (by position in its job) on a server (by position in the file)."""

    job: Annotated[int, ref("jobs")]
    node: Annotated[int, NODE]
    server: Annotated[int, ref("servers")]


class Grant(NamedTuple):
    """A job's share of a server: r_{j,k}^c in GFLOP/s and r_{j,k}^b in Gbit/s."""

    job: Annotated[int, ref("jobs")]
    server: Annotated[int, ref("servers")]
    compute: Annotated[Fraction, RATE]
    bandwidth: Annotated[Fraction, RATE]


@dataclass(frozen=True)
class Assignment:
    """A batch policy's decision: placements, grants, and rows of its iterations."""

    placements: Sequence[Placement]
    grants: Sequence[Grant]
    trace: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """The decisions of a policy or program on one instance.

    Attributes
    ----------
    placements, grants
        Rows sorted by position in the file.
    trace
        One row per iteration of the policy.
    """

    placements: tuple[Placement, ...] = field(metadata={"key": "nodes"})
    grants: tuple[Grant, ...] = field(metadata={"key": "resources"})
    trace: tuple[dict[str, Any], ...] = ()

    family = "jrp"

    @classmethod
    def of(cls, assignment: Assignment, instance: Instance, by: DecidedBy) -> Schedule:
        trace = tuple(map(dict, assignment.trace))
        return cls.by(by, instance, tuple(assignment.placements), tuple(assignment.grants), trace)

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", tuple(sorted(self.placements)))
        object.__setattr__(self, "grants", tuple(sorted(self.grants)))

    def accepted_jobs(self, instance: Instance) -> list[int]:
        """Return the file positions of jobs whose data nodes all have a server."""
        placed: dict[int, set[int]] = {}
        for row in self.placements:
            placed.setdefault(row.job, set()).add(row.node)
        return [job.index for job in instance.jobs if len(placed.get(job.index, ())) == len(job.nodes)]

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """Return the throughput (5): the number of accepted jobs."""
        return Fraction(len(self.accepted_jobs(instance)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return a sentence on the iterations of each batch."""
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
        """Yield each data node's storage and the jobs' compute and bandwidth."""
        for k, i, j in self.placements:
            yield Occupied(k, j, "storage", 0, 1, instance.jobs[k].nodes[i].size)
        for k, j, compute, bandwidth in self.grants:
            yield Occupied(k, j, "compute", 0, 1, compute)
            yield Occupied(k, j, "bandwidth", 0, 1, bandwidth)

    def storage_use(self, instance: Instance) -> list[Fraction]:
        """Return the GB on each server."""
        held = totals(self.occupied(instance), "place", "resource")
        return [Fraction(held[server.index, "storage"]) for server in instance.servers]

    def utilisation(self, instance: Instance) -> Fraction:
        """Return the mean of stored / storage over servers (section V-A)."""
        pairs = zip(self.storage_use(instance), instance.servers, strict=True)
        shares = [held / server.storage if server.storage else NOTHING for held, server in pairs]
        return sum(shares, NOTHING) / len(shares)

    def frame_of(self, instance: Instance) -> Any:
        """Return one row per job: data (GB), servers, compute and bandwidth.

        The units are GFLOP/s and Gbit/s.
        """
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
