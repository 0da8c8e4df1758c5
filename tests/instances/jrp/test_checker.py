from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from msgspec import structs

from schedproof.core.data.checking import SHOWN
from schedproof.instances.jrp import Assignment, Grant, Instance, Placement, Schedule, from_json
from schedproof.instances.jrp.checker import RULES
from tests.instances.jrp.mutations import MUTATIONS
from tests.instances.jrp.schedules import SHAPE
from tests.tiny.jrp import schedule_of

F = Fraction


def names(schedule: Schedule, instance: Instance) -> set[str]:
    return {v.constraint for v in schedule.violations(instance)}


def test_every_rule_is_broken_by_some_mutation() -> None:
    assert {constraint for constraint, _ in MUTATIONS.values()} == SHAPE | {rule.__name__ for rule in RULES}


def one_server(**more: object) -> Instance:
    """A server of 5 GB, 4 GFLOP/s and 6 Gbit/s; two jobs of 1 GB with a = 1 and b = 2."""
    row: dict[str, Any] = {"deadline": 2, "epochs": 3, "minibatch_size": F("0.75"), "minibatch_work": F(1, 2)}
    row |= {"parameter_size": 2, "sync_period": 2} | more
    row |= {"data_nodes": [{"name": "d", "size": 1, "servers": ["s"]}]}
    return from_json(
        {
            "version": 1,
            "family": "jrp",
            "communication_share": F(1, 2),
            "servers": [{"name": "s", "storage": 5, "compute": 4, "bandwidth": 6}],
            "jobs": [{"name": f"k{k}", **row} for k in range(2)],
        }
    )


def by_hand(instance: Instance, rows: list[tuple[int, int, int]], *grants: tuple[Any, ...]) -> Schedule:
    """Return a schedule of placements and of grants (job, compute, bandwidth) on server 0."""
    given = [Grant(k, 0, F(c), F(b)) for k, c, b in grants]
    return schedule_of(Assignment([Placement(*row) for row in rows], given), instance)


def test_how_far_a_constraint_is_broken() -> None:
    instance = one_server()
    assert instance.jobs[0].need(F(1)) == (1, 2)

    def found(rows: list[tuple[int, int, int]], *grants: tuple[Any, ...]) -> list[tuple[str, str, Fraction]]:
        return [(v.constraint, v.where, v.by) for v in by_hand(instance, rows, *grants).violations(instance)]

    assert found([(0, 0, 0)], (0, 2, 4)) == [], "half the time for each"
    assert found([(0, 0, 0)], (0, 4, F(8, 3))) == [], "a quarter of it to compute"
    assert found([(0, 0, 0)], (0, 2, F("3.2"))) == [("completion", "k0 on s", 2 * (F(1, 2) + 2 / F("3.2")) - 2)]
    assert found([(0, 0, 0)], (0, 5, 9)) == [("compute", "s", 1), ("bandwidth", "s", 3)]
    assert found([(0, 0, 0)], (0, 2, 4), (1, -1, 0)) == [("not_negative", "k1 on s", 1)]
    assert found([(0, 0, 0)]) == [("completion", "k0 on s, which has no grant of a resource it needs", 1)]
    assert found([(0, 0, 0)] * 7, (0, 4, 6))[:2] == [("one_server_each", "d of k0", 6), ("storage", "s", 2)]
    assert str(by_hand(instance, [(0, 0, 0)], (0, 5, 6)).violations(instance)[0]) == "compute at s by 1"
    assert found([(0, 5, 0)]) == [("node_exists", "data node number 5 of job number 0", 1)]
    assert found([(0, 0, 3)]) == [("server_exists", "server number 3", 1)]
    assert found([], (0, 1, 1), (0, 1, 1)) == [("one_grant_each", "job number 0 on server number 0", 1)]
    assert found([], (9, 1, 1)) == [("grant_exists", "job number 9 on server number 0", 1)]


def test_the_deadline_is_judged_in_rationals() -> None:
    # 1/r + 2/s <= 1 with equality, and a hair away.
    instance = one_server()
    hair = F(1, 10**50)
    exactly = by_hand(instance, [(0, 0, 0)], (0, 3, 3))
    assert exactly.violations(instance) == []
    for c, b in ((3 - hair, F(3)), (F(3), 3 - hair)):
        found = by_hand(instance, [(0, 0, 0)], (0, c, b)).violations(instance)
        assert [v.constraint for v in found] == ["completion"] and 0 < found[0].by < F(1, 10**49)


def test_a_part_of_size_zero_takes_no_time() -> None:
    still = one_server(parameter_size=0)
    assert by_hand(still, [(0, 0, 0)], (0, 1, 0)).violations(still) == [], "no parameters, no bandwidth"
    idle = one_server(minibatch_work=0)
    assert by_hand(idle, [(0, 0, 0)], (0, 0, 2)).violations(idle) == []
    assert names(by_hand(idle, [(0, 0, 0)], (0, 2, 0)), idle) == {"completion"}
    both = one_server(parameter_size=0, minibatch_work=0)
    assert by_hand(both, [(0, 0, 0)]).violations(both) == []


def test_without_a_deadline_no_grant_is_needed() -> None:
    instance = one_server()
    endless = replace(instance, jobs=tuple(structs.replace(job, deadline=None) for job in instance.jobs))
    assert by_hand(endless, [(0, 0, 0), (1, 0, 0)]).violations(endless) == []
    assert names(by_hand(endless, [(0, 0, 0)] * 6), endless) == {"one_server_each", "storage"}


def test_a_grant_without_data_counts_against_the_server_only() -> None:
    instance = one_server()
    assert by_hand(instance, [], (0, 4, 6)).violations(instance) == []
    assert names(by_hand(instance, [], (0, 2, 3), (1, 2, F("3.1"))), instance) == {"bandwidth"}


def test_at_most_a_hundred_violations_of_a_kind_are_reported() -> None:
    instance = one_server()
    nodes = tuple(structs.replace(instance.jobs[0].nodes[0], index=n, servers=()) for n in range(300))
    many = replace(instance, jobs=(structs.replace(instance.jobs[0], nodes=nodes),))
    found = by_hand(many, [(0, n, 0) for n in range(300)]).violations(many)
    assert [v.constraint for v in found].count("assignable") == SHOWN == 100
