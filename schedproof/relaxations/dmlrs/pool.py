"""The state of column generation in a file: schedules and prices, as arrays of whole numbers and doubles (npz)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.files import atomic
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance, Placement, Schedule

PARTS = ("instance", "rows", "owner", "prices")


def write(path: Path, instance: Instance, plans: Sequence[Plan], prices: np.ndarray) -> None:
    """Write the file, whole or not at all.

    Parameters
    ----------
    prices
        Of the best bound, per unit of the grid, shape (T, K, R).
    """
    rows = [(p.job, p.slot, p.machine, p.workers, p.ps) for plan in plans for p in plan.placements]
    owner = np.repeat(np.arange(len(plans)), [len(plan.placements) for plan in plans])
    with atomic(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            instance=np.array(instance.sha256),
            rows=np.array(rows, dtype=np.int32).reshape(-1, 5),
            owner=owner.astype(np.int32),
            prices=prices,
        )


def read(path: Path, instance: Instance, shape: tuple[int, ...]) -> tuple[list[Plan], np.ndarray]:
    """The schedules and the prices of a file.

    Raises
    ------
    InputError
        When it is not such a file, or one of another instance, or a schedule of it is not one of this instance.
    """
    try:
        with path.open("rb") as content, np.load(content, allow_pickle=False) as file:
            sha, rows, owner, prices = (file[name] for name in PARTS)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise InputError("expected the state of a column generation", file=str(path)) from None
    if str(sha) != instance.sha256 or prices.shape != shape:
        raise InputError("expected the state of a column generation of this very instance", file=str(path))
    if not (_are_counts(rows, (len(owner), 5)) and _are_counts(owner, (len(owner),)) and _are_finite(prices)):
        raise InputError("expected whole numbers for schedules and finite ones for prices", file=str(path))
    mine: dict[int, list[Placement]] = {}
    for number, row in zip(owner.tolist(), rows.tolist(), strict=True):
        mine.setdefault(number, []).append(Placement(*row))
    return [_plan(instance, placements, path) for placements in mine.values()], prices


def _are_counts(numbers: np.ndarray, shape: tuple[int, ...]) -> bool:
    return numbers.dtype.kind == "i" and numbers.shape == shape and bool((numbers >= 0).all())


def _are_finite(numbers: np.ndarray) -> bool:
    return numbers.dtype == np.float64 and bool(np.isfinite(numbers).all())


def _plan(instance: Instance, placements: Sequence[Placement], path: Path) -> Plan:
    """One schedule of a file, checked."""
    try:
        schedule = Schedule.of(placements, instance, "column_generation")
        ends = schedule.completions(instance)
        if len(ends) == 1 and not schedule.violations(instance):
            [(job, end)] = ends.items()
            return Plan(instance.jobs[job], end, schedule.placements)
    except IndexError:
        pass
    raise InputError("expected schedules of single jobs that are feasible", file=str(path))
