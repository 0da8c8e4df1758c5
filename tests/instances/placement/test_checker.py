from __future__ import annotations

from collections.abc import Iterable

import pytest

from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start
from schedproof.instances.placement.checker import RULES, once
from tests.instances.placement.mutations import MUTATIONS
from tests.instances.placement.schedules import SHAPE
from tests.tiny.placement import by_hand


def told(instance: Instance, rows: Iterable[tuple[int, ...]], preemption: str = "none") -> list[tuple[str, str, int]]:
    """Return the violations of runs (task, amount, slot[, until]) on cluster 0."""
    starts = [Start(j, 0, (x,), t, *until) for j, x, t, *until in rows]
    schedule = Schedule.of(starts, instance, DecidedBy("nobody", {}, 0))
    return [(v.constraint, v.where, int(v.by)) for v in schedule.violations(instance, preemption=preemption)]


def test_every_rule_is_broken_by_some_mutation() -> None:
    rules = {rule.__name__ for rule in (once, *RULES)} - {"not_in_a_break"}  # test_breaks.py has its own
    assert {constraint for constraint, _ in MUTATIONS.values()} == SHAPE | rules


def test_how_far_a_constraint_is_broken() -> None:
    instance = by_hand((0, [(2, 3), (1, 5)]), (2, [(2, 1)]), horizon=6)
    assert told(instance, [(0, 2, 0), (1, 2, 3)]) == [], "the second starts in the slot in which the first is done"
    assert told(instance, [(0, 2, 0), (1, 2, 2)]) == [("capacity", "cpu of c0 in slot 2", 2)]
    assert told(instance, [(0, 1, 3), (1, 2, 2)]) == [("horizon", "t0", 2)]
    assert told(instance, [(0, 2, 3), (1, 2, 0)]) == [("after_arrival", "t1", 2)]
    assert told(instance, [(0, 2, 0)]) == [("every_task", "t1", 1)]
    assert told(instance, [(0, 2, 0), (1, 1, 3)]) == [("allocation_has_a_duration", "t1 in slot 3", 1)]
    assert told(instance, [(7, 2, 0)]) == [("task_exists", "task number 7", 1)]
    assert told(instance, [(0, 2, -2), (1, 2, 3)]) == [("starts_in_time", "t0 in slot -2", 2)]
    both = told(instance, [(0, 1, 2), (1, 2, 2)])
    assert ("one_start_each", "c0 in slot 2", 1) in both and ("capacity", "cpu of c0 in slot 2", 1) in both


@pytest.mark.parametrize(
    ("until", "slot", "end"),
    [(2, 3, 6), (2, 2, 5), (1, 1, 5), (3, 4, 6)],
)
def test_a_resumed_task_loses_half_a_slot(until: int, slot: int, end: int) -> None:
    # In slots of 1/4 of the task each, what is left and half a slot, rounded up.
    instance = by_hand((0, [(2, 4)]), horizon=end)
    rows = [(0, 2, 0, until), (0, 2, slot)]
    assert told(instance, rows, "allowed") == []
    assert told(by_hand((0, [(2, 4)]), horizon=end - 1), rows, "allowed") == [("horizon", "t0", 1)]
    assert {constraint for constraint, *_ in told(instance, rows)} == {"once"}
