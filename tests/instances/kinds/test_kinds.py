from __future__ import annotations

import doctest
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.errors import InputError, PolicyError
from schedproof.core.simulation.instance import Instance
from schedproof.core.simulation.policy import Rule, arguments_of
from schedproof.instances import kinds
from schedproof.instances.kinds import bins, machine_game, shares
from schedproof.instances.kinds.intervals import Stay
from schedproof.instances.kinds.shares import Share


class Job(sp.Entity):
    name: sp.Name
    times: tuple[sp.Count, ...]
    arrival: sp.Count = 0


class Work(Instance):
    machines: sp.Positive
    horizon: sp.Positive
    jobs: tuple[Job, ...]


class Shop(sp.Intervals):
    pass


class Fluid(sp.Intervals):
    at_once = preemptive = True


class Parallel(sp.Intervals):
    everywhere = False


class Moving(sp.Intervals):
    preemptive = True


class Rates(sp.Shares):
    @staticmethod
    def capacity(instance: Any, machine: int) -> int:
        return 2

    @classmethod
    def most(cls, instance: Any, machine: int, job: Any) -> int:
        time: int = job.times[machine]
        return time

    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        return sum((share.amount for share in self.shares), Fraction(0))


class Line(sp.Order):
    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        return Fraction(self.order[0])


RANGES = {
    "machines": (1, 3),
    "horizon": 6,
    "jobs": (1, 4),
    "jobs[*].times": "machines",
    "jobs[*].times[*]": (0, 3),
    "jobs[*].arrival": (0, 4),
}
MACHINES = (Shop, Fluid, Parallel, Moving)


@pytest.fixture(params=[*MACHINES, Rates, Line], scope="module")
def draft(request: pytest.FixtureRequest) -> Iterator[Any]:
    yield from _draft(request.param)


@pytest.fixture(params=MACHINES, scope="module")
def on_machines(request: pytest.FixtureRequest) -> Iterator[Any]:
    yield from _draft(request.param)


@pytest.fixture
def registry_alone() -> Iterator[None]:
    yield
    plug_ins.DRAFTS.clear()
    registry.forget()


def _draft(kind: Any) -> Iterator[Any]:
    copy: Any = type(Work.__name__, (Work,), {"__annotations__": Work.__annotations__, "__module__": __name__})
    yield sp.family(f"kind_{kind.__name__.lower()}", copy, kind, presets={"some": RANGES})
    plug_ins.DRAFTS.clear()
    registry.forget()


def rule_of(draft: Any) -> Callable[[Any], Any]:
    if issubclass(draft.schedule, sp.Shares):
        return lambda view: {(view.jobs[-1], 0): min(2, view.jobs[-1].times[0])} if view.jobs else {}
    return lambda view: sorted(view.jobs, key=lambda job: (-job.times[0], job.index))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_drivers_schedule_is_accepted_and_round_trips(data: st.DataObject, draft: Any) -> None:
    work = data.draw(draft.strategy())
    run = sp.policy(rule_of(draft)).run(work)
    assert run.violations == ()
    again = draft.schedule.from_json(run.schedule.to_json(work), work)
    assert again == run.schedule and again.objective(work) == run.objective
    assert len(run.to_frame()) == len([*run.schedule.occupied(work)])


def test_it_is_drawn(draft: Any) -> None:
    work = sp.generate(draft.name, "some", 4)
    assert sp.policy(rule_of(draft)).run(work).plot() is not None


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_independent_machines_cost_no_more_than_sequential_ones(data: st.DataObject, on_machines: Any) -> None:
    work = data.draw(on_machines.strategy())
    run = sp.policy(rule_of(on_machines)).run(work)
    last = max(job.arrival for job in work.jobs) + sum(sum(job.times) for job in work.jobs)
    assert run.objective <= len(work.jobs) * last


def work_of(name: str, *times: tuple[int, ...], arrivals: tuple[int, ...] = ()) -> Any:
    rows = [
        {"name": f"j{n}", "times": list(mine)} | ({"arrival": arrivals[n]} if arrivals else {})
        for n, mine in enumerate(times)
    ]
    file = {"version": 1, "family": name, "machines": len(times[0]), "horizon": 4, "jobs": rows}
    return registry.family(name).load("instance").from_json(file)


