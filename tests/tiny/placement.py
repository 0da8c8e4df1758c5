"""Small seeded placement instances."""

from __future__ import annotations

import random
from typing import Any

from schedproof.instances.placement import Instance, from_json

RESOURCES = ("cpu", "gpu")


def tiny_placement(seed: int, *, tasks: int = 3, clusters: int = 2, horizon: int | None = None) -> dict[str, Any]:
    """A scarce placement instance as a JSON object, for enumeration.

    It may have tasks with one mode, modes that fit no cluster, dominated modes, clusters that lack a resource and, if
    the horizon is drawn, one that is too short.
    """
    rng = random.Random(seed)
    names = [f"c{n}" for n in range(clusters)]
    capacity = {name: (rng.randrange(2, 5), rng.choice([0, 1, 2, 3])) for name in names}
    rows = []
    for j in range(tasks):
        mine = rng.sample(names, rng.randrange(1, clusters + 1))
        most = capacity[rng.choice(mine)]
        least = [rng.randrange(min(2, amount) + 1) for amount in most]
        fitting = [(c, g) for c in range(least[0], most[0] + 1) for g in range(least[1], most[1] + 1)]
        others = [(c, g) for c in range(least[0], 6) for g in range(least[1], 5)]
        modes = dict.fromkeys([rng.choice(fitting), *rng.sample(others, rng.randrange(3))])
        rows.append(
            {
                "name": f"t{j}",
                "arrival": rng.choice([0, 0, 0, 1, 2, 3]),
                "clusters": mine,
                "minimum": dict(zip(RESOURCES, least, strict=True)),
                "kind": rng.choice(["insensitive", "sensitive"]),
                "durations": [
                    {"allocation": dict(zip(RESOURCES, mode, strict=True)), "slots": rng.randrange(1, 6)}
                    for mode in modes
                ],
            }
        )
    boxes = [{"name": name, "capacity": dict(zip(RESOURCES, capacity[name], strict=True))} for name in names]
    horizon = rng.choice([6, 10, 15, 20]) if horizon is None else horizon
    top = {"version": 1, "family": "placement", "horizon": horizon, "resources": list(RESOURCES)}
    return top | {"clusters": boxes, "tasks": rows}


def tiny_instance(seed: int, **settings: Any) -> Instance:
    return from_json(tiny_placement(seed, **settings))


def by_hand(
    *tasks: tuple[int, list[tuple[int, int]]],
    capacity: int = 2,
    clusters: int = 1,
    horizon: int = 20,
    resource: str = "cpu",
    minimum: int = 0,
) -> Instance:
    """Tasks (arrival, modes), modes (amount, slots), clusters of one resource."""
    names = [f"c{n}" for n in range(clusters)]
    rows = [
        {"name": f"t{j}", "arrival": arrival, "clusters": names, "minimum": {resource: minimum}, "kind": "any"}
        | {"durations": [{"allocation": {resource: amount}, "slots": slots} for amount, slots in modes]}
        for j, (arrival, modes) in enumerate(tasks)
    ]
    top = {"version": 1, "family": "placement", "horizon": horizon, "resources": [resource]}
    boxes = [{"name": name, "capacity": {resource: capacity}} for name in names]
    return from_json(top | {"clusters": boxes, "tasks": rows})
