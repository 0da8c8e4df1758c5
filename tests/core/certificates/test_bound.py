from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.cards.family import OBJECTIVE, BoundEntry, Data, Family, Measure
from schedproof.core.certificates.bound import Bound, Guarantee
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.data.checking import Violation
from schedproof.core.data.options import Option, choice, number
from schedproof.core.errors import Contradiction, InputError, ProgramError, SchedproofError
from schedproof.core.results.ratio import Infeasible, Ratio, ratio
from schedproof.core.results.run import Run
from schedproof.online.preemptive.srtf import ShortestRemainingTimeFirst
from tests.tiny.preemptive import tiny_instance


@dataclass(frozen=True)
class Says:
    """A certificate with a given value, or an invalid one."""

    number: Fraction | None

    def value(self, instance: Any, speed: Fraction, gain: str) -> Fraction:
        if self.number is None:
            raise ValueError("proves nothing")
        return self.number

    def to_json(self) -> dict[str, Any]:
        return {"number": str(self.number)}

    @classmethod
    def from_json(cls, row: Any, instance: Any) -> Says:
        return cls(Fraction(row["number"]))


@dataclass(frozen=True)
class Item:
    """An instance with only a hash and a sense."""

    sense: str = "minimize"
    sha256: str = "0" * 64
    family: str = "toy"
    measure: Measure = OBJECTIVE

    @property
    def card(self) -> Family:
        return TOY


@dataclass(frozen=True)
class Plan:
    """A schedule with a given objective and number of violations."""

    cost: Fraction
    broken: int = 0

    def violations(self, instance: Item, **rules: Any) -> list[Violation]:
        return [Violation("room", f"item {n}", Fraction(1)) for n in range(self.broken)]

    def objective(self, instance: Item, **rules: Any) -> Fraction:
        return self.cost


SPEED = Option("speed", number(), Fraction(1), "")
GAIN = Option("gain", choice("node", "total"), "node", "")
WEATHER = Option("weather", choice("dry", "wet"), "dry", "")
TOY = Family("toy", data=Data("", "", "", "", ""), rules=(SPEED, GAIN, WEATHER))


WAITING = "schedules that wait"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {
        f"toy.{kind}{of}": BoundEntry(
            kind + of,
            "nowhere:bound",
            "",
            (SPEED, GAIN),
            kind=kind,
            certificate=f"{__name__}:Says",
            among=WAITING if of else "",
            parameters=("speed", "gain"),
            rules={"speed": "beyond"},
            beatable=bool(of),
        )
        for kind, of in product(("lower", "upper"), ("", "_waiting"))
    }
    families = {**registry.families(), "toy": TOY}
    monkeypatch.setattr(registry, "entries", {"bound": entries}.get)
    monkeypatch.setattr(registry, "family", families.__getitem__)
    monkeypatch.setattr(registry, "load", lambda home: {f"{__name__}:Says": Says}[home])


ASKED = {"speed": Fraction(1), "gain": "node"}


def bound_of(exact: Fraction | int, kind: Any = "lower", proves: Any = "the same", **more: Any) -> Bound:
    exact = Fraction(exact)
    witness = Says(exact if proves == "the same" else proves)
    return replace(Bound(f"toy.{kind}", kind, ASKED, Item().sha256, exact, witness, {"seconds": 0.1}), **more)


def run_of(
    objective: int, sense: str = "minimize", violations: int = 0, guarantee: Guarantee | None = None, **options: Any
) -> Run:
    plan = Plan(Fraction(objective), violations)
    return Run.of("toy.greedy", options, Item(sense), plan, guarantee or Guarantee(None, "toy.theorem", {}), 0.0)


@pytest.mark.usefixtures("toy")
def test_verify_accepts_only_the_proven_number() -> None:
    assert bound_of(Fraction(7, 3)).verify(Item())
    assert not bound_of(Fraction(7, 3), proves=Fraction(7, 3) - Fraction(1, 10**30)).verify(Item())
    assert not bound_of(Fraction(7, 3), proves=Fraction(8, 3)).verify(Item())  # a better proof is another bound
    assert not bound_of(Fraction(7, 3), proves=None).verify(Item())


