from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.base.numbers import above
from schedproof.core.cards import registry
from schedproof.core.certificates import bounds
from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import InputError, NoSolution, SchedproofError
from schedproof.core.results.run import Policy
from schedproof.core.runtime import supervision
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import write_json
from schedproof.experiments.cells import Given, computed_by, describe_instance, run_of
from schedproof.experiments.compare import Draw, compare, draws, load
from schedproof.experiments.curves import picture
from schedproof.experiments.families import COMPARISONS, default_policies
from schedproof.experiments.standings import Standings
from schedproof.experiments.sweep import compute
from schedproof.experiments.table import forgone, markdown, summary
from schedproof.online.preemptive.gang import Gang, GangPolicy
from tests.command_line import Cli, told, written
from tests.support import size
from tests.tiny.preemptive import instance_of, job, tiny_instance

FEW = (sp.policy("a_online"), sp.policy("srtf"), sp.policy("batch_sche"))


class Longest(GangPolicy):
    """The job with the most remaining slots runs first."""

    def order(self, gang: Gang, now: int) -> tuple[int]:
        return (-gang.remaining(now),)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    run = Policy.run
    monkeypatch.setattr(Policy, "run", lambda self, *a, **k: seen.append(self.name) or run(self, *a, **k))
    return seen


def test_rows_equal_runs_and_bounds() -> None:
    day = sp.embedded("day")
    table = compare([day], FEW, speeds=(1, "3/2"))
    assert len(table) == 6
    bound = sp.bound("preemptive.lp4", day)
    for row in table.itertuples():
        run = sp.policy(row.policy, **({} if row.speed == 1 else {"speed": "3/2"})).run(day)
        base = sp.policy("srtf", **({} if row.speed == 1 else {"speed": "3/2"})).run(day)
        assert row.objective == run.objective
        assert row.relative == pytest.approx(float(run.objective / base.objective))
        assert row.ratio == above(run.ratio(bound).exact)
        assert row.preemptions == run.schedule.preemptions()
        assert row.feasible and row.instance_sha256 == day.sha256 and "schedproof " in row.software


@pytest.mark.parametrize("program", ["minlp2", "ilp4"])
def test_a_program_gives_a_bound_by_its_rows(program: str) -> None:
    case = sp.generate("preemptive", "tiny", 0)
    table = compare([case], FEW[:2], bound=program)
    bound = sp.bound(f"preemptive.{program}", case)
    assert bound.program not in registry.entries("bound")
    assert table["ratio"].tolist() == [above(choice.run(case).ratio(bound).exact) for choice in FEW[:2]]
    assert not table["bound_error"].any()


def test_a_program_states_why_it_does_not_bound_a_run() -> None:
    case = sp.generate("preemptive", "tiny", 0)
    (row,) = compare([case], FEW[:1], bound="dual6").itertuples()
    assert math.isnan(row.ratio) and row.feasible and "define its function `to_point`" in row.bound_error
    with pytest.raises(
        InputError, match=r"jrp\.conic takes a jrp instance, but the family of this instance is preemptive"
    ):
        compare([case], FEW[:1], bound="jrp.conic")


def test_the_true_ratio_is_between_the_best_schedule_and_the_bound(tmp_path: Path) -> None:
    day = sp.embedded("day")
    table = compare([day], FEW)
    best = min(table["objective"])
    assert table["to_best"].tolist() == [value / best for value in table["objective"]]
    assert table["mean_jct"].tolist() == [value / len(day.jobs) for value in table["objective"]]
    assert (table["to_best"] <= table["ratio"]).all() and table["to_best"].max() > 1
    faster = compare([day], FEW[1:], speeds=(1, 2))
    assert faster["to_best"].min() == 1 and (faster.groupby("speed")["to_best"].min() == 1).all()
    earned = compare(draws("tiny", family="dmlrs", seeds=[1]), [sp.policy("drf"), sp.policy("oasis")], bound=None)
    assert earned["to_best"].tolist() == [max(earned["objective"]) / value for value in earned["objective"]]


