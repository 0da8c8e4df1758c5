from __future__ import annotations

import signal
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import schedproof as sp
from schedproof.cli import app
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.results.regret import regret
from schedproof.core.runtime import deadline, memory
from schedproof.core.runtime.context import Context, known_so_far
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.runtime.files import write_json
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from tests.formulations.preemptive.micro import micro_instance
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster
from tests.tiny.placement import tiny_instance as tiny_placement

RUN = CliRunner()


class Interrupting:
    """A progress callback that records messages and interrupts at a given word."""

    def __init__(self, word: str) -> None:
        self.word, self.told = word, list[str]()

    def __call__(self, message: str, done: float | None = None) -> None:
        self.told.append(message)
        if self.word and self.word in message:
            self.word = ""
            signal.raise_signal(signal.SIGINT)


def hard() -> sp.Instance:
    return sp.generate("preemptive", "tiny", 3, jobs=14)


def test_the_state_of_an_optimum_is_described_in_words() -> None:
    assert known_so_far(20.0, 15.0) == "incumbent 20, bound 15, gap 25.0%"
    assert known_so_far(None, 15.0) == "bound 15" and known_so_far(None, None) == ""


@pytest.mark.parametrize(
    ("program", "solver", "family"),
    [("preemptive.minlp2", "highs", "preemptive"), ("placement.exact", "cpsat", "placement")],
)
def test_a_solve_reports_incumbents_and_an_interrupt_keeps_the_last(program: str, solver: str, family: str) -> None:
    instance = hard() if family == "preemptive" else sp.generate("placement", "tiny", 1, tasks=40)
    progress = Interrupting("incumbent")
    with pytest.raises(Interrupted) as early:
        sp.program(program).solve(instance, solver=solver, progress=progress)
    best = early.value.best
    assert isinstance(best, sp.Solution) and best.status == "feasible" and best.objective is not None
    assert not list(best.schedule().violations(instance))
    assert best.schedule().objective(instance) <= best.objective + 1e-6  # a job may be done before the model says so


def test_an_interrupt_during_the_build_leaves_no_point_and_no_bound() -> None:
    with pytest.raises(Interrupted) as early:
        sp.program("preemptive.minlp2").solve(hard(), progress=Interrupting("building"))
    best = early.value.best
    assert (best.status, best.objective, best.bound) == ("interrupted", None, None)


def test_an_interrupted_second_route_leaves_the_first_answer() -> None:
    program = sp.program("preemptive.ilp4").drop("one_worker_per_chunk")  # HiGHS and SCIP are left
    with pytest.raises(Interrupted) as early:
        program.solve(sp.generate("preemptive", seed=1), confirm=True, progress=Interrupting("scip is solving"))
    assert early.value.best.solver == "highs" and early.value.best.ended == "optimal"


def test_an_interrupted_bound_is_the_best_that_was_proven() -> None:
    instance = sp.embedded("day")
    told: list[str] = []

    def progress(message: str, done: float | None = None) -> None:
        told.append(message)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted) as early:
        sp.bound("preemptive.lp4", instance, progress=progress)
    best = early.value.best
    assert isinstance(best, sp.Bound) and best.verify(instance)
    assert best.exact <= sp.bound("preemptive.lp4", instance).exact and told[0].startswith("bound ")


def test_the_command_prints_and_writes_the_best_and_ends_with_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = sp.embedded("day")
    solved = sp.program("preemptive.minlp2").solve(instance)

    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted(solved)

    monkeypatch.setattr(sp.Program, "solve", interrupted)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    day = tmp_path / "day.json"
    write_json(day, instance.to_json())
    out = tmp_path / "plan.json"
    answer = RUN.invoke(app(), ["solve", "preemptive.minlp2", str(day), "--out", str(out)])
    assert answer.exit_code == 130 and f"objective {solved.objective:.10g}" in answer.stdout
    assert sp.read_schedule(out, instance).objective(instance) == solved.objective


def test_claims_judged_before_an_interrupt_are_reported() -> None:
    names = ["preemptive.lemma5", "preemptive.eq4e_redundant"]

    def progress(message: str, done: float | None = None) -> None:
        if message == names[1]:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as early:
        sp.verify(names, progress=progress)
    assert [result.claim.id for result in early.value.best] == names[:1]


