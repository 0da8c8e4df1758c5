from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pandas as pd
import pytest

import schedproof as sp
from schedproof.core.data.store import Store
from schedproof.core.errors import InputError, MissingExtra, NoSolution, SchedproofError
from schedproof.core.results.run import Policy
from schedproof.core.runtime.files import sha256_of_file, write_json
from schedproof.experiments import sweep as module
from schedproof.experiments.cells import CELLS, open_store, require_row
from schedproof.experiments.engines import ENGINES, Lost, Place, Workers
from schedproof.experiments.export import table_file, write_table
from schedproof.experiments.table import frame
from tests.support import size

TINY: dict[str, Any] = {"name": "dmlrs", "seeds": 2, "settings": {"jobs": [2, 3]}}
PLAN: dict[str, Any] = {"generators": [TINY], "policies": ["drf", "fifo"], "bounds": ["rdmlrs_lp"]}
QUICK: dict[str, Any] = {"jobs": 1}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    run = Policy.run
    monkeypatch.setattr(Policy, "run", lambda self, *a, **k: seen.append(self.name) or run(self, *a, **k))
    return seen


def test_the_table_equals_runs_and_bounds() -> None:
    table = sp.sweep(PLAN, **QUICK)
    assert table[["jobs", "seed", "policy"]].values.tolist() == [
        [jobs, seed, f"dmlrs.{name}"] for jobs in (2, 3) for seed in (0, 1) for name in ("drf", "fifo")
    ]
    for row in table.itertuples():
        instance = sp.generate("dmlrs", "tiny", row.seed, jobs=row.jobs)
        run = sp.policy(row.policy).run(instance, row.seed)
        bound = sp.bound("dmlrs.rdmlrs_lp", instance)
        assert (row.objective, row.bound) == (float(run.objective), bound.value)
        assert not run.objective or row.ratio == run.ratio(bound).value
        assert row.instance_sha256 == instance.sha256 and row.feasible and not row.error and not row.bound_error


def test_lists_are_single_values_and_speeds_are_distinguished() -> None:
    choice = {"name": "a_online", "options": {"order": ["static", "residual"], "speed": [1, "3/2"]}}
    plan = {"generators": ["preemptive"], "policies": [choice], "bounds": ["lp4"]}
    table = sp.sweep(plan, **QUICK)
    assert table[["options", "speed"]].values.tolist() == [
        [f"order={order}", speed] for order in ("static", "residual") for speed in (1.0, 1.5)
    ]
    fast = sp.policy("a_online", order="residual", speed="3/2").run(sp.generate("preemptive"))
    assert table["objective"][3] == float(fast.objective)


def test_finished_work_is_not_repeated_under_another_name(tmp_path: Path, runs: list[str]) -> None:
    store, file = tmp_path / "cells", tmp_path / "instance.json"
    write_json(file, sp.generate("dmlrs", "tiny", 1, jobs=3).to_json())
    first = sp.sweep(PLAN, store, **QUICK)
    assert len(runs) == 8
    assert sp.sweep(PLAN, store, **QUICK).equals(first) and len(runs) == 8
    more = PLAN | {"policies": [{"name": "drf", "options": {}}, "oasis"], "generators": [TINY | {"seeds": [1]}]}
    assert len(sp.sweep(more, store, **QUICK)) == 4 and runs[8:] == ["dmlrs.oasis"] * 2
    given = sp.sweep({"files": [{"name": str(file), "seeds": [1]}], "policies": ["fifo"]}, store, **QUICK)
    assert len(runs) == 10 and given["file"].tolist() == [str(file)] and "preset" not in given
    assert given["objective"][0] == first["objective"][7]


def test_compare_reuses_the_results_of_a_sweep(tmp_path: Path, runs: list[str]) -> None:
    table = sp.sweep(PLAN, tmp_path / "cells", **QUICK)
    cases = [module.Draw("dmlrs", "tiny", 1, {"jobs": "3"})]
    again = sp.compare(cases, [sp.policy("drf")], results=tmp_path / "cells")
    assert len(runs) == 8 and again["ratio"].tolist() == table["ratio"].tolist()[6:7]