def test_a_family_that_maximizes() -> None:
    cases = draws("tiny", family="dmlrs", seeds=3)
    table = compare(cases, [sp.policy("drf"), sp.policy("oasis"), sp.policy("fifo")])
    assert "speed" not in table and "makespan" not in table
    earned = 0
    for row in table.itertuples():
        instance = cases[row.seed].instance()
        run = sp.policy(row.policy).run(instance, row.seed)
        oasis = sp.policy("oasis").run(instance)
        assert row.objective == pytest.approx(float(run.objective)) and row.infeasible_alone == len(
            instance.unservable_jobs
        )
        assert row.relative == pytest.approx(float(run.objective / oasis.objective))
        if run.objective:
            assert row.ratio == pytest.approx(run.ratio(sp.bound("dmlrs.rdmlrs_lp", instance)).value)
            assert row.ratio >= 1
            earned += 1
        done = run.schedule.completions(instance)
        times = [done[j.index] - j.arrival if j.index in done else instance.horizon for j in instance.jobs]
        assert row.completed == len(done) and row.median_time == median(times)
    assert earned


def test_zero_utility_is_an_infinite_ratio() -> None:
    cases = draws("tiny", family="dmlrs", seeds=50)
    case = next(c for c in cases if not sp.policy("fifo").run(c.instance(), c.seed).objective)
    row = compare([case], [sp.policy("fifo"), sp.policy("pd_ors")])
    assert row["objective"][1] > row["objective"][0] == 0
    assert math.isinf(row["ratio"][0]) and "inf" in markdown(summary(row))


def test_a_policy_draws_with_the_seed_of_its_instance(tmp_path: Path, runs: list[str]) -> None:
    file, drawing = tmp_path / "cells.sqlite", [sp.policy("fifo")]
    cases = draws("figure10", family="dmlrs", seeds=3)
    table = compare(cases, drawing, bound=None, results=file)
    fresh = [sp.policy("fifo").run(c.instance(), c.seed).objective for c in cases]
    assert table["objective"].tolist() == pytest.approx([float(value) for value in fresh])
    count = len(runs)
    compare([cases[2].instance()], drawing, bound=None, results=file)  # seed 0: another cell
    compare(cases, drawing, bound=None, results=file)
    assert len(runs) == count + 1


def test_only_some_families_have_speeds() -> None:
    with pytest.raises(InputError, match="policies of the family dmlrs have no option speed"):
        compare(draws("tiny", family="dmlrs", seeds=1), speeds=(1, 2))


def test_a_family_without_a_row_needs_named_policies() -> None:
    with pytest.raises(InputError, match="no default policies; name some"):
        compare([Draw("toy", "tiny", 0)])


def test_an_unproven_bound_gives_no_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bound, "verify", lambda self, instance: False)
    table = compare(draws("tiny", seeds=1), FEW[:1])
    assert table["bound"].isna().all() and table["ratio"].isna().all()


def test_draws_vary_settings_and_keep_the_others() -> None:
    cases = draws("tiny", seeds=[3, 5], vary={"jobs": (2, 4)}, servers=1)
    assert [(c.seed, c.settings) for c in cases] == [
        (seed, {"servers": "1", "jobs": jobs}) for jobs in ("2", "4") for seed in (3, 5)
    ]
    table = compare(cases, FEW[:1], bound=None)
    assert table["jobs"].tolist() == [2, 2, 4, 4] and table["seed"].tolist() == [3, 5, 3, 5]
    assert table["ratio"].isna().all() and table["relative"].isna().all()  # neither a bound nor the baseline was run


def test_a_finished_cell_is_not_run_again(tmp_path: Path, runs: list[str]) -> None:
    file, cases = tmp_path / "cells.sqlite", draws("tiny", seeds=2)
    first = compare(cases, FEW, results=file)
    assert len(runs) == 6
    again = compare(cases, FEW, results=file)
    assert len(runs) == 6 and again.equals(first) and load(file).equals(first)
    compare(cases, [*FEW, sp.policy("tiresias_l")], results=file)
    assert runs[6:] == ["tiresias_l", "tiresias_l"]


def test_a_store_has_the_newest_row_of_each_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = draws("tiny", seeds=2)
    for version in "ab":
        monkeypatch.setattr("schedproof.experiments.cells.computed_by", lambda *_, version=version: {"code": version})
        table = compare(cases, ["srtf"], results=tmp_path / "cells")
    stored = load(tmp_path / "cells")
    assert stored["seconds"].tolist() == table["seconds"].tolist()


