"""The command line: every command on the embedded instance, the keys of its JSON, and the exit codes 0 to 3."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import schedproof as sp
from schedproof.cli import app, main
from schedproof.core import claims, registry
from schedproof.core.claims import ledger, of_family
from schedproof.core.files import encode, write_json
from schedproof.core.numbers import from_text
from schedproof.core.options import REQUIRED
from schedproof.core.solving import cpsat
from schedproof.core.solving.status import Outcome
from tests.formulations.preemptive.micro import micro
from tests.tiny.preemptive import tiny_preemptive
from tests.vipr import proven

Cli = Callable[..., tuple[int, str, str]]
COMPILING = "note: compiling kernels, once\n"  # on a machine that has not run them yet
COMMANDS = ["tour", "programs", "policies", "claims", "show", "solve", "run", "check", "bound",
            "check-bound", "ratio", "regret", "verify", "errata", "generate", "trace", "train", "schema"]  # fmt: skip


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run the command line in this process: exit code, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["schedproof", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, error = capsys.readouterr()
        assert "Traceback" not in error
        return int(caught.value.code or 0), out, error.replace(COMPILING, "")

    return call


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """The embedded instance as a file."""
    return written("day", tmp_path)


def written(name: str, folder: Path) -> Path:
    """An embedded instance as a file."""
    write_json(folder / f"{name}.json", sp.embedded(name).to_json())
    return folder / f"{name}.json"


EMBEDDED = {"preemptive": "day", "dmlrs": "cluster", "multiserver": "ports", "jrp": "cells", "placement": "clusters"}


def write_json_text(value: dict[str, Any]) -> bytes:
    """The text of an instance file, small arrays in it."""
    return encode({key: entry.tolist() if hasattr(entry, "tolist") else entry for key, entry in value.items()})


def told(ended: tuple[int, str, str], code: int = 0) -> dict[str, Any]:
    """The one JSON object that a command printed."""
    assert ended[0] == code, ended
    assert ended[1].count("\n") == 1 and ended[2] == ""
    result: dict[str, Any] = json.loads(ended[1])
    return result


# --- exit code 0 ------------------------------------------------------------------------------------------------------


def test_the_commands_are_those_that_the_design_names() -> None:
    names = [c.name or c.callback.__name__ for c in app.registered_commands if c.callback is not None]
    assert sorted(names) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(cli: Cli, command: str) -> None:
    code, out, _ = cli(command, "--help")
    assert code == 0 and "Usage: " in out and f"schedproof {command}" in out


def test_version_and_short_help(cli: Cli) -> None:
    code, out, _ = cli("--version")
    assert code == 0 and out == f"schedproof {version('schedproof')}\n"
    assert cli("-h")[1] == cli("--help")[1] and cli("run", "-h")[1] == cli("run", "--help")[1]


def test_the_help_of_a_command_lists_what_it_takes(cli: Cli) -> None:
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
    ],
)
def test_show_whatever_there_is(cli: Cli, name: str, words: list[str]) -> None:
    code, out, _ = cli("show", name)
    assert code == 0 and [word for word in words if word not in out] == []
    assert told(cli("show", name, "--json"))["shown"]


@pytest.mark.parametrize("kind", ["programs", "policies", "claims"])
def test_the_lists(cli: Cli, kind: str) -> None:
    rows = told(cli(kind, "--json"))[kind]
    ids = {id for family in registry.families() for id in of_family(family)}
    known = {"programs": registry.entries("program"), "policies": registry.entries("policy"), "claims": ids}[kind]
    assert rows.keys() == set(known) and all(rows.values())
    code, out, _ = cli(kind)
    assert code == 0 and all(name in out for name in rows)


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
    """A name that a program, a policy and a bound share has those of all three."""
    shown = told(cli("show", "slot_optimum", "--json"))["shown"]
    assert {(page["kind"], page["id"]) for page in shown} >= {
        (kind, "multiserver.slot_optimum") for kind in ("program", "policy", "bound")
    }
    assert shown[0]["options"][0] == {
        "option": "slot",
        "expected": "an integer >= 0",
        "default": "to be given",
        "meaning": "from 0 on; its arrivals are known",
    }
    code, out, _ = cli("show", "preemptive.srtf")
    assert code == 0 and out.startswith("policy preemptive.srtf  SRTF: ") and "default 1)" in out


def test_show_without_a_group_and_relaxed(cli: Cli) -> None:
    code, out, _ = cli("show", "preemptive.ilp4", "--drop", "one_worker_per_chunk", "--relaxed")
    assert code == 0 and "one_worker_per_chunk" not in out and "continuous" in out
    assert cli("show", "preemptive.ilp4", "--without", "one_worker_per_chunk", "--relaxed")[1] == out


SOLVES = [
    ("minlp2", "highs", 31.0, "optimal (claimed by highs)"),
    ("minlp2", "cpsat", 31.0, "optimal (claimed by cpsat)"),
    ("minlp7", "highs", 31.0, "optimal (claimed by highs)"),
    ("lp4", "matrix", None, "optimal (claimed by highs)"),
    ("lp4", "highs", None, "optimal"),
    ("ilp4", "highs", None, "optimal (claimed by highs)"),
    ("dual6", "highs", None, "optimal"),
    ("dual9", "highs", None, "optimal"),
]


@pytest.mark.parametrize(("program", "solver", "objective", "status"), SOLVES)
def test_solve(cli: Cli, day: Path, program: str, solver: str, objective: float | None, status: str) -> None:
    result = told(cli("solve", f"preemptive.{program}", day, "--solver", solver, "--json"))
    keys = {
        "program",
        "family",
        "status",
        "rests_on",
        "objective",
        "bound",
        "gap",
        "solver",
        "build_seconds",
        "solve_seconds",
        "values",
    }
    assert result.keys() == keys
    assert (result["program"], result["family"], result["solver"]) == (f"preemptive.{program}", "preemptive", solver)
    assert result["status"] == status and result["gap"] == pytest.approx(0, abs=1e-6)
    again = sp.program(f"preemptive.{program}").solve(sp.embedded("day"), solver=solver)
    assert result["objective"] == pytest.approx(again.objective, rel=1e-9)
    if objective is not None:
        assert result["objective"] == pytest.approx(objective)


def test_solve_for_a_person(cli: Cli, day: Path) -> None:
    words = ("--drop", "one_worker_per_chunk", "--relaxed", "--option", "cost=half")
    code, out, _ = cli("solve", "preemptive.ilp4", day, *words)
    assert code == 0 and out.startswith("preemptive.ilp4: optimal (highs, ") and "\nobjective " in out
    assert "\nrests on multipliers whose bound is the objective, in rationals\n" in out


def test_solve_with_a_second_route(cli: Cli, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = told(cli("solve", "preemptive.minlp2", day, "--confirm", "--json"))
    assert (
        result["status"] == "optimal"
        and result["rests_on"] == "two exact methods that share no solver, highs and cpsat"
    )
    monkeypatch.setattr(cpsat, "solve", lambda model, context: (Outcome("optimal", 30.0, 30.0), None))
    code, out, error = cli("solve", "preemptive.minlp2", day, "--confirm")
    assert code == 1 and out.startswith("preemptive.minlp2: disputed (highs, ") and error == ""
    assert out.splitlines()[-1] == "highs says optimal 31, cpsat says optimal 30"


def test_solve_writes_a_schedule_that_check_accepts(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    solved = told(cli("solve", "preemptive.minlp2", day, "--out", schedule, "--json"))
    checked = told(cli("check", day, schedule, "--json"))
    assert checked.pop("judged_by") and checked.pop("contradiction") == ""
    assert checked == {"feasible": True, "objective": pytest.approx(solved["objective"]), "violations": []}


@pytest.mark.parametrize("policy", [id for id in registry.entries("policy") if not id.startswith("toy.")])
def test_run_then_check(cli: Cli, tmp_path: Path, policy: str) -> None:
    """By its short name too: the file's family resolves it."""
    family = policy.partition(".")[0]
    day = written(EMBEDDED[family], tmp_path)
    schedule, picture = tmp_path / "schedule.json", tmp_path / "gantt.png"
    ran = told(cli("run", policy, day, "--out", schedule, "--plot", picture, "--json"))
    keys = {"policy", "family", "objective", "feasible", "violations", "judged_by", "seconds"}
    assert ran.keys() - {"remarks"} == keys
    assert (ran["policy"], ran["family"], ran["feasible"], ran["violations"]) == (policy, family, True, [])
    assert picture.read_bytes().startswith(b"\x89PNG")
    checked = told(cli("check", day, schedule, "--json"))
    same = {name: ran[name] for name in ("feasible", "objective", "violations", "judged_by")}
    assert checked == same | {"contradiction": ""}
    again = told(cli("run", policy.partition(".")[2], day, "--json"))
    assert again | {"seconds": 0} == ran | {"seconds": 0}
    code, out, _ = cli("run", policy, day)
    assert (
        code == 0 and out.startswith(f"{policy}: {sp.read(day).in_words(ran['objective'])}, ") and "\nfeasible\n" in out
    )