BROKEN: list[tuple[Any, Any, str]] = [
    (Shop, [(0, 0, 0, 2), (0, 1, 2, 3), (1, 0, 2, 3), (1, 1, 3, 4)], ""),
    (Shop, [(0, 0, 0, 2), (0, 1, 2, 3), (1, 0, 1, 2), (1, 1, 3, 4)], "one_on_a_machine"),
    (Shop, [(0, 0, 0, 2), (0, 1, 1, 2), (1, 0, 2, 3), (1, 1, 3, 4)], "one_machine_at_a_time"),
    (Shop, [(0, 0, 0, 1), (0, 0, 3, 4), (0, 1, 2, 3), (1, 0, 2, 3), (1, 1, 3, 4)], "without_interruption"),
    (Shop, [(0, 0, 0, 2), (0, 1, 2, 3), (1, 0, 2, 3)], "work"),
    (Shop, [(0, 0, 0, 2), (0, 1, 2, 3), (1, 0, 2, 3), (1, 1, 3, 5)], "work"),
    (Shop, [(0, 0, 0, 2), (0, 2, 2, 3)], "exists"),
    (Shop, [(0, 0, 2, 2)], "exists"),
    (Fluid, [(0, 0, 0, 1), (1, 0, 1, 2), (0, 0, 2, 3), (0, 1, 0, 1), (1, 1, 1, 2)], ""),
    (Fluid, [(0, 0, 0, 1), (1, 0, 0, 1), (0, 0, 2, 3), (0, 1, 0, 1), (1, 1, 1, 2)], "one_on_a_machine"),
    (Parallel, [(0, 0, 0, 2), (1, 1, 0, 1)], ""),
    (Parallel, [(0, 0, 0, 1), (0, 1, 1, 2), (1, 1, 0, 1)], "one_machine"),
    (Parallel, [(0, 0, 0, 2)], "work"),
]


@pytest.mark.parametrize(("kind", "stays", "rule"), BROKEN)
def test_a_broken_rule_of_machines_is_named(kind: Any, stays: Any, rule: str) -> None:
    for draft in _draft(kind):
        work = work_of(draft.name, (2, 1), (1, 1))
        plan = kind.by("hand", work, tuple(Stay(*row) for row in stays))
        named = {broken.constraint for broken in plan.violations(work)}
        assert named == set() if not rule else rule in named


def test_no_job_runs_before_its_arrival() -> None:
    for draft in _draft(Parallel):
        work = work_of(draft.name, (2,), (1,), arrivals=(1, 0))
        plan = Parallel.by("hand", work, (Stay(0, 0, 0, 2), Stay(1, 0, 2, 3)))
        assert [broken.constraint for broken in plan.violations(work)] == ["after_arrival"]


SHARES: list[tuple[Any, str]] = [
    ([(0, 0, 0, 2), (1, 0, 3, 1)], ""),
    ([(0, 0, 0, 2), (1, 0, 0, 1)], "capacity"),
    ([(0, 0, 0, 1), (1, 0, 0, 2)], "demand"),
    ([(0, 0, 4, 1)], "horizon"),
    ([(2, 0, 0, 1)], "after_arrival"),
    ([(0, 0, 0, 1), (0, 0, 0, 1)], "exists"),
]


@pytest.mark.parametrize(("shares", "rule"), SHARES)
def test_a_broken_rule_of_shares_is_named(shares: Any, rule: str) -> None:
    for draft in _draft(Rates):
        work = work_of(draft.name, (2,), (1,), (2,), arrivals=(0, 0, 2))
        plan = Rates.by("hand", work, tuple(Share(j, i, t, Fraction(a)) for j, i, t, a in shares))
        named = {broken.constraint for broken in plan.violations(work)}
        assert named == set() if not rule else rule in named


def test_an_order_contains_every_job_once() -> None:
    for draft in _draft(Line):
        work = work_of(draft.name, (2,), (1,))
        assert not Line.by("hand", work, (1, 0)).violations(work)
        assert [row.where for row in Line.by("hand", work, (1, 1)).violations(work)] == ["j0", "j1"]


def test_an_instance_without_a_time_on_each_machine_is_refused() -> None:
    for draft in _draft(Shop):
        with pytest.raises(InputError, match="on machine 1"):
            draft.instance.from_json(
                {"version": 1, "family": draft.name, "machines": 2, "horizon": 1, "jobs": [{"name": "a", "times": [1]}]}
            )


@pytest.mark.parametrize("wrong", [lambda view: None, lambda view: view.jobs[:1], lambda view: [3], lambda view: 5])
def test_a_policy_with_a_wrong_order_gives_one_message(wrong: Any) -> None:
    for draft in _draft(Shop):
        with pytest.raises(PolicyError, match="the policy"):
            sp.policy(wrong).run(work_of(draft.name, (2, 1), (1, 1)))


@pytest.mark.parametrize("kind", [sp.Shares, sp.Bins, sp.Intervals])
def test_the_help_of_a_kind_lists_its_view_and_an_example_that_runs(kind: type, registry_alone: None) -> None:
    example = doctest.DocTestParser().get_doctest(str(kind.__doc__), {"__name__": "x"}, kind.__name__, None, None)
    views = {sp.Shares: shares.View, sp.Bins: bins.View, sp.Intervals: machine_game.View}
    for attribute in (name for name in [*dir(views[kind]), *get_type_hints(views[kind])] if name[0] != "_"):
        assert f"``{attribute}" in str(kind.__doc__) or attribute == "put"
    assert 8 <= len(example.examples) <= 14 and doctest.DocTestRunner().run(example).failed == 0


def test_the_page_is_true() -> None:
    assert doctest.testmod(kinds) == (0, 8)
    plug_ins.DRAFTS.pop("sack")
    registry.forget()


def test_a_function_with_two_arguments_is_called_item_by_item() -> None:
    assert arguments_of(Rule(lambda view, item, *, size=1: None, {})) == 2