class Subclass(Says):
    """A subclass that may override ``value``."""


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"program": "toy.upper"}, "toy.upper proves a bound with kind='upper', not 'lower'"),
        ({"program": "toy.lower_waiting"}, f"toy.lower_waiting proves a bound with among='{WAITING}', not ''"),
        ({"program": "toy.lp"}, "unknown bound 'toy.lp'; did you mean toy."),
        ({"program": "jrp.conic"}, "unknown bound 'jrp.conic'"),
        ({"kind": "upper"}, "kind='lower', not 'upper'"),
        ({"among": WAITING}, "not 'schedules that wait'"),
        ({"instance_sha256": "1" * 64}, "for another instance"),
        ({"parameters": {"speed": Fraction(1)}}, "lacks its parameter gain"),
        ({"parameters": ASKED | {"half": 50}}, "unknown option of the bound lower 'half'"),
        ({"parameters": ASKED | {"speed": 0}}, "speed=0: expected a number > 0"),
        ({"parameters": ASKED | {"gain": 50}}, "gain=50: expected one of node, total"),
        ({"witness": Subclass(Fraction(4))}, "expected a Says as certificate of toy.lower, found Subclass"),
        ({"witness": Says(Fraction(5))}, "the certificate of toy.lower proves 5, not 4"),
        ({"witness": Says(None)}, "proves no bound: proves nothing"),
    ],
)
def test_a_bound_that_differs_from_its_certificate_is_rejected(changed: dict[str, Any], sentence: str) -> None:
    bound_of(4).check(Item())
    with pytest.raises(SchedproofError, match=re.escape(sentence)):
        replace(bound_of(4), **changed).check(Item())
    with pytest.raises(SchedproofError):
        ratio(run_of(10), replace(bound_of(4), **changed))


def test_a_bound_does_not_hold_for_another_instance() -> None:
    first, second = tiny_instance(1, jobs=5, servers=2), tiny_instance(2, jobs=5, servers=2)
    bound = sp.bound("preemptive.lp4", first)
    assert bound.verify(first) and not bound.verify(second)


FORGERIES = ("cost=50", "half", "a slower system's value", "a label", "silent about whom", "one slot")
FORGERIES += ("one slot's instance", "a slot per parameter", "a half")


@cache
def forgeries() -> dict[str, tuple[Any, Bound, Run]]:
    day, cells, ports = (sp.embedded(name) for name in ("day", "cells", "ports"))
    lp4, conic, lp_i = sp.bound("lp4", day), sp.bound("jrp.conic", cells), sp.bound("jrp.lp_i", cells)
    fixed, greedy = sp.bound("multiserver.stationary", ports), sp.policy("jrp.greedy").run(cells)
    slow = sp.bound("lp4", day, speed="1/2", prices="free")
    online, fair = sp.policy("a_online").run(day), sp.policy("multiserver.drf").run(ports)
    first = replace(ports, arrivals=ports.arrivals[:1])
    return {
        "cost=50": (day, replace(lp4, parameters={"cost": 50, "speed": Fraction(1)}), online),
        "half": (day, replace(lp4, parameters=dict(lp4.parameters) | {"half": 50}), online),
        "a slower system's value": (day, replace(lp4, exact=slow.exact, witness=slow.witness), online),
        "a label": (cells, replace(conic, exact=lp_i.exact, witness=lp_i.witness), greedy),
        "silent about whom": (cells, replace(lp_i, among=""), greedy),
        "one slot": (ports, replace(fixed, exact=sp.bound("multiserver.stationary", first).exact), fair),
        "one slot's instance": (ports, sp.bound("multiserver.stationary", first), fair),
        "a slot per parameter": (ports, replace(fixed, parameters=dict(fixed.parameters) | {"slots": 1}), fair),
        "a half": (day, replace(lp4, exact=2 * lp4.exact), online),
    }


@pytest.mark.parametrize("name", FORGERIES)
def test_known_forgeries_are_rejected(name: str) -> None:
    assert forgeries().keys() == {*FORGERIES}
    instance, bound, run = forgeries()[name]
    assert not bound.verify(instance)
    with pytest.raises(SchedproofError):
        run.ratio(bound)


