from __future__ import annotations

from fractions import Fraction

from schedproof.instances.dmlrs import Instance, Placement, Schedule, from_json
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job
from tests.instances.dmlrs.schedules import good
from tests.support import size
from tests.tiny.dmlrs import tiny_dmlrs


def test_the_drawn_schedules_are_of_every_kind() -> None:
    kinds = {"internal": 0, "external": 0, "given up": 0, "finished": 0}
    for seed in range(size(40, 120, 2000)):
        instance, schedule = good(seed)
        slots = [(p.job, p.slot) for p in schedule.placements]
        kinds["internal"] += any(slots.count(key) == 1 for key in slots)
        kinds["external"] += any(slots.count(key) > 1 for key in slots)
        kinds["given up"] += bool(schedule.unfinished)
        kinds["finished"] += bool(schedule.completions(instance))
    assert min(kinds.values()) > 0


def one_job(**more: object) -> Instance:
    """10 samples, c_i slightly above 1, c_e = 2, two machines, slots 1 to 6."""
    sizes = {"epochs": 5, "workers_per_ps": 2, "model_size": 2, "bandwidth_internal": 10**18, "bandwidth_external": 2}
    row = job("job", 2, 3, {"gpu": 1}, {"gpu": 1}, batch=4, arrival=1, **sizes)
    return build_instance([{"gpu": 4}, {"gpu": 4}], [row], 7, **more)


def schedule_of(instance: Instance, *rows: tuple[int, int, int, int], **more: object) -> Schedule:
    """Return a schedule of rows (slot, machine, workers, ps) of job 0."""
    return Schedule.of([Placement(0, *row) for row in rows], instance, "hand", **more)


def test_how_far_a_constraint_is_broken() -> None:
    instance = one_job()
    external = 1 / instance.jobs[0].external_time
    assert instance.jobs[0].external_time == 2

    def found(*rows: tuple[int, int, int, int]) -> dict[str, tuple[str, Fraction]]:
        return {v.constraint: (v.where, v.by) for v in schedule_of(instance, *rows).violations(instance)}

    assert found((0, 0, 2, 1))["after_arrival"] == ("job in slot 0", 1)
    assert found((1, 0, 3, 1), (1, 1, 2, 2))["batch_size"] == ("job in slot 1", 1)
    assert found((1, 0, 3, 1))["parameter_servers"] == ("job in slot 1", 1)
    assert found((1, 0, 4, 2))["capacity"] == ("gpu of m0 in slot 1", 2)
    assert found((1, 0, 2, 1), (1, 1, 2, 1))["work"] == ("job", 10 - 4 * external)
    assert str(schedule_of(instance, (0, 0, 2, 1)).violations(instance)[0]) == "after_arrival at job in slot 0 by 1"


def test_work_is_tested_in_rationals() -> None:
    # Five spread slots of four workers train exactly 10 samples; with one worker less they do not.
    instance = one_job()
    full = [(t, h, 2, 1) for t in range(1, 6) for h in range(2)]
    assert schedule_of(instance, *full).violations(instance) == []
    lacking = [*full[:-1], (5, 1, 1, 1)]
    found = schedule_of(instance, *lacking).violations(instance)
    assert [(v.constraint, v.by) for v in found] == [("work", Fraction(1, 2))]


def test_a_slot_is_internal_only_if_it_uses_one_machine() -> None:
    # Ten co-located worker-slots miss by a hair, c_i being above 1; eleven suffice, unless a server moves out.
    instance = one_job()
    c = instance.jobs[0].internal_time
    assert c == 1 + Fraction(2, 10**18)
    ten = [(t, t % 2, 2, 1) for t in range(1, 6)]
    assert [(v.constraint, v.by) for v in schedule_of(instance, *ten).violations(instance)] == [("work", 10 - 10 / c)]
    eleven = [*ten, (6, 0, 1, 1)]
    assert schedule_of(instance, *eleven).violations(instance) == []
    apart = [*ten[:-1], (5, 1, 2, 0), (5, 0, 0, 1), (6, 0, 1, 1)]
    found = schedule_of(instance, *apart).violations(instance)
    assert [(v.constraint, v.by) for v in found] == [("work", 10 - 9 / c - 1)]


def test_reserved_capacity_counts() -> None:
    instance = one_job(reserved=[[{}, {}], [{"gpu": 2}, {}], *[[{}, {}]] * 5])
    found = schedule_of(instance, (1, 0, 2, 1), unfinished=frozenset({0})).violations(instance)
    assert [(v.constraint, v.by) for v in found] == [("capacity", 1)]
    elsewhere = schedule_of(instance, (1, 1, 2, 1), unfinished=frozenset({0}))
    assert elsewhere.violations(instance) == []


def test_empty_rows_have_no_effect() -> None:
    instance = one_job()
    empty = Schedule.by("hand", instance, (Placement(0, 0, 0, 0, 0),))
    assert empty.violations(instance) == [] and empty.completions(instance) == {}


def test_at_most_a_hundred_violations_of_a_kind_are_reported() -> None:
    value = tiny_dmlrs(0, jobs=1, horizon=300, reserved=False)
    value["jobs"][0]["batch_size"] = 1
    instance = from_json(value)
    rows = [Placement(0, t, 0, 2, 9) for t in range(300)]
    found = Schedule.of(rows, instance, "hand").violations(instance)
    assert [v.constraint for v in found].count("batch_size") == 100
