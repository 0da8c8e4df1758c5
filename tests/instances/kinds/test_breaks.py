"""Breaks of machines in schedules of the kind `Intervals`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.errors import InputError
from schedproof.instances.kinds.intervals import Stay
from tests.instances.kinds.test_kinds import Fluid, Moving, Parallel, Shop, Work


class Apart(sp.Intervals):
    at_once = True


class Migrating(sp.Intervals):
    everywhere, preemptive = False, True


KINDS = (Shop, Fluid, Parallel, Moving, Apart, Migrating)


@pytest.fixture(params=KINDS, scope="module")
def draft(request: pytest.FixtureRequest) -> Iterator[Any]:
    hints = get_type_hints(Work, include_extras=True) | {"breaks": tuple[sp.Break, ...]}
    hints = {name: hints[name] for name in (*Work.__annotations__, "breaks")}
    work: Any = type("Work", (sp.Instance,), {"__annotations__": hints, "breaks": (), "__module__": __name__})
    yield sp.family(f"breaks_{request.param.__name__.lower()}", work, request.param)
    plug_ins.DRAFTS.clear()
    registry.forget()


def work_of(draft: Any, *times: tuple[int, ...], breaks: Any = (), arrivals: tuple[int, ...] = ()) -> Any:
    jobs = [{"name": f"j{n}", "times": list(mine), "arrival": (*arrivals, *[0] * 9)[n]} for n, mine in enumerate(times)]
    rows = [{"machine": str(machine), "start": start, "end": end} for machine, start, end in breaks]
    head = {"version": 1, "family": draft.name, "machines": len(times[0]), "horizon": 9, "jobs": jobs}
    return draft.instance.from_json(head | ({"breaks": rows} if rows else {}))


TIMES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4)
BREAKS = st.lists(st.tuples(st.sampled_from("01*"), st.integers(0, 9), st.integers(1, 3)), max_size=4).map(
    lambda rows: [(machine, start, start + length) for machine, start, length in rows]
)


def drawn(draft: Any, times: Any, breaks: Any, arrivals: Any) -> Any:
    kept: list[Any] = []
    for row in breaks:  # keep those that overlap no earlier one
        if all(row[1] >= end or row[2] <= start or "*" not in (name, row[0]) != name for name, start, end in kept):
            kept.append(row)
    try:
        return work_of(draft, *times, breaks=kept, arrivals=tuple(arrivals))
    except InputError:
        return work_of(draft, *times, breaks=kept[:1], arrivals=tuple(arrivals))


@settings(max_examples=60, deadline=None)
@given(times=TIMES, breaks=BREAKS, arrivals=st.lists(st.integers(0, 5), max_size=4))
def test_no_policy_works_in_a_break(draft: Any, times: Any, breaks: Any, arrivals: Any) -> None:
    work = drawn(draft, times, breaks, arrivals)
    run = sp.policy(lambda view: sorted(view.jobs, key=lambda job: (-job.left[0], job.index))).run(work)
    assert run.violations == ()
    slots = {(stay.machine, t) for stay in run.schedule.stays for t in range(stay.start, stay.end)}
    closed = {
        (i, t) for row in work.breaks for i in (0, 1) for t in range(row.start, row.end) if row.machine in (str(i), "*")
    }
    assert not slots & closed
    for machine, start, end in ((row.machine, row.start, row.end) for row in work.breaks):
        wrong = draft.schedule.by("hand", work, (Stay(0, int(machine.replace("*", "1")), start, end),))
        assert "not_in_a_break" in {broken.constraint for broken in wrong.violations(work)}


def test_without_breaks_the_file_is_unchanged(draft: Any) -> None:
    work = work_of(draft, (2, 1))
    assert b'"breaks"' not in work.canonical() and "breaks" not in work.facts()


WRONG = [
    (("2", 0, 1), "breaks\\[0\\].machine = '2': expected one of 0, 1, or '\\*'"),
    (("0", 2, 2), "breaks\\[0\\].end = 2: expected an end after the start"),
    (("1", 4, 6), "breaks of 1 that do not overlap"),
]


@pytest.mark.parametrize(("row", "message"), WRONG)
def test_a_wrong_break_is_refused_in_one_sentence(draft: Any, row: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        work_of(draft, (1, 1), breaks=[row, ("*", 5, 7)])


def test_a_job_pauses_only_if_it_may_be_interrupted(draft: Any) -> None:
    work = work_of(draft, (3,), breaks=[("0", 1, 3)])
    run = sp.policy(lambda view: view.jobs).run(work)
    assert run.schedule.ends(work) == [5 if draft.schedule.preemptive else 6]
    assert run.schedule.timeline(work).room["the machines"][1] == (1, 3, -1)


@settings(max_examples=25, deadline=None)
@given(times=st.lists(st.tuples(st.integers(0, 2)), min_size=1, max_size=2), breaks=BREAKS)
def test_the_best_order_is_the_best_schedule(draft: Any, times: Any, breaks: Any) -> None:
    kind = draft.schedule
    if not (kind.everywhere and kind.at_once):
        return
    work = drawn(draft, times, [("0", *row[1:]) for row in breaks], ())
    slots = range(16)
    if kind.preemptive:
        plans = (
            tuple(Stay(j, 0, t, t + 1) for t, j in zip(chosen, owner, strict=True))
            for owner in {tuple(o) for o in _owners([mine[0] for mine in times])}
            for chosen in _increasing(len(owner), 10)
        )
    else:
        starts = product(*(slots if mine[0] else (0,) for mine in times))
        plans = (tuple(Stay(j, 0, s, s + times[j][0]) for j, s in enumerate(row) if times[j][0]) for row in starts)
    feasible = (plan for rows in plans if not (plan := kind.by("all", work, rows)).violations(work))
    least = min(plan.objective(work) for plan in feasible)
    assert kind.best(work) == kind.best_order(work) == least


def _owners(left: list[int]) -> Iterator[list[int]]:
    if not any(left):
        yield []
    for j, rest in enumerate(left):
        if rest:
            yield from ([j, *more] for more in _owners([*left[:j], rest - 1, *left[j + 1 :]]))


def _increasing(count: int, end: int) -> Iterator[tuple[int, ...]]:
    yield from combinations(range(end + count), count)
