"""Small seeded instances and the sizes of each profile, shared by the tests."""

from __future__ import annotations

import inspect
import os
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from schedproof.instances import dmlrs, jrp, multiserver
from schedproof.instances.preemptive import Instance, from_json

PROFILE = os.environ.get("SCHEDPROOF_PROFILE", "ci")


def size(dev: int, ci: int, deep: int) -> int:
    """How many cases the chosen profile runs."""
    return {"dev": dev, "ci": ci, "deep": deep}[PROFILE]


def required(factory: Callable[..., Any]) -> dict[str, str]:
    """A value for every option that a registered factory cannot do without."""
    every = inspect.signature(factory).parameters.values()
    return {p.name: "1" for p in every if p.kind is p.KEYWORD_ONLY and p.default is p.empty}


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
) -> dict[str, Any]:
    """A preemptive instance as a JSON object; what is None is drawn.

    Every job has an edge server that can train it, and the horizon is long enough for running the jobs one by one.

    Parameters
    ----------
    storage
        Whether the servers' storage is limited; unless ``tight``, never so much that a job finds no place on arrival.
    scarce
        Whether there may be fewer parameter servers than jobs that could run; without a cloud a job may then have to
        run without one under A_ps. Otherwise every job can have one at any time.
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
    return {
        "version": 1,
        "family": "preemptive",
        "horizon": arrival + 30 + work,
        "servers": servers_rows,
        "jobs": rows,
    }


def tiny_instance(seed: int, **wishes: Any) -> Instance:
    """`tiny_preemptive` as an Instance."""
    return from_json(tiny_preemptive(seed, **wishes))


def tiny_dmlrs(
    seed: int,
    *,
    jobs: int = 3,
    machines: int = 2,
    horizon: int = 4,
    most_workers: int = 4,
    exact_utilities: bool = True,
    reserved: bool | None = None,
) -> dict[str, Any]:
    """A dmlrs instance as a JSON object, small enough to try everything; what is None is drawn.

    Parameters
    ----------
    most_workers
        The largest batch size.
    exact_utilities
        Whether every utility is rational; otherwise sigmoids may be among them.
    reserved
        Whether a part of the capacity is in use already.
    """
    rng = random.Random(seed)
    names = ["gpu", "memory"][: rng.choice([1, 2, 2])]
    reserved = rng.random() < 0.2 if reserved is None else reserved
    rows = [_tiny_job(rng, n, names, horizon, most_workers, exact_utilities) for n in range(jobs)]
    boxes = [
        {"name": f"m{h}", "capacity": {r: rng.choice([0, 2, 3, 4, 5]) if h else rng.randrange(2, 6) for r in names}}
        for h in range(machines)
    ]
    value: dict[str, Any] = {
        "version": 1,
        "family": "dmlrs",
        "horizon": horizon,
        "resources": names,
        "machines": boxes,
        "jobs": rows,
    }
    if reserved:
        taken = [
            [{r: rng.randrange(c + 1) // 2 for r, c in m["capacity"].items()} for m in boxes] for _ in range(horizon)
        ]
        value["reserved"] = taken
    return value


def _tiny_job(
    rng: random.Random, n: int, names: list[str], horizon: int, most_workers: int, exact_utilities: bool
) -> dict[str, Any]:
    top = rng.randrange(1, 20)
    utilities: list[dict[str, Any]] = [
        {"kind": "constant", "value": top},
        {"kind": "linear", "value": top, "slope": Decimal(rng.randrange(8)) / 2},
        {"kind": "table", "values": sorted((rng.randrange(20) for _ in range(horizon)), reverse=True)},
    ]
    if not exact_utilities:
        utilities.append({"kind": "sigmoid", "theta1": top, "theta2": Decimal(rng.randrange(9)) / 2, "theta3": 2})
    internal = rng.choice([2, 4, 8])
    return {
        "name": f"job-{n}",
        "arrival": rng.randrange(horizon) if n else 0,
        "epochs": rng.randrange(1, 4),
        "samples": rng.randrange(1, 3),
        "batch_size": rng.randrange(1, most_workers + 1),
        "workers_per_ps": rng.choice([1, 2, 3, Decimal("1.5"), Decimal("0.5")]),
        "sample_time": Decimal(rng.choice([2, 4, 5, 8, 10])) / 10,
        "model_size": rng.choice([0, 1, 1, 2]),
        "bandwidth_internal": internal,
        "bandwidth_external": rng.choice([internal, 1, 2]) if internal > 2 else rng.choice([1, 2]),
        "worker": {r: rng.choice([0, 1, 1, 2]) if r != names[0] else rng.choice([1, 1, 2]) for r in names},
        "ps": {r: rng.choice([0, 1, 1]) for r in names},
        "utility": rng.choice(utilities),
    }


def tiny_cluster(seed: int, **wishes: Any) -> dmlrs.Instance:
    """`tiny_dmlrs` as an Instance."""
    return dmlrs.from_json(tiny_dmlrs(seed, **wishes))


KINDS = ("linear", "log", "reciprocal", "poly")


def tiny_multiserver(
    seed: int,
    *,
    ports: int = 3,
    nodes: int = 3,
    horizon: int = 5,
    copies: int = 1,
    kinds: Sequence[str] = KINDS,
) -> dict[str, Any]:
    """A multiserver instance as a JSON object, of quarters and tenths.

    There may be ports without nodes, nodes without ports, and demands, capacities and overheads of 0 or not named.

    Parameters
    ----------
    copies
        The most jobs of a port in a slot.
    kinds
        Of the utilities; ``linear`` and ``reciprocal`` have rational rewards.
    """
    rng = random.Random(seed)
    names = ["cpu", "gpu", "memory"][: rng.choice([1, 2, 2, 3])]
    boxes = [f"n{r}" for r in range(nodes)]
    parts = rng.choice([1, 4, 10])

    def amounts(most: int) -> dict[str, Decimal]:
        drawn = {name: Decimal(rng.choice([0, *range(1, most * parts)])) / parts for name in names}
        return {name: amount for name, amount in drawn.items() if rng.random() < 0.9}

    def utility() -> dict[str, Any]:
        return {"kind": rng.choice(kinds), "alpha": Decimal(rng.randrange(5, 30)) / 10}

    value: dict[str, Any] = {
        "version": 1,
        "family": "multiserver",
        "resources": names,
        "nodes": [{"name": name, "capacity": amounts(6)} for name in boxes],
        "ports": [
            {"name": f"p{i}", "demand": amounts(4), "nodes": rng.sample(boxes, rng.randrange(nodes + 1))}
            for i in range(ports)
        ],
        "utilities": {name: utility() for name in names},
        "overhead": {name: Decimal(rng.choice([0, rng.randrange(11)])) / 10 for name in names},
        "arrivals": [rng.choices([0, copies, *range(copies + 1)], k=ports) for _ in range(horizon)],
    }
    if rng.random() < 0.7:
        own = rng.sample(boxes, rng.randrange(nodes + 1))
        value["node_utilities"] = {box: {rng.choice(names): utility()} for box in own}
    return value


def tiny_ports(seed: int, **wishes: Any) -> multiserver.Instance:
    """`tiny_multiserver` as an Instance."""
    return multiserver.from_json(tiny_multiserver(seed, **wishes))


def tiny_jrp(seed: int, *, jobs: int = 4, servers: int = 3, most_nodes: int = 3, split: bool = False) -> dict[str, Any]:
    """A jrp instance as a JSON object, small enough to try everything, and scarce in one resource or another.

    There may be data nodes of size 0 or without servers, jobs without data nodes, without a deadline, without work or
    without parameters, and servers without bandwidth.

    Parameters
    ----------
    split
        Whether the numbers are such that the split of time binds where (10) does not.
    """
    rng = random.Random(seed)
    names = [f"s{j}" for j in range(servers)]
    boxes = [
        {
            "name": name,
            "storage": rng.choice([4, 6, 9, 30]),
            "compute": Decimal(rng.choice([2, 5, 9, 20])) / 2,
            "bandwidth": Decimal(rng.choice([0, 4, 9, 20, 20]) if not split else rng.choice([3, 4])) / 2,
        }
        for name in names
    ]
    rows = []
    for k in range(jobs):
        nodes = [
            {
                "name": f"d{i}",
                "size": rng.choice([0, 1, 1, 2, 2, 3, Decimal("2.5")]),
                "servers": rng.sample(names, rng.choice([0, *[1, 2, servers] * 5]) % (servers + 1)),
            }
            for i in range(rng.choice([0, *range(1, most_nodes + 1), *range(1, most_nodes + 1)]))
        ]
        row = {
            "name": f"k{k}",
            "epochs": rng.randrange(1, 4),
            "minibatch_size": Decimal(rng.choice([1, 2, 4])) / 4,
            "minibatch_work": Decimal(rng.choice([0, 1, 2, 3, 5])) / 4,
            "parameter_size": Decimal(rng.choice([0, 1, 2, 3, 5])) / 2,
            "sync_period": rng.randrange(1, 4),
            "data_nodes": nodes,
        }
        rows.append(row | ({"deadline": rng.choice([2, 3, 5, 8])} if rng.random() < 0.9 else {}))
    return {
        "version": 1,
        "family": "jrp",
        "communication_share": Decimal(rng.randrange(1, 10)) / 10,
        "servers": boxes,
        "jobs": rows,
    }


def tiny_cells(seed: int, **wishes: Any) -> jrp.Instance:
    """`tiny_jrp` as an Instance."""
    return jrp.from_json(tiny_jrp(seed, **wishes))