def test_a_stopped_comparison_resumes(tmp_path: Path, runs: list[str]) -> None:
    file, cases = tmp_path / "cells.sqlite", draws("tiny", seeds=2)

    def stop(done: int, total: int, row: dict[str, Any]) -> None:
        assert total == 8
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(cases, FEW, results=file, progress=stop)
    assert len(load(file)) == 2  # and the bound
    whole = compare(cases, FEW, results=file)
    assert len(runs) == 6  # three cells were there: a bound and two runs
    timed = ["seconds", "bound_seconds"]
    assert whole.drop(columns=timed).equals(compare(cases, FEW).drop(columns=timed))


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cells.sqlite"
    file.write_text("policy,total\n")
    with pytest.raises(InputError, match="is not a store of cells"):
        compare(draws("tiny", seeds=1), FEW, results=file)
    with pytest.raises(InputError, match="an existing folder"):
        compare(draws("tiny", seeds=1), FEW, results=tmp_path / "missing" / "cells.sqlite")


def test_a_policy_that_gives_up_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Policy.run

    def refuse(self: Policy, *given: Any, **more: Any) -> Any:
        if self.name == "srtf":
            raise NoSolution("srtf: no server can take it")
        return run(self, *given, **more)

    monkeypatch.setattr(Policy, "run", refuse)
    table = compare(draws("tiny", seeds=1), FEW)
    assert table["error"].tolist() == ["", "srtf: no server can take it", ""]
    assert math.isnan(table["objective"][1]) and table["relative"].isna().all()
    assert table["ratio"].notna().tolist() == [True, False, True]


def test_an_infeasible_schedule_has_no_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    from schedproof.core.results.run import Violation
    from schedproof.instances.preemptive import Schedule

    broken = [Violation("2d", "edge-1", Fraction(1))]
    monkeypatch.setattr(Schedule, "violations", lambda self, instance, **rules: broken)
    table = compare(draws("tiny", seeds=1), FEW[:1])
    assert table["ratio"].isna().all()
    assert table["error"][0].startswith("NOT feasible: 1 violation, first: 2d at edge-1")


def test_means_are_over_feasible_schedules_with_their_number_and_a_95_percent_interval() -> None:
    table = compare(draws("tiny", seeds=4), [sp.policy("a_online", ps_release="none")])
    means = summary(table)
    values = table["objective"]
    half = 3.182 * values.std(ddof=1) / 2  # Student's t at 3 degrees of freedom, over the root of 4
    assert means["cells"][0] == means["feasible"][0] == 4 and means["±"][0] == pytest.approx(half, rel=1e-3)
    broken = table.assign(feasible=[True, False, True, None])
    means = summary(broken)
    assert (means["cells"][0], means["feasible"][0]) == (4, 2)
    assert means["objective"][0] == values[[0, 2]].mean() and means["mean_jct"][0] == table["mean_jct"][[0, 2]].mean()


def test_restrictions_of_a_policy_are_stated_if_another_policy_lacks_them() -> None:
    policies = [*FEW, sp.policy("a_online_edge")]
    table = compare(draws("testbed", seeds=1, jobs=8), policies, bound=None)
    lines = forgone(table)
    assert "srtf, a_online_edge: no job runs in the cloud; other policies may use the cloud" in lines
    assert forgone(table[table["policy"] == "srtf"]) == []


def test_policies_that_split_jobs_are_named_with_the_number_of_jobs() -> None:
    instance = tiny_instance(3, storage=False, cloud=False, jobs=12, servers=2)
    policies = [sp.policy("srtf"), sp.policy("gang_online"), sp.policy("srpt_floating")]
    table = compare([instance], policies)
    split = {each.name: each.run(instance).schedule.split_jobs() for each in policies}  # type: ignore[attr-defined]
    assert split["srtf"] == 0 < split["gang_online"]
    named = ", ".join(f"{name} {count}" for name, count in split.items() if count)
    notes = Standings.of(table).notes
    assert f"jobs that run on only part of their workers at some time: {named}" in notes
    assert any(
        note.startswith("chunks=pinned: a chunk never moves") and "floating: a chunk may" in note for note in notes
    )
    assert not any(note.startswith("chunks=") for note in Standings.of(table[table["policy"].eq("srtf")]).notes)


