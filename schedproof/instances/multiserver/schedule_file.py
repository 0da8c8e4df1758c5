"""The multiserver family's schedule file; the allocation lies beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.arrays import Blocks
from schedproof.core.errors import InputError
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.schedule import Schedule
from schedproof.instances.schedule_file import Header, header


class ScheduleFile(Header):
    allocation: list[list[list[float]]]


def from_json(value: Any, instance: Instance) -> Schedule:
    """A schedule from a parsed JSON object whose allocation is an array or nested lists, of doubles."""
    given = value.get("allocation") if isinstance(value, dict) else None
    file = ScheduleFile.read(value | {"allocation": []} if isinstance(given, np.ndarray) else value, instance)
    shape = (instance.horizon, *instance.graph.shape)
    array = given if isinstance(given, np.ndarray) else _doubles(file.allocation, shape)
    if array.shape != shape or array.dtype != np.float64:
        raise InputError(
            f"expected doubles of the shape {shape}", path="allocation", value=f"{array.dtype} {array.shape}"
        )
    return Schedule.of(array, instance, file.policy, options=file.options, seed=file.seed)


def _doubles(rows: list[list[list[float]]], shape: tuple[int, ...]) -> np.ndarray:
    """Nested lists as an array; where there are no edges, no list says how many resources there are."""
    try:
        array = np.array(rows, dtype=np.float64)
    except ValueError:
        raise InputError("expected rows of the same length", path="allocation") from None
    return array if array.size or 0 not in shape else array.reshape(len(array), *shape[1:])


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object."""
    shape = (instance.horizon, *instance.graph.shape)
    return {**header(schedule), "allocation": Blocks(shape, np.float64, schedule.blocks)}
