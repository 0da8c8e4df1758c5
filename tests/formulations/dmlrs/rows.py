"""Hand-made instances for the programs' tests."""

from __future__ import annotations

from typing import Any

from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job


def job_row(name: str, **changes: Any) -> dict[str, Any]:
    utility = {"kind": "table", "values": [8, 4, 2, 1]}
    return job(name, 1, 0, {"gpu": 1}, bandwidth_internal=2, utility=utility) | changes


def cluster(*jobs: dict[str, Any], machines: tuple[Any, ...] = (1,), horizon: int = 4, **more: Any) -> Instance:
    """A cluster by its machines' GPUs or capacities."""
    capacities = [{"gpu": 0, "cpu": 0} | (m if isinstance(m, dict) else {"gpu": m}) for m in machines]
    rows = [row | {"utility": _until(horizon, row["utility"])} for row in jobs]
    return build_instance(capacities, rows, horizon, **more)


def _until(horizon: int, utility: dict[str, Any]) -> dict[str, Any]:
    return utility | {"values": utility["values"][:horizon]} if utility["kind"] == "table" else utility