@pytest.mark.parametrize("name", [entry.name for entry in registry.family("preemptive").policies])
def test_restrictions_of_a_policy_are_those_of_its_card(name: str) -> None:
    measures = COMPARISONS["preemptive"].measures
    claimed = registry.find("policy", name, "preemptive")[1].forgoes
    known = {measure for entry in registry.family("preemptive").policies for measure in entry.forgoes}
    done = dict.fromkeys(known, 0.0)
    policy = sp.policy(name, **({"rounds": 2} if name == "offline" else {}))  # a round takes a second here
    for case in draws("testbed", seeds=size(3, 3, 40), jobs=9) + draws("simulator", seeds=size(2, 2, 20), jobs=20):
        run = policy.run(case.instance())
        done = {measure: count + measures[measure](run, run.to_frame()) for measure, count in done.items()}
    assert {measure for measure, count in done.items() if not count} == {*claimed}


def test_files_and_names_are_accepted(tmp_path: Path) -> None:
    file = written("day", tmp_path)
    named, built = compare([str(file)], ["a_online"]), compare([sp.embedded("day")], [sp.policy("a_online")])
    assert named["ratio"].tolist() == built["ratio"].tolist()


def test_the_summary_and_its_markdown() -> None:
    table = compare(draws("tiny", seeds=3), FEW)
    means = summary(table)
    assert means["policy"].tolist() == ["a_online", "srtf", "batch_sche"]
    assert means["ratio_low"][0] <= means["ratio"][0] <= means["ratio_high"][0]
    one = summary(table.head(len(FEW)))
    assert "±" in means and not {"±", "ratio_low"} & {*one}, "of one cell there is no interval"
    bare = summary(compare(draws("tiny", seeds=2), FEW[:1], bound=None))  # neither a baseline nor a bound
    assert bare["ratio"].isna().all() and bare["objective"].notna().all()
    lines = markdown(means).splitlines()
    assert len(lines) == 5 and len({line.count("|") for line in lines}) == 1
    assert markdown(means.head(1).assign(policy="a|b\n")).splitlines()[2].startswith(r"| a\|b\n |")