def test_an_interrupted_regret_is_enclosed_all_the_same() -> None:
    run = sp.policy("oga_sched").run(sp.embedded("ports"))
    whole = run.regret(points=8)
    with pytest.raises(Interrupted) as early:
        run.regret(points=8, progress=Interrupting(f"1 of {len(whole.slots)} points"))
    best = early.value.best
    assert best.left == len(whole.slots) - 1 and best.slots[-1] == whole.slots[-1]
    assert best.lower[-1] <= whole.lower[-1] <= whole.upper[-1] <= best.upper[-1]


def test_an_unknown_regret_at_the_time_limit_is_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", float)

    def played(context: Context) -> None:
        while True:
            pass

    with pytest.raises(NoSolution, match="the regret of multiserver: no result within 0 s"):
        regret("multiserver", played, {}, Context(time_limit=0.0))


def test_the_command_prints_the_known_regret_and_exits_with_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = sp.policy("oga_sched").run(sp.embedded("ports")).regret(points=8, time_limit=0.0)

    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted(found)

    monkeypatch.setattr("schedproof.core.results.regret.regret", interrupted)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ports = tmp_path / "ports.json"
    write_json(ports, sp.embedded("ports").to_json())
    answer = RUN.invoke(app(), ["regret", "oga_sched", str(ports)])
    assert answer.exit_code == 130 and answer.stdout.splitlines() == found.lines()


def test_a_model_that_exceeds_memory_is_rejected_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0**20)
    with pytest.raises(ProgramError, match=r"preemptive.minlp2 would have [\d,]+ columns, about .* GiB .* bound"):
        sp.program("preemptive.minlp2").build(hard())
    instance = sp.generate("preemptive", "testbed", 1)
    with pytest.raises(ProgramError, match=r"the LP would have [\d,]+ columns, .* prices=free"):
        sp.bound("preemptive.lp4", instance, prices="lp")
    bound = sp.bound("preemptive.lp4", instance)
    assert "the LP would have" in bound.details["note"] and bound.verify(instance)


BY_CPSAT = [
    *(("preemptive.minlp2", micro_instance, {"ps_release": release}) for release in ("printed", "none")),
    ("preemptive.minlp2", micro_instance, {"chunks": "floating"}),
    ("dmlrs.exact", tiny_cluster, {}),
    ("placement.exact", tiny_placement, {}),
]


@pytest.mark.parametrize(("program", "draw", "options"), BY_CPSAT)
def test_the_columns_of_a_cpsat_model_are_known_before_it_is_built(
    program: str, draw: Callable[[int], sp.Instance], options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, expected, built = cpsat.empty, list[int](), list[int]()

    def told(name: str, columns: int, column_bytes: float, context: Context) -> Any:
        expected.append(columns)
        return empty(name, columns, column_bytes, context)

    def solve(model: Any, context: Context) -> tuple[Outcome, None]:
        built.append(len(model.proto.variables))
        return Outcome("time_limit"), None

    monkeypatch.setattr(memory, "free_memory", lambda: inf)
    monkeypatch.setattr(cpsat, "empty", told)
    monkeypatch.setattr(cpsat, "solve", solve)
    for seed in range(size(6, 10, 100)):
        sp.program(program, **options).solve(draw(seed), solver="cpsat")
    assert expected == built and len({*built}) > 1


@pytest.mark.parametrize("program", ["preemptive.minlp2", "dmlrs.exact", "placement.exact"])
def test_a_cpsat_model_that_exceeds_memory_is_rejected_before_it_is_built(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = sp.generate(program.partition(".")[0], seed=1)
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0**10)
    monkeypatch.setattr(cpsat, "solve", None)
    with pytest.raises(ProgramError, match=rf"{program} by cpsat would have [\d,]+ columns, about .* GiB .* bound"):
        sp.program(program).solve(instance, solver="cpsat")


def test_the_size_of_a_large_model_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "REPORTED", 0.0)
    progress = Interrupting("")
    sp.program("preemptive.minlp2").build(hard(), progress)
    assert len(progress.told) == 1 and progress.told[0].endswith(" s") and "columns" in progress.told[0]


def test_the_system_reports_free_memory() -> None:
    assert 0 < memory.free_memory() <= 2.0**50
