"""A preemptive instance with other machines, load, speed, restarts or slots."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.instances.preemptive.entities import ANY
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.slots import refined
from schedproof.workloads.draws import Row
from schedproof.workloads.preemptive import draws

TIMES = ("minibatch_time", "update_time")


def change(value: Row, machines: int | None, load: Fraction, speed: Fraction, restart: int | None, parts: int) -> Row:
    """Return the JSON object of an instance with changed settings.

    Parameters
    ----------
    machines
        Number of edge servers; None for no change. The file's servers are repeated or omitted in equal proportions.
    load
        Divides arrivals, which are rounded down.
    speed
        Divides minibatch and update times, which are rounded up to 10^-12 slots.
    restart
        Slots without progress before an interrupted chunk resumes; None for no change.
    parts
        Divides each slot.
    """
    if machines is not None:
        if value.get("breaks"):
            raise InputError(f"machines={machines}: not supported for an instance with breaks of servers")
        value = _with_machines(value, machines)
    jobs = value["jobs"] if load == 1 else [job | {"arrival": int(job["arrival"] / load)} for job in value["jobs"]]
    if speed != 1:
        over, under = map(Decimal, speed.as_integer_ratio())
        jobs = [job | {time: draws.in_slots(job[time] * under, over, draws.UP) for time in TIMES} for job in jobs]
    if machines is not None or load != 1 or speed != 1:
        enough = draws.horizon(jobs, [draws.chunk_slots(job) for job in jobs])
        value = value | {"jobs": jobs, "horizon": max(value["horizon"], enough)}
    if restart is not None:
        value = Instance.from_json(value).with_restart(restart).to_json()
    return value if parts == 1 else refined(value, parts)


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
