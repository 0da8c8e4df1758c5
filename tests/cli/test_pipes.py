from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import schedproof as sp
from tests.command_line import Cli, written

POLICY = """
from schedproof.instances.placement.drive import Place


class FirstFit:
    def __init__(self, most: int = 1):
        self.most = most

    def start(self, system):
        pass

    def decide(self, view):
        fits = ((task, n, view.fitting(task, n)) for task in view.pending for n in task.clusters)
        return [Place(task.index, n, min(room)) for task, n, room in fits if room][: self.most]
"""


def run(words: str, given: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "schedproof", *words.split()]
    return subprocess.run(command, input=given, cwd=folder, capture_output=True, text=True, check=True)


def test_piped_output_equals_the_file(tmp_path: Path, cli: Cli) -> None:
    day = written("day", tmp_path)
    assert cli("bound", "lp4", day, "--certificate", tmp_path / "proof.json")[0] == 0
    assert "proven" in run("check-bound - proof.json", day.read_text(), tmp_path).stdout  # which reads it twice
    ended = run("run a_online - --out -", day.read_text(), tmp_path)
    (tmp_path / "plan.json").write_text(ended.stdout)
    assert "feasible" in ended.stderr
    code, out, _ = cli("check", day, tmp_path / "plan.json")
    assert code == 0 and f"total JCT {sp.policy('a_online').run(day).objective} slots" in out


def test_a_file_with_separate_arrays_is_not_printed(tmp_path: Path, cli: Cli) -> None:
    code, _, error = cli("generate", "multiserver", "--set", "horizon=3000", "--out", "-")
    assert code == 2 and "large arrays are stored in files next to it" in error


def test_a_draw_is_printed_and_an_existing_file_is_not_overwritten(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "instance.json"
    for seed, words in ((1, ""), (1, ""), (2, ", replacing another file")):
        code, out, _ = cli("generate", "preemptive", "--seed", seed, "--out", file)
        assert (code, out) == (0, f"{file}: 3 jobs, family preemptive{words}\n")
    code, out, _ = cli("generate", "preemptive", "--seed", 2, "--out", "-")
    assert code == 0 and json.loads(out) == json.loads(file.read_text())


def test_a_policy_in_a_file_runs_like_ours(tmp_path: Path, cli: Cli) -> None:
    tasks, file = written("clusters", tmp_path), tmp_path / "first_fit_of_a_test.py"
    file.write_text(POLICY)
    named = f"{file}:FirstFit"
    code, out, _ = cli("run", named, tasks, "--option", "most=1", "--json")
    assert code == 0 and json.loads(out)["objective"] == sp.policy(named, most="1").run(tasks).objective
    code, out, _ = cli("compare", tasks, "--policy", f"{named}:most=1", "--policy", named, "--policy", "tiresias")
    assert code == 0 and [row.split()[0] for row in out.splitlines()[2:5]] == [
        "FirstFit:most=1",
        "FirstFit",
        "tiresias",
    ]
