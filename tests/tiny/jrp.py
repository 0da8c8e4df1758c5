"""Small seeded jrp instances."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction as F
from typing import Any

from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.jrp import Assignment, Instance, Schedule, from_json
from schedproof.instances.jrp.drive import drive
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.proofs_checks.trials import draw
from schedproof.workloads.jrp import generate


def tiny_jrp(seed: int, *, jobs: int = 4, servers: int = 3, most_nodes: int = 3, split: bool = False) -> dict[str, Any]:
    """A jrp instance as a JSON object, for enumeration, scarce in some resource.

    It may have data nodes of size 0 or without servers, jobs without data nodes, deadline, work or parameters, and
    servers without bandwidth. ``split`` draws numbers for which the split of time binds and (10) does not.
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


def tiny_cells(seed: int, **settings: Any) -> Instance:
    return from_json(tiny_jrp(seed, **settings))


def written(
    servers: Sequence[tuple[Any, Any, Any]],
    jobs: Sequence[tuple[Any, Any, Sequence[tuple[Any, Sequence[int]]]]],
    share: Any = "1/2",
) -> Instance:
    """Servers (storage, compute, bandwidth) and jobs (a, b, [(size, servers), ...])."""
    rows = [(F(str(a)), F(str(b)), [(F(str(size)), at) for size, at in nodes]) for a, b, nodes in jobs]
    return build(rows, [tuple(F(str(amount)) for amount in row) for row in servers], F(str(share)))


def crowded(jobs: int, seed: int, rings: int = 1, nodes: int = 6, epochs: int = 1) -> Instance:
    """Cells as in section V-B with less storage and fewer data nodes."""
    settings = {"jobs": jobs, "rings": rings, "storage_low": 50, "storage_high": 100}
    settings |= {"nodes_low": nodes, "nodes_high": nodes, "epochs_low": epochs, "epochs_high": epochs}
    return from_json(generate("figure4", seed, {name: str(value) for name, value in settings.items()}))


def schedule_of(assignment: Assignment, instance: Instance, policy: str = "test", seed: int = 0, **options: Any) -> Any:
    return Schedule.of(assignment, instance, DecidedBy(policy, options, seed))


def driven(policy: Any, instance: Instance, context: Context = USUAL) -> Schedule:
    """The schedule of a policy."""
    return drive(policy, instance, DecidedBy("jrp.test", {}, 0), context)


def drawn_cases(strategy: Any, count: int, seed: int = 0) -> list[Any]:
    found: list[Any] = []
    draw(strategy, count, seed, found.append)
    return found
