from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.errors import InputError
from schedproof.core.simulation.instance import Instance
from tests.support import size


class Job(sp.Entity):
    name: sp.Name
    weight: sp.Positive
    times: tuple[sp.Count, ...]
    arrival: sp.Count = 0


class Work(Instance):
    machines: sp.Positive
    jobs: tuple[Job, ...]


RANGES = {
    "machines": (1, 2),
    "jobs": (1, 3),
    "jobs[*].weight": (1, 3),
    "jobs[*].times": "machines",
    "jobs[*].times[*]": (0, 3),
    "jobs[*].arrival": (0, 4),
}
RULES = [
    {"everywhere": everywhere, "at_once": at_once, "preemptive": preemptive}
    for everywhere, at_once, preemptive in product((True, False), repeat=3)
    if at_once or not everywhere or not preemptive
]


@pytest.fixture(params=RULES, ids=str, scope="module")
def draft(request: pytest.FixtureRequest) -> Iterator[Any]:
    copy: Any = type(Work.__name__, (Work,), {"__annotations__": Work.__annotations__, "__module__": __name__})
    yield sp.family("orders", copy, sp.Intervals, presets={"tiny": RANGES}, **request.param)
    plug_ins.DRAFTS.clear()
    registry.forget()


def slot_by_slot(work: Any, kind: Any) -> int:
    """Return the least cost over all decisions of all slots."""
    machines, jobs, LAST = range(work.machines), work.jobs, 40

    @cache
    def least(now: int, left: tuple[tuple[int, ...], ...], home: tuple[Any, ...], busy: tuple[Any, ...]) -> float:
        unfinished = [j for j, rest in enumerate(left) if any(rest)]
        if not unfinished:
            return 0
        if now == LAST:
            return float("inf")
        here = [
            [busy[i]]
            if busy[i] is not None
            else [None, *(j for j in unfinished if jobs[j].arrival <= now and left[j][i] and home[j] in (None, i))]
            for i in machines
        ]
        found = float("inf")
        for chosen in product(*here):
            running = [j for j in chosen if j is not None]
            if len(set(running)) < len(running) and not (kind.at_once and kind.everywhere):
                continue
            rest = [[*row] for row in left]
            homes, held = [*home], [None] * len(chosen)
            for i, j in enumerate(chosen):
                if j is None:
                    continue
                rest[j][i] -= 1
                if not kind.everywhere:
                    homes[j] = i
                    rest[j] = [each * (k == i) for k, each in enumerate(rest[j])]
                if not kind.preemptive and rest[j][i]:
                    held[i] = j
            done = sum(jobs[j].weight * (now + 1) for j in unfinished if not any(rest[j]))
            found = min(found, done + least(now + 1, tuple(map(tuple, rest)), tuple(homes), tuple(held)))
        return found

    times = [job.times if kind.everywhere or 0 not in job.times else (0,) * len(machines) for job in jobs]
    idle = sum(job.weight * job.arrival for job, mine in zip(jobs, times, strict=True) if not any(mine))
    return int(idle + least(0, tuple(times), (None,) * len(jobs), (None,) * len(machines)))


@settings(max_examples=size(10, 10, 25), deadline=None)
@given(data=st.data())
def test_the_best_is_that_of_all_decisions_of_all_slots(data: st.DataObject, draft: Any) -> None:
    work = data.draw(draft.strategy())
    assert draft.schedule.best(work) == slot_by_slot(work, draft.schedule)


def test_no_policy_is_better_than_the_best(draft: Any) -> None:
    for seed in range(10):
        work = sp.generate("orders", seed=seed)
        run = sp.policy(lambda view: sorted(view.jobs, key=lambda job: min(job.left))).run(work)
        assert run.feasible and run.objective >= draft.schedule.best(work)


@pytest.mark.parametrize("draft", [{"preemptive": True}, {"everywhere": False}], indirect=True, ids=str)
def test_a_search_that_is_not_exact_or_too_long_is_refused(draft: Any) -> None:
    work = sp.generate("orders", seed=1, jobs=9, machines=2)
    with pytest.raises(InputError, match=r"enumeration supports no (more|others)"):
        draft.schedule.best(work)


@pytest.mark.parametrize("draft", [{"at_once": True}], indirect=True, ids=str)
def test_one_order_for_all_machines_is_refused_for_arrivals(draft: Any) -> None:
    later: Any = {"jobs[*].arrival": 2}
    work = sp.generate("orders", seed=1, **later)
    with pytest.raises(InputError, match="without arrivals"):
        draft.schedule.best_order(work)
    assert draft.schedule.best(work) == slot_by_slot(work, draft.schedule)
