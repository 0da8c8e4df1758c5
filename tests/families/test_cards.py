from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.api import catalogue
from schedproof.core.cards import registry
from schedproof.core.cards.family import KINDS, OBJECTIVE, Entry
from schedproof.core.data.arrays import write_object
from schedproof.core.data.options import REQUIRED, parse_options
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.families.logs import LogEntry

ENTRIES = {f"{kind} {id}": (kind, entry) for kind in KINDS for id, entry in registry.entries(kind).items()}
REGRETS = {f"regret {c.name}": ("regret", c.regret) for c in registry.families().values() if c.regret is not None}
each_entry = pytest.mark.parametrize(("kind", "entry"), (ENTRIES | REGRETS).values(), ids=list(ENTRIES | REGRETS))
FACADES = [name for name, home in sp.HOMES.items() if home == "schedproof"]
each_family = pytest.mark.parametrize("name", registry.families())
HEAVY = {"numpy", "pandas", "numba", "pyomo", "cvxpy", "ortools", "highspy", "scipy", "matplotlib", "hypothesis"}
HEAVY |= {"networkx"}


@each_entry
def test_a_sentence_is_written_only_on_the_card(kind: str, entry: Entry) -> None:
    said = inspect.getdoc(registry.load(entry.home)) or ""
    assert entry.sentence.endswith(".")
    assert (entry.sentence in said) == (kind in ("generator", "trace", "trainer", "regret", "jobs"))


@each_entry
def test_a_homes_keywords_are_the_cards_options(kind: str, entry: Entry) -> None:
    if kind in ("generator", "trace"):  # their settings are texts, which they read themselves
        return
    every = inspect.signature(registry.load(entry.home)).parameters.values()
    keywords = {p.name: p.default for p in every if p.kind is p.KEYWORD_ONLY and p.name != "context"}
    told = {o.name: inspect.Parameter.empty if o.default is REQUIRED else o.default for o in entry.options}
    assert keywords.keys() == told.keys()
    assert all(default in (inspect.Parameter.empty, told[name]) for name, default in keywords.items())
    for given in entry.compared:
        assert parse_options(entry.name, entry.options, given) == given
    for option in entry.options:
        assert option.meaning
        if option.default not in (REQUIRED, None):
            assert option.value(option.default) == option.default


@pytest.mark.parametrize(
    "entry", {e.jobs.home: e.jobs for _, e in ENTRIES.values() if isinstance(e, LogEntry)}.values()
)
def test_the_mapping_of_a_log_is_a_row_like_others(entry: Entry) -> None:
    test_a_sentence_is_written_only_on_the_card("jobs", entry)
    test_a_homes_keywords_are_the_cards_options("jobs", entry)


@each_entry
def test_every_preset_is_drawn_and_others_are_refused(kind: str, entry: Entry) -> None:
    if kind == "generator":
        smallest = entry.presets[0]
        if entry.name in FACADES:
            documented = {name for row in catalogue.settings(entry.settings) for name in row["setting"].split(", ")}
            assert documented == set(registry.load(entry.settings)._fields)
        assert registry.load(entry.home)(smallest, 1, {})["family"] == entry.name
        with pytest.raises(Exception, match=f"available: {', '.join(sorted(entry.presets))}"):
            registry.load(entry.home)("no such preset", 1, {})


@each_family
def test_the_data_are_of_the_family_and_every_role_is_a_function(name: str) -> None:
    card = registry.family(name)
    assert card.sentence and card.paper is not None and card.data is not None and card.claims
    instance, schedule = registry.load(card.data.instance), registry.load(card.data.schedule)
    assert issubclass(instance, Instance) and issubclass(schedule, Schedule)
    assert instance.family == schedule.family == name and instance.sense in ("minimize", "maximize")
    roles = {field.name for field in fields(card.data)} - {"instance", "schedule", "size", "measure", "arrays"}
    left_out = {role for role in ("notes", "gap") if not getattr(card.data, role)}
    assert all(callable(registry.family(name).load(role)) for role in roles - left_out)
    assert "gap" not in left_out or name not in FACADES
    assert card.data.measure != OBJECTIVE or name not in FACADES
    for rule in card.rules:  # `check` says what the value that holds means
        assert {rule.meaning_of(text) for text in rule.kind.choices} == {*rule.kind.meanings.values()}
        assert len(set(rule.kind.meanings.values())) == len(rule.kind.choices)


@pytest.mark.parametrize("name", FACADES)
def test_a_facade_has_every_program_and_policy_by_name(name: str) -> None:
    module: Any = import_module(f"schedproof.{name}")
    card = registry.family(name)
    programs = {e.name for e in card.programs if all(o.default is not REQUIRED for o in e.options)}
    policies = {e.name if e.name not in {p.name for p in card.programs} else f"{e.name}_policy" for e in card.policies}
    assert set(dir(module)) == programs | policies
    for key in programs:
        assert getattr(module, key) is sp.program(f"{name}.{key}")
    for key in policies:
        assert getattr(module, key) == sp.policy(f"{name}.{key.removesuffix('_policy')}")
    with pytest.raises(AttributeError, match="has no program or policy 'nothing'"):
        module.nothing  # noqa: B018


def imported(*words: str) -> set[str]:
    code = (
        "import sys\n"
        f"sys.argv = {['schedproof', *words]!r}\n"
        "from schedproof.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('heavy', *({HEAVY!r} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ended.stdout.splitlines()[-1].split()[1:])


@pytest.mark.parametrize("words", ["programs", "policies", "claims", "show a_online", "--help", "run --help"])
def test_a_list_imports_no_heavy_module(words: str) -> None:
    assert imported(*words.split()) == set()


@pytest.mark.parametrize(
    "words",
    [
        "schema dmlrs",
        "generate dmlrs --out cluster.json",
        "run fifo cluster.json --out plan.json",
        "check cluster.json plan.json",
        "generate jrp --out cells.json",
        "run greedy cells.json --out accepted.json",
        "check cells.json accepted.json",
    ],
)
def test_a_small_command_imports_only_its_needs(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert imported(*words.split()) <= {"numpy"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    for family, policy, instance, schedule in (
        ("dmlrs", "fifo", "cluster.json", "plan.json"),
        ("jrp", "greedy", "cells.json", "accepted.json"),
    ):
        drawn = sp.generate(family)
        write_object(folder / instance, drawn.to_json())
        sp.policy(f"{family}.{policy}").run(drawn).schedule.write(folder / schedule, drawn)
    return folder
