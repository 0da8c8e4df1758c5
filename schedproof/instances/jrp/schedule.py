"""A jrp schedule: which server each data node of an accepted job goes to, and what each job gets of the servers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.numbers import as_text, exact, from_text
from schedproof.core.reading import convert
from schedproof.core.run import Violation
from schedproof.instances.jrp.instance import NOTHING, Instance
from schedproof.instances.schedule_file import Header, header

SHORT = Context(prec=17)  # digits of a decimal in a file; what needs more is written as num/den
RATIO = re.compile(r"-?[0-9]+/[0-9]+")


class NodeRow(msgspec.Struct, forbid_unknown_fields=True):
    job: str
    node: str
    server: str


class ResourceRow(msgspec.Struct, forbid_unknown_fields=True):
    job: str
    server: str
    compute: Any
    bandwidth: Any


class ScheduleFile(Header):
    nodes: list[NodeRow]
    resources: list[ResourceRow]
    trace: list[dict[str, Any]] = msgspec.field(default_factory=list)


class Placement(NamedTuple):
    """A data node on a server; job and server are file positions, the node its position in its job's list."""

    job: int
    node: int
    server: int


class Grant(NamedTuple):
    """What a job gets of a server: r_{j,k}^c in GFLOP/s and r_{j,k}^b in Gbit/s."""

    job: int
    server: int
    compute: Fraction
    bandwidth: Fraction


