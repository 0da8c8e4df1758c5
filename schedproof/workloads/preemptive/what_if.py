"""A preemptive instance with another number of machines, load or speed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.instances.preemptive.entities import ANY
from schedproof.workloads.draws import Row
from schedproof.workloads.preemptive import draws

TIMES = ("minibatch_time", "update_time")


def change(value: Row, machines: int | None, load: Fraction, speed: Fraction) -> Row:
    """Return the JSON object of an instance with changed settings.

    Parameters
    ----------
    machines
        Number of edge servers; None for no change. They are the file's in equal proportions: repeated, or left out.
    load
        Divides arrivals, which are rounded down.
    speed
        Divides minibatch and update times, which are rounded up to 10^-12 slots.
    """
    if machines is not None:
        if value.get("breaks"):
            raise InputError(f"machines={machines}: not supported for an instance with breaks of servers")
        value = _with_machines(value, machines)
    jobs = [job | {"arrival": int(job["arrival"] / load)} for job in value["jobs"]]
    if speed != 1:
        over, under = map(Decimal, speed.as_integer_ratio())
        jobs = [job | {time: draws.in_slots(job[time] * under, over, draws.UP) for time in TIMES} for job in jobs]
    enough = draws.horizon(jobs, [draws.chunk_slots(job) for job in jobs])
    return value | {"jobs": jobs, "horizon": max(value["horizon"], enough)}


def _with_machines(value: Row, machines: int) -> Row:
    """Return the instance with another number of edge servers.

    A copy of a server has the upload delays of its original.
    """
    edges = [server for server in value["servers"] if not server.get("cloud")]
    clouds = [server for server in value["servers"] if server.get("cloud")]
    if not edges:
        raise InputError("machines: the instance has no edge server")
    copies: dict[str, list[str]] = {cloud["name"]: [cloud["name"]] for cloud in clouds} | {ANY: [ANY]}
    taken = {server["name"] for server in value["servers"]}
    servers: list[Json] = []
    for n in range(machines):
        server = edges[n * len(edges) // machines]
        names = copies.setdefault(server["name"], [])
        name = server["name"] if not names else f"{server['name']}#{len(names) + 1}"
        while names and name in taken:
            name += "#"
        taken.add(name)
        names.append(name)
        servers.append(server | {"name": name})
    jobs = [
        job | {"upload_delay": {name: d for key, d in job["upload_delay"].items() for name in copies.get(key, ())}}
        for job in value["jobs"]
    ]
    if lost := next((job["name"] for job in jobs if not job["upload_delay"]), ""):
        raise InputError(f"machines={machines}: no server that can serve {lost} is left")
    return value | {"servers": servers + clouds, "jobs": jobs}
