"""Hand-written instances: one sample per worker and slot, given capacities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from schedproof.instances.dmlrs import Instance, from_json

Row = dict[str, Any]
Number = int | Decimal


def job(
    name: str,
    work: int,
    value: Number,
    worker: Mapping[str, Number],
    ps: Mapping[str, Number] | None = None,
    *,
    batch: int = 1,
    arrival: int = 0,
    **more: Any,
) -> Row:
    return {
        "name": name,
        "arrival": arrival,
        "epochs": 1,
        "samples": work,
        "batch_size": batch,
        "workers_per_ps": batch,
        "sample_time": 1,
        "model_size": 0,
        "bandwidth_internal": 1,
        "bandwidth_external": 1,
        "worker": dict(worker),
        "ps": dict(ps or {}),
        "utility": {"kind": "constant", "value": value},
    } | more


def build_instance(
    machines: Sequence[Mapping[str, Number]], jobs: Sequence[Row], horizon: int = 1, **more: Any
) -> Instance:
    names = list(dict.fromkeys(name for machine in machines for name in machine))
    rows = [{"name": f"m{h}", "capacity": dict(machine)} for h, machine in enumerate(machines)]
    head = {"version": 1, "family": "dmlrs", "horizon": horizon, "resources": names}
    return from_json(head | {"machines": rows, "jobs": list(jobs)} | more)
