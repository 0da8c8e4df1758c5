"""Random multiserver schedules, and the format of their files."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.runtime.files import encode
from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.reward import GAINS
from tests.instances.broken import ANY_INTEGER, VERSION, Shape, all_of, drop, put
from tests.instances.multiserver.allocations import feasible
from tests.instances.schedules import Schedules
from tests.tiny.multiserver import tiny_ports


def drawn(seed: int) -> tuple[Instance, np.ndarray]:
    """An instance and a feasible allocation."""
    instance = tiny_ports(seed, copies=1 + seed % 2, horizon=1 + seed % 7)
    return instance, feasible(instance, seed)


def good(seed: int) -> tuple[Instance, Schedule]:
    """A feasible schedule; the seed selects the reading of the gain."""
    instance, array = drawn(seed)
    return instance, Schedule.of(array, instance, "hand", options={"gain": GAINS[seed % 2]}, seed=seed)


def file_with_lists() -> tuple[Instance, Shape]:
    instance, array = next(pair for pair in map(drawn, range(99)) if min(pair[1].shape) > 1)
    slots, edges, resources = array.shape
    value: dict[str, Any] = Schedule.of(array, instance, "hand").to_json(instance)
    value["allocation"] = np.zeros_like(array).tolist()
    first, shape = "allocation[0][0][0]", "expected doubles of the shape "
    return instance, Shape(
        valid=encode(value),
        numbers={"version": VERSION, "seed": ANY_INTEGER},
        maps={"options": 1},
        whole=frozenset({"allocation"}),
        refused=[
            ("options.gain", "both", "expected one of node, total"),
            (first, "x", "expected a number"),
            (first, True, "expected a number"),
            (first, None, "expected a number, got null"),
            (first, [1], "expected a number, got an array"),
            ("allocation", lambda v: v["allocation"][0][0].append(0), "expected rows of the same length"),
            ("", drop("allocation[0]"), f"allocation = 'float64 {(slots - 1, edges, resources)}': {shape}"),
            (
                "",
                all_of(*(drop(f"allocation[{t}][0]") for t in range(slots))),
                f"allocation = 'float64 {(slots, edges - 1, resources)}': {shape}",
            ),
            ("allocation", [], f"allocation = 'float64 (0,)': {shape}"),
            ("allocation", {"file": "y.npy"}, "expected an array, got an object"),
            *(
                ("", put("allocation", other), f"allocation = '{other.dtype} {other.shape}': {shape}")
                for other in (array.astype(np.float32), array.astype(np.int64), np.zeros((1, 2)))
            ),
        ],
    )


SCHEDULES = Schedules(
    drawn=good,
    content=lambda schedule: np.concatenate(list(schedule.blocks())).tolist(),
    empty=lambda instance: Schedule.of(np.zeros((instance.horizon, *instance.graph.shape)), instance, "nobody"),
    rows={},
    shape=file_with_lists,
    unit="port",
    wrong=lambda instance: [
        Schedule.of(np.full((instance.horizon, *instance.graph.shape), amount), instance, "wrong")
        for amount in (-1.0, np.nan)
    ],
)