def test_a_ratio_needs_a_bound_with_the_same_options() -> None:
    day, ports = sp.embedded("day"), sp.embedded("ports")
    slow, fast = sp.bound("lp4", day, speed="1/2", prices="free"), sp.policy("a_online", speed=2).run(day)
    assert slow.verify(day) and slow.exact > sp.bound("lp4", day).exact
    words = "a ratio of this preemptive.a_online run needs a bound with speed=1, but preemptive.lp4 has speed=1/2"
    with pytest.raises(ProgramError, match=words):
        fast.ratio(slow)
    assert fast.ratio(sp.bound("lp4", day, cost="printed")).exact > 0
    total = sp.bound("multiserver.slot_optimum", ports, gain="total")
    assert sp.policy("multiserver.drf", gain="total").run(ports).ratio(total).exact >= 1
    with pytest.raises(ProgramError, match=r"needs a bound with gain=node, but .* has gain=total"):
        sp.policy("multiserver.drf").run(ports).ratio(total)


@pytest.mark.usefixtures("toy")
def test_a_run_has_default_values_of_options_its_policy_lacks() -> None:
    total = bound_of(4, parameters=ASKED | {"gain": "total"})
    assert ratio(run_of(8, gain="total"), total).exact == 2
    with pytest.raises(ProgramError, match="needs a bound with gain=node"):
        ratio(run_of(8), total)
    assert ratio(run_of(8), bound_of(4)).exact == 2


@pytest.mark.usefixtures("toy")
def test_a_ratio_states_unusual_rules() -> None:
    fast = ratio(run_of(8, speed=Fraction(3, 2)), bound_of(4))
    assert fast.sentence == "certified ratio <= 2.0000 at speed 3/2 (8 / 4)"
    assert fast.to_json()["judged_by"] == {"speed": "3/2", "gain": "node", "weather": "dry"}
    total = bound_of(4, parameters=ASKED | {"gain": "total"})
    assert ratio(run_of(8, gain="total"), total).sentence == "certified ratio <= 2.0000 with gain=total (8 / 4)"
    words = "a ratio of this toy.greedy run needs a bound with weather=wet, but toy.lower has weather=dry"
    with pytest.raises(ProgramError, match=words):
        ratio(run_of(8, weather="wet"), bound_of(4))
    with pytest.raises(ProgramError, match=r"needs a bound with speed=1, but toy\.lower has speed=3/2"):
        ratio(run_of(8, speed=Fraction(3, 2)), bound_of(4, parameters=ASKED | {"speed": Fraction(3, 2)}))


@pytest.mark.usefixtures("toy")
def test_a_checked_run_that_is_better_than_a_bound_allows_stops_the_work() -> None:
    words = "the objective 38 of its checked schedule is below the certified lower bound 76 on toy.lower"
    with pytest.raises(Contradiction, match=words) as caught:
        ratio(run_of(38), bound_of(76))
    assert caught.value.exit_code == 1
    with pytest.raises(Contradiction, match="objective 9 of its checked schedule is above the certified upper bound 8"):
        ratio(run_of(9, "maximize"), bound_of(8, "upper"))
    assert ratio(run_of(76), bound_of(76)).exact == 1
    assert ratio(run_of(38, speed=2), bound_of(76)).exact < 1  # a faster system may do better
    waiting = bound_of(76, program="toy.lower_waiting", among=WAITING)
    assert ratio(run_of(38), waiting).exact < 1  # and so may a schedule that does not wait


@pytest.mark.usefixtures("toy")
def test_a_changed_run_is_checked_again_and_has_no_guarantee() -> None:
    run = run_of(8, guarantee=Guarantee(Fraction(4), "Me 2026", {}))
    assert ratio(run, bound_of(4)).guarantee == 4
    assert ratio(replace(run, seconds=1.0), bound_of(4)).guarantee is None
    for changed, sentence in (
        ({"objective": Fraction(1)}, "the objective of the run's schedule is 8, not 1"),
        ({"schedule": Plan(Fraction(9))}, "the objective of the run's schedule is 9, not 8"),
        ({"schedule": Plan(Fraction(8), 2)}, "the run's schedule has 2 violations, not 0"),
        ({"sense": "maximize"}, r"the run is for toy \(maximize\), not toy \(minimize\)"),
    ):
        with pytest.raises(ProgramError, match=sentence):
            ratio(replace(run, **changed), bound_of(4))