def test_run_tells_what_a_schedule_remarks(cli: Cli, tmp_path: Path) -> None:
    cells = written("cells", tmp_path)
    words = ("run", "jrp_rounding", cells, "--option", "batches=2")
    remarks = told(cli(*words, "--json"))["remarks"]
    assert [text.partition(":")[0] for text in remarks] == ["batch 1", "batch 2"]
    assert cli(*words)[1].splitlines()[2:] == remarks


def test_run_with_options_and_a_seed(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    words = ("--option", "order=residual", "--option", "speed=3/2", "--seed", "7", "--out", schedule)
    assert cli("run", "a_online", day, *words)[0] == 0
    written = json.loads(schedule.read_bytes())
    assert (written["options"], written["seed"]) == ({"order": "residual", "speed": "3/2"}, 7)
    checked = told(cli("check", day, schedule, "--option", "speed=1.5", "--json"))
    rules = {"speed": "3/2", "chunks": "pinned", "reading": "ceil_chunk", "ps_release": "printed"}
    assert checked["feasible"] and checked["judged_by"] == rules and not checked["contradiction"]
    ran = told(cli("run", "a_online", day, *words, "--json"))
    assert ran["judged_by"] == rules and ran["objective"] == checked["objective"]
    assert "\njudged by speed=3/2, " in cli("run", "a_online", day, *words)[1]


def test_check_judges_by_the_usual_rules_unless_told_and_says_by_which(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    cli("run", "a_online", day, "--option", "speed=3/2", "--out", schedule)
    code, out, _ = cli("check", day, schedule)
    assert code == 1 and out.startswith("NOT feasible") and "chunk_work" in out
    assert "the schedule says that it was made with speed=3/2; it is judged by speed=1\n" in out
    for rule in ("speed=1:", "chunks=pinned:", "reading=ceil_chunk:", "ps_release=printed:"):
        assert f"judged by {rule} " in out
    told_it = cli("check", day, schedule, "--option", "speed=3/2")
    assert told_it[0] == 0 and told_it[1].startswith("feasible") and "the schedule says" not in told_it[1]
    for words, sentence in (
        ("chunks=FLOATING", "chunks=FLOATING: expected one of pinned, floating"),
        ("ps_release=None", "ps_release=None: expected one of printed, none"),
        ("order=static", "unknown option of check of preemptive 'order'"),
    ):
        code, _, error = cli("check", day, schedule, "--option", words)
        assert code == 2 and error.startswith(f"schedproof: {sentence}") and error.count("\n") == 1


def test_bound(cli: Cli, day: Path) -> None:
    result = told(cli("bound", "preemptive.lp4", day, "--json", "--option", "cost=printed"))
    assert result.keys() >= {"kind", "value", "exact", "witness"} and result["kind"] == "lower"
    bound = sp.bound("preemptive.lp4", sp.embedded("day"), cost="printed")
    assert from_text(result["exact"]) == bound.exact and result["value"] == bound.value
    assert result["witness"] == bound.witness.to_json()
    code, out, _ = cli("bound", "lp4", day)
    assert code == 0 and out.startswith("preemptive.lp4: lower bound ")


def test_a_certificate_is_written_and_checked(cli: Cli, day: Path, tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    made = told(cli("bound", "lp4", day, "--option", "speed=3/2", "--certificate", file, "--json"))
    code, out, _ = cli("check-bound", day, file)
    assert code == 0 and out.startswith("proven: lower bound on the optimum of preemptive.lp4, cost=half, speed=3/2, ")
    found = told(cli("check-bound", day, file, "--json"))
    assert found["proven"] and found["value"] == made["exact"] and found["parameters"] == made["parameters"]
    row = json.loads(file.read_bytes())
    file.write_text(json.dumps(row | {"value": "177/1"}))
    code, out, _ = cli("check-bound", day, file)
    assert code == 1 and out.startswith("NOT proven: the multipliers prove ") and out.count("\n") == 1
    assert not told(cli("check-bound", day, file, "--json"), code=1)["proven"]
    assert cli("check-bound", day, day)[0] == 1
    assert cli("bound", "lp4", day, "--certificate", tmp_path / "none" / "bound.json")[0] == 2


def test_a_certificate_named_vipr_states_the_linear_program_too(cli: Cli, day: Path, tmp_path: Path) -> None:
    file, cells = tmp_path / "bound.vipr", tmp_path / "cells.json"
    words = ("--option", "cost=printed", "--option", "prices=free", "--certificate", file, "--json")
    made = told(cli("bound", "lp4", day, *words))
    _, claimed, proves = proven(file.read_text())
    assert claimed == from_text(made["exact"]) <= proves and made["parameters"]["cost"] == "printed"
    told(cli("generate", "jrp", "--out", cells, "--json"))
    code, _, error = cli("bound", "conic", cells, "--certificate", tmp_path / "none.vipr")
    assert code == 2 and "jrp.conic has no VIPR file: " in error and not (tmp_path / "none.vipr").exists()


def test_ratio(cli: Cli, day: Path, tmp_path: Path) -> None:
    picture = tmp_path / "ratio.png"
    words = ("--bound", "preemptive.lp4", "--bound-option", "prices=free", "--plot", picture)
    result = told(cli("ratio", "a_online", day, *words, "--json"))
    assert result.keys() >= {"value", "exact", "guarantee", "premises", "gap"}
    parts = [from_text(part["exact"]) for part in result["gap"]["parts"]]
    assert (
        sum(parts) == from_text(result["objective"]) - from_text(result["bound"]) == from_text(result["gap"]["exact"])
    )
    assert from_text(result["exact"]) == from_text(result["objective"]) / from_text(result["bound"])
    assert set(result["premises"].values()) <= {"yes", "no", "undetermined"}
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = cli("ratio", "a_online", day, "--bound", "lp4")
    assert code == 0 and "\ngap " in out and " idle_workers " in out
    code, out, _ = cli("ratio", "a_online", day, "--bound", "lp4", "--option", "speed=2")
    assert code == 0 and out.startswith("certified ratio <= ") and "guaranteed: " in out
    assert out.splitlines()[-1].startswith("no account of the gap: ") and "needs for it" in out


def test_regret(cli: Cli, tmp_path: Path) -> None:
    ports, picture = written("ports", tmp_path), tmp_path / "regret.png"
    result = told(cli("regret", "oga_sched", ports, "--points", "8", "--plot", picture, "--json"))
    assert result["slots"][0] == 1 and result["slots"][-1] == 16 and len(result["regret"]) == len(result["slots"])
    low, high = (from_text(end) for end in result["exact"])
    assert low <= high and [float(low), float(high)] == result["regret"][-1]
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = cli("regret", "oga_sched", ports, "--option", "step=decayed")
    assert code == 0 and out.startswith("multiserver.oga_sched: regret ")


def test_arrays_beside_their_files(cli: Cli, tmp_path: Path) -> None:
    file, plan = tmp_path / "ports.json", tmp_path / "plan.json"
    words = ("--set", "horizon=3000", "--set", "counts=2", "--out", file)
    result = told(cli("generate", "multiserver", "--preset", "tiny", *words, "--json"))
    assert (result["slots"], result["family"]) == (3000, "multiserver")
    assert json.loads(file.read_bytes())["arrivals"]["file"] == "ports.arrivals.npy"
    ran = told(cli("run", "oga_sched", file, "--out", plan, "--json"))
    assert json.loads(plan.read_bytes())["allocation"]["file"] == "plan.allocation.npy"
    assert told(cli("check", file, plan, "--json"))["objective"] == ran["objective"]
    (tmp_path / "ports.arrivals.npy").unlink()
    code, out, error = cli("run", "oga_sched", file)
    assert (code, out) == (2, "") and error.count("\n") == 1
    missing = "arrivals.file = 'ports.arrivals.npy': expected an array: the file is not there"
    assert error == f"schedproof: {file}: {missing}\n"


def test_verify(cli: Cli) -> None:
    """The rows are those of the results, seconds apart."""
    rows = told(cli("verify", "preemptive.lemma5", "preemptive.eq4e_redundant", "--seed", "3", "--json"))["claims"]
    results = sp.verify(["preemptive.lemma5", "preemptive.eq4e_redundant"], seed=3)
    assert [row | {"seconds": 0} for row in rows] == [
        json.loads(msgspec.json.encode(result.to_json())) | {"seconds": 0} for result in results
    ]
    assert [row["verdict"] for row in rows] == ["holds", "refuted"]
    redundant = "preemptive.eq4e_redundant"
    assert (rows[1]["id"], rows[1]["witness"]) == (redundant, "eq4e_redundant")
    assert rows[1]["repaired_by"] == f"{redundant}_repaired"


def test_a_verdict_that_differs_from_the_ledger(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "ledger", lambda family: {"preemptive.lemma5": {"verdict": "refuted"}})
    code, out, _ = cli("verify", "preemptive.lemma5")
    assert code == 1 and out.splitlines()[-1] == "differs from the ledger: preemptive.lemma5"


def test_generate(cli: Cli, tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("1.json", "2.json", "3.json"))
    for file, seed in ((one, 3), (two, 3), (other, 4)):
        result = told(cli("generate", "preemptive", "--preset", "tiny", "--seed", seed, "--out", file, "--json"))
        assert (result["file"], result["family"]) == (str(file), "preemptive")
        assert result["jobs"] == len(sp.read(file).jobs)
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()


@pytest.mark.parametrize("name", EMBEDDED.values())
def test_a_schema_accepts_the_embedded_instance_and_no_other_key(cli: Cli, name: str) -> None:
    text = json.loads(write_json_text(sp.embedded(name).to_json()))
    code, out, _ = cli("schema", text["family"])
    schema = json.loads(out)
    jsonschema.validate(text, schema)
    for broken in (text | {"version": 2}, text | {"unknown": 1}, {k: v for k, v in text.items() if k != "family"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)
    assert code == 0


def test_a_first_run_that_compiles_says_so_once(day: Path, tmp_path: Path) -> None:
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    command = [sys.executable, "-m", "schedproof", "run", "a_online", str(day)]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert (first.stderr, second.stderr) == (COMPILING, "")


# --- exit code 1: a check failed --------------------------------------------------------------------------------------


def test_check_of_a_broken_schedule(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    assert cli("run", "a_online", day, "--out", schedule)[0] == 0
    broken = json.loads(schedule.read_bytes())
    broken["intervals"][0]["end"] += 1
    write_json(schedule, broken)
    result = told(cli("check", day, schedule, "--json"), code=1)
    assert not result["feasible"] and result["violations"]
    assert all(row.keys() == {"constraint", "where", "by"} for row in result["violations"])
    code, out, _ = cli("check", day, schedule)
    assert code == 1 and out.startswith("NOT feasible: total JCT ") and "chunk_work at " in out


def scarce(tmp_path: Path) -> Path:
    """One parameter server and two jobs that A_online runs at the same time."""
    value = tiny_preemptive(1, cloud=False, storage=False, ps_types=False, servers=1, jobs=4)
    value["servers"][0] |= {"workers": {"gpu": 8}, "parameter_servers": 1}
    for row in value["jobs"]:
        row |= {"arrival": 0, "upload_delay": {"*": 0}, "worker_types": ["gpu"]}
    file = tmp_path / "scarce.json"
    write_json(file, value)
    return file


def test_a_run_that_the_checker_rejects_and_its_ratio(cli: Cli, tmp_path: Path) -> None:
    file = scarce(tmp_path)
    result = told(cli("run", "a_online", file, "--json"), code=1)
    assert not result["feasible"] and {v["constraint"] for v in result["violations"]} == {"served_while_running"}
    code, out, error = cli("ratio", "a_online", file, "--bound", "lp4")
    assert (code, out) == (1, "") and error.count("\n") == 1
    assert error.startswith("schedproof: preemptive.a_online: no ratio is quoted, the schedule is not feasible")


# --- exit code 2: bad input or a missing solver -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["solve", "preemptive.minlp3", "DAY"],
            "unknown program 'preemptive.minlp3'; did you mean preemptive.minlp",
        ),
        (
            ["solve", "preemptive.minlp2", "DAY", "--solver", "cplex"],
            "preemptive.minlp2 has no solver or exact method 'cplex'",
        ),
        (["solve", "preemptive.minlp2", "DAY", "--drop", "x"], "unknown group of preemptive.minlp2 'x'"),
        (["solve", "preemptive.minlp2", "DAY", "--drop", "running"], "preemptive.minlp2: group '"),
        (["solve", "preemptive.minlp2", "DAY", "--option", "chunks"], "--option chunks: expected key=value"),
        (
            ["solve", "preemptive.minlp2", "DAY", "--option", "chunks=loose"],
            "chunks=loose: expected one of pinned, floating",
        ),
        (["solve", "preemptive.minlp2", "DAY", "--option", "x=1"], "unknown option of preemptive.minlp2 'x'"),
        (
            ["solve", "preemptive.minlp2", "DAY", "--relaxed", "--solver", "cpsat"],
            "preemptive.minlp2 has no solver or exact method",
        ),
        (["solve", "preemptive.lp4", "DAY", "--solver", "flow"], "the method 'flow' needs an instance without a cloud"),
        (["solve", "preemptive.dual11", "DAY"], "preemptive.dual11 needs the option eps"),
        (["show", "preemptive.dual11", "--latex"], "preemptive.dual11 needs the option eps"),
        (["show", "nothing"], "unknown name 'nothing'; `schedproof programs`, `policies` and `claims` list names"),
        (["show", "lema5"], "unknown name 'lema5'; did you mean preemptive.lemma5"),
        (
            ["claims", "--verdict", "refuted_as_print"],
            "unknown verdict 'refuted_as_print'; did you mean refuted_as_printed?",
        ),
        (["policies", "--family", "jpr"], "unknown family 'jpr'; did you mean jrp?"),
        (["run", "pd_ors", "DAY"], "dmlrs.pd_ors takes a dmlrs instance, this one is preemptive"),
        (["run", "lp4", "DAY"], "expected a policy; 'lp4' is the program preemptive.lp4 and the bound preemptive.lp4"),
        (["--plugin", "none.py", "policies"], "none.py: expected a Python file with a card, FILE.py"),
        (["regret", "a_online", "DAY"], "the family preemptive has no regret, only ratios"),
        (["run", "best", "DAY"], "unknown policy 'best'; available: "),
        (["run", "a_online", "DAY", "--option", "speed=0"], "speed=0: expected a number > 0"),
        (["run", "a_online", "DAY", "--option", "order=best"], "order=best: expected one of static, residual"),
        (["run", "a_online", "none.json"], "none.json: cannot be read: No such file or directory"),
        (["run", "a_online", "DAY", "--out", "none/schedule.json"], "none/schedule.json: expected an existing folder"),
        (["run", "a_online", "DAY", "--plot", "none/gantt.png"], "none/gantt.png: expected an existing folder"),
        (["bound", "preemptive.lp5", "DAY"], "unknown bound 'preemptive.lp5'; did you mean preemptive.lp4?"),
        (["bound", "lp4", "DAY", "--option", "block=0"], "block=0: expected an integer from 1 to 100000"),
        (["ratio", "a_online", "DAY", "--bound", "lp4", "--bound-option", "time_limit=soon"], "time_limit=soon: "),
        (["check", "DAY", "DAY"], "DAY: "),
        (["run", "jrp.greedy", "DAY"], "jrp.greedy takes a jrp instance, this one is preemptive"),
        (["bound", "jrp.conic", "DAY"], "jrp.conic takes a jrp instance, this one is preemptive"),
        (["solve", "jrp.exact", "DAY"], "jrp.exact takes a jrp instance, this one is preemptive"),
        (["solve", "jrp.exact", "DAY", "--solver", "brute"], "jrp.exact takes a jrp instance, this one is preemptive"),
        (["run", "a_online", "DAY", "--plot", "gantt.txt"], "gantt.txt: expected a picture's name, ending in one of "),
        (["run", "srtf", "DAY", "--option", "speed=2", "--option", "speed=3"], "--option speed: given twice"),
        (["verify", "preemptive.lemma99"], "unknown claim 'preemptive.lemma99'; did you mean "),
        (["verify", "--family", "nobody"], "unknown family 'nobody'; available: "),
        (["generate", "nobody"], "unknown generator 'nobody'; available: "),
        (["train", "nobody"], "unknown trainer 'nobody'; available: placement"),
        (["generate", "preemptive", "--preset", "huge"], "unknown preset 'huge'; available: "),
        (["generate", "preemptive", "--set", "jobs"], "--set jobs: expected key=value"),
        (["trace", "nobody", "x.csv"], "unknown trace 'nobody'; available: "),
        (["schema", "nobody"], "unknown family 'nobody'; available: "),
    ],
)
def test_bad_words_are_one_sentence(
    cli: Cli, day: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, error = cli(*[str(day) if word == "DAY" else word for word in words])
    assert (code, out) == (2, ""), error
    assert error.startswith(f"schedproof: {sentence.replace('DAY', str(day))}"), error
    assert error.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["day.json"]  # and nothing was written


@pytest.mark.parametrize("words", ["fly", "solve", "run a_online", "solve x y --time-limit -1", "run x y --seed -1"])
def test_unknown_or_missing_arguments_are_one_sentence_that_names_the_help(cli: Cli, words: str) -> None:
    code, out, error = cli(*words.split())
    assert code == 2 and out == "" and error.count("\n") == 1 and " --help`\n" in error


def test_a_missing_solver_names_its_extra(cli: Cli, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "gurobipy" else found(name, *a))
    code, _, error = cli("solve", "preemptive.minlp2", day, "--solver", "gurobi")
    expected = "schedproof: the solver 'gurobi' is not installed; install it with: pip install 'schedproof[gurobi]'\n"
    assert (code, error) == (2, expected)


def test_another_instances_schedule_is_refused(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule, other = tmp_path / "schedule.json", tmp_path / "other.json"
    assert cli("run", "a_online", day, "--out", schedule)[0] == 0
    write_json(other, sp.embedded("day").to_json() | {"horizon": 61})
    code, _, error = cli("check", other, schedule)
    assert code == 2 and error.startswith(f"schedproof: {schedule}: instance_sha256 = ") and error.count("\n") == 1


# --- exit code 3: no solution -----------------------------------------------------------------------------------------


def infeasible(tmp_path: Path) -> Path:
    """Two jobs that need the same slot of the only worker."""
    value = micro(0, cloud=False, servers=1)
    row = value["jobs"][0] | {"arrival": 0, "chunks": 1, "minibatch_time": 1, "gradient_size": 0}
    row |= {"upload_delay": {"*": 0}, "worker_types": ["gpu"]}
    row.pop("ps_types", None)
    servers = [{"name": "e", "workers": {"gpu": 1}, "parameter_servers": 2}]
    file = tmp_path / "infeasible.json"
    write_json(file, value | {"servers": servers, "horizon": 1, "jobs": [row, row | {"name": "other"}]})
    return file


@pytest.mark.parametrize(
    ("program", "solver"), [("minlp2", "highs"), ("minlp2", "cpsat"), ("minlp2", "brute"), ("lp4", "flow")]
)
def test_an_infeasible_instance(cli: Cli, tmp_path: Path, program: str, solver: str) -> None:
    file = infeasible(tmp_path)
    result = told(cli("solve", f"preemptive.{program}", file, "--solver", solver, "--json"), code=3)
    status = "infeasible" if solver == "brute" else f"infeasible (claimed by {solver.replace('flow', 'min_cost_flow')})"
    assert (result["status"], result["objective"], result["values"]) == (status, None, {})
    code, out, error = cli("solve", f"preemptive.{program}", file, "--solver", solver)
    assert code == 3 and out.startswith(f"preemptive.{program}: {status} ({solver}, ") and error == ""


def test_an_infeasible_instance_is_explained(cli: Cli, tmp_path: Path) -> None:
    file = infeasible(tmp_path)
    result = told(cli("solve", "preemptive.ilp4", file, "--json"), code=3)["why_infeasible"]
    assert result["irreducible"] and [g["source"] for g in result["groups"]] == ["(4a)", "(4b)"]
    out = cli("solve", "preemptive.ilp4", file, "--solver", "highs")[1]
    assert f"\n{result['sentence']}; on the word of highs\n  (4a) chunk_work: " in out


def test_an_unbounded_dual(cli: Cli, tmp_path: Path) -> None:
    result = told(cli("solve", "preemptive.dual6", infeasible(tmp_path), "--json"), code=3)
    assert (result["status"], result["objective"]) == ("unbounded (claimed by highs)", None)


def test_a_time_limit_without_an_incumbent(cli: Cli, day: Path) -> None:
    words = ("--solver", "cpsat", "--time-limit", "0", "--json")
    result = told(cli("solve", "preemptive.minlp2", day, *words), code=3)
    assert (result["status"], result["objective"]) == ("time_limit", None)


def test_no_bound_and_no_schedule(cli: Cli, tmp_path: Path) -> None:
    file, schedule = infeasible(tmp_path), tmp_path / "schedule.json"
    code, out, error = cli("bound", "lp4", file)
    assert (code, out) == (3, "") and error.startswith("schedproof: preemptive.lp4: the LP of ")
    assert cli("solve", "preemptive.minlp2", file, "--out", schedule)[0] == 3 and not schedule.exists()


def test_a_policy_that_finds_no_place(cli: Cli, tmp_path: Path) -> None:
    value = json.loads(infeasible(tmp_path).read_bytes())
    value["servers"][0]["storage"] = 1
    for row in value["jobs"]:
        row["chunk_size"] = 1
    file = tmp_path / "full.json"
    write_json(file, value | {"horizon": 9})
    code, out, error = cli("run", "a_online", file)
    assert (code, out) == (3, "") and "no edge worker can take chunk 0" in error and error.count("\n") == 1


def test_a_closed_pipe_is_no_error(day: Path) -> None:
    command = f"{sys.executable} -m schedproof solve preemptive.ilp4 {day} --json | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{", "")
