from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.certificates.bounds import write_bound
from tests.recorder.product import call

PLUG_IN = Path(__file__).parent / "plug_in"
MOST_LINES = 400


def schedproof(*words: object, code: int = 0) -> str:
    ended, out, error = call(*words)
    assert ended == code, error
    return error if code == 2 else out


def elsewhere(path: Path, *words: object, code: int = 0) -> str:
    environment = dict(os.environ, PYTHONPATH=str(path))
    command = [sys.executable, "-m", "schedproof", *map(str, words)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    return ended.stdout if code == 0 else ended.stderr


def test_it_is_small() -> None:
    lines = [line for file in PLUG_IN.rglob("*.py") for line in file.read_text().splitlines()]
    assert len(lines) <= MOST_LINES


@pytest.mark.parametrize(
    ("kind", "id"), [("programs", "toy.knapsack"), ("policies", "toy.threshold"), ("claims", "toy.half")]
)
def test_its_parts_are_listed_next_to_ours(kind: str, id: str) -> None:
    listed = json.loads(schedproof(kind, "--json"))[kind]
    assert id in listed and len(listed) > 1


def test_its_instances_are_drawn_loaded_solved_run_checked_bounded_and_compared(tmp_path: Path) -> None:
    items, plan, best, picture = (tmp_path / name for name in ("items.json", "plan.json", "best.json", "plan.png"))
    schedproof("generate", "toy", "--seed", 3, "--out", items)
    ran = json.loads(
        schedproof("run", "threshold", items, "--option", "density=3/4", "--out", plan, "--plot", picture, "--json")
    )
    assert ran["policy"] == "toy.threshold" and ran["feasible"] and picture.stat().st_size
    checked = json.loads(schedproof("check", items, plan, "--json"))
    same = {name: ran[name] for name in ("feasible", "objective", "violations", "judged_by")}
    assert checked == same | {"contradiction": ""}
    solved = [
        json.loads(schedproof("solve", "toy.knapsack", items, *more, "--json"))
        for more in (["--out", best], ["--solver", "by_hand"])
    ]
    assert (
        solved[0]["objective"]
        == solved[1]["objective"]
        == json.loads(schedproof("check", items, best, "--json"))["objective"]
    )
    bound = json.loads(schedproof("bound", "toy.knapsack", items, "--json"))
    assert bound["kind"] == "upper" and bound["value"] >= solved[0]["objective"]
    ratio = json.loads(schedproof("ratio", "threshold", items, "--bound", "toy.knapsack", "--json"))
    assert ratio["value"] >= solved[0]["objective"] / ran["objective"] >= 1
    assert ratio["gap"] == {"none": "the family toy has no gap breakdown, only ratios"}
    assert "the family toy has no regret" in schedproof("regret", "threshold", items, code=2)
    log = tmp_path / "items.log"
    log.write_text("a 0 5 2\nb 1 4 4\n")
    schedproof("trace", "toylog", log, "--out", items)
    assert [row["name"] for row in json.loads(items.read_text())["items"]] == ["a", "b"]


def test_its_own_checker_writes_rows_and_judges_strategies(tmp_path: Path) -> None:
    items, proof, strategy = (tmp_path / name for name in ("items.json", "proof.json", "strategy.json"))
    schedproof("generate", "toy", "--seed", 3, "--out", items)
    program, instance = sp.program("toy.knapsack"), sp.read(items)
    write_bound(proof, sp.bound(program, instance))
    said = json.loads(schedproof("check-bound", items, proof, "--json"))
    assert said["proven"] and "as listed" not in said["statement"]
    row = json.loads(proof.read_text())
    value = str(Fraction(row["value"]) - 1)
    lighter = [[n, str(Fraction(weight) * 2)] for n, weight in row["multipliers"]["rows"][0][3]]
    for key, other in (("constant", "-1"), ("rows", [["fits.row", None, "0", lighter]])):
        forged = row | {"value": value, "multipliers": row["multipliers"] | {key: other}}
        proof.write_text(json.dumps(forged))
        assert "NOT proven" in schedproof("check-bound", items, proof, code=1)
    write_bound(proof, sp.bound(program.drop("fits"), instance))
    assert "of the program as listed" in schedproof("check-bound", items, proof)
    for answer, code, words in ((3, 0, "proven: No number of 1 is the largest. (as check.py"), (2, 1, "not above its")):
        strategy.write_text(json.dumps({"game": "toy.guess", "moves": [[2, answer]]}))
        assert words in schedproof("check-game", strategy, code=code)


def test_a_broken_rule_is_found(tmp_path: Path) -> None:
    items, plan = tmp_path / "items.json", tmp_path / "plan.json"
    schedproof("generate", "toy", "--seed", 3, "--out", items)
    schedproof("run", "threshold", items, "--out", plan)
    row = json.loads(plan.read_text())
    plan.write_text(json.dumps(row | {"items": [item["name"] for item in json.loads(items.read_text())["items"]]}))
    assert "fits at the sack" in schedproof("check", items, plan, code=1)


def test_its_program_is_shown_its_schema_printed_and_its_claims_judged(tmp_path: Path) -> None:
    assert "The taken items fit into the sack." in schedproof("show", "toy.knapsack")
    assert "SackRow" in schedproof("schema", "toy")
    rows = {row["id"]: row for row in json.loads(schedproof("verify", "--family", "toy", "--json"))["claims"]}
    assert rows["toy.half"]["verdict"] == "refuted_as_printed" and rows["toy.half"]["witness"] == "half"
    assert rows["toy.half_repaired"]["verdict"] == "argued"
    assert json.loads(schedproof("refute", "toy.half", "--store", tmp_path / "attack.sqlite", "--json"))["contradicted"]


def test_without_the_package_its_names_are_unknown(tmp_path: Path) -> None:
    with_it, without = (json.loads(elsewhere(path, "programs", "--json"))["programs"] for path in (PLUG_IN, tmp_path))
    assert with_it.keys() - without.keys() == {"toy.knapsack"}


def test_a_broken_package_gives_one_message_that_names_it(tmp_path: Path) -> None:
    shutil.copytree(PLUG_IN, tmp_path / "broken")
    (tmp_path / "broken" / "schedproof_toy" / "card.py").write_text("raise RuntimeError('out of order')\n")
    told = elsewhere(tmp_path / "broken", "programs", code=2)
    assert told.count("\n") == 1 and "'toy'" in told and "out of order" in told


def another(tmp_path: Path) -> Path:
    shutil.copytree(PLUG_IN, tmp_path / "more")
    folder = tmp_path / "more" / "schedproof_toy" / "claims"
    (folder / "third.py").write_text((folder / "half.py").read_text().replace("toy.half", "toy.third"))
    return tmp_path / "more"


def test_a_new_claim_is_listed_before_it_is_judged(tmp_path: Path) -> None:
    listed = json.loads(elsewhere(another(tmp_path), "claims", "--json"))["claims"]
    assert {"toy.half", "toy.third", "toy.third_repaired"} <= listed.keys()


@pytest.mark.parametrize(
    ("id", "sentence"),
    [("toy.third_half", "both define the claim toy.third_half"), ("toy.fourth", "expected the file fourth.py")],
)
def test_a_misnamed_or_duplicate_claim_gives_one_message(tmp_path: Path, id: str, sentence: str) -> None:
    more = another(tmp_path)
    third = more / "schedproof_toy" / "claims" / "third.py"
    third.write_text(third.read_text().replace("toy.third", id))
    shutil.copy(third, third.with_name("third_half.py"))
    told = elsewhere(more, "verify", "--family", "toy", code=2)
    assert told.count("\n") == 1 and sentence in told


def test_a_broken_file_of_claims_gives_one_message_that_names_it(tmp_path: Path) -> None:
    more = another(tmp_path)
    (more / "schedproof_toy" / "claims" / "third.py").write_text("import nowhere\n")
    told = elsewhere(more, "verify", "--family", "toy", code=2)
    assert told.count("\n") == 1 and "schedproof_toy.claims.third" in told and "nowhere" in told


FIGURE = """
caption = "What is earned."
differs = "Nothing is printed."
kind = "bars"
values = [1, 2]
preset = "tiny"
seeds = 2
curves = [{ label = "threshold", policy = "threshold:density={x}" }, { label = "at most", bound = "toy.knapsack" }]
"""


def test_its_figures_are_those_of_its_card(tmp_path: Path) -> None:
    told = schedproof("figures", "--paper", "toy", "--out", tmp_path, code=2)
    assert told == "schedproof: the card of the family toy names no figures\n"
    more = another(tmp_path)
    card = more / "schedproof_toy" / "card.py"
    card.write_text(
        card.read_text().replace("    claims=", '    figures=("schedproof_toy.card:earned.toml",),\n    claims=')
    )
    path = Path(os.pathsep.join([str(more), str(PLUG_IN.parents[1])]))
    store = ("--out", tmp_path / "figures", "--store", tmp_path / "figures.sqlite")
    assert "a card names this figure" in elsewhere(path, "figures", "--paper", "toy", *store, code=2)
    card.with_name("earned.toml").write_text(FIGURE)
    assert "earned.svg" in elsewhere(path, "figure", "toy:earned", "--jobs", 1, *store)
    rows = (tmp_path / "figures" / "toy" / "earned.csv").read_text().splitlines()
    assert len(rows) == 5 and (tmp_path / "figures" / "toy" / "earned.svg").is_file()


MAPPING = '''

def from_jobs(jobs, tally, cluster, *, worth=2):
    """An item is as heavy as a job has GPUs, and worth a multiple of that."""
    start = jobs[0].submitted
    items = ((job.name, job.submitted - start, worth * job.gpus, job.gpus) for job in jobs)
    return _sack(items), {"set": {"worth": worth}}
'''
ROWS = """
from schedproof.core.data.options import whole
from schedproof.families.logs import logs

SENTENCE = "An item is as heavy as a job has GPUs, and worth a multiple of that."
WORTH = (Option("worth", whole(), 2, "of a GPU"),)
FAMILY = replace(FAMILY, traces=logs("toy", Entry("jobs", "schedproof_toy.files:from_jobs", SENTENCE, WORTH)))
"""


def test_it_maps_the_jobs_of_any_log_in_a_few_lines(tmp_path: Path) -> None:
    more = another(tmp_path)
    for name, text in (("files.py", MAPPING), ("card.py", ROWS)):
        file = more / "schedproof_toy" / name
        file.write_text(file.read_text() + text)
    card = more / "schedproof_toy" / "card.py"
    card.write_text("from dataclasses import replace\n" + card.read_text())
    path = Path(os.pathsep.join([str(more), str(PLUG_IN.parents[1])]))
    log, items = tmp_path / "jobs.csv", tmp_path / "items.json"
    log.write_text("id,arrival,gpus,duration\na,7,2,60\nb,5,1,60\nc,6,none,60\n")
    told = elsewhere(path, "trace", "table", log, "--family", "toy", "--option", "worth=3", "--out", items)
    assert "2 items, family toy" in told and "no GPU count" in told
    rows = json.loads(items.read_text())["items"]
    assert [(row["name"], row["arrival"], row["value"], row["weight"]) for row in rows] == [
        ("b", 0, 3, 1),
        ("a", 2, 6, 2),
    ]
    assert "of a GPU (an integer >= 1; default 2)" in elsewhere(path, "show", "toy.table")


def test_a_trace_may_have_rationals(tmp_path: Path) -> None:
    log, items = tmp_path / "items.log", tmp_path / "items.json"
    log.write_text("a 0 5/2 2\n")
    schedproof("trace", "toylog", log, "--out", items)
    assert json.loads(items.read_text())["items"][0]["value"] == 2.5
    log.write_text("a 0 5/3 2\n")
    assert "a number with a finite decimal, found 5/3" in schedproof("trace", "toylog", log, "--out", items, code=2)