@pytest.mark.usefixtures("toy")
def test_two_bounds_on_one_program_carry_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bound_of(4).statement.startswith("lower bound on the optimum of toy.lower, speed=1")
    monkeypatch.setitem(vars(registry.entries("bound")["toy.lower"]), "of", "exact")
    assert bound_of(4).statement.startswith("lower bound on the optimum of toy.exact, speed=1")
    assert bound_of(4).verify(Item())


def test_a_stored_bound_is_the_same_bound(tmp_path: Path) -> None:
    for name, id, options in (
        ("day", "preemptive.lp4", {"cost": "printed", "speed": "3/2"}),
        ("cluster", "dmlrs.rdmlrs_lp", {"gap": "1/2"}),
        ("ports", "multiserver.slot_optimum", {"gain": "total"}),
        ("cells", "jrp.lp_i", {}),
    ):
        instance = sp.embedded(name)
        bound = sp.bound(id, instance, **options)
        write_bound(tmp_path / "bound.json", bound)
        again = read_bound(tmp_path / "bound.json", instance)
        assert again.verify(instance) and again.statement == bound.statement
        assert replace(again, details=bound.details).to_json() == bound.to_json()
        with pytest.raises(InputError, match=r"takes a|not of another instance"):
            read_bound(tmp_path / "bound.json", tiny_instance(1))


@pytest.mark.usefixtures("toy")
def test_the_ratio_is_exact_and_on_the_safe_side_of_either_sense() -> None:
    least = ratio(run_of(10), bound_of(Fraction(3)))
    assert isinstance(least, Ratio) and least.exact == Fraction(10, 3) and least.value == float(Fraction(10, 3))
    assert ratio(run_of(3, "maximize"), bound_of(10, "upper")).exact == Fraction(10, 3)
    near = ratio(run_of(7), bound_of(Fraction(5)))
    assert Fraction(7 / 5) < near.exact == Fraction(7, 5) < Fraction(near.value)


@pytest.mark.usefixtures("toy")
def test_a_ratio_of_different_families_is_refused() -> None:
    with pytest.raises(ProgramError, match="a toy run has no ratio to a jrp bound"):
        ratio(run_of(10), bound_of(3, program="jrp.conic"))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(("sense", "needs", "gives"), [("minimize", "lower", "upper"), ("maximize", "upper", "lower")])
def test_a_bound_on_the_wrong_side_is_refused(sense: str, needs: str, gives: Any) -> None:
    with pytest.raises(
        ProgramError, match=f"{sense} objective needs a {needs} bound, but toy.{gives} gives a {gives} bound"
    ):
        ratio(run_of(10, sense), bound_of(3, gives))


@pytest.mark.usefixtures("toy")
def test_an_infeasible_run_has_no_ratio() -> None:
    with pytest.raises(
        Infeasible, match=r"no ratio is reported.*not feasible \(first violation: room at item 0 by 1"
    ) as caught:
        ratio(run_of(1, violations=2), bound_of(3))
    assert caught.value.exit_code == 1


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("exact", [0, -1])
def test_a_ratio_to_zero_is_rejected(exact: int) -> None:
    with pytest.raises(ProgramError, match=f"the ratio is undefined: the bound is {exact}"):
        ratio(run_of(10), bound_of(exact))
    with pytest.raises(ProgramError, match=f"the ratio is undefined: the objective is {exact}"):
        ratio(run_of(exact, "maximize"), bound_of(3, "upper"))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("premises", "quoted"),
    [
        ({"a": "yes", "b": "yes"}, True),
        ({"a": "yes", "b": "no"}, False),
        ({"a": "yes", "b": "undetermined"}, False),
        ({}, True),
    ],
)
def test_a_guarantee_is_quoted_only_when_every_premise_is_met(premises: dict[str, Any], quoted: bool) -> None:
    found = ratio(run_of(10, guarantee=Guarantee(Fraction(4), "toy.theorem", premises)), bound_of(3))
    assert found.guarantee == (Fraction(4) if quoted else None)
    assert found.premises == premises
    assert found.to_json()["guarantee"] == ("4/1" if quoted else None)


