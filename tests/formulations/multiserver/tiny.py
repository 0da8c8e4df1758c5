"""Small random multiserver instances, with ports without nodes, nodes without ports, zero demands and capacities."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.utility import KINDS


def tiny_json(
    seed: int,
    *,
    ports: int = 3,
    nodes: int = 3,
    horizon: int = 5,
    most_jobs: int = 1,
    kinds: tuple[str, ...] = KINDS,
    gangs: bool = False,
) -> dict[str, Any]:
    """A multiserver instance as a JSON object.

    Parameters
    ----------
    most_jobs
        Of a port in a slot.
    kinds
        The utilities to draw from.
    gangs
        Whether some ports have tasks.
    """
    rng = random.Random(seed)
    names = ["cpu", "gpu", "memory"][: rng.randrange(1, 4)]
    utility = lambda: {"kind": rng.choice(kinds), "alpha": Decimal(rng.randrange(5, 25)) / 10}  # noqa: E731
    amounts = lambda most: {k: rng.choice([0, *[Decimal(n) / 2 for n in range(1, most)]]) for k in names}  # noqa: E731
    rows = [
        {"name": f"p{i}", "demand": amounts(9), "nodes": [f"n{r}" for r in range(nodes) if rng.random() < 0.6]}
        for i in range(ports)
    ]
    if gangs:
        rows = [row | _tasks(rng, names) if rng.random() < 0.8 else row for row in rows]
    return {
        "version": 1,
        "family": "multiserver",
        "resources": names,
        "nodes": [{"name": f"n{r}", "capacity": amounts(12)} for r in range(nodes)],
        "ports": rows,
        "utilities": {k: utility() for k in names},
        "node_utilities": {f"n{r}": {k: utility() for k in names if rng.random() < 0.7} for r in range(nodes)},
        "overhead": {k: Decimal(rng.randrange(0, 10)) / 10 for k in names},
        "arrivals": [[rng.randrange(most_jobs + 1) for _ in range(ports)] for _ in range(horizon)],
    }


def _tasks(rng: random.Random, names: list[str]) -> dict[str, Any]:
    def task() -> dict[str, Any]:
        demand = {k: Decimal(rng.randrange(1, 7)) / 2 for k in names if rng.random() < 0.8} or {names[0]: 1}
        least = rng.choice(list(demand))
        return {"demand": demand, "minimum": {least: Decimal(rng.randrange(1, 9)) / 4}}

    many = rng.randrange(1, 4)
    return {"tasks": [task() for _ in range(many)], "minimum_tasks": rng.randrange(many + 1)}


def tiny(seed: int, **wishes: Any) -> Instance:
    """`tiny_json` as an Instance."""
    return from_json(tiny_json(seed, **wishes))
