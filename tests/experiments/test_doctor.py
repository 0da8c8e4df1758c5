from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import encode
from schedproof.core.solvers.status import Outcome
from schedproof.experiments.doctor import health, patient
from schedproof.experiments.doctor.examinations import NotDone
from schedproof.experiments.doctor.health import Health
from tests.command_line import Cli, told
from tests.support import PROFILE, size

DRAWS = 6
COIN = Random(0)  # of what draws without its seed
PLUG_IN = Path(__file__).parents[1] / "plug_in"
SMALL: dict[str, dict[str, Any]] = {
    "preemptive": {"jobs": 2},
    "dmlrs": {"jobs": 2},
    "jrp": {} if PROFILE == "deep" else {"jobs": 2},
    "multiserver": {},
    "placement": {"tasks": 3},
}


@pytest.mark.parametrize("family", SMALL)
def test_our_families_are_sound(family: str) -> None:
    health = sp.doctor(family, draws=size(1, 1, 20), settings=SMALL[family])
    assert health.sound, "\n".join(health.lines())
    checks = {row.check for row in health.rows}
    assert {"instance files", "schedule files", "policies", "exact methods", "bounds", "checker"} <= checks


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(patient, "SECONDS", inf)
    monkeypatch.setattr(patient, "FEW", inf)
    monkeypatch.syspath_prepend(PLUG_IN)
    registry.forget()
    import schedproof_toy.bound
    import schedproof_toy.card
    import schedproof_toy.checker
    import schedproof_toy.files
    import schedproof_toy.policy
    import schedproof_toy.program
    import schedproof_toy.sack

    yield schedproof_toy
    monkeypatch.undo()
    registry.forget()


def examined() -> Health:
    registry.forget()
    return sp.doctor("toy", draws=DRAWS)


def test_an_honest_family_is_sound(toy: Any, cli: Cli) -> None:
    health = examined()
    assert health.sound and health.draws == DRAWS, "\n".join(health.lines())
    assert "checker" in {row.part for row in health.rows}
    said = told(cli("doctor", "toy", "--draws", "2", "--json"))
    assert said["sound"] and {row["verdict"] for row in said["rows"]} <= {"ok", "not done"}


Change = Callable[[Any, pytest.MonkeyPatch], None]
LIES: dict[str, tuple[str, Change]] = {}  # name -> the check that sees it, and how it is planted


def lie(check: str) -> Callable[[Change], Change]:
    def plant(change: Change) -> Change:
        LIES[change.__name__] = check, change
        return change

    return plant