def test_a_row_records_its_software() -> None:
    row = sp.sweep(PLAN, provenance=True, **QUICK).iloc[0]
    assert row["seconds"] > 0 and row["bound_seconds"] > 0 and "schedproof " in row["software"] and row["machine"]


def test_other_code_or_options_are_another_cell(
    tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"generators": ["dmlrs"], "policies": ["oasis"]}
    for change in ({}, {"policies": [{"name": "oasis", "options": {"span": 12}}]}, {"time_limit": 5}):
        sp.sweep(plan | change, tmp_path / "cells", **QUICK)
    assert len(runs) == 3
    monkeypatch.setattr("schedproof.experiments.cells.code", lambda *package: "changed")
    sp.sweep(plan, tmp_path / "cells", **QUICK)
    assert len(runs) == 4


def test_the_content_of_a_file_that_an_option_names_counts(tmp_path: Path) -> None:
    from schedproof.core.cards import registry
    from schedproof.experiments.cells import _content

    entry, file, seen = registry.find("policy", "placement.tapfinger")[1], tmp_path / "mine.safetensors", []
    for content in (b"", b"1"):
        file.write_bytes(content)
        seen.append(_content("placement.tapfinger", entry, {"weights": str(file)})["weights"])
    assert len(set(seen)) == 2 and str(tmp_path) not in seen[0]


def test_a_failed_cell_is_a_row_and_is_retried_on_request(
    tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, told = Policy.run, list[str]()

    def refuse(self: Policy, *given: Any, **more: Any) -> Any:
        if self.name == "dmlrs.drf":
            raise NoSolution("no machine can take it") if len(told) < 6 else ZeroDivisionError("1 / 0")
        return run(self, *given, **more)

    monkeypatch.setattr(Policy, "run", refuse)
    table = sp.sweep(PLAN, tmp_path / "cells", **QUICK, progress=lambda words, done=None: told.append(words))
    assert table["error"].tolist()[1::2] == [""] * 4 and table["objective"].isna().tolist() == [True, False] * 4
    sentences = set(table["error"][::2])
    assert any("no machine can take it" in s for s in sentences) and any("ZeroDivisionError" in s for s in sentences)
    assert told[-1] == "12 of 12 cells, 4 failed, about 0 s left"
    monkeypatch.setattr(Policy, "run", run)
    assert sp.sweep(PLAN, tmp_path / "cells", **QUICK).equals(table)
    mended = sp.sweep(PLAN, tmp_path / "cells", retry=True, **QUICK)
    assert mended.equals(sp.sweep(PLAN, **QUICK)) and (mended["error"] == "").all()


def test_an_instance_that_cannot_be_drawn_is_reported_in_its_rows(tmp_path: Path) -> None:
    plan = PLAN | {"generators": [TINY | {"settings": {"jobs": [2, 0]}, "seeds": 1}]}
    table = sp.sweep(plan, tmp_path / "cells", **QUICK)
    assert (table["error"] != "").tolist() == [False, False, True, True]
    assert all(text.startswith("no instance: ") for text in [*table["error"][2:], *table["bound_error"][2:]])
    only_bounds = sp.sweep({"generators": ["dmlrs"], "bounds": ["rdmlrs_lp"]}, tmp_path / "cells", **QUICK)
    assert only_bounds["bound"].notna().all() and "policy" not in only_bounds


def test_an_interrupted_sweep_resumes(tmp_path: Path, runs: list[str]) -> None:
    def stop(words: str, done: float | None = None) -> None:
        if words.startswith("5 of 12 cells"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sp.sweep(PLAN, tmp_path / "cells", progress=stop, **QUICK)
    before, some = len(runs), sp.sweep(PLAN, tmp_path / "cells", so_far=True)
    assert 0 < len(some) < 12 and len(runs) == before
    assert sp.sweep(PLAN, tmp_path / "cells", **QUICK).equals(sp.sweep(PLAN, **QUICK))
    assert len(runs) == 8 + 8


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "expected instances: generators, traces or files"),
    ({"polices": []}, "unknown field polices; did you mean policies?"),
    ({"generators": [{"name": "dmlrs", "presets": "huge"}]}, r"generators\[0\]: unknown preset 'huge'"),
    ({"generators": [{"name": "dmlrs", "seed": 3}]}, r"generators\[0\].*unknown field seed; did you mean seeds?"),
    ({"generators": [{"name": "dmlrs", "seeds": -1}]}, r"generators\[0\]\.seeds = -1: expected an integer >= 1"),
    ({"generators": ["dmlr"]}, r"generators\[0\]: unknown generator 'dmlr'; did you mean dmlrs?"),
    ({"generators": ["dmlrs"], "policies": ["fifo", "oasi"]}, r"policies\[1\]: unknown policy 'oasi'; did you mean"),
    (
        {"generators": ["dmlrs"], "policies": ["jrp.greedy"]},
        "takes a jrp instance, but the family of this instance is dmlrs",
    ),
    ({"generators": ["dmlrs"], "policies": [{"name": "oasis", "options": {"spam": 3}}]}, "unknown option .*'spam'"),
    ({"generators": ["dmlrs"], "policies": [{"name": "oasis", "options": {"span": [1, "x"]}}]}, "span=x: expected"),
    ({"generators": ["dmlrs"], "bounds": ["dmlrs.rdmlrs_pl"]}, r"bounds\[0\]: unknown bound"),
    ({"generators": ["dmlrs"], "bounds": [{"name": "rdmlrs_lp", "options": {"resume": "x"}}]}, "not allowed in a plan"),
    ({"files": ["none.json"]}, r"files\[0\]: none.json: cannot be read"),
    ({"traces": [{"name": "philly", "files": ["none.csv"]}]}, r"traces\[0\]: .*none.csv: cannot be read"),
    ({"generators": ["dmlrs"], "time_limit": 0}, "time_limit = 0: expected an integer >= 1"),
]


