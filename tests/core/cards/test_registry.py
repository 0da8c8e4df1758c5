"""The registry: entry points, short names, options and invalid cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.cards.family import Data, Entry, Family
from schedproof.core.data.options import Option, whole
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.core.runtime.context import USUAL, Context
from tests.instances.preemptive.schedules import next_feasible


class Registered:
    """An entry point of a given object."""

    def __init__(self, name: str, card: Any) -> None:
        self.name, self.value, self._card = name, f"elsewhere:{name}", card

    def load(self) -> Any:
        return self._card() if callable(self._card) else self._card


CACHED = (registry.families, registry.entries, registry.load)
Register = Callable[..., None]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Register cards as entry points; the registry is restored afterwards."""

    def use(**cards: Any) -> None:
        entries = [Registered(name, card) for name, card in cards.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: entries)
        for function in CACHED:
            function.cache_clear()

    yield use
    monkeypatch.undo()
    for function in CACHED:
        function.cache_clear()


def family(name: str, *policies: str, owner: bool = True, **more: Any) -> Family:
    data = Data(*[f"nowhere:{name}"] * 5) if owner else None
    return Family(name, data=data, policies=tuple(Entry(p, f"nowhere:{p}", p) for p in policies), **more)


def test_a_short_name_is_resolved_by_the_family_or_if_it_is_unique(register: Register) -> None:
    register(a=family("a", "greedy", "lazy"), b=family("b", "greedy"))
    assert registry.find("policy", "a.greedy")[0] == "a.greedy"
    assert registry.find("policy", "greedy", "b")[0] == "b.greedy"
    assert registry.find("policy", "lazy")[1].sentence == "lazy"
    told = {
        ("greedy", None): "did you mean b.greedy or a.greedy?",
        ("lazy", "b"): "did you mean a.lazy?",
        ("eager", None): "available: a.greedy, a.lazy, b.greedy",
    }
    for (name, within), more in told.items():
        with pytest.raises(UnknownName) as caught:
            registry.find("policy", name, within)
        assert str(caught.value) == f"unknown policy '{name}'; {more}"


def test_another_package_adds_to_a_family(register: Register) -> None:
    register(a=family("a", "greedy"), more=family("a", "lazy", owner=False, claims=("nowhere",)))
    assert list(registry.entries("policy")) == ["a.greedy", "a.lazy"]
    assert registry.family("a").data is not None and registry.family("a").claims == ("nowhere",)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (
            {"x": family("a", "greedy"), "y": family("a", "greedy", owner=False)},
            "the family 'a' has two entries for the policy a.greedy; rename one",
        ),
        ({"x": family("a"), "y": family("a")}, "two packages register the family 'a'"),
    ],
)
def test_two_packages_cannot_register_the_same(register: Register, cards: dict[str, Any], sentence: str) -> None:
    register(**cards)
    with pytest.raises(SchedproofError, match=sentence):
        registry.families()


def explodes() -> None:
    raise RuntimeError("out of\norder")


def exits() -> None:
    raise SystemExit("not me")


@pytest.mark.parametrize("card", [explodes, exits, lambda: None, lambda: {"a": 1}])
def test_a_broken_plug_in_gives_one_message_that_names_it(register: Register, card: Callable[[], Any]) -> None:
    register(broken=card)
    with pytest.raises(
        SchedproofError, match=r"the plug-in 'broken' \(elsewhere:broken\) cannot be loaded: "
    ) as caught:
        registry.families()
    assert "\n" not in str(caught.value) and caught.value.exit_code == 2


@pytest.mark.parametrize("home", ["nowhere:thing", "schedproof.core.cards.family:thing"])
def test_a_missing_home_gives_one_message(home: str) -> None:
    with pytest.raises(SchedproofError, match=f"a card names {home}, which cannot be imported"):
        registry.load(home)


def test_a_home_is_a_module_and_an_attribute() -> None:
    with pytest.raises(SchedproofError, match="a card names nowhere; expected module:attribute"):
        registry.load("nowhere")