def wrapped(patch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Replace a function's result by ``change(result, *arguments)``."""
    honest = getattr(owner, name)
    patch.setattr(owner, name, lambda *words, **more: change(honest(*words, **more), *words))


@lie("bounds")
def value_is_half_of_what_is_proven(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.bound.PriceOfWeight, "value", lambda value, *_: value / 2)


@lie("checker")
def checker_asks_for_no_room(toy: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(toy.checker, "fits", lambda packing, sack: iter(()))


@lie("checker")
def checker_lets_an_item_be_taken_twice(toy: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(toy.checker, "once", lambda packing, sack: iter(()))


@lie("policies")
def driver_takes_an_item_that_nobody_decided(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.policy, "drive", lambda plan, *_: replace(plan, items=(*plan.items, 0)))


@lie("schedule files")
def driver_says_that_somebody_else_decided(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.policy, "drive", lambda plan, *_: replace(plan, policy="toy.knapsack"))


@lie("bounds")
def objective_counts_twice(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.sack.Packing, "objective", lambda value, *_: 2 * value)


@lie("instance files")
def instance_writes_another_capacity(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.sack.Sack, "to_json", lambda row, *_: row | {"capacity": row["capacity"] + 1})


@lie("schedule files")
def schedule_reader_loses_an_item(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.sack.Packing, "from_json", lambda plan, *_: replace(plan, items=plan.items[1:]))


@lie("policies")
def policy_draws_without_its_seed(toy: Any, patch: pytest.MonkeyPatch) -> None:
    honest = toy.policy.Threshold.arrive

    def arrive(self: Any, time: int, jobs: Any) -> None:
        honest(self, time, [job for job in jobs if COIN.random() < 0.5])

    patch.setattr(toy.policy.Threshold, "arrive", arrive)


@lie("policies")
def policy_overfills_the_sack(toy: Any, patch: pytest.MonkeyPatch) -> None:
    def start(self: Any, system: Any) -> None:
        self.left, self.taken = system.capacity + 9, []

    patch.setattr(toy.policy.Threshold, "start", start)


@lie("bounds")
def bound_is_on_the_other_side(toy: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setitem(vars(toy.card.FAMILY.bounds[0]), "kind", "lower")


@lie("guarantees")
def policy_promises_the_optimum(toy: Any, patch: pytest.MonkeyPatch) -> None:
    def guarantee(self: Any, instance: Any) -> Guarantee:
        return Guarantee(Fraction(1), "Somebody 2026", {"some items": "yes"})

    guarantee.__module__ = toy.policy.__name__
    patch.setattr(toy.policy.Threshold, "guarantee", guarantee, raising=False)


@lie("exact methods")
def exact_method_misses_the_optimum(toy: Any, patch: pytest.MonkeyPatch) -> None:
    less = lambda found, *_: Outcome("optimal", found.objective - 1, found.objective - 1)  # noqa: E731
    wrapped(patch, toy.program, "by_hand", less)


@lie("exact methods")
def program_has_a_larger_sack(toy: Any, patch: pytest.MonkeyPatch) -> None:
    honest = toy.program.fits
    larger = lambda block, instance: honest.build(block, replace(instance, capacity=instance.capacity + 5))  # noqa: E731
    patch.setattr(toy.program, "fits", replace(honest, build=larger))


@lie("exact methods")
def program_cannot_be_built(toy: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(toy.program, "value", replace(toy.program.value, build=lambda block, instance: block.nothing))


@lie("bounds")
def certificate_is_read_as_another_one(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.bound.PriceOfWeight, "from_json", lambda proof, *_: replace(proof, price=proof.price + 1))


@lie("instance files")
def generator_draws_without_its_seed(toy: Any, patch: pytest.MonkeyPatch) -> None:
    honest = toy.files.generate
    patch.setattr(toy.files, "generate", lambda preset, seed, settings: honest(preset, COIN.randrange(10**9), settings))


def chosen(plan: Any, sack: Any) -> dict[str, dict[int, int]]:
    return {"taken.x": dict.fromkeys(plan.items, 1)}


@lie("points of schedules")
def program_has_a_smaller_sack_than_the_checker(toy: Any, patch: pytest.MonkeyPatch) -> None:
    honest = toy.program.fits
    smaller = lambda block, instance: honest.build(block, replace(instance, capacity=instance.capacity / 2))  # noqa: E731
    patch.setattr(toy.program, "fits", replace(honest, build=smaller))
    wrapped(patch, toy.program, "knapsack", lambda program: replace(program, to_point=chosen))


@lie("points of schedules")
def program_counts_less_than_the_schedule(toy: Any, patch: pytest.MonkeyPatch) -> None:
    def half(block: Any, instance: Any) -> None:
        x = block.model().taken.x
        block.term = sum(float(item.value) / 2 * x[item.index] for item in instance.items)

    patch.setattr(toy.program, "value", replace(toy.program.value, build=half))
    wrapped(patch, toy.program, "knapsack", lambda program: replace(program, to_point=chosen))


@lie("points of schedules")
def point_names_a_variable_that_the_program_lacks(toy: Any, patch: pytest.MonkeyPatch) -> None:
    point = lambda plan, sack: {"taken.y": dict.fromkeys(plan.items, 1)}  # noqa: E731
    wrapped(patch, toy.program, "knapsack", lambda program: replace(program, to_point=point))


@lie("senses")
def program_forgets_its_sense(toy: Any, patch: pytest.MonkeyPatch) -> None:
    wrapped(patch, toy.program, "knapsack", lambda program: replace(program, sense="minimize"))


def test_an_honest_point_is_sound(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped(monkeypatch, toy.program, "knapsack", lambda program: replace(program, to_point=chosen))
    health = examined()
    (row,) = (row for row in health.rows if row.check == "points of schedules")
    assert health.sound and row.verdict == "ok" and row.draws == DRAWS, "\n".join(health.lines())


def test_a_column_that_a_program_forgets_is_not_done(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed schedules of one item need it; the other ones have points."""
    point = lambda plan, sack: {f"taken.{'y' if len(plan.items) == 1 else 'x'}": dict.fromkeys(plan.items, 1)}  # noqa: E731
    wrapped(monkeypatch, toy.program, "knapsack", lambda program: replace(program, to_point=point))
    (row,) = (row for row in examined().rows if row.part == "columns of toy.knapsack")
    assert row.verdict == "not done" and "the program has no variable taken.y" in row.skipped


def test_a_program_that_no_schedule_is_compared_with_is_not_done(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped(monkeypatch, toy.program, "knapsack", lambda program: replace(program, to_schedule=None))
    health = examined()
    (row,) = (row for row in health.rows if row.check == "points of schedules")
    assert (row.verdict, row.draws) == ("not done", 0) and "no `to_point`" in row.skipped
    (side,) = (row for row in health.rows if row.check == "sides of programs")
    assert (side.verdict, side.draws) == ("not done", 0) and "neither `to_point` nor `to_schedule`" in side.skipped
    left = sum(row.verdict == "not done" for row in health.rows)
    assert left >= 2 and health.lines()[-1].endswith(f"; {left} not done")


@pytest.mark.parametrize("sense", ["maximize", "minimize"])
def test_without_a_point_the_optimum_is_compared_with_every_policy(
    sense: str, toy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dual, which has the other sense, is compared too."""

    def value(block: Any, instance: Any) -> None:
        block.term = block.model().taken.x[0] if sense == "maximize" else 0 * block.model().taken.x[0]

    latex = toy.program.value.latex.replace("max", sense[:3])
    monkeypatch.setattr(toy.program, "value", replace(toy.program.value, build=value, latex=latex))
    wrapped(monkeypatch, toy.program, "knapsack", lambda program: replace(program, routes={}, sense=sense))
    health = examined()
    (row,) = (row for row in health.rows if row.check == "sides of programs")
    assert row.verdict == "wrong" and "has" in row.flaw, "\n".join(health.lines())


def test_a_family_without_a_comparison_is_not_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = lambda p: iter([("part", NotDone("no time"))])  # noqa: E731
    monkeypatch.setattr(health, "EXAMINATIONS", {"nothing": nothing})
    found = sp.doctor("jrp", draws=1)
    assert not found.sound and found.lines()[-1] == "jrp: 0 of 0 checks wrong on 1 draws; 1 not done"
    assert json.loads(encode(found.to_json()))["rows"][0]["verdict"] == "not done"


@pytest.mark.parametrize("name", LIES)
def test_every_planted_fault_is_detected(name: str, toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check, plant = LIES[name]
    with monkeypatch.context() as patch:
        plant(toy, patch)
        health = examined()
    assert check in {row.check for row in health.flaws}, "\n".join(health.lines())
    assert not health.sound
    row = health.flaws[0]
    assert row.flaw and f"--seed {row.seed} --out FILE" in "\n".join(health.lines())


def test_a_command_that_finds_something_ends_with_code_1(toy: Any, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    LIES["checker_asks_for_no_room"][1](toy, monkeypatch)
    code, out, error = cli("doctor", "toy", "--seed", "3", "--json")
    found = json.loads(out)
    assert (code, error, found["sound"]) == (1, "", False)
    assert any(row["verdict"] == "wrong" and row["seed"] >= 3 for row in found["rows"])


def test_a_family_that_cannot_be_drawn_and_no_time_at_all(cli: Cli) -> None:
    assert not sp.doctor("jrp", time_limit=0.0).sound
    assert cli("doctor", "jrp", "--time-limit", "0")[0] == 3


def test_a_time_limit_ends_an_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(p: Any) -> Any:
        while True:
            assert p.seconds <= 0.5
            yield "part", ""

    monkeypatch.setattr(health, "EXAMINATIONS", {"endless": endless})
    assert sp.doctor("jrp", time_limit=0.5).draws == 1
    card = replace(registry.family("jrp"), generators=())
    monkeypatch.setattr(registry, "family", lambda name: card)
    with pytest.raises(InputError, match="the family jrp has no generator"):
        sp.doctor("jrp")
