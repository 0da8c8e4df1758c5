from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import schedproof as sp
from schedproof.core.base.numbers import from_text
from schedproof.core.claims import claims
from schedproof.core.runtime.files import encode, write_json
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from tests.certificates import instance_of
from tests.command_line import COMPILING, Cli, told, written
from tests.vipr import proven

EMBEDDED = {"preemptive": "day", "dmlrs": "cluster", "multiserver": "ports", "jrp": "cells", "placement": "clusters"}


def write_json_text(value: dict[str, Any]) -> bytes:
    return encode({key: entry.tolist() if hasattr(entry, "tolist") else entry for key, entry in value.items()})


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
        result["status"] == "optimal (two solvers agree)"
        and result["rests_on"] == "two exact methods that share no solver, highs and cpsat"
    )
    told(cli("generate", "preemptive", "--set", "jobs=1", "--out", day, "--json"))
    monkeypatch.setattr(cpsat, "solve", lambda model, context: (Outcome("optimal", 1.0, 1.0), None))
    code, out, error = cli("solve", "preemptive.minlp2", day, "--confirm")
    assert code == 1 and out.startswith("preemptive.minlp2: disputed (highs, ") and error == ""
    assert re.fullmatch(r"highs reports optimal \d\d?, but cpsat reports optimal 1", out.splitlines()[-1])


