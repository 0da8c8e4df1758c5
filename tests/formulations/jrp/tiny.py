"""Instances by hand, in numbers like ``4`` or ``"0.5"``; a deadline of 1 s makes a job's rates what it is given."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from schedproof.instances.jrp import Instance, from_json

HALF = Decimal("0.5")


def server(compute: Any, bandwidth: Any, storage: Any = 100) -> dict[str, Any]:
    """A server without its name."""
    return {"storage": Decimal(storage), "compute": Decimal(compute), "bandwidth": Decimal(bandwidth)}


def job(a: Any, b: Any, *nodes: Any, **more: Any) -> dict[str, Any]:
    """A job that needs a GFLOP/s and b Gbit/s for each GB; a data node is a size, or a size and its servers."""
    rows = [node if isinstance(node, tuple) else (node, None) for node in nodes]
    return {
        "deadline": 1,
        "epochs": 1,
        "minibatch_size": 1,
        "minibatch_work": Decimal(a),
        "parameter_size": Decimal(b),
        "sync_period": 1,
        "data_nodes": [
            {"name": f"d{i}", "size": Decimal(size), "servers": names} for i, (size, names) in enumerate(rows)
        ],
    } | more


def cells(servers: list[dict[str, Any]], *jobs: dict[str, Any], share: Any = HALF) -> Instance:
    """Servers s0, s1, ... and jobs k0, k1, ...; a data node of which nothing is said may go to all servers."""
    names = [f"s{j}" for j in range(len(servers))]
    for row in jobs:
        for node in row["data_nodes"]:
            node["servers"] = names if node["servers"] is None else node["servers"]
    return from_json(
        {
            "version": 1,
            "family": "jrp",
            "communication_share": share,
            "servers": [{"name": name, **row} for name, row in zip(names, servers, strict=True)],
            "jobs": [
                {"name": f"k{k}", **{key: v for key, v in row.items() if v is not None}} for k, row in enumerate(jobs)
            ],
        }
    )
