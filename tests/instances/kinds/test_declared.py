"""Families that name their jobs and places, with several resources for each place."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import nan
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.errors import InputError, PolicyError
from schedproof.instances.kinds.shares import Share


class Server(sp.Entity):
    name: sp.Name
    capacity: tuple[sp.Count, ...]


class Job(sp.Entity):
    name: sp.Name
    sizes: tuple[sp.Count, ...]
    arrival: sp.Count = 0


class Cluster(sp.Instance):
    """Jobs on servers; the servers are listed first."""

    horizon: sp.Positive
    servers: tuple[Server, ...]
    jobs: tuple[Job, ...]


class Plan(sp.Shares):
    jobs, places = "jobs", "servers"

    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        return sum((share.amount for share in self.shares), Fraction(0))


class Tasks(Plan):
    """A worker uses one GPU and two of memory, a server one of memory."""

    @staticmethod
    def uses(instance: Any, machine: int, job: Any, amounts: Any) -> Any:
        workers, servers = amounts
        return workers, 2 * workers + servers


class Packing(sp.Bins):
    jobs, places = "jobs", "servers"

    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        return Fraction(len(self.bins))


@pytest.fixture(autouse=True)
def registry_alone() -> Iterator[None]:
    yield
    plug_ins.DRAFTS.clear()
    registry.forget()


def family(kind: Any, instance: Any = Cluster, **more: Any) -> Any:
    copy = type(instance.__name__, (instance,), {"__annotations__": instance.__annotations__, "__module__": __name__})
    return sp.family("declared", copy, kind, **more)


def cluster(draft: Any, *sizes: tuple[int, ...], capacity: Any = ((2, 5), (3, 3)), arrivals: Any = (0, 0, 2)) -> Any:
    servers = [{"name": f"s{n}", "capacity": list(each)} for n, each in enumerate(capacity)]
    jobs = [{"name": f"j{n}", "sizes": list(each), "arrival": arrivals[n]} for n, each in enumerate(sizes)]
    return draft.instance.from_json(
        {"version": 1, "family": draft.name, "horizon": 4, "servers": servers, "jobs": jobs}
    )


def test_the_view_has_places_capacities_horizon_and_amounts_so_far() -> None:
    seen = []

    def rule(view: Any) -> Any:
        seen.append(view)
        return {(job, n): (Fraction(1, 2), 1) for job in view.jobs for n in range(len(view.places))}

    work = cluster(family(Plan), (1, 1), (1, 1), (1, 1))
    run = sp.policy(rule).run(work)
    assert run.feasible and run.objective == 10 * 2 * Fraction(3, 2)
    assert [len(view.jobs) for view in seen] == [2, 2, 3, 3] and {view.horizon for view in seen} == {4}
    assert [place.name for place in seen[0].places] == ["s0", "s1"] and seen[0].capacity == ((2, 5), (3, 3))
    assert seen[3].given[2] == ((Fraction(1, 2), 1),) * 2 and seen[3].given[0] == ((Fraction(3, 2), 3),) * 2
    assert Plan.from_json(run.schedule.to_json(work), work) == run.schedule


def test_a_class_with_state_is_a_policy() -> None:
    class EveryOther:
        def __init__(self) -> None:
            self.last = 0

        def assign(self, view: Any) -> Any:
            self.last += 1
            return {(view.jobs[0], view.places[self.last % 2]): (1, 1)}

    run = sp.policy(EveryOther).run(cluster(family(Plan), (1, 1)))
    assert [share.machine for share in run.schedule.shares if not share.part] == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ([(0, 0, 0, 2, 0), (0, 0, 0, 5, 1)], ""),
        ([(0, 0, 0, 2, 0), (1, 0, 0, 1, 0)], "capacity"),
        ([(0, 0, 0, 3, 1), (1, 0, 0, 3, 1)], "capacity"),
        ([(0, 1, 0, 4, 1)], "capacity"),
        ([(0, 0, 0, 1, 2)], "exists"),
        ([(0, 0, 0, 2, 0), (1, 0, 0, 1, 0), (0, 0, 0, -1, 1)], "exists"),
    ],
)
def test_each_resource_of_a_place_is_checked(rows: Any, rule: str) -> None:
    work = cluster(family(Plan), (1, 1), (1, 1))
    plan = Plan.by("hand", work, tuple(Share(j, i, t, Fraction(a), k) for j, i, t, a, k in rows))
    named = {broken.constraint for broken in plan.violations(work)}
    assert named == set() if not rule else rule in named


def test_a_family_says_what_its_amounts_use() -> None:
    work = cluster(family(Tasks), (1, 1))
    for servers, feasible in ((1, True), (2, False)):
        run = sp.policy(lambda view, servers=servers: {(view.jobs[0], 0): (2, servers)}).run(work)
        assert run.feasible is feasible


WRONG: list[tuple[Any, str]] = [
    (lambda view: 5, r"returned 5 in slot 0, expected a dict like \{\(view.jobs\[0\], 0\): \(1, 1\)\}"),
    (lambda view: {view.jobs[0].name: (1, 1)}, r"the key 'j0' in slot 0, expected a job and the position of a place"),
    (lambda view: {("j0", 0): (1, 1)}, r"the key \('j0', 0\) in slot 0, .*as in \{\(view.jobs\[0\], 0\): \(1, 1\)\}"),
    (lambda view: {(view.jobs[0], 2): (1, 1)}, "the position of a place from 0 to 1"),
    (lambda view: {(view.jobs[0], 0): 1}, "gave 1 to j0 on place 0 in slot 0, expected a tuple of 2 numbers"),
    (lambda view: {(view.jobs[0], 0): (1, nan)}, "expected a tuple of 2 numbers"),
    (lambda view: {(view.jobs[0], 0): (1, -1)}, "one for each part, >= 0"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG)
def test_a_wrong_answer_is_shown_with_a_correct_one(rule: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        sp.policy(rule).run(cluster(family(Plan), (1, 1)))


def test_a_job_that_has_not_arrived_is_named() -> None:
    work = cluster(family(Plan), (1, 1), arrivals=(3,))
    with pytest.raises(PolicyError, match="this job has not arrived"):
        sp.policy(lambda view: {(work.jobs[0], 0): (1, 1)}).run(work)


@pytest.mark.parametrize(
    ("jobs", "places", "message"),
    [
        (
            "",
            "horizon",
            r"Cluster: expected the name of the list with the jobs or items, one of servers, jobs, found",
        ),
        ("", "horizon", r"write for example jobs = 'jobs' in the schedule class"),
        ("job", "servers", r"one of servers, jobs, found 'job'"),
        ("jobs", "machines", r"no field 'machines', which sp\.Shares needs; name the field with the places"),
    ],
)
def test_jobs_and_places_are_declared(jobs: str, places: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        family(type("Other", (Plan,), {"jobs": jobs, "places": places}))


def test_the_only_other_list_has_the_jobs() -> None:
    assert family(type("Other", (Plan,), {"jobs": ""})).card.own.size == ("jobs", "job")


def test_a_family_can_declare_jobs_and_places_without_a_class() -> None:
    draft = family(sp.Intervals, jobs="jobs", places="servers", presets={"tiny": {"servers": 2, "jobs": 3}})
    assert draft.card.own.size == ("jobs", "job") and draft.schedule.places == "servers"


def test_a_family_of_shares_needs_a_horizon() -> None:
    class Short(sp.Instance):
        servers: tuple[Server, ...]
        jobs: tuple[Job, ...]

    Short.__annotations__ = {"servers": tuple[Server, ...], "jobs": tuple[Job, ...]}
    with pytest.raises(InputError, match=r"no field 'horizon', which sp\.Shares needs; add horizon: sp.Positive"):
        family(Plan, Short)


def test_bins_are_places_with_their_own_capacities() -> None:
    work = cluster(family(Packing), (2, 4), (3, 1), (0, 1))

    def first_fit(view: Any, item: Any) -> Any:
        assert view.most == 2 and [place.name for place in view.places] == ["s0", "s1"]
        assert view.capacity(1) == (3, 3)
        return next(n for n in range(view.most) if view.fits(item, n))

    run = sp.policy(first_fit).run(work)
    assert run.feasible and run.schedule.bins == ((0, 2), (1,))
    assert Packing.by("hand", work, ((1,), (0, 2))).violations(work)
    assert [v.constraint for v in Packing.by("hand", work, ((0,), (1,), (2,))).violations(work)] == ["exists"]


def test_a_class_may_pack_item_by_item() -> None:
    class NextFit:
        def assign(self, view: Any, item: Any) -> Any:
            return next(n for n in range(2) if view.fits(item, n))

    assert sp.policy(NextFit).run(cluster(family(Packing), (1, 1), (1, 1))).feasible


def test_a_wrong_bin_is_shown_with_a_right_one() -> None:
    with pytest.raises(PolicyError, match=r"put j0 into bin 7, expected .* with room for it, for example 0"):
        sp.policy(lambda view, item: 7).run(cluster(family(Packing), (1, 1)))


def test_the_former_name_of_a_bins_capacity_is_refused() -> None:
    with pytest.raises(InputError, match=r"Old\.room: this method of sp\.Bins is now named `capacity`; rename it"):
        family(type("Old", (Packing,), {"room": lambda instance, n: (1, 1)}))


def test_an_item_that_fits_no_bin_is_refused() -> None:
    with pytest.raises(InputError, match=r"jobs\[0\].*expected sizes that fit into a bin of 2, 5 or 3, 3"):
        cluster(family(Packing), (4, 1))


def test_places_have_the_same_resources() -> None:
    with pytest.raises(InputError, match=r"servers\[1\].*expected capacities of 2 resources"):
        cluster(family(Plan), (1, 1), capacity=((1, 1), (1,)))


def test_a_plan_gives_each_jobs_amounts_when_it_arrives() -> None:
    draft, seen = family(Tasks, sense="maximize"), []

    @draft.policy
    def early(view: Any, job: Any) -> Any:
        """Two workers and one server on the first place with room, in the first two slots."""
        seen.append((job.name, view.slot, view.free(view.slot)))
        slots = range(view.slot, min(view.slot + 2, view.horizon))
        places = [n for n in range(2) if view.free(view.slot)[n][0] >= 2 and view.free(view.slot)[n][1] >= 5]
        return {(slot, places[0]): (2, 1) for slot in slots} if places else {}

    one = cluster(draft, (1, 1), (1, 1), (1, 1), capacity=((4, 12), (3, 5)), arrivals=(0, 1, 1))
    run = sp.policy("declared.early").run(one)
    full, half, none = (4, 12), (2, 7), (0, 2)
    assert run.feasible and seen == [("j0", 0, (full, (3, 5))), ("j1", 1, (half, (3, 5))), ("j2", 1, (none, (3, 5)))]
    assert run.schedule.ends() == {0: 1, 1: 2, 2: 2}
    assert run.schedule.placed()[2, 1, 1] == run.schedule.totals()[2, 2] == [2, 1]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([1], r"the policy planned \[1\] for j0, expected a dict like \{\(0, 0\): \(1, 1\)\}"),
        ({(4, 0): (1, 1)}, r"key \(4, 0\) in the plan for j0, expected a slot from 0 to 3 and the position of a place"),
        ({("j0", 0): (1, 1)}, "expected a slot from 0 to 3"),
        ({(0, 0): (1, nan)}, "expected a tuple of 2 numbers"),
    ],
)
def test_a_wrong_plan_is_refused_with_a_right_one(plan: Any, message: str) -> None:
    draft = family(Plan, sense="maximize")

    @draft.policy
    def wrong(view: Any, job: Any) -> Any:
        """Return a fixed plan."""
        return plan

    with pytest.raises(PolicyError, match=message):
        sp.policy("declared.wrong").run(cluster(draft, (1, 1)))


def test_a_program_inherits_groups_and_replaces_them() -> None:
    draft = family(Plan, sense="maximize")

    class Base:
        @sp.group("objective", "(1)", r"\max \sum_j x_j")
        def total(block: Any, cluster: Any, amounts: Any) -> Any:
            """The total."""
            return sum(amounts.x.values())

        @sp.group("variables", "(1a)", r"0 \le x_j \le 1")
        def amounts(block: Any, cluster: Any) -> None:
            """Amounts."""
            block.x = sp.pyo.Var(range(len(cluster.jobs)), bounds=(0, 1))

    @draft.program
    class small(Base):
        """At most one for each job."""

    @draft.program
    class large(Base):
        """At most three for each job."""

        @sp.group("variables", "(1b)", r"0 \le x_j \le 3")
        def amounts(block: Any, cluster: Any) -> None:
            """Larger amounts."""
            block.x = sp.pyo.Var(range(len(cluster.jobs)), bounds=(0, 3))

    one = cluster(draft, (1, 1), (1, 1))
    assert [sp.bound(f"declared.{name}", one).exact for name in ("small", "large")] == [2, 6]
