from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.data.arrays import with_arrays, write_object
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import InputError
from schedproof.core.simulation.pictures import axes
from tests.instances.broken import other_shapes, with_change
from tests.instances.schedules import mutants, schedules
from tests.support import FAMILIES, size

OF = schedules()
each_family = pytest.mark.parametrize("family", FAMILIES)
with_mutations = pytest.mark.parametrize("family", [name for name in FAMILIES if OF[name].mutations])


def names(schedule: Any, instance: Any) -> set[str]:
    return {violation.constraint for violation in schedule.violations(instance, **told(schedule))}


def told(schedule: Any) -> dict[str, Any]:
    return registry.family(schedule.family).rules_among(schedule.options)


# --- the file -------------------------------------------------------------------------------------------------------


@each_family
def test_a_schedule_file_round_trips(family: str, tmp_path: Path) -> None:
    for seed in range(size(20, 20, 500)):
        instance, schedule = OF[family].drawn(seed)
        write_object(tmp_path / "plan.json", schedule.to_json(instance))
        again = sp.read_schedule(tmp_path / "plan.json", instance)
        assert OF[family].content(again) == OF[family].content(schedule), seed
        assert (again.policy, again.seed) == (schedule.policy, schedule.seed)
        assert again.instance_sha256 == instance.sha256
        assert names(again, instance) == set()
        assert again.objective(instance, **told(again)) == schedule.objective(instance, **told(schedule))


@each_family
def test_the_file_has_the_formats_keys_and_exact_options(family: str, tmp_path: Path) -> None:
    instance, schedule = OF[family].drawn(5)
    options = {"cap": Fraction(1, 3), "theta": "exact", "samples": 3}
    told = replace(schedule, policy="somebody", options=options, seed=5)
    write_object(tmp_path / "plan.json", told.to_json(instance))
    value = parse(read_text(tmp_path / "plan.json"))
    header = {"version", "family", "instance_sha256", "policy", "options", "seed", "software"}
    rows = OF[family].rows or {"allocation": None}
    assert header | rows.keys() <= value.keys() <= header | rows.keys() | {"unfinished", "trace"}
    assert (value["version"], value["family"], value["instance_sha256"]) == (1, family, instance.sha256)
    assert (value["policy"], value["seed"]) == ("somebody", 5)
    assert value["options"] == {"cap": "1/3", "theta": "exact", "samples": 3}
    for key, keys in OF[family].rows.items():
        assert value[key] and all(row.keys() - {"worker", "type"} == keys for row in value[key])


@each_family
def test_bad_files_give_one_message(family: str) -> None:
    instance, shape = OF[family].shape()
    read = registry.family(family).load("schedule").from_json
    read(shape.value(), instance)
    cases = list(other_shapes(shape))
    everywhere = [
        ("family", "toy", f"expected {family}"),
        ("instance_sha256", "0a1b", "expected a schedule of this instance"),
    ]
    cases += [with_change(shape.value(), *row) for row in (*everywhere, *shape.refused)]
    cases += [(3, "$ = 3: expected an object"), (None, "$: expected an object"), ([], "$: expected an object")]
    for value, sentence in cases:
        with pytest.raises(InputError) as caught:
            read(value, instance)
        assert str(caught.value).startswith(sentence) and str(caught.value).isprintable()


@each_family
def test_an_empty_schedule(family: str, tmp_path: Path) -> None:
    instance, _ = OF[family].drawn(7)
    nothing = OF[family].empty(instance)
    assert names(nothing, instance) == OF[family].breaks_when_empty
    write_object(tmp_path / "plan.json", nothing.to_json(instance))
    again = with_arrays(parse(read_text(tmp_path / "plan.json")), tmp_path, ("allocation",))
    again = registry.family(family).load("schedule").from_json(again, instance)
    assert OF[family].content(again) == OF[family].content(nothing)
    if family in ("preemptive", "dmlrs", "multiserver"):
        assert nothing.objective(instance) == 0
    assert nothing.to_frame(instance)[OF[family].unit].tolist() == [
        row.name for row in getattr(instance, f"{OF[family].unit}s")
    ]


# --- the checker ----------------------------------------------------------------------------------------------------


@with_mutations
def test_feasible_schedules_are_accepted(family: str) -> None:
    for seed in range(size(40, 40, 1000)):
        instance, schedule = OF[family].drawn(seed)
        assert names(schedule, instance) == OF[family].literal(schedule, instance) == set(), seed


@with_mutations
def test_every_mutant_is_rejected_and_the_broken_constraint_named(family: str) -> None:
    of = OF[family]
    for name, constraint, instance, spoiled in mutants(of.mutations, of.drawn, size(60, 60, 2000)):
        seen = names(spoiled, instance)
        assert constraint in seen, (name, seen)
        assert seen == ({constraint} if constraint in of.alone else of.literal(spoiled, instance)), name


@with_mutations
def test_equals_the_literal_checker_on_random_changes(family: str) -> None:
    accepted: dict[bool, int] = {True: 0, False: 0}
    for seed in range(size(60, 60, 5000)):
        instance, schedule = OF[family].drawn(seed % 200)
        changed = OF[family].changed(instance, schedule, random.Random(seed))
        found = names(changed, instance)
        if found & OF[family].alone:
            continue
        assert found == OF[family].literal(changed, instance), seed
        accepted[not found] += 1
    assert min(accepted.values()) > 0


@with_mutations
def test_an_infeasible_schedule_still_has_an_objective_a_frame_and_a_picture(family: str) -> None:
    for name, (constraint, mutation) in OF[family].mutations.items():
        if constraint in OF[family].no_schedule:
            continue
        drawn = map(OF[family].drawn, range(400))
        tried = ((instance, mutation(instance, schedule, random.Random(0))) for instance, schedule in drawn)
        instance, spoiled = next((i, s) for i, s in tried if s is not None)
        assert spoiled.objective(instance) >= 0, name
        assert len(spoiled.to_frame(instance)) == instance.extent[0]
        assert spoiled.plot(instance) is not None


# --- the picture ----------------------------------------------------------------------------------------------------


@each_family
def test_empty_and_wrong_schedules_can_be_drawn(family: str, tmp_path: Path) -> None:
    for seed in range(3, 5):
        instance, schedule = OF[family].drawn(seed)
        for one in (schedule, OF[family].empty(instance), *OF[family].wrong(instance)):
            one.plot(instance).figure.savefig(tmp_path / "some.png")
            assert (tmp_path / "some.png").stat().st_size > 3000


@each_family
def test_pictures_use_given_axes(family: str) -> None:
    instance, schedule = OF[family].drawn(1)
    mine = axes(None, (4, 3))
    assert schedule.plot(instance, mine) is mine