def test_solve_writes_a_schedule_that_check_accepts(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    solved = told(cli("solve", "preemptive.minlp2", day, "--out", schedule, "--json"))
    checked = told(cli("check", day, schedule, "--json"))
    assert checked.pop("judged_by") and checked.pop("contradiction") == ""
    assert checked == {"feasible": True, "objective": pytest.approx(solved["objective"]), "violations": []}


# one for each protocol and family; all of them run on the embedded instances in tests/test_recording.py
@pytest.mark.parametrize(
    "policy",
    ("preemptive.a_online", "dmlrs.drf", "jrp.greedy", "multiserver.oga_sched", "multiserver.drf", "placement.minimum"),
)
def test_run_then_check(cli: Cli, tmp_path: Path, policy: str) -> None:
    family = policy.partition(".")[0]
    day = written(EMBEDDED[family], tmp_path)
    schedule, picture = tmp_path / "schedule.json", tmp_path / "gantt.png"
    ran = told(cli("run", policy, day, "--out", schedule, "--plot", picture, "--json"))
    keys = {"policy", "family", "objective", "feasible", "violations", "judged_by", "seconds"}
    assert ran.keys() - {"remarks"} == keys | ({"measures"} if family not in ("multiserver", "jrp") else set())
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


def test_run_prints_the_schedules_remarks(cli: Cli, tmp_path: Path) -> None:
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


def test_check_uses_the_default_rules_and_names_them(cli: Cli, day: Path, tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.json"
    cli("run", "a_online", day, "--option", "speed=3/2", "--out", schedule)
    code, out, _ = cli("check", day, schedule)
    assert code == 1 and out.startswith("NOT feasible") and "chunk_work" in out
    assert "the schedule's options have speed=3/2, but the check used speed=1\n" in out
    for rule in ("speed=1:", "chunks=pinned:", "reading=ceil_chunk:", "ps_release=printed:"):
        assert f"judged by {rule} " in out
    assert "chunks=pinned: a chunk never moves (section III-A)\n" in out
    assert (
        "chunks=floating: a chunk may move, as printed in (2)\n"
        in cli("check", day, schedule, "--option", "chunks=floating")[1]
    )
    told_it = cli("check", day, schedule, "--option", "speed=3/2")
    assert told_it[0] == 0 and told_it[1].startswith("feasible") and "the schedule's options" not in told_it[1]
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


def test_json_output_is_computed_on_demand(cli: Cli, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[sp.Bound]()
    made = sp.Bound.to_json
    monkeypatch.setattr(sp.Bound, "to_json", lambda bound: asked.append(bound) or made(bound))
    assert cli("bound", "lp4", day)[0] == 0 and not asked
    assert told(cli("bound", "lp4", day, "--json"))["kind"] == "lower" and len(asked) == 1


def test_a_certificate_is_written_and_checked(cli: Cli, day: Path, tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    made = told(cli("bound", "lp4", day, "--option", "speed=3/2", "--certificate", file, "--json"))
    file.chmod(0o444)  # a file to read need not be writable
    code, out, _ = cli("check-bound", day, file)
    assert code == 0 and out.startswith("proven: lower bound on the optimum of preemptive.lp4, cost=half, speed=3/2, ")
    found = told(cli("check-bound", day, file, "--json"))
    assert found["proven"] and found["value"] == made["exact"] and found["parameters"] == made["parameters"]
    row = json.loads(file.read_bytes())
    file.chmod(0o644)
    file.write_text(json.dumps(row | {"value": "177/1"}))
    code, out, _ = cli("check-bound", day, file)
    assert code == 1 and out.startswith("NOT proven: the multipliers prove ") and out.count("\n") == 1
    assert not told(cli("check-bound", day, file, "--json"), code=1)["proven"]
    assert cli("check-bound", day, day)[0] == 2  # another file, told by what it is
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


def test_a_program_on_the_command_line_has_a_bound_from_its_rows(cli: Cli, tmp_path: Path) -> None:
    day, files = tmp_path / "tiny.json", [tmp_path / "bound.json", tmp_path / "bound.vipr"]
    told(cli("generate", "preemptive", "--out", day, "--json"))
    words = ("preemptive.ilp4", day, "--drop", "one_worker_per_chunk", "--relaxed", "--option", "speed=3/2")
    for file in files:
        made = told(cli("bound", *words, "--certificate", file, "--json"))
        assert made["program"] == "preemptive.ilp4 (without one_worker_per_chunk, relaxed)"
        assert made["parameters"]["speed"] == "3/2"
    code, out, _ = cli("check-bound", day, files[0])
    assert code == 0 and f"of {made['program']}, " in out and "of the program as listed" in out
    assert proven(files[1].read_text())[1] == from_text(made["exact"])
    family, rows = (told(cli("bound", "preemptive.lp4", day, *more, "--json")) for more in ((), ("--relaxed",)))
    assert family["value"] == pytest.approx(rows["value"])
    assert "rows" in rows["witness"] and "rows" not in family["witness"]
    code, _, error = cli("bound", "preemptive.lp4", day, "--drop", "nothing")
    assert code == 2 and "group of preemptive.lp4" in error


def test_a_run_has_a_ratio_to_a_program_without_a_bound_on_the_card(cli: Cli, tmp_path: Path) -> None:
    clusters = tmp_path / "clusters.json"
    write_json(clusters, instance_of("placement", 1).to_json())
    result = told(cli("ratio", "placement.random", clusters, "--bound", "placement.exact", "--json"))
    assert result["gap"]["parts"] and from_text(result["exact"]) >= 1
    assert sum(from_text(part["exact"]) for part in result["gap"]["parts"]) == from_text(result["gap"]["exact"])


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


def test_a_ratio_against_known_schedules_is_an_interval(cli: Cli, day: Path, tmp_path: Path) -> None:
    plans = []
    for policy in ("a_online", "srtf"):
        plans.append(tmp_path / f"{policy}.json")
        told(cli("run", policy, day, "--out", plans[-1], "--json"))
    given = ("--bound", "lp4", "--against", plans[0], "--against", plans[1])
    result = told(cli("ratio", "srtf", day, *given, "--json"))
    values = [sp.policy(policy).run(sp.read(day)).objective for policy in ("a_online", "srtf")]
    assert from_text(result["best_known"]) == min(values) < max(values)
    low, high = (from_text(end) for end in result["interval"])
    assert low == values[1] / min(values) and high == from_text(result["exact"])
    code, out, _ = cli("ratio", "srtf", day, *given)
    assert code == 0 and "\ntrue ratio in [" in out
    faster = told(cli("ratio", "srtf", day, *given, "--option", "speed=2", "--json"))
    assert from_text(faster["interval"][0]) < 1  # a faster system's own schedule is none of this one
    told(cli("run", "srtf", day, "--option", "speed=2", "--out", plans[1], "--json"))
    code, _, error = cli("ratio", "srtf", day, *given)
    assert code == 2 and "a known schedule is infeasible under speed=1" in error


def test_regret(cli: Cli, tmp_path: Path) -> None:
    ports, picture = written("ports", tmp_path), tmp_path / "regret.png"
    result = told(cli("regret", "oga_sched", ports, "--points", "8", "--plot", picture, "--json"))
    assert result["slots"][0] == 1 and result["slots"][-1] == 16 and len(result["regret"]) == len(result["slots"])
    low, high = (from_text(end) for end in result["exact"])
    assert low <= high and [float(low), float(high)] == result["regret"][-1]
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = cli("regret", "oga_sched", ports, "--option", "step=decayed")
    assert code == 0 and out.startswith("multiserver.oga_sched: regret ")


def test_worst_regret(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "worst.json"
    words = ("--option", "step=printed53", "--option", "slots=3")
    result = told(cli("worst-regret", "multiserver", *words, "--certificate", file, "--json"))
    low, high = (from_text(result[end]) for end in ("lower", "upper"))
    assert low <= 2 <= high < low + Fraction(1, 10**6) and result["promised"]["value"] < low
    found = told(cli("check-regret", file, "--json"))
    assert found["proven"] and (from_text(found["lower"]), from_text(found["upper"])) == (low, high)
    code, out, _ = cli("worst-regret", "multiserver", *words)
    assert code == 0 and out.splitlines()[1] == "promised: sqrt(T) = 1.732051, refuted: it is more"
    file.write_bytes(encode(json.loads(file.read_bytes()) | {"slots": 4}))
    code, out, _ = cli("check-regret", file)
    assert code == 1 and out.startswith("NOT proven: ")
    assert not told(cli("check-regret", file, "--json"), code=1)["proven"]


def test_arrays_are_written_next_to_their_files(cli: Cli, tmp_path: Path) -> None:
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
    missing = "arrivals.file = 'ports.arrivals.npy': expected an array: the file does not exist"
    assert error == f"schedproof: {file}: {missing}\n"


def test_verify(cli: Cli) -> None:
    ids = ("preemptive.lemma5", "preemptive.eq4e_redundant")
    rows = told(cli("verify", *ids, "--seed", "3", "--budget", "2", "--json"))["claims"]
    results = sp.verify(*ids, seed=3, budget=2)
    assert [row | {"seconds": 0} for row in rows] == [
        json.loads(msgspec.json.encode(result.to_json())) | {"seconds": 0} for result in results
    ]
    assert [row["verdict"] for row in rows] == ["holds", "refuted"]
    redundant = "preemptive.eq4e_redundant"
    assert (rows[1]["id"], rows[1]["witness"]) == (redundant, "eq4e_redundant")
    assert rows[1]["repaired_by"] == f"{redundant}_repaired"


def test_a_verdict_that_differs_from_the_ledger(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "ledger", lambda *_: {"preemptive.lemma5": {"verdict": "refuted"}})
    code, out, _ = cli("verify", "preemptive.lemma5")
    assert code == 1 and out.splitlines()[-1] == "preemptive.lemma5: the verdict differs from the ledger"


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


def test_a_first_run_reports_compilation_once(tmp_path: Path) -> None:
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    code = "from schedproof.core.runtime import compiled; compiled.PATIENCE = -1\n"
    code += "from schedproof.__main__ import main; main()"
    words = "best-ratio --option machines=1 --option sizes=2 --option present=2"  # needs few kernels
    command = [sys.executable, "-c", code, *words.split()]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert (first.stderr, second.stderr) == (COMPILING, "")


def test_an_infeasible_run_and_its_picture_name_a_fix(cli: Cli, tmp_path: Path) -> None:
    few = tmp_path / "few.json"
    assert cli("generate", "preemptive", "--preset", "tiny", "--seed", 1, "--set", "jobs=3", "--out", few)[0] == 0
    code, out, _ = cli("run", "a_online", few)
    assert code == 1 and "with --option ps_release=none the policy's schedule is feasible" in out
    assert cli("run", "a_online", few, "--option", "ps_release=none")[0] == 0
    run = sp.policy("a_online").run(sp.read(few))
    assert "NOT feasible" in run.plot().texts[-1].get_text()
