from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution
from schedproof.core.runtime.files import write_json
from tests.command_line import Cli, told
from tests.formulations.preemptive.micro import micro
from tests.tiny.preemptive import tiny_preemptive

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
    assert error.startswith("schedproof: preemptive.a_online: no ratio is reported: the schedule is not feasible")


# --- exit code 2: bad input or a missing solver -----------------------------------------------------------------------


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
    value = micro(0, cloud=False, servers=1)
    row = value["jobs"][0] | {"arrival": 0, "chunks": 1, "minibatch_time": 1, "gradient_size": 0}
    row |= {"upload_delay": {"*": 0}, "worker_types": ["gpu"]}
    row.pop("ps_types", None)
    servers = [{"name": "e", "workers": {"gpu": 1}, "parameter_servers": 2}]
    file = tmp_path / "infeasible.json"
    write_json(file, value | {"servers": servers, "horizon": 1, "jobs": [row, row | {"name": "other"}]})
    return file


@pytest.mark.parametrize(
    ("program", "solver"),
    [("minlp2", "highs"), ("minlp2", "cpsat"), ("minlp2", "brute"), ("lp4", "flow"), ("lp4", "network_simplex")],
)
def test_an_infeasible_instance(cli: Cli, tmp_path: Path, program: str, solver: str) -> None:
    file = infeasible(tmp_path)
    result = told(cli("solve", f"preemptive.{program}", file, "--solver", solver, "--json"), code=3)
    proven = solver in ("brute", "highs")  # by all choices, or by branching
    status = "infeasible" if proven else f"infeasible (claimed by {solver.replace('flow', 'min_cost_flow')})"
    assert (result["status"], result["objective"], result["values"]) == (status, None, {})
    code, out, error = cli("solve", f"preemptive.{program}", file, "--solver", solver)
    assert code == 3 and out.startswith(f"preemptive.{program}: {status} ({solver}, ") and error == ""


def test_an_infeasible_instance_is_explained(cli: Cli, tmp_path: Path) -> None:
    file = infeasible(tmp_path)
    result = told(cli("solve", "preemptive.ilp4", file, "--json"), code=3)["why_infeasible"]
    assert result["irreducible"] and [g["source"] for g in result["groups"]] == ["(4a)", "(4b)"]
    out = cli("solve", "preemptive.ilp4", file, "--solver", "highs")[1]
    assert f"\n{result['sentence']}; {result['rests_on']}\n  (4a) chunk_work: " in out


def test_an_unbounded_dual(cli: Cli, tmp_path: Path) -> None:
    result = told(cli("solve", "preemptive.dual6", infeasible(tmp_path), "--json"), code=3)
    assert (result["status"], result["objective"]) == ("unbounded", None)


def test_a_time_limit_without_an_incumbent(cli: Cli, day: Path) -> None:
    words = ("--solver", "cpsat", "--time-limit", "0", "--json")
    result = told(cli("solve", "preemptive.minlp2", day, *words), code=3)
    assert (result["status"], result["objective"]) == ("time_limit", None)


@pytest.mark.parametrize(
    ("ended", "code"), [(NoSolution("no bound was found within 1 s"), 3), (KeyboardInterrupt(), 130)]
)
def test_a_ratio_without_a_bound_shows_the_run(
    cli: Cli, day: Path, monkeypatch: pytest.MonkeyPatch, ended: BaseException, code: int
) -> None:
    def compute(*_: object) -> None:
        raise ended

    ran = told(cli("run", "srtf", day, "--json"))
    monkeypatch.setattr("schedproof.core.certificates.bounds.compute", compute)
    answer, out, error = cli("ratio", "srtf", day, "--bound", "lp4", "--json")
    assert answer == code and json.loads(out) | {"seconds": 0} == ran | {"seconds": 0}
    assert error == ("schedproof: no bound was found within 1 s\n" if code == 3 else "")
    assert cli("ratio", "srtf", day, "--bound", "lp4")[1].startswith("preemptive.srtf: total JCT ")


def test_claims_that_are_not_judged_in_time(cli: Cli) -> None:
    names = ["preemptive.lemma5", "preemptive.eq4e_redundant"]
    rows = told(cli("verify", *names, "--time-limit", "0", "--json"), code=3)["claims"]
    assert [(row["id"], row["verdict"], row["evidence"]) for row in rows] == [(n, "undecided", "none") for n in names]
    assert {reason for row in rows for reason in row["blocked_by"]} == {"not judged within the time limit"}
    code, out, error = cli("verify", names[0], "--time-limit", "600")
    assert code == 0 and out.startswith(names[0]) and "time limit" not in out and error == ""


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


@pytest.mark.parametrize("words", ["policies --nothing", "run nothing nowhere.json", "check nowhere.json nowhere.json"])
def test_the_exit_code_survives_a_closed_stderr(words: str) -> None:
    command = [sys.executable, "-m", "schedproof", *words.split()]
    with Path("/dev/full").open("w") as full:
        assert subprocess.run(command, stderr=full, check=False).returncode == 2
    assert subprocess.run(command, stderr=subprocess.PIPE, check=False).returncode == 2
