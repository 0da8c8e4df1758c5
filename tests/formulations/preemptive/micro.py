"""Instances small enough for enumeration that cover the programs' special cases."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from schedproof.instances.preemptive import Instance, from_json
from tests.tiny.preemptive import job

SPEEDS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(1, 2))
RELEASES = ("printed", "none", "none", "printed", "printed")  # by turns, at every speed


def micro(
    seed: int,
    *,
    cloud: bool | None = None,
    storage: bool = False,
    units: int = 6,
    most_jobs: int = 3,
    servers: int | None = None,
    late: int = 4,
) -> dict[str, Any]:
    """A preemptive instance as a JSON object; parameters of None are random.

    Draws short and long horizons (some infeasible), one parameter server or many, PS types, delays that differ between
    servers, and chunk times that are not whole.

    Parameters
    ----------
    storage
        Whether the edge servers have room for a few chunks only.
    units
        About how many worker slots all jobs need together.
    late
        The most slots between the earliest completion of the last job and the horizon.
    """
    rng = random.Random(seed)
    cloud = rng.random() < 0.5 if cloud is None else cloud
    typed, scarce = rng.random() < 0.3, rng.random() < 0.5
    names = [f"e{n}" for n in range(servers or rng.randrange(1, 3))]
    edges: list[dict[str, Any]] = []
    for n, name in enumerate(names):
        workers = {"gpu": rng.randrange(1, 3), "cpu": rng.randrange(2)} if len(names) == 1 else {"gpu": 1}
        count = (1 if n == 0 else rng.randrange(2)) if scarce else 3
        edges.append({"name": name, "workers": workers, "parameter_servers": count})
        if typed:
            edges[-1]["parameter_servers"] = {"a": count, "b": rng.randrange(2) if scarce else 1}
        if storage:
            edges[-1]["storage"] = rng.choice([1, 2, 3, Decimal("2.5")])
    jobs: list[dict[str, Any]] = []
    left, arrival = units, 0
    while left > 0 and len(jobs) < most_jobs:
        arrival += rng.choice([0, 0, 1, 2])
        chunks = rng.choice([1, 1, 2])
        together = rng.choice([Decimal(1), Decimal(1), Decimal(2), Decimal("0.5"), Decimal("1.5")])
        apart = rng.choice([0, 0, 1, Decimal("0.5")])
        delay = {name: rng.randrange(3) for name in names if name == names[0] or rng.random() < 0.7}
        if cloud and rng.random() < 0.7:
            delay["sky"] = rng.randrange(4)
        row = job(f"j{len(jobs)}", arrival=arrival, chunks=chunks, minibatch_time=together, upload_delay=delay)
        row |= {"worker_types": rng.choice([["gpu"], ["gpu", "cpu"]]), "gradient_size": apart, "bandwidth": 2}
        row |= {"chunk_size": rng.choice([0, 1, 1, Decimal("0.5")])} if storage else {}
        jobs.append(row | ({"ps_types": rng.choice([["a"], ["a", "b"]])} if typed else {}))
        left -= chunks * int(together + apart + Decimal("0.5"))
    tail = [{"name": "sky", "cloud": True}] if cloud else []
    earliest = max(_earliest(row) for row in jobs)
    horizon = earliest + rng.randrange(late + 1)
    return {"version": 1, "family": "preemptive", "horizon": horizon, "servers": edges + tail, "jobs": jobs}


def _earliest(row: dict[str, Any]) -> int:
    slots = ceil(row["minibatch_time"] + row["gradient_size"])
    return int(row["arrival"] + min(d for name, d in row["upload_delay"].items() if name != "sky") + slots)


def micro_instance(seed: int, **settings: Any) -> Instance:
    return from_json(micro(seed, **settings))