def test_the_command(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, chosen = tmp_path / "cells.sqlite", ["--policy", "srtf", "--policy", "a_online:order=residual"]
    words = ["compare", "--preset", "tiny", "--seeds", "2", "--vary", "jobs=2,3", *chosen]
    text = cli(*words, "--out", str(file))[1]
    assert "\na_online:order=residual, jobs 2" in text and "\na_online:order=residual, jobs 3" in text
    assert len(load(file)) == 8
    head, *rows = cli("compare", "--family", "dmlrs", "--seeds", "1")[1].split("\n\n")[0].splitlines()
    assert "completed" in head and "speed" not in head and len(rows) == 4 + len(default_policies("dmlrs"))
    day = str(written("day", tmp_path))
    assert "\nsrtf " in cli("compare", day, "--policy", "srtf", "--bound-option", "prices=free")[1]
    result = told(cli("compare", day, "--policy", "srtf", "--json"))
    assert [row["policy"] for row in result["rows"]] == ["srtf"] and result["errors"] == 0 and result["out"] is None
    wrongs = {("--preset", "nothing"): "unknown preset 'nothing'", (day, "--set", "jobs=3"): "cannot be combined"}
    for wrong, sentence in wrongs.items():
        code, _, refused = cli("compare", *wrong)
        assert code == 2 and sentence in refused
    monkeypatch.setattr(sp, "compare", lambda *a, **k: (_ for _ in ()).throw(KeyboardInterrupt))
    said: list[str] = []
    monkeypatch.setattr(supervision, "say_at_an_early_end", said.append)
    assert cli(*words, "--out", str(file))[0] == 130
    assert said == [f"finished results are in {file}; the same command resumes from there"]


def test_the_pictures_of_a_table_and_of_files(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    day = str(written("day", tmp_path))
    words = ["compare", day, "--policy", "srtf", "--policy", "a_online:order=residual", "--out", "c.sqlite"]
    assert cli(*words, "--plot", "c.png")[0] == 0 and Path("c.png").stat().st_size > 5000
    for name in ("srtf", "a_online"):
        cli("run", name, day, "--out", f"{name}.json")
    cli("bound", "preemptive.lp4", day, "--certificate", "bound.json")
    load("c.sqlite").assign(speed=["$x^$", "|"]).to_csv("c.csv", index=False)  # names of files and of others' tables
    Path("$x^$.json").write_bytes(Path("srtf.json").read_bytes())
    plans = [day, "srtf.json", "a_online.json"]
    alike = [day, "srtf.json", "$x^$.json"]
    for files in (
        [day, "srtf.json"],
        alike,
        [*plans, "bound.json"],
        [day, "srtf.json", "bound.json"],
        ["c.csv"],
        [day],
    ):
        code, told, _ = cli("plot", *files, "--out", "p.png")
        assert code == 0 and told == "drawn into p.png\n" and Path("p.png").stat().st_size > 5000
        Path("p.png").unlink()
    Path("no.csv").write_text("a,b\n1,2\n")
    Path("odd.csv").write_text("family,policy,ratio,feasible\n,$x^$,abc,maybe\npreemptive,3,1e999,True\n")
    wrongs = {
        ("odd.csv",): "odd.csv: cannot be read as a table of sweep: ",
        ("x" * 300 + ".csv",): "cannot be read: File name too long",
        (day, "bound.json"): "expected an instance, schedules of this instance",
        ("c.csv", day): "a table cannot be drawn together",
        ("none.csv",): "No such file or directory",
        ("no.csv",): "column family is missing",
    }
    for files, sentence in wrongs.items():
        code, _, refused = cli("plot", *files, "--out", "p.png")
        assert code == 2 and sentence in refused and not Path("p.png").exists()
    assert "ending in one of" in cli("plot", day, "--out", "p.txt")[2]


def test_a_picture_has_a_row_for_each_policy_with_its_range_and_its_interval() -> None:
    table = compare(draws("tiny", seeds=3), FEW[:2], speeds=(1, 2))
    ax = picture(table)
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        *("A_online, speed 1", "A_online, speed 2", "SRTF, speed 1", "SRTF, speed 2")
    ]
    means = summary(table)
    lines = {tuple(line.get_xdata()) for line in ax.lines}
    assert {*zip(means["ratio_low"], means["ratio_high"], strict=True)} <= lines
    usual = means[means["speed"] == 1]
    assert {*zip(usual["to_best"], usual["ratio"], strict=True)} <= lines
    faster = means[means["speed"] == 2]
    assert not {*zip(faster["to_best"], faster["ratio"], strict=True)} & lines, "they bound no optimum"
    broken = table.assign(feasible=table["policy"].eq("srtf"), ratio=table["ratio"].where(table["policy"].eq("srtf")))
    assert "no feasible schedule" in {text.get_text() for text in picture(broken).texts}
    with pytest.raises(SchedproofError, match="the table has no certified ratio to draw"):
        picture(compare(draws("tiny", seeds=1), FEW[:1], bound=None))


@pytest.mark.parametrize("own", [Longest, Longest()], ids=["its class", "an object"])
def test_a_users_policy_is_compared(own: Any) -> None:
    day = sp.embedded("day")
    table = compare([day], [sp.policy(own), sp.policy("srtf")], bound=None)
    assert table["objective"].tolist()[0] == sp.policy(own).run(day).objective and table["error"].tolist() == ["", ""]


def test_code_that_is_in_no_file_is_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a_notebook", ModuleType("a_notebook"))
    first, second = (computed_by("preemptive", "a_notebook") for _ in range(2))
    assert first["schedproof"] == second["schedproof"] and first["a_notebook"] != second["a_notebook"]


@pytest.mark.parametrize("module", ["nowhere", "no.where", "", None])
def test_a_policy_without_a_module_is_compared_in_this_process_only(module: str | None) -> None:
    made = type("Made", (Longest,), {"__module__": module})
    day = sp.embedded("day")
    assert sp.compare([day], [made], bound=None)["error"].tolist() == [""]
    cell = run_of(sp.policy(made), Given(day), describe_instance(day))
    with pytest.raises(SchedproofError, match="expected a file, from which any process can import it"):
        compute(cell)


def test_a_time_limit_is_that_of_each_bound_and_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def compute(id: Any, instance: Any, given: Any, context: Context) -> Any:
        asked.append(context.time_limit)
        return bounds.compute(id, instance, given, context)

    def run(self: Policy, instance: Any, seed: int = 0, **words: Any) -> Any:
        asked.append(words["time_limit"])
        return ran(self, instance, seed, **words)

    ran = Policy.run
    monkeypatch.setattr("schedproof.experiments.certified.read_or_compute", compute)
    monkeypatch.setattr(Policy, "run", run)
    table = sp.compare(sp.embedded("day"), "srtf", time_limit=50)
    assert len(table) == 1 and len(asked) >= 2 and set(asked) == {50}


def test_a_certified_ratio_in_a_table_is_never_below_the_ratio() -> None:
    import pandas as pd

    table = pd.DataFrame({"ratio": [1.07011, 1.1, 1.0, float("inf"), float("nan")], "relative": [1.07011] * 5})
    cells = [line.split(" | ") for line in markdown(table).splitlines()[2:]]
    assert [cell[0].removeprefix("| ") for cell in cells] == ["1.071", "1.1", "1", "inf", ""]
    assert {cell[1].removesuffix(" |") for cell in cells} == {"1.07"}


def test_files_are_compared_with_another_restart(cli: Cli, tmp_path: Path) -> None:
    rows = [job("a", minibatch_time=5, upload_delay={"e": 0}), job("b", arrival=2, upload_delay={"e": 0})]
    write_json(file := tmp_path / "two.json", instance_of(*rows).to_json())
    line = "compare", str(file), "--policy", "srtf", "--json"
    for words, total in (((), 9), (("--restart", "2"), 11)):
        answer = told(cli(*line, *words))
        assert answer["rows"][0]["objective"] == total and answer["errors"] == 0
        restarts = [note for note in answer["notes"] if note.startswith("an interrupted chunk resumes with 2 slots")]
        assert len(restarts) == bool(words)
    code, _, message = cli(*line, "--restart", "-1")
    assert code == 2 and "restart=-1: expected an integer" in message
    code, _, message = cli("compare", "--restart", "1")
    assert code == 2 and "--restart needs files" in message
    write_json(other := tmp_path / "jrp.json", sp.generate("jrp", "tiny").to_json())
    assert "the family jrp has no what-if settings" in cli("compare", str(other), "--restart", "1")[2]


def test_a_comparison_on_a_cluster_names_what_is_not_covered(cli: Cli, tmp_path: Path) -> None:
    write_json(file := tmp_path / "day.json", tiny_instance(0, cloud=False, storage=False).to_json())
    assert "not covered: jobs that change their number of GPUs" in cli("compare", str(file), "--policy", "fifo")[1]


def test_a_programs_bound_is_computed_once_for_all_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    def counted(id: str, *more: Any) -> Bound:
        found.append(id)
        return bounds.read_or_compute(id, *more)

    monkeypatch.setattr("schedproof.experiments.certified.read_or_compute", counted)
    for times in (1, 2):
        table = compare([sp.embedded("day")], FEW, bound="preemptive.minlp2")
        assert found == ["preemptive.minlp2"] * times
        assert len(table) == len(FEW) and table["ratio"].notna().all()


def test_a_given_multiserver_instance_has_a_ratio_and_a_picture() -> None:
    """Draws have none by default: the bound takes long for the larger presets."""
    instance = sp.generate("multiserver", "tiny", seed=1)
    table = compare(instance, ["multiserver.drf", "multiserver.oga_sched"])
    assert table["program"].eq("multiserver.slot_optimum").all() and (table["ratio"] >= table["to_best"]).all()
    assert len(picture(table).get_yticklabels()) == 2
    assert "the best schedule found over" in Standings.of(table).columns["to_best"].meaning
    drawn = compare(draws("tiny", seeds=1, family="multiserver"), ["multiserver.drf"])
    assert "program" not in drawn