@dataclass(frozen=True)
class Assignment:
    """What a batch policy answers: placements and grants, and its trace, one row for each iteration it made."""

    placements: Sequence[Placement]
    grants: Sequence[Grant]
    trace: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Schedule:
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    placements, grants
        In the order of their positions.
    trace
        What the policy tells of its iterations.
    """

    placements: tuple[Placement, ...]
    grants: tuple[Grant, ...]
    instance_sha256: str
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    trace: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, assignment: Assignment, instance: Instance, decided_by: str, **more: Any) -> Schedule:
        """A schedule of an assignment."""
        placements, grants = tuple(sorted(assignment.placements)), tuple(sorted(assignment.grants))
        return cls(placements, grants, instance.sha256, decided_by, trace=tuple(assignment.trace), **more)

    def accepted(self, instance: Instance) -> list[int]:
        """File positions of the jobs whose data nodes all have a server; one without data nodes is among them."""
        placed: dict[int, set[int]] = {}
        for row in self.placements:
            placed.setdefault(row.job, set()).add(row.node)
        return [job.index for job in instance.jobs if len(placed.get(job.index, ())) == len(job.nodes)]

    def objective(self, instance: Instance) -> Fraction:
        """The throughput, (5): the number of accepted jobs."""
        return Fraction(len(self.accepted(instance)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the trace tells of the run, a sentence for each batch."""
        told, rows = [], []
        for row in self.trace:
            rows.append(row)
            if "ended" in row:
                solved = sum(bool(r.get("solved")) for r in rows)
                words = [f"iterations: {len(rows)}", f"linear programs solved: {solved}"]
                if overfilled := sum(r.get("overfilled", 0) for r in rows):
                    words.append(f"resources of servers overfilled: {overfilled}")
                batch = f"batch {row['batch']}: " if "batch" in row else ""
                told.append(f"{batch}{', '.join(words)}; {row['ended']}")
                rows = []
        return tuple(told)

    def stored(self, instance: Instance) -> list[Fraction]:
        """GB on each server."""
        held = [NOTHING] * len(instance.servers)
        for row in self.placements:
            held[row.server] += instance.jobs[row.job].nodes[row.node].size
        return held

    def utilisation(self, instance: Instance) -> Fraction:
        """The storage utilisation of section V-A: the mean over servers of stored / storage (0 of no storage)."""
        pairs = zip(self.stored(instance), instance.servers, strict=True)
        shares = [held / server.storage if server.storage else NOTHING for held, server in pairs]
        return sum(shares, NOTHING) / len(shares)

    def violations(self, instance: Instance) -> list[Violation]:
        """Every broken constraint, in exact arithmetic; empty for a feasible schedule."""
        from schedproof.instances.jrp.checker import violations

        return violations(self, instance)

    def to_frame(self, instance: Instance) -> Any:
        """One row per job: data nodes, data (GB), accepted, servers it uses, compute (GFLOP/s), bandwidth (Gbit/s)."""
        import pandas as pd

        accepted = set(self.accepted(instance))
        servers: dict[int, set[int]] = {}
        for row in self.placements:
            servers.setdefault(row.job, set()).add(row.server)
        got = {job.index: [NOTHING, NOTHING] for job in instance.jobs}
        for grant in self.grants:
            got[grant.job][0] += grant.compute
            got[grant.job][1] += grant.bandwidth
        return pd.DataFrame(
            {
                "job": [job.name for job in instance.jobs],
                "data_nodes": [len(job.nodes) for job in instance.jobs],
                "data": [float(sum((node.size for node in job.nodes), NOTHING)) for job in instance.jobs],
                "accepted": [job.index in accepted for job in instance.jobs],
                "servers": [len(servers.get(job.index, ())) for job in instance.jobs],
                "compute": [float(got[job.index][0]) for job in instance.jobs],
                "bandwidth": [float(got[job.index][1]) for job in instance.jobs],
            }
        )

    def plot(self, instance: Instance, ax: Any = None) -> Any:
        """The servers as a map of hexagons, each filled as far as its storage is."""
        from schedproof.instances.jrp.picture import draw_map

        return draw_map(self, instance, ax)

    def to_json(self, instance: Instance) -> dict[str, Any]:
        """The schedule file's JSON object; what is no short decimal is written as ``num/den``."""
        jobs, servers = instance.jobs, instance.servers
        row: dict[str, Any] = {
            **header(self, "jrp"),
            "nodes": [NodeRow(jobs[k].name, jobs[k].nodes[i].name, servers[j].name) for k, i, j in self.placements],
            "resources": [
                ResourceRow(jobs[g.job].name, servers[g.server].name, _number(g.compute), _number(g.bandwidth))
                for g in self.grants
            ],
        }
        return row | ({"trace": list(self.trace)} if self.trace else {})

    @classmethod
    def from_json(cls, value: Any, instance: Instance) -> Schedule:
        """A schedule from a parsed JSON object, its names resolved on the instance.

        Raises
        ------
        InputError
            For a name that the instance does not have, or another instance's schedule.
        """
        file = convert(value, ScheduleFile)
        file.require(instance)
        job = {j.name: j.index for j in instance.jobs}
        server = {s.name: s.index for s in instance.servers}
        node = {(j.index, n.name): n.index for j in instance.jobs for n in j.nodes}
        placements, grants = [], []
        for n, row in enumerate(file.nodes):
            k, j = _place(job, row.job, "job", f"nodes[{n}]"), _place(server, row.server, "server", f"nodes[{n}]")
            if (k, row.node) not in node:
                raise InputError(f"expected a data node of {row.job}", path=f"nodes[{n}].node", value=row.node)
            placements.append(Placement(k, node[k, row.node], j))
        for n, got in enumerate(file.resources):
            path = f"resources[{n}]"
            k, j = _place(job, got.job, "job", path), _place(server, got.server, "server", path)
            amounts = (_amount(getattr(got, what), f"{path}.{what}") for what in ("compute", "bandwidth"))
            grants.append(Grant(k, j, *amounts))
        assignment = Assignment(placements, grants, file.trace)
        return cls.of(assignment, instance, file.policy, options=file.options, seed=file.seed)


def _place(known: Mapping[str, int], name: str, what: str, path: str) -> int:
    if name not in known:
        raise InputError(f"expected the name of a {what}", path=f"{path}.{what}", value=name)
    return known[name]


def _number(value: Fraction) -> Decimal | str:
    """A decimal where a short one that the format reads says it exactly."""
    decimal = SHORT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return decimal if Fraction(decimal) == value and -18 <= decimal.adjusted() < 17 else as_text(value)


def _amount(value: Any, path: str) -> Fraction:
    try:
        if isinstance(value, str) and not RATIO.fullmatch(value):
            raise ValueError("expected a number, or num/den")
        return from_text(value) if isinstance(value, str) else exact(value)
    except ZeroDivisionError:
        raise InputError("expected a denominator above 0", path=path, value=value) from None
    except ValueError as error:
        raise InputError(str(error).split(";")[0], path=path, value=value) from None
