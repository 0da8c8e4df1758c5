"""Small preemptive instances, random or by hand, and schedules of policy objects."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.preemptive import Instance, Schedule, from_json
from schedproof.instances.preemptive.drive import drive


def tiny_preemptive(
    seed: int,
    *,
    cloud: bool | None = None,
    storage: bool | None = None,
    tight: bool = False,
    ps_types: bool | None = None,
    scarce: bool = False,
    jobs: int = 6,
    servers: int = 3,
    restart: int = 0,
) -> dict[str, Any]:
    """A preemptive instance as a JSON object; None draws a value.

    Every job has an edge server that can train it, and the horizon is long enough to run the jobs one by one.

    Parameters
    ----------
    storage
        Whether storage is limited; unless ``tight``, every job finds a place on arrival.
    scarce
        Whether there may be fewer parameter servers than jobs that could run.
    """
    rng = random.Random(seed)
    cloud, storage, ps_types = (rng.random() < 0.5 if x is None else x for x in (cloud, storage, ps_types))
    kinds = ["gpu", "cpu"]
    space = (lambda r: Decimal(r.randrange(60, 200)) / 2) if tight else (lambda _: Decimal("400.5"))
    enough = rng.randrange(1, 3) if scarce else jobs
    edges: list[dict[str, Any]] = []
    for s in range(servers):
        counts = {"a": enough, "b": rng.randrange(enough + 1)} if ps_types else enough
        edge = {"name": f"edge-{s}", "workers": {k: rng.randrange(0 if k == "cpu" else 1, 4) for k in kinds}}
        edges.append(edge | {"parameter_servers": counts} | ({"storage": space(rng)} if storage else {}))
    rows: list[dict[str, Any]] = []
    arrival = 0
    for j in range(jobs):
        arrival += rng.choice([0, 0, 1, 2, 5])
        named = rng.sample(range(servers), rng.randrange(1, servers + 1))
        delay = {f"edge-{s}": rng.randrange(4) for s in named}
        if rng.random() < 0.3:
            delay["*"] = rng.randrange(4)
        if cloud and rng.random() < 0.8:
            delay["cloud"] = rng.randrange(3, 9)
        row = {
            "name": f"job-{j}",
            "arrival": arrival,
            "chunks": rng.randrange(1, 6),
            "epochs": rng.randrange(1, 4),
            "minibatches": rng.randrange(1, 4),
            "worker_types": rng.choice([["gpu"], ["gpu", "cpu"], ["cpu", "gpu"]]),
            "minibatch_time": Decimal(rng.randrange(1, 12)) / 10,
            "update_time": Decimal(rng.randrange(3)) / 100,
            "gradient_size": Decimal(rng.randrange(0, 40)),
            "bandwidth": Decimal(rng.choice([50, 80, 200])),
            "upload_delay": delay,
        }
        row |= {"chunk_size": Decimal(rng.randrange(1, 50)) / 4} if storage else {}
        rows.append(row | ({"ps_types": rng.choice([["a"], ["a", "b"]])} if ps_types else {}))
    work = sum(r["chunks"] * (2 + r["epochs"] * r["minibatches"] * 3) for r in rows)
    servers_rows = [*edges, {"name": "cloud", "cloud": True}] if cloud else edges
    head = {"version": 1, "family": "preemptive", "horizon": arrival + 30 + (1 + restart) * work}
    return head | {"servers": servers_rows, "jobs": rows} | ({"restart": restart} if restart else {})


def tiny_instance(seed: int, **settings: Any) -> Instance:
    return from_json(tiny_preemptive(seed, **settings))


def job(name: str, **changes: Any) -> dict[str, Any]:
    """A job of one chunk that takes two slots on server e."""
    row = {"name": name, "arrival": 0, "chunks": 1, "epochs": 1, "minibatches": 1, "worker_types": ["gpu"]}
    row |= {"minibatch_time": 2, "update_time": 0, "gradient_size": 0, "bandwidth": 1, "upload_delay": {"e": 0}}
    return row | changes


def instance_of(*jobs: dict[str, Any], workers: int = 1, ps: Any = 9, horizon: int = 40, restart: int = 0) -> Instance:
    servers = [{"name": "e", "workers": {"gpu": workers}, "parameter_servers": ps}, {"name": "sky", "cloud": True}]
    head = {"version": 1, "family": "preemptive", "horizon": horizon, "restart": restart}
    return from_json(head | {"servers": servers, "jobs": list(jobs)})


def driven(policy: Any, instance: Instance) -> Schedule:
    """The schedule of a policy object."""
    return drive(policy, instance, DecidedBy("preemptive.policy", {}, 0), USUAL)
