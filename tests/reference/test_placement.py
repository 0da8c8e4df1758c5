from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from schedproof.instances.placement import Instance, from_json
from schedproof.reference.placement import linear_relaxation, optimum

Modes = list[tuple[int, int, int]]  # cpu, gpu, slots


def cluster(*tasks: tuple[int, Modes], boxes: tuple[tuple[int, int], ...] = ((2, 2),), horizon: int = 12) -> Instance:
    """Return tasks (arrival, modes) that may go to each of the clusters."""
    names = [f"c{n}" for n in range(len(boxes))]
    rows: list[dict[str, Any]] = [
        {"name": f"t{j}", "arrival": arrival, "clusters": names, "minimum": {}, "kind": "any"}
        | {"durations": [{"allocation": {"cpu": cpu, "gpu": gpu}, "slots": slots} for cpu, gpu, slots in modes]}
        for j, (arrival, modes) in enumerate(tasks)
    ]
    top = {"version": 1, "family": "placement", "horizon": horizon, "resources": ["cpu", "gpu"]}
    places = [{"name": n, "capacity": {"cpu": c, "gpu": g}} for n, (c, g) in zip(names, boxes, strict=True)]
    return from_json(top | {"clusters": places, "tasks": rows})


SHORT, LONG = [(2, 2, 1)], [(2, 2, 5)]


@pytest.mark.parametrize(
    ("instance", "usual", "closed"),
    [
        (cluster((0, [(1, 1, 4), (2, 1, 2)])), 2, 2),
        (cluster((0, LONG), (0, SHORT)), 1 + 6, 1 + 7),
        (cluster((0, LONG), (3, SHORT)), 5 + 3, 5 + 4),
        (cluster((0, [(1, 0, 3)]), (0, [(0, 1, 3)])), 3 + 4, 3 + 4),  # one start in a slot
        (cluster((0, [(1, 1, 3)]), (0, [(1, 1, 3)]), boxes=((1, 1), (1, 1))), 6, 6),
        (cluster((0, [(2, 1, 2)]), (0, [(2, 1, 2), (1, 1, 3)]), boxes=((3, 2),)), 2 + 4, 2 + 4),  # smaller and slower
        (cluster((0, LONG), (0, LONG), horizon=10), 15, None),
        (cluster((0, [(3, 0, 1)])), None, None),
        (cluster(), 0, 0),
    ],
)
def test_optima_worked_by_hand(instance: Instance, usual: int | None, closed: int | None) -> None:
    assert (optimum(instance), optimum(instance, closed=True)) == (usual, closed)


def test_the_lp_may_split_a_task_over_starts() -> None:
    # Room for 1.5: the LP starts 1, 1/2, 1 and 1/2 in the first four slots.
    two: Modes = [(2, 0, 2)]
    instance = cluster((0, two), (0, two), (0, two), boxes=((3, 0),))
    assert linear_relaxation(instance, 12) == 2 + F(3, 2) + 4 + F(5, 2)
    assert optimum(instance) == 2 + 4 + 6
    assert linear_relaxation(cluster((0, SHORT), (0, SHORT)), 12) == optimum(cluster((0, SHORT), (0, SHORT))) == 3


def test_a_longer_window_never_costs_more_and_a_short_one_is_infeasible() -> None:
    instance = cluster((0, LONG), (0, [(2, 2, 3)]), (1, SHORT))
    values = [linear_relaxation(instance, last) for last in (8, 9, 10, 12)]
    assert values[0] is None
    known = [value for value in values[1:] if value is not None]
    assert len(known) == 3 and known == sorted(known, reverse=True)
