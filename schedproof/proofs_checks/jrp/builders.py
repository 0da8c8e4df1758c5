"""Instances written down by hand: jobs of one epoch and minibatches of 1 GB, so that a and b are g/tau and h/tau."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from schedproof.instances.jrp import Instance, from_json

Row = dict[str, Any]
Number = int | Decimal
LARGE = 100  # more of a resource than the jobs of these pages can use


def server(storage: Number = LARGE, compute: Number = LARGE, bandwidth: Number = LARGE) -> Row:
    """A server; `build` names it."""
    return {"storage": storage, "compute": compute, "bandwidth": bandwidth}


def job(
    sizes: Sequence[Number] = (1,),
    work: Number = 0,
    parameters: Number = 0,
    deadline: Number | None = 1,
    servers: Sequence[Sequence[int]] | None = None,
    **more: Any,
) -> Row:
    """A job of data nodes of such sizes; `build` names it.

    Parameters
    ----------
    work, parameters
        g and h, for each GB, the job having one epoch and minibatches of 1 GB.
    servers
        Of each data node, A_i as numbers from 0; each may go everywhere when not given.
    """
    reach: Sequence[Sequence[int] | None] = servers or [None] * len(sizes)
    return {
        "epochs": 1,
        "minibatch_size": 1,
        "minibatch_work": work,
        "parameter_size": parameters,
        "sync_period": 1,
        "data_nodes": [
            {"name": f"d{i}", "size": size, "servers": where}
            for i, (size, where) in enumerate(zip(sizes, reach, strict=True))
        ],
        **({} if deadline is None else {"deadline": deadline}),
        **more,
    }


def build(servers: Sequence[Row], jobs: Sequence[Row], share: Number = Decimal("0.5")) -> Instance:
    """The instance of those rows."""
    names = [f"s{j}" for j in range(len(servers))]

    def named(node: Row) -> Row:
        return node | {"servers": names if node["servers"] is None else [names[j] for j in node["servers"]]}

    return from_json(
        {
            "version": 1,
            "family": "jrp",
            "communication_share": share,
            "servers": [{"name": name, **row} for name, row in zip(names, servers, strict=True)],
            "jobs": [
                {"name": f"k{k}", **row, "data_nodes": [named(node) for node in row["data_nodes"]]}
                for k, row in enumerate(jobs)
            ],
        }
    )