@pytest.mark.usefixtures("toy")
def test_results_are_json_with_exact_numbers() -> None:
    made = ratio(run_of(10), bound_of(Fraction(7, 3)))
    told = msgspec.json.decode(msgspec.json.encode(made.to_json()))
    assert told["exact"] == "30/7" and told["objective"] == "10/1" and told["bound"] == "7/3"
    assert told.keys() >= {"value", "exact", "guarantee", "premises"}
    bound = msgspec.json.decode(msgspec.json.encode(bound_of(Fraction(7, 3)).to_json()))
    assert (bound["kind"], bound["exact"], bound["witness"]) == ("lower", "7/3", {"number": "7/3"})
    assert bound["value"] == 7 / 3


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("kind", ["lower", "upper"])
def test_a_bound_on_some_schedules_names_them(kind: Any) -> None:
    for_all, for_some = bound_of(4, kind), bound_of(4, kind, program=f"toy.{kind}_waiting", among=WAITING)
    assert "among" not in for_all.to_json() and for_some.to_json()["among"] == "schedules that wait"
    run = run_of(8) if kind == "lower" else run_of(2, "maximize")
    sides = "(8 / 4)" if kind == "lower" else "(4 / 2)"
    assert ratio(run, for_all).sentence == f"certified ratio <= 2.0000 {sides}"
    among = "to the optimum among schedules that wait"
    assert ratio(run, for_some).sentence == f"certified ratio <= 2.0000 {among} {sides}"


def test_a_tampered_certificate_gives_no_ratio() -> None:
    instance = tiny_instance(3, storage=False)
    bound = sp.bound("preemptive.lp4", instance)
    for better in (bound.exact + 1, bound.exact * 2):
        assert not replace(bound, exact=better).verify(instance)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("preemptive.lp5", {}, "unknown bound 'preemptive.lp5'; did you mean preemptive.lp4"),
        ("preemptive.lp4", {"costs": "half"}, "unknown option of preemptive.lp4 'costs'"),
        ("preemptive.lp4", {"cost": "full"}, "cost=full: expected one of half, printed"),
        ("preemptive.lp4", {"prices": "high"}, "prices=high: expected one of auto, lp, flow, ascent, free"),
    ],
)
def test_an_unknown_bound_option_or_choice_gives_one_message(name: str, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(SchedproofError) as caught:
        sp.bound(name, tiny_instance(0), **options)
    assert str(caught.value).startswith(sentence)


def test_a_short_name_is_resolved_by_the_instances_family() -> None:
    instance = tiny_instance(0)
    assert sp.bound("lp4", instance).exact == sp.bound("preemptive.lp4", instance).exact


def test_a_policy_that_sets_its_checking_rules_has_no_ratio() -> None:
    class Mine(ShortestRemainingTimeFirst):
        """SRTF that requests other rules for its check."""

        def __init__(self, **rules: str) -> None:
            super().__init__()

    day = sp.embedded("day")
    run = sp.policy(Mine, chunks="floating", reading="ceil_job").run(day)
    assert run.feasible and run.unusual_rules == {"chunks": "floating", "reading": "ceil_job"}
    for program, rule, mine in (
        ("preemptive.lp4", "reading=ceil_job", "reading=ceil_chunk"),
        ("preemptive.floating_configuration_lp", "reading=ceil_job", "reading=ceil_chunk"),
        ("preemptive.configuration_lp", "chunks=floating", "chunks=pinned"),
    ):
        words = f"needs a bound with {rule}, but {program} has {mine}"
        with pytest.raises(ProgramError, match=words):
            run.ratio(sp.bound(program, day))
    fast = sp.policy("srtf", speed=1000).run(day).ratio(sp.bound("preemptive.lp4", day))
    assert fast.exact < 1 and " at speed 1000 (" in fast.sentence