def test_rows_for_an_unregistered_family_are_rejected(register: Register) -> None:
    register(a=family("a"), b=family("b", "greedy", owner=False))
    with pytest.raises(SchedproofError, match="a plug-in adds rows to the family 'b', which no package registers"):
        registry.entries("policy")


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        (lambda: Option("x", whole, 1, ""), "the option x: expected a kind like whole"),
        (lambda: Entry("x", "a:b", "", Option("y", whole(), 1, "")), "options of x: expected a tuple of Option"),
        (lambda: Family("a", policies=Entry("x", "a:b", "")), "rows of a: expected a tuple of Entry"),
        (lambda: Family("a", claims="a.claims"), "claims of a: expected a tuple of str"),
    ],
)
def test_a_card_of_another_shape_is_rejected_at_construction(
    register: Register, card: Callable[[], Any], sentence: str
) -> None:
    register(a=family("a"), broken=card)
    with pytest.raises(SchedproofError, match=f"the plug-in 'broken' .* cannot be loaded: {sentence}"):
        registry.families()


def test_an_option_unknown_to_its_home_gives_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.core.cards.family.load", lambda home: does_not)
    entry = Entry("x", "here:x", "", (Option("other", whole(), 1, ""),))
    with pytest.raises(SchedproofError, match=r"the card gives a\.x the option other, which here:x does not take"):
        entry.call("a.x", {"other": "2"}, Context())


def test_an_id_accepts_instances_of_its_family_only(register: Register) -> None:
    register(a=family("a", "greedy"), b=family("b", "lazy"))
    card = registry.card_of(SimpleNamespace(family="b"))
    assert registry.find_for("policy", "lazy", card)[0] == "b.lazy"
    with pytest.raises(InputError, match=r"a\.greedy takes a a instance, but the family of this instance is b"):
        registry.find_for("policy", "a.greedy", card)


def not_a_program() -> str:
    """Not a program."""
    return "not a program"


def test_an_object_that_is_no_program_gives_one_message(register: Register) -> None:
    register(a=replace(family("a"), programs=(Entry("x", f"{__name__}:not_a_program", ""),)))
    registry.load.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("schedproof.core.cards.family.load", lambda home: not_a_program)
        with pytest.raises(SchedproofError, match=r"a\.x: expected a Program from its factory, got str"):
            sp.program("a.x")


def asks(number: int = 1, *, context: Context = USUAL) -> tuple[int, int]:
    return number, context.seed


def does_not(number: int = 1) -> int:
    return number


def test_the_context_is_passed_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry("x", "x", "", (Option("number", whole(), 1, ""),))
    monkeypatch.setattr("schedproof.core.cards.family.load", lambda home: asks)
    assert entry.call("a.x", {"number": "2"}, Context(seed=7)) == (2, 7)
    monkeypatch.setattr("schedproof.core.cards.family.load", lambda home: does_not)
    assert entry.call("a.x", {"number": "2"}, Context(seed=7)) == 2


def test_a_program_without_options_is_the_same_object_every_time() -> None:
    assert sp.program("toy.knapsack") is sp.program("toy.knapsack")
    assert sp.program("preemptive.minlp2", speed=2) is not sp.program("preemptive.minlp2", speed=2)


def test_exactly_the_public_names_exist() -> None:
    for name in sp.__all__:
        assert getattr(sp, name).__doc__
    assert dir(sp) == sorted({*sp.__all__, *registry.families()})
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        sp.nothing  # noqa: B018


@pytest.mark.parametrize("name", ["instance", "told", "self", "context", "id", "name", "given", "entry", "what"])
def test_names_of_arguments_are_no_options(name: str) -> None:
    instance, plan = next_feasible(1)
    asked = {name: 3}
    asks: list[Callable[[], object]] = [
        lambda: sp.policy("srtf", **asked).run(instance),
        lambda: sp.program("preemptive.ilp4", **asked),
        lambda: sp.bound("preemptive.lp4", instance, **asked),
        lambda: plan.violations(instance, **asked),
    ]
    for ask in asks:
        with pytest.raises(UnknownName, match=f"unknown option of .* '{name}'"):
            ask()


def test_a_card_with_programs_only_is_valid(register: Register) -> None:
    two = Entry("two", "nowhere:two", "Two.")
    register(alone=Family("alone", programs=(two,)))
    assert registry.find("program", "two")[0] == "alone.two"
    with pytest.raises(SchedproofError, match="the family alone has only programs: no files, instances or schedules"):
        assert registry.family("alone").own
    register(alone=Family("alone", programs=(two,), policies=(replace(two, name="greedy"),)))
    with pytest.raises(SchedproofError, match="adds rows to the family 'alone', which no package registers"):
        registry.families()
