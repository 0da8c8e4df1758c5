from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, ProgramError, SchedproofError
from schedproof.instances.kinds.intervals import Stay
from schedproof.instances.kinds.shares import Share
from tests.command_line import plugged_in


@pytest.fixture
def shop() -> Iterator[Any]:
    with plugged_in("open_shop") as module:
        yield module


def jobs(shop: Any, *rows: tuple[int, ...]) -> Any:
    return shop.Shop(1, tuple(shop.Job(name=f"j{n}", weight=1, times=(time,)) for n, (time,) in enumerate(rows)))


SPEEDS = [1, "3/2", 2, "7/3"]


@pytest.mark.parametrize("speed", SPEEDS)
def test_times_are_divided_by_the_speed_exactly(speed: Any, shop: Any) -> None:
    one, s = jobs(shop, (1,), (2,)), Fraction(speed)
    run = sp.policy("sebf", speed=speed).run(one)
    assert run.feasible and run.objective == 1 / s + 3 / s and run.rules == {"speed": s}
    assert run.schedule.stays == (Stay(0, 0, 0, 1 / s), Stay(1, 0, 1 / s, 3 / s))
    again = shop.SHOP.schedule.from_json(run.schedule.to_json(one), one)
    assert again == run.schedule and not again.violations(one, speed=speed)
    assert run.plot() is not None


def test_a_faster_run_is_refused_at_another_speed(shop: Any) -> None:
    one = jobs(shop, (1,), (2,))
    plan = sp.policy("sebf", speed="3/2").run(one).schedule
    for other in (1, 2, Fraction(4, 3)):
        assert {broken.constraint for broken in plan.violations(one, speed=other)} == {"work"}


@pytest.mark.parametrize("speed", [0, -1, "nan", "fast"])
def test_a_speed_that_is_no_positive_number_is_refused(speed: Any, shop: Any) -> None:
    with pytest.raises(SchedproofError, match="speed"):
        sp.policy("sebf", speed=speed).run(jobs(shop, (1,)))


def test_the_ratio_is_to_the_optimum_at_speed_one(shop: Any) -> None:
    one = jobs(shop, (1,), (2,))
    bound = sp.bound(shop.parallel, one)
    assert bound.exact == shop.SHOP.schedule.best(one) == 4
    for speed in SPEEDS:
        ratio = sp.policy("sebf", speed=speed).run(one).ratio(bound)
        assert ratio.exact == 1 / Fraction(speed)
        assert (f"at speed {speed}" in ratio.sentence) == (speed != 1)
        assert ("more resources or speed than the optimum" in ratio.gap_or_why_not()[1]) == (speed != 1)


def test_a_slower_run_may_not_use_a_program_about_something_else(shop: Any) -> None:
    one = jobs(shop, (1,), (2,))
    bare = sp.Program("open_shop.bare", "minimize", shop.parallel.groups)
    with pytest.raises(ProgramError, match="to_point"):
        sp.policy("sebf", speed=2).run(one).ratio(sp.bound(bare, one))


def test_own_policies_get_the_speed_from_the_driver(shop: Any) -> None:
    class First:
        def assign(self, view: Any) -> list[Any]:
            return list(view.jobs)

    one = jobs(shop, (1,), (2,))
    for own in (First, lambda view: view.jobs):
        assert sp.policy(own, speed=2).run(one).objective == 2


def test_compare_has_a_row_for_each_speed(shop: Any) -> None:
    one = jobs(shop, (1,), (2,))
    table = sp.compare([one], ["sebf"], bound="open_shop.parallel", speeds=[1, "3/2"])
    assert table["objective"].tolist() == [4, pytest.approx(8 / 3)] and table["speed"].tolist() == [1, 1.5]


def test_a_policy_with_its_own_speed_is_refused(shop: Any) -> None:
    with pytest.raises(InputError, match="the driver applies it"):
        shop.SHOP.policy(lambda view, *, speed=1: view.jobs)


class Task(sp.Entity):
    name: sp.Name
    work: sp.Positive


class Tasks(sp.Instance):
    """Tasks that share machines."""

    machines: sp.Positive
    horizon: sp.Positive
    capacity: sp.Positive
    tasks: tuple[Task, ...]


class Work(sp.Shares):
    def objective(self, tasks):  # type: ignore[no-untyped-def,override]
        """Return the done work, without rules among the arguments."""
        return sum(share.amount for share in self.shares)

    def most(tasks, n, task):  # type: ignore[no-untyped-def,override]
        return tasks.capacity


@pytest.mark.parametrize("speed", SPEEDS)
def test_shares_grow_with_the_speed(speed: Any) -> None:
    with plugged_in("answers/trading"):
        draft: Any = sp.family("speed", Tasks, Work, sense="maximize")
        task: Any = Task
        one = draft.instance(1, 2, 3, (task(name="a", work=5),))
        run = sp.policy(lambda view: {(view.jobs[0], 0): 2} if view.speed == Fraction(speed) else {}, speed=speed).run(
            one
        )
        assert run.feasible and run.objective == 4 * Fraction(speed)
        assert draft.schedule.from_json(run.schedule.to_json(one), one) == run.schedule
        full = draft.schedule.by("hand", one, (Share(0, 0, 0, 3 * Fraction(speed)),))
        more = draft.schedule.by("hand", one, (Share(0, 0, 0, 3 * Fraction(speed) + 1),))
        assert not full.violations(one, speed=speed)
        assert {row.constraint for row in more.violations(one, speed=speed)} == {"capacity", "demand"}


class Cards(sp.Instance):
    """Tasks that share cards and memory."""

    machines: sp.Positive
    horizon: sp.Positive
    capacity: tuple[sp.Positive, ...]
    tasks: tuple[Task, ...]


class Memory(Work):
    """A task takes a unit of memory while it runs, whatever it receives."""

    parts = 1

    def most(cards, n, task):  # type: ignore[no-untyped-def,override]
        return cards.capacity[0]

    def uses(cards, n, task, amounts):  # type: ignore[no-untyped-def,override]
        return amounts[0], int(amounts[0] > 0)


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_speed_multiplies_amounts_but_no_fixed_use(speed: Any) -> None:
    with plugged_in("answers/trading"):
        draft: Any = sp.family("fixed", Cards, Memory, sense="maximize")
        task: Any = Task
        one = draft.instance(1, 1, (4, 1), (task(name="a", work=5), task(name="b", work=5)))
        fits, both = (sp.policy(lambda view, n=n: {(job, 0): 2 for job in view.jobs[:n]}, speed=speed) for n in (1, 2))
        assert fits.run(one).feasible and fits.run(one).objective == 2 * Fraction(speed)
        assert [(row.where, row.by) for row in both.run(one).violations] == [("machine 0 in slot 0, resource 1", 1)]


def test_each_resource_has_the_speed() -> None:
    with plugged_in("answers/trading"):
        draft: Any = sp.family("several", Cards, Work, sense="maximize")
        task: Any = Task
        one = draft.instance(1, 1, (4, 1), (task(name="a", work=5),))
        run = sp.policy(lambda view: {(view.jobs[0], 0): (4, 1)} if view.speed == 2 else {}, speed=2).run(one)
        assert run.feasible and [share.amount for share in run.schedule.shares] == [8, 2]
        more = draft.schedule.by("hand", one, (Share(0, 0, 0, Fraction(8), 0), Share(0, 0, 0, Fraction(3), 1)))
        assert {row.constraint for row in more.violations(one, speed=2)} == {"capacity", "demand"}
