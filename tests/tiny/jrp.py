"""Small seeded jrp instances."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from schedproof.instances.jrp import Instance, from_json


def tiny_jrp(seed: int, *, jobs: int = 4, servers: int = 3, most_nodes: int = 3, split: bool = False) -> dict[str, Any]:
    """A jrp instance as a JSON object, small enough to try everything, and scarce in one resource or another.

    There may be data nodes of size 0 or without servers, jobs without data nodes, without a deadline, without work or
    without parameters, and servers without bandwidth.

    Parameters
    ----------
    split
        Whether the numbers are such that the split of time binds where (10) does not.
    """
    rng = random.Random(seed)
    names = [f"s{j}" for j in range(servers)]
    boxes = [
        {
            "name": name,
            "storage": rng.choice([4, 6, 9, 30]),
            "compute": Decimal(rng.choice([2, 5, 9, 20])) / 2,
            "bandwidth": Decimal(rng.choice([0, 4, 9, 20, 20]) if not split else rng.choice([3, 4])) / 2,
        }
        for name in names
    ]
    rows = []
    for k in range(jobs):
        nodes = [
            {
                "name": f"d{i}",
                "size": rng.choice([0, 1, 1, 2, 2, 3, Decimal("2.5")]),
                "servers": rng.sample(names, rng.choice([0, *[1, 2, servers] * 5]) % (servers + 1)),
            }
            for i in range(rng.choice([0, *range(1, most_nodes + 1), *range(1, most_nodes + 1)]))
        ]
        row = {
            "name": f"k{k}",
            "epochs": rng.randrange(1, 4),
            "minibatch_size": Decimal(rng.choice([1, 2, 4])) / 4,
            "minibatch_work": Decimal(rng.choice([0, 1, 2, 3, 5])) / 4,
            "parameter_size": Decimal(rng.choice([0, 1, 2, 3, 5])) / 2,
            "sync_period": rng.randrange(1, 4),
            "data_nodes": nodes,
        }
        rows.append(row | ({"deadline": rng.choice([2, 3, 5, 8])} if rng.random() < 0.9 else {}))
    return {
        "version": 1,
        "family": "jrp",
        "communication_share": Decimal(rng.randrange(1, 10)) / 10,
        "servers": boxes,
        "jobs": rows,
    }


def tiny_cells(seed: int, **wishes: Any) -> Instance:
    """`tiny_jrp` as an Instance."""
    return from_json(tiny_jrp(seed, **wishes))
