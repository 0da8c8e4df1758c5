from __future__ import annotations

from importlib.metadata import version

import pytest

import schedproof as sp
from schedproof.cli import app
from schedproof.core.cards import registry
from schedproof.core.claims.claims import ledger, of_family
from schedproof.core.data.options import REQUIRED
from tests.command_line import Cli, told

COMMANDS = ["tour", "programs", "policies", "claims", "show", "solve", "run", "check", "bound",
            "check-bound", "ratio", "regret", "verify", "errata", "figure", "figures", "compare", "sweep", "worst",
            "game", "check-game", "prove", "check-ratio", "best-ratio", "check-best", "generate", "trace", "train",
            "schema", "plot", "worst-regret", "check-regret", "check-optimum", "refute", "doctor",
            "evaluate"]  # fmt: skip


def names_in(*words: str) -> set[str]:
    return {c.name for c in app(words).registered_commands if c.name is not None}


def test_the_commands_are_those_that_the_design_names() -> None:
    assert names_in() == {*COMMANDS}


def test_only_the_command_that_is_named_is_prepared() -> None:
    assert names_in("run", "show") == names_in("--plugin", "show", "--plugin=show", "-x", "run") == {"run"}
    assert names_in("rum") == names_in("--help") == names_in("--plugin", "run") == {*COMMANDS}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(cli: Cli, command: str) -> None:
    code, out, _ = cli(command, "--help")
    assert code == 0 and "Usage: " in out and f"schedproof {command}" in out


def test_version_and_short_help(cli: Cli) -> None:
    code, out, _ = cli("--version")
    assert code == 0 and out == f"schedproof {version('schedproof')}\n"
    assert cli("-h")[1] == cli("--help")[1] and cli("run", "-h")[1] == cli("run", "--help")[1]


def test_the_help_of_a_command_lists_its_arguments(cli: Cli) -> None:
    out = " ".join(cli("run", "--help")[1].split())
    assert all(id in out for id in registry.entries("policy"))
    out = " ".join(cli("generate", "--help")[1].split())
    assert all(f"{id} (presets {', '.join(e.presets)})" in out for id, e in registry.entries("generator").items())


def test_lists_of_a_family_and_claims_of_a_verdict(cli: Cli) -> None:
    jrp = told(cli("policies", "--family", "jrp", "--json"))["policies"]
    assert jrp.keys() == {id for id, _ in registry.family("jrp").entries("policy")}
    asked = ("claims", "--family", "jrp", "--verdict", "holds")
    found = told(cli(*asked, "--json"))
    rows = {id: row for id, row in ledger("jrp").items() if row["verdict"] == "holds"}
    assert found["claims"] == {id: row["statement"] for id, row in rows.items()} and set(
        found["verdicts"].values()
    ) == {"holds"}
    assert len(cli(*asked)[1].splitlines()) >= len(rows) > 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("jrp", ["family jrp", "generator jrp", "presets", "rings", "jrp.conic", "`schedproof claims --family jrp`"]),
        ("philly", ["trace philly", "``slot_seconds``", "Ne Wang"]),
        ("preemptive.lemma2", ["claim preemptive.lemma2", "refuted", "preemptive.lemma2_repaired", "false theorem"]),
        ("regret", ["regret multiserver.regret", "points"]),
        ("worst_regret", ["regret multiserver.worst_regret", "slots"]),
    ],
)
def test_show_accepts_every_name(cli: Cli, name: str, words: list[str]) -> None:
    code, out, _ = cli("show", name)
    assert code == 0 and [word for word in words if word not in out] == []
    assert told(cli("show", name, "--json"))["shown"]


@pytest.mark.parametrize("kind", ["programs", "policies", "claims"])
def test_the_lists(cli: Cli, kind: str) -> None:
    rows = told(cli(kind, "--json"))[kind]
    ids = {id for family in registry.families() for id in of_family(family)}
    known = {"programs": registry.entries("program"), "policies": registry.entries("policy"), "claims": ids}[kind]
    offline = {id for id, entry in registry.entries("policy").items() if entry.offline} if kind == "policies" else set()
    assert rows.keys() == set(known) - offline and all(rows.values())
    code, out, _ = cli(kind)
    assert code == 0 and all(name in out for name in known)


@pytest.mark.parametrize("name", sorted(registry.entries("program")))
def test_show_a_program(cli: Cli, name: str) -> None:
    given = {option.name: "1" for option in registry.entries("program")[name].options if option.default is REQUIRED}
    options = [word for key, value in given.items() for word in ("--option", f"{key}={value}")]
    program = sp.program(name, **given)
    page = told(cli("show", name, "--json", *options))["shown"][0]
    assert (page["kind"], page["id"], page["sense"]) == ("program", name, program.sense)
    assert [row["group"] for row in page["rows"]] == [g.name for g in program.groups]
    assert all(row.keys() == {"group", "role", "source", "sentence"} for row in page["rows"])
    assert page["latex"] == program.latex() and page["paper"] == str(registry.family(program.family).paper)
    assert cli("show", name, "--latex", *options)[1] == program.latex() + "\n"
    out = cli("show", name, *options)[1]
    assert out.startswith(f"program {name}  ") and all(g.name in out for g in program.groups)


def test_show_lists_the_options_of_the_card(cli: Cli) -> None:
    shown = told(cli("show", "slot_optimum", "--json"))["shown"]
    assert {(page["kind"], page["id"]) for page in shown} >= {
        (kind, "multiserver.slot_optimum") for kind in ("program", "policy", "bound")
    }
    assert shown[0]["options"][0] == {
        "option": "slot",
        "expected": "an integer >= 0",
        "default": "required",
        "meaning": "slot, from 0, whose arrivals are known",
    }
    code, out, _ = cli("show", "preemptive.srtf")
    assert code == 0 and out.startswith("policy preemptive.srtf  SRTF: ") and "default 1)" in out


def test_show_without_a_group_and_relaxed(cli: Cli) -> None:
    code, out, _ = cli("show", "preemptive.ilp4", "--drop", "one_worker_per_chunk", "--relaxed")
    assert code == 0 and "one_worker_per_chunk" not in out and "continuous" in out


def test_show_a_dual_also_of_a_changed_program(cli: Cli) -> None:
    changed = ("show", "preemptive.ilp4", "--relaxed", "--dual", "--drop", "one_worker_per_chunk")
    dual = sp.program("preemptive.ilp4").drop("one_worker_per_chunk").relaxed().dual()
    assert cli(*changed, "--latex")[1] == dual.latex() + "\n"
    page = told(cli(*changed, "--json"))["shown"][0]
    assert (page["id"], page["sense"], page["latex"]) == ("preemptive.ilp4:dual", "maximize", dual.latex())
    assert [row["group"] for row in page["rows"]] == [g.name for g in dual.groups]
    assert "training_rows" in cli(*changed)[1]
    code, _, error = cli("show", "preemptive.ilp4", "--dual")
    assert code == 2 and "; relax it first: `relaxed().dual()`, or `show --relaxed --dual`\n" in error
