"""Exactly the dominated modes are left out."""

from __future__ import annotations

from schedproof.formulations.placement.modes import pareto_modes
from schedproof.instances.placement import Mode, fits
from tests.tiny.placement import tiny_instance


def dominates(one: Mode, other: Mode) -> bool:
    return one != other and fits((*one.allocation, one.slots), (*other.allocation, other.slots))


def test_only_dominated_modes_are_omitted() -> None:
    left_out = 0
    for seed in range(60):
        for task in tiny_instance(seed, tasks=6).tasks:
            kept = tuple(mode for mode in task.modes if not any(dominates(other, mode) for other in task.modes))
            assert pareto_modes(task) == kept != ()
            left_out += len(task.modes) - len(kept)
    assert left_out
