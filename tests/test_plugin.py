"""Another package adds programs, policies and claims through entry points."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parent / "plugin"
DAY = Path(__file__).parent.parent / "schedproof" / "instances" / "embedded" / "day.json"


def schedproof(*words: str, path: Path = PLUGIN) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(path))
    command = [sys.executable, "-m", "schedproof", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("kind", "id"),
    [("programs", "preemptive.toy"), ("policies", "preemptive.toy_policy"), ("claims", "preemptive.toy_claim")],
)
def test_what_a_package_registers_is_listed_beside_ours(kind: str, id: str) -> None:
    listed = json.loads(schedproof(kind, "--json").stdout)[kind]
    assert id in listed
    assert len(listed) > 1


def test_its_program_is_solved_its_policy_run_and_its_claim_judged() -> None:
    solved = json.loads(schedproof("solve", "preemptive.toy", str(DAY), "--json").stdout)
    assert solved["status"] == "optimal"
    ran = json.loads(schedproof("run", "toy_policy", str(DAY), "--json").stdout)
    assert ran["policy"] == "preemptive.toy_policy" and ran["feasible"]
    (judged,) = json.loads(schedproof("verify", "preemptive.toy_claim", "--json").stdout)["claims"]
    assert judged["verdict"] == "holds"


def test_without_the_package_none_of_it_is_there(tmp_path: Path) -> None:
    assert "preemptive.toy" not in json.loads(schedproof("programs", "--json", path=tmp_path).stdout)["programs"]


def test_a_broken_package_is_one_sentence_that_names_it(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN, tmp_path / "broken")
    (tmp_path / "broken" / "schedproof_toy.py").write_text("raise RuntimeError('out of order')\n")
    ended = schedproof("programs", path=tmp_path / "broken")
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and "'toy'" in ended.stderr and "out of order" in ended.stderr


def test_two_packages_may_not_register_the_same_id(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN, tmp_path / "twice")
    plugin = tmp_path / "twice" / "schedproof_toy.py"
    plugin.write_text(plugin.read_text().replace('"preemptive.toy":', '"preemptive.minlp2":'))
    ended = schedproof("programs", path=tmp_path / "twice")
    assert ended.returncode == 2 and "preemptive.minlp2" in ended.stderr and ended.stderr.count("\n") == 1
