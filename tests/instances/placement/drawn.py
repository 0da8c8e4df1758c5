"""Small placement instances for games, some scarce, some with infeasible tasks."""

from __future__ import annotations

import random
from typing import Any

from schedproof.instances.placement import Instance, from_json

RESOURCES = ("cpu", "gpu")


def drawn(seed: int, *, tasks: int = 6, clusters: int = 2, horizon: int = 60, roomy: bool = False) -> Instance:
    """Draw tasks of two kinds on small clusters; if ``roomy``, all tasks can run."""
    rng = random.Random(seed)
    names = [f"c{n}" for n in range(clusters)]
    rows = []
    for j in range(tasks):
        least = (rng.choice([0, 1, 1, 2]), rng.choice([0, 1, 1]))
        grid = [(c, g) for c in range(least[0], 7) for g in range(least[1], 5) if c + g]
        modes = rng.sample(grid, rng.randrange(1, 5))
        reach = rng.sample(names, rng.randrange(int(roomy), clusters + 1))
        rows.append(
            {
                "name": f"t{j}",
                "arrival": rng.randrange(0, 2 * tasks),
                "clusters": sorted(reach),
                "minimum": amounts(least),
                "kind": rng.choice(["insensitive", "sensitive"]),
                "durations": [{"allocation": amounts(mode), "slots": rng.randrange(1, 8)} for mode in modes],
            }
        )
    sizes = [(6, 4) if roomy else (rng.randrange(2, 7), rng.randrange(1, 5)) for _ in names]
    boxes = [{"name": name, "capacity": amounts(most)} for name, most in zip(names, sizes, strict=True)]
    top = {"version": 1, "family": "placement", "horizon": horizon, "resources": list(RESOURCES)}
    return from_json(top | {"clusters": boxes, "tasks": rows})


def amounts(numbers: tuple[int, ...]) -> dict[str, Any]:
    """Amounts in the file's form."""
    return dict(zip(RESOURCES, numbers, strict=True))