@pytest.mark.parametrize(("plan", "words"), WRONG)
def test_a_wrong_plan_gives_one_message(plan: Mapping[str, Any], words: str, runs: list[str]) -> None:
    with pytest.raises(InputError, match=words):
        sp.sweep(plan)
    assert not runs


@pytest.mark.parametrize(
    ("text", "words"), [("a = ", "is not TOML: "), ("\xff", "is not TOML: "), ("x = 1", "unknown field x")]
)
def test_a_wrong_file_gives_one_message_with_its_name(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=f"plan.toml: .*{words}"):
        sp.sweep(file)


def test_a_row_with_a_number_beyond_its_column_is_ignored(tmp_path: Path) -> None:
    sp.sweep(PLAN | {"bounds": []}, tmp_path / "cells", **QUICK)
    with open_store(tmp_path / "cells") as finished:
        row: Any = next(row for row in finished.rows if row["kind"] == "run")
    require_row(row)
    row["measures"] |= dict.fromkeys(row["measures"], 10**400)
    with pytest.raises(ValueError, match="measures"):
        require_row(row)
    odd = frame([row | {"measures": {}, "sizes": {"jobs": "1_000"}}])  # a number to Python, and none to pandas
    assert odd["jobs"].tolist() == ["1_000"] and odd["seed"].dtype == int


def test_an_endless_plan_or_trace_gives_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="/dev/zero: cannot be read: expected a file, found a device"):
        sp.sweep("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    for file, words in (
        ("/dev/zero", "traces.0.: /dev/zero: cannot be read: .* a device"),
        ("pipe", "found a device or a pipe"),
        ("circle", "traces.0.: "),
    ):
        trace = {"name": "openb", "files": [str(tmp_path / file)], "options": {"horizon": 5}}
        with pytest.raises(InputError, match=words):
            sp.sweep({"traces": [trace], "policies": ["drf"]})


def test_an_unreadable_file_is_reported_by_name() -> None:
    with pytest.raises(InputError, match="/proc/self/mem: cannot be read: "):
        sha256_of_file("/proc/self/mem")


