"""Instances written down by hand: jobs with given chunk times, servers with given workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.instances.preemptive import Instance, from_json

Row = dict[str, Any]


def edge(name: str, workers: int = 1, parameter_servers: int = 100, **more: Any) -> Row:
    """An edge server."""
    return {"name": name, "workers": {"gpu": workers}, "parameter_servers": parameter_servers} | more


CLOUD: Row = {"name": "cloud", "cloud": True}


def job(
    name: str, time: int | Decimal | Fraction, delay: Mapping[str, int], arrival: int = 0, chunks: int = 1, **more: Any
) -> Row:
    """A job whose chunks take ``time`` slots each."""
    return {
        "name": name,
        "arrival": arrival,
        "chunks": chunks,
        "epochs": 1,
        "minibatches": 1,
        "worker_types": ["gpu"],
        "minibatch_time": time,
        "update_time": 0,
        "gradient_size": 0,
        "bandwidth": 2,
        "upload_delay": dict(delay),
    } | more


def build_instance(servers: Sequence[Row], jobs: Sequence[Row], horizon: int = 1000) -> Instance:
    """The instance of those rows."""
    head = {"version": 1, "family": "preemptive", "horizon": horizon}
    return from_json(head | {"servers": list(servers), "jobs": list(jobs)})
