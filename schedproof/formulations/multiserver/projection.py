"""The projection (32) on the feasible allocations, OGASched's step in every slot."""

from __future__ import annotations

from numbers import Number
from pathlib import Path

import numpy as np

from schedproof.core.base.lazy import cvxpy
from schedproof.core.base.untyped import Model, Value
from schedproof.core.data.arrays import with_arrays
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import InputError
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.multiserver.allocation import allocation, capacity, demand
from schedproof.instances.multiserver import Instance


@group("variables", "(31)", r"z_{(l,r)}^k \in \mathbb{R}")
def given_point(parts: Model, instance: Instance, *, point: np.ndarray) -> None:
    """The point to project: in (31), y(t) plus a step along the reward's gradient."""
    shape = instance.graph.shape
    if point.shape not in ((), shape):
        raise InputError(f"point: expected {shape[0]} x {shape[1]} numbers, edges by resources, found {point.shape}")
    value = np.broadcast_to(point, shape)
    parts.variables["point"] = cvxpy.Parameter(shape, name="point", value=value)


@group(
    "objective",
    "(32)",
    r"\min \textstyle\sum_{l,r,k} (y_{(l,r)}^k - z_{(l,r)}^k)^2",
    needs=("allocation", "given_point"),
)
def squared_distance(parts: Model, instance: Instance) -> None:
    """The squared distance from the point."""
    away = parts.variables["allocation"] - parts.variables["point"]
    parts.objective.append(cvxpy.sum_squares(away) if away.size else 0)


def projection(*, point: Value) -> Program:
    """The edges of the point are in the order of ``instance.graph``."""
    return Program(
        id="multiserver.projection",
        sense="minimize",
        groups=(squared_distance, demand, capacity, given_point, allocation),
        backend="cvxpy",
        integer=False,
        parameters={"point": read_point(point)},
        default_solver="clarabel",
    )


def read_point(value: Value) -> np.ndarray:
    """Return a point as an array of doubles; a single number has no dimensions.

    Raises
    ------
    InputError
        When the value is not an array of finite numbers.
    """
    given = _from_text(str(value)) if isinstance(value, str | Path) else value
    try:
        listed = isinstance(given, list | tuple | Number) or hasattr(given, "__array__")
        if not listed or np.iscomplexobj(given):
            raise TypeError
        point = np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError("point: expected numbers, in rows of equal length") from None
    if not np.isfinite(point).all():
        raise InputError("point: expected finite numbers")
    return point


def _from_text(text: str) -> Value:
    if text.startswith("["):
        return parse(text.encode())
    if text.endswith(".npy"):
        path = Path(text)
        return with_arrays({"point": {"file": path.name}}, path.parent, ("point",))["point"]
    try:
        return float(text)
    except ValueError:
        return parse(read_text(text, opens_with=b"["))