def test_a_trace_is_swept_over_its_options_and_its_content_is_hashed(tmp_path: Path, runs: list[str]) -> None:
    nodes, pods, store = tmp_path / "nodes.csv", tmp_path / "pods.csv", tmp_path / "cells"
    nodes.write_text("sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,P100\n")
    head = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
    )
    rows = [f"pod-{t},12000,16384,1,1000,,LS,Running,{t},{t + 50},{t}" for t in (0, 50, 99)]
    pods.write_text("\n".join([head, *rows, ""]))
    options = {"horizon": [5, 10], "contention": 1}
    plan = {"traces": [{"name": "openb", "files": [str(nodes), str(pods)], "options": options}], "policies": ["drf"]}
    table = sp.sweep(plan, store, **QUICK)
    assert table[["trace", "horizon"]].values.tolist() == [["openb", 5], ["openb", 10]] and (table["error"] == "").all()
    sp.sweep(plan, store, **QUICK)
    assert len(runs) == 2
    pods.write_text("\n".join([head, *rows[:2], ""]))
    sp.sweep(plan, store, **QUICK)
    assert len(runs) == 4


# --- engines ---------------------------------------------------------------------------------------------------------


def test_joblib_continues_after_a_killed_process() -> None:
    results = dict(ENGINES["joblib"](lambda n: n**2 if n != 1 else os.kill(os.getpid(), 9), range(4), Place(jobs=2)))
    lost = results.pop(1)
    assert isinstance(lost, Lost) and "was killed" in lost.why
    assert results == {n: n**2 for n in (0, 2, 3)}


