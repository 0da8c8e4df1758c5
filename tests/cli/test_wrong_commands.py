from __future__ import annotations

import sys
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.cli import main
from schedproof.core.runtime.files import write_json

DAY = sp.embedded("day").to_json()
FILES = {  # beside the embedded instances
    "list.json": [DAY],
    "other.json": DAY | {"family": "preemptve"},
    "horizon.json": DAY | {"horizon": "long"},
    "key.json": DAY | {"horzion": 60},
    "job.json": DAY | {"jobs": [DAY["jobs"][0] | {"chunks": -1}]},
    "gantt.json": {"version": 1, "family": "preemptive", "instance_sha256": "0", "policy": "srtf", "intervals": []},
    "proof.json": {"version": 1, "program": "preemptive.lp4", "instance_sha256": "0", "multipliers": {}},
}
WRONG = [
    # the words themselves
    ("slove preemptive.minlp2 day.json", "slove", "solve"),
    ("fly", "fly", "schedproof --help"),
    ("solve", "'program'", "schedproof solve --help"),
    ("solve preemptive.minlp2", "'file'", "schedproof solve --help"),
    ("ratio a_online day.json", "--bound", "schedproof ratio --help"),
    ("run a_online day.json --sed 3", "--sed", "--seed"),
    ("run a_online day.json --seed -1", "--seed", "not in the range x>=0"),
    ("run a_online day.json --seed one", "--seed", "not a valid integer"),
    ("solve preemptive.minlp2 day.json --time-limit soon", "--time-limit", "not a valid number"),
    ("bound lp4 day.json --option", "--option", "schedproof --help"),
    ("bound lp4 day.json --bound-option cost=half", "--bound-option", "--option"),
    ("solve x y --time-limit -1", "--time-limit", "not in the range x>=0"),
    ("--plugin none.py policies", "none.py", "a Python file with a card, FILE.py"),
    # names
    ("solve preemptive.minpl2 day.json", "preemptive.minpl2", "preemptive.minlp2"),
    ("solve day.json preemptive.minlp2", "preemptive.minlp2", "No such file"),
    ("run a_onlin day.json", "a_onlin", "preemptive.a_online"),
    ("run greedy day.json", "jrp.greedy", "preemptive"),
    ("run exact clusters.json", "exact", "program"),
    ("bound a_online day.json", "a_online", "policy preemptive.a_online"),
    ("ratio a_online day.json --bound lp44", "lp44", "preemptive.lp4"),
    ("ratio a_online day.json --bound jrp.conic", "jrp.conic", "preemptive"),
    ("regret oga_sch ports.json", "oga_sch", "multiserver.oga_sched"),
    ("regret greedy cells.json", "jrp", "ratios"),
    ("worst srtf --against lp44", "lp44", "preemptive.lp4"),
    ("worst srtf", "--against", "schedproof worst --help"),
    ("worst srtf day.json --against lp4 --free jobs[*].arival=0..3", "jobs[*].arival", "jobs[*].arrival"),
    ("worst srtf day.json --against lp4", "free", "jobs[*].arrival=0..20"),
    ("verify preemptive.lema5", "preemptive.lema5", "preemptive.lemma5"),
    ("verify preemptive.lemma5 --witness day.json", "day.json", "this is an instance, expected a witness"),
    ("refute preemptive.lema5", "preemptive.lema5", "preemptive.lemma5"),
    ("refute preemptive.lemma1 --reading printed", "printed", "as printed"),
    ("refute preemptive.lemma1 --preset tinny", "tinny", "tiny"),
    ("verify --family preemptiv", "preemptiv", "preemptive"),
    ("verify preemptive.lemma5 --family preemptiv", "preemptiv", "preemptive"),
    ("trace openb jobs.csv --family preemptiv", "preemptiv", "preemptive"),
    ("compare day.json --family preemptiv", "preemptiv", "preemptive"),
    ("compare day.json --preset tinny", "--preset", "cannot be combined with files"),
    ("compare day.json --policy srtf --baseline srft", "srft", "srtf"),
    ("compare day.json --speed 1_5", "speed=1_5", "like 1.5 or 3/2"),
    ("compare day.json --speed \u0663", "speed=\u0663", "like 1.5 or 3/2"),
    ("solve preemptive.lp4 day.json --solver=", "--solver", "expected a value"),
    ("worst srtf --against lp4 --scheduler tcp://node1:8786", "scheduler", "only with the engine dask"),
    ("worst srtf --against lp4 --slurm time=3", "slurm", "only with the engine slurm"),
    ("claims --verdict refuted_as_writen", "refuted_as_writen", "refuted_as_printed"),
    ("programs --family placment", "placment", "placement"),
    ("schema preemptve", "preemptve", "preemptive"),
    ("show multiserver.oga_shed", "multiserver.oga_shed", "multiserver.oga_sched"),
    ("show nothing", "unknown name 'nothing'", "`schedproof programs`, `policies` and `claims` list names"),
    ("show lema5", "unknown name 'lema5'", "did you mean preemptive.lemma5"),
    ("run best day.json", "unknown policy 'best'", "available: "),
    ("run lp4 day.json", "expected a policy", "'lp4' is the program preemptive.lp4 and the bound preemptive.lp4"),
    ("run pd_ors day.json", "dmlrs.pd_ors takes a dmlrs instance", "the family of this instance is preemptive"),
    ("bound jrp.conic day.json", "jrp.conic takes a jrp instance", "the family of this instance is preemptive"),
    ("solve jrp.exact day.json", "jrp.exact takes a jrp instance", "the family of this instance is preemptive"),
    (
        "solve jrp.exact day.json --solver brute",
        "jrp.exact takes a jrp instance",
        "the family of this instance is preemptive",
    ),
    ("solve preemptive.minlp2 day.json --drop x", "'x'", "unknown group of preemptive.minlp2"),
    ("solve preemptive.minlp2 day.json --drop running", "preemptive.minlp2: group '", "needs 'running'"),
    # solvers and options
    ("solve preemptive.ilp4 day.json --solver higs", "higs", "highs"),
    ("solve preemptive.ilp4 day.json --solver scs", "scs", "highs"),
    ("solve multiserver.stationary ports.json --solver highs", "highs", "clarabel"),
    ("solve preemptive.ilp4 day.json --out plan.json", "preemptive.ilp4", "--json"),
    ("solve preemptive.minlp2 day.json --option chunk=pinned", "chunk", "chunks"),
    ("run a_online day.json --option ordr=residual", "ordr", "order"),
    ("run a_online day.json --option speed=fast", "speed=fast", "like 1.5 or 3/2"),
    ("ratio a_online day.json --bound lp4 --bound-option cots=half", "cots", "cost"),
    ("ratio a_online day.json --bound lp4 --option speed=2 --bound-option speed=3", "speed=3", "speed=1"),
    ("check day.json plan.json --option sped=2", "sped", "speed"),
    ("solve preemptive.minlp2 day.json --option chunks", "--option chunks", "expected key=value"),
    ("solve preemptive.minlp2 day.json --option chunks=loose", "chunks=loose", "expected one of pinned, floating"),
    ("solve preemptive.minlp2 day.json --relaxed --solver cpsat", "preemptive.minlp2 has no solver", "'cpsat'"),
    (
        "solve preemptive.lp4 day.json --solver flow",
        "'flow'",
        "needs jobs that take as long in the cloud as at the edge",
    ),
    ("solve preemptive.dual11 day.json", "preemptive.dual11", "needs the option eps"),
    ("show preemptive.dual11 --latex", "preemptive.dual11", "needs the option eps"),
    ("run a_online day.json --option speed=0", "speed=0", "expected a number > 0"),
    ("run a_online day.json --option order=best", "order=best", "expected one of static, residual"),
    ("run srtf day.json --option speed=2 --option speed=3", "--option speed", "found several"),
    ("bound lp4 day.json --option block=0", "block=0", "expected an integer from 1 to 100000"),
    ("ratio a_online day.json --bound lp4 --bound-option time_limit=soon", "unknown option", "available: block"),
    # files
    ("check day.json day.json", "this is an instance, expected a schedule", "check takes INSTANCE SCHEDULE"),
    ("check gantt.json day.json", "this is a schedule, expected an instance", "check takes INSTANCE SCHEDULE"),
    ("run a_online proof.json", "this is a bound's certificate", "run takes POLICY INSTANCE"),
    ("check-bound proof.json day.json", "this is a bound's certificate", "check-bound takes FILE CERTIFICATE"),
    ("check-bound day.json gantt.json", "this is a schedule", "check-bound takes FILE CERTIFICATE"),
    ("check-regret gantt.json", "this is a schedule", "expected a worst regret's certificate"),
    ("run a_online jobs.csv", "this is a table", "schedproof trace table"),
    ("compare sacct.txt", "this is a table", "schedproof compare --trace sacct"),
    ("compare log.txt", "this is a table", "schedproof compare --trace swf"),
    ("run a_online cells.sqlite", "this is a store", "expected a JSON object"),
    ("run a_online other.json", "other.json", "--plugin FILE.py"),
    ("run a_online day.json --plot none/gantt.png", "none/gantt.png", "expected an existing folder"),
    ("run a_online none.json", "none.json", "No such file"),
    ("run a_online .", ".", "folder"),
    ("run a_online text.json", "text.json", "JSON"),
    ("run a_online list.json", "list.json", "object"),
    ("run a_online horizon.json", "horizon", "int"),
    ("run a_online key.json", "horzion", "horizon"),
    ("run a_online job.json", "jobs[0].chunks", ">= 1"),
    ("check day.json none.json", "none.json", "No such file"),
    ("run a_online day.json --out none/plan.json", "none/plan.json", "existing folder"),
    ("run a_online day.json --plot plan.bmp", "plan.bmp", ".png"),
    ("run a_online day.json --plot -", "-: ", ".png"),
    ("worst srtf --against lp4 --out -", "--out", "expected a folder"),
    # a policy in a file
    ("run waiting_policies.py:Idl day.json", "waiting_policies.py 'Idl'", "did you mean Idle?"),
    ("run waitng.py:Idle day.json", "waitng.py", "FILE.py:NAME"),
    ("run waiting_policies.py:Waits day.json --option slots=many", "slots=many", "expected an integer"),
    # instances
    ("generate preemptive --set jobs", "--set jobs", "expected key=value"),
    ("train nobody", "unknown trainer 'nobody'", "available: placement"),
    ("generate preemptiv", "preemptiv", "preemptive"),
    ("generate preemptive --preset tinny", "tinny", "tiny"),
    ("generate preemptive --set jbos=3", "jbos", "jobs"),
    ("generate preemptive --set jobs=many", "jobs = 'many'", "integer"),
    ("trace phily x.csv", "phily", "philly"),
    ("trace philly none.csv none.csv", "none.csv", "No such file"),
    ("trace google none.csv --option machine=3", "machine", "machines"),
    ("train placment", "placment", "placement"),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("commands")
    for name in ("day", "cluster", "ports", "cells", "clusters"):
        write_json(place / f"{name}.json", sp.embedded(name).to_json())
    for name, value in FILES.items():
        write_json(place / name, value)
    (place / "text.json").write_text("not JSON")
    (place / "jobs.csv").write_text("job,submit\n1,2\n")
    (place / "sacct.txt").write_text("JobID|Submit|State\n1|2024-03-01T10:00:00|COMPLETED\n")
    (place / "log.txt").write_text("; Version: 2.2\n1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")
    (place / "cells.sqlite").write_bytes(b"SQLite format 3\0")
    (place / "waiting_policies.py").write_text(
        "class Idle:\n    pass\n\n\nclass Waits:\n    def __init__(self, slots: int): ...\n"
    )
    return place


@pytest.mark.parametrize(("words", "wrong", "way_on"), WRONG)
def test_a_wrong_command_gives_one_message_with_a_fix(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    wrong: str,
    way_on: str,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["schedproof", *words.split()])
    before = sorted(folder.glob("*.*"))
    with pytest.raises(SystemExit) as caught:
        main()
    out, error = capsys.readouterr()
    assert caught.value.code == 2, error
    assert out == "" or words.endswith("--out plan.json")  # the optimum is printed, though no schedule follows from it
    assert error.startswith("schedproof: ") and error.count("\n") == 1, error
    assert wrong in error and way_on in error.replace(wrong, "", 1), error
    assert sorted(folder.glob("*.*")) == before  # and nothing was written


def test_there_are_enough_wrong_commands() -> None:
    assert len(WRONG) == len({words for words, *_ in WRONG}) >= 30
