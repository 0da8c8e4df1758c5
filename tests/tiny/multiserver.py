"""Small seeded multiserver instances."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from schedproof.instances.multiserver import Instance, from_json

KINDS = ("linear", "log", "reciprocal", "poly")
NAMES = ["cpu", "gpu", "memory"]


def tiny_multiserver(
    seed: int,
    *,
    ports: int = 3,
    nodes: int = 3,
    horizon: int = 5,
    copies: int = 1,
    kinds: Sequence[str] = KINDS,
    gangs: bool = False,
) -> dict[str, Any]:
    """A multiserver instance as a JSON object, of quarters and tenths.

    It may have ports without nodes, nodes without ports, and zero or missing demands, capacities and overheads.

    Parameters
    ----------
    copies
        The most jobs of a port in a slot.
    kinds
        Of the utilities; ``linear`` and ``reciprocal`` have rational rewards.
    gangs
        Whether some ports have tasks.
    """
    rng = random.Random(seed)
    names = NAMES[: rng.choice([1, 2, 2, 3])]
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
    if gangs:
        value["ports"] = [port | _tasks(rng, names) if rng.random() < 0.8 else port for port in value["ports"]]
    return value


def _tasks(rng: random.Random, names: list[str]) -> dict[str, Any]:
    def task() -> dict[str, Any]:
        demand = {k: Decimal(rng.randrange(1, 7)) / 2 for k in names if rng.random() < 0.8} or {names[0]: 1}
        least = rng.choice(list(demand))
        return {"demand": demand, "minimum": {least: Decimal(rng.randrange(1, 9)) / 4}}

    many = rng.randrange(1, 4)
    return {"tasks": [task() for _ in range(many)], "minimum_tasks": rng.randrange(many + 1)}


def tiny_ports(seed: int, **settings: Any) -> Instance:
    return from_json(tiny_multiserver(seed, **settings))


def by_hand(
    capacities: Sequence[Sequence[Any]],
    ports: Sequence[tuple[Sequence[Any], Sequence[int]]],
    arrivals: Sequence[Sequence[int]],
    *,
    kind: str = "linear",
    alpha: Any = 1,
    beta: Any = 0,
    **more: Any,
) -> dict[str, Any]:
    """Nodes n0, n1, ... by capacities; ports p0, p1, ... by demands and nodes."""
    names = NAMES[: len(capacities[0])]
    return {
        "version": 1,
        "family": "multiserver",
        "resources": names,
        "nodes": [
            {"name": f"n{r}", "capacity": dict(zip(names, row, strict=True))} for r, row in enumerate(capacities)
        ],
        "ports": [
            {"name": f"p{i}", "demand": dict(zip(names, row, strict=False)), "nodes": [f"n{r}" for r in nodes]}
            for i, (row, nodes) in enumerate(ports)
        ],
        "utilities": {name: {"kind": kind, "alpha": alpha} for name in names},
        "overhead": dict.fromkeys(names, beta),
        "arrivals": arrivals,
    } | more
