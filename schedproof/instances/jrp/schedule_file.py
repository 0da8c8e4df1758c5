"""The jrp family's schedule file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.numbers import LARGEST, as_text, exact, from_text
from schedproof.core.policy import DecidedBy
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Assignment, Grant, Placement, Schedule
from schedproof.instances.schedule_file import Header, header, named

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
    trace: Sequence[dict[str, Any]] = ()


def from_json(value: Any, instance: Instance) -> Schedule:
    """A schedule from a parsed JSON object, its names resolved on the instance."""
    file = ScheduleFile.read(value, instance)
    job = {j.name: j.index for j in instance.jobs}
    server = {s.name: s.index for s in instance.servers}
    node = {(j.index, n.name): n.index for j in instance.jobs for n in j.nodes}
    placements, grants = [], []
    for n, row in enumerate(file.nodes):
        path = f"nodes[{n}]"
        k, j = named(job, row.job, "job", f"{path}.job"), named(server, row.server, "server", f"{path}.server")
        if (k, row.node) not in node:
            raise InputError(f"expected a data node of {row.job}", path=f"{path}.node", value=row.node)
        placements.append(Placement(k, node[k, row.node], j))
    for n, got in enumerate(file.resources):
        path = f"resources[{n}]"
        k, j = named(job, got.job, "job", f"{path}.job"), named(server, got.server, "server", f"{path}.server")
        compute = _amount(got.compute, f"{path}.compute")
        grants.append(Grant(k, j, compute, _amount(got.bandwidth, f"{path}.bandwidth")))
    decided_by = DecidedBy(file.policy, file.options, file.seed)
    return Schedule.of(Assignment(placements, grants, file.trace), instance, decided_by)


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object; what is no short decimal is written as ``num/den``."""
    jobs, servers = instance.jobs, instance.servers
    row: dict[str, Any] = {
        **header(schedule),
        "nodes": [NodeRow(jobs[k].name, jobs[k].nodes[i].name, servers[j].name) for k, i, j in schedule.placements],
        "resources": [
            ResourceRow(jobs[g.job].name, servers[g.server].name, _number(g.compute), _number(g.bandwidth))
            for g in schedule.grants
        ],
    }
    return row | ({"trace": list(schedule.trace)} if schedule.trace else {})


def _number(value: Fraction) -> Decimal | str:
    """A decimal where a short one that the format reads says it exactly."""
    decimal = SHORT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return decimal if Fraction(decimal) == value and -18 <= decimal.adjusted() < 17 else as_text(value)


def _amount(value: Any, path: str) -> Fraction:
    try:
        if isinstance(value, str) and not RATIO.fullmatch(value):
            raise ValueError("expected a number, or num/den")
        number = from_text(value) if isinstance(value, str) else exact(value)
        if abs(number) > LARGEST:
            raise ValueError("expected a magnitude of at most 1e18")
        return number
    except ZeroDivisionError:
        raise InputError("expected a denominator above 0", path=path, value=value) from None
    except ValueError as error:
        raise InputError(str(error).split(";")[0], path=path, value=value) from None