def test_a_thousand_processes_at_most_are_started_on_one_machine() -> None:
    with pytest.raises(InputError, match="jobs=10000: expected an integer from 1 to 1000"):
        next(ENGINES["joblib"](str, range(4), Place(jobs=10_000)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_start_once_for_several_rounds(jobs: int) -> None:
    started: list[int] = []

    def engine(*words: Any) -> Any:
        started.append(1)
        yield from ENGINES["joblib"](*words)

    with closing(Workers(engine, abs, Place(jobs=jobs))) as workers:
        assert list(workers.compute([])) == [] and not started
        for calls in ([-3, -1, 2], [], [-2], [-1] * 5):
            assert sorted(workers.compute(calls)) == sorted((call, abs(call)) for call in calls)
    assert started == [1]


def test_a_sweep_starts_its_workers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    joblib = ENGINES["joblib"]

    def engine(work: Any, calls: Any, place: Place) -> Any:
        started.append(place.at_once)
        yield from joblib(work, calls, Place(jobs=1))

    monkeypatch.setitem(ENGINES, "joblib", engine)
    assert len(sp.sweep(PLAN, jobs=2)) == 8 and started == [2]  # for the instances and for the cells


@pytest.mark.parametrize("engine", ["joblib", "dask", "slurm"])
def test_every_engine_gives_the_same_bytes(engine: str, tmp_path: Path) -> None:
    pytest.importorskip({"dask": "distributed", "slurm": "submitit"}.get(engine, engine))
    plan = PLAN | {"generators": ["dmlrs"], "bounds": []}
    local = {"cluster": "local"} if engine == "slurm" else None
    table = sp.sweep(plan, tmp_path / "cells", engine=engine, jobs=2, slurm=local)
    write_table(table, tmp_path / "there.csv")
    write_table(sp.sweep(plan, **QUICK), tmp_path / "here.csv")
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def test_the_scheduler_of_dask_serves_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed, begun = pytest.importorskip("distributed"), list[Any]()

    def begin(*words: Any, **more: Any) -> Any:
        begun.append(cluster(*words, **more))
        return begun[-1]

    cluster = distributed.LocalCluster
    monkeypatch.setattr(distributed, "LocalCluster", begin)
    for _ in ENGINES["dask"](str, range(1), Place(jobs=1)):
        page = f"http://127.0.0.1:{begun[0].scheduler.http_server.port}/status"
        with pytest.raises(HTTPError, match="404"):
            urlopen(page)
    assert begun


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("slurm", "submitit")])
def test_a_missing_extra_gives_one_message(engine: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'schedproof\[{engine}\]'"):
        sp.sweep(PLAN, engine=engine)
    with pytest.raises(SchedproofError, match="unknown engine 'dusk'; did you mean dask"):
        sp.sweep(PLAN, engine="dusk")


def test_a_worker_with_other_software_computes_no_cell() -> None:
    case = module.Draw("dmlrs", "tiny", 0)
    cell = module._drawing(case)
    other = cell._replace(key=cell.key | {"software": "schedproof 0.0"})
    with pytest.raises(SchedproofError, match="differs in software from the process that runs the sweep"):
        module.compute(other)
    assert module.compute(cell)["instance_sha256"] == case.instance().sha256


# --- the command -----------------------------------------------------------------------------------------------------

SEEDS = size(6, 6, 10)
TOML = f"""
policies = ["drf", "fifo"]
bounds = ["rdmlrs_lp"]

[[generators]]
name = "dmlrs"
seeds = {SEEDS}
settings = {{ jobs = [2, 3] }}
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    path = os.pathsep.join(str(Path(entry or ".").resolve()) for entry in sys.path)
    command = [sys.executable, "-m", "schedproof", "sweep", "plan.toml", "--jobs", "1", *words]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": path}, **pipes)


def acknowledged(folder: Path) -> int:
    with Store(CELLS, folder / "plan.sqlite") as finished:
        return len(finished.rows)


def test_the_command_resumes_after_an_interrupt_and_a_kill(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TOML.replace(f"seeds = {SEEDS}", "seeds = 1000"))  # more than any machine ends
    found = 0
    for number in (signal.SIGINT, signal.SIGKILL):
        process = start(tmp_path)
        while process.poll() is None and not (
            (tmp_path / "plan.sqlite").exists() and acknowledged(tmp_path) > found + 3
        ):
            time.sleep(0.01)
        process.send_signal(number)
        _, error = process.communicate(timeout=300)
        assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
        assert number == signal.SIGKILL or "finished results are in plan.sqlite; the same command resumes" in error
        found, before = acknowledged(tmp_path), found
        assert before < found < 8000
    (tmp_path / "plan.toml").write_text(TOML)
    process = start(tmp_path, "--out", "table.csv")
    out, error = process.communicate(timeout=300)
    assert (process.returncode, error) == (0, "") and f"{4 * SEEDS} rows, 0 errors or infeasible schedules" in out
    whole = sp.sweep(tmp_path / "plan.toml", **QUICK)
    write_table(whole, tmp_path / "undisturbed.csv")
    assert (tmp_path / "table.csv").read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()


def test_tables_are_files_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sp.sweep(PLAN, **QUICK)
    write_table(table, tmp_path / "table.csv")
    read = pd.read_csv(tmp_path / "table.csv", keep_default_na=False)
    assert read["objective"].tolist() == table["objective"].tolist() and [*read] == [*table]
    with pytest.raises(InputError, match=r"that ends in one of \.csv, \.parquet"):
        table_file(tmp_path / "table.xls")
    monkeypatch.setattr("schedproof.experiments.export.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'schedproof\[parquet\]'"):
        table_file(tmp_path / "table.parquet")


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    names = ["=cmd|' /C calc'!A0", "+1", "-1", "@x", "day.json"]
    write_table(pd.DataFrame({"file": names, "objective": [-1.5] * 5}), tmp_path / "table.csv")
    read = pd.read_csv(tmp_path / "table.csv")
    assert read["file"].tolist() == [f"'{name}" for name in names[:4]] + names[4:]
    assert read["objective"].tolist() == [-1.5] * 5


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = sp.sweep(PLAN, **QUICK)
    write_table(table, tmp_path / "table.parquet")
    assert pd.read_parquet(tmp_path / "table.parquet").equals(table)


def test_a_worker_whose_parent_was_killed_during_its_start_ends() -> None:
    line = (
        "import os; from schedproof.experiments.engines import _be_worker; _be_worker(os.getppid() + {}); print('on')"
    )
    for other, told in ((0, "on\n"), (1, "")):
        done = subprocess.run([sys.executable, "-c", line.format(other)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (other, told)


@pytest.mark.parametrize(("engine", "told"), [("joblib", 0), ("dask", 1), ("slurm", 1)])
def test_an_engine_warns_that_its_limit_does_not_end_a_waiting_policy(
    engine: str, told: int, caplog: pytest.LogCaptureFixture
) -> None:
    Place().require_used(engine)
    assert not caplog.messages
    Place().require_used(engine, 2)
    assert sum("does not end a policy that waits" in line for line in caplog.messages) == told
