"""Nothing is lost when the code is rearranged: schedules and bounds are those of an earlier version, recorded.

``recorded/recording.json`` has for small instances the schedule of every policy and the value of every bound. Of what
is decided in integers and rationals it has the SHA-256 of the schedule file; of what goes through doubles the objective
to six digits, since their last digits are the processor's. Beside it lie an instance and a schedule of each family, as
that version wrote them. Verdicts are recorded in the ledgers. A change that is meant to change a schedule records anew,
and says why: ``python -m tests.test_recording > tests/recorded/recording.json``.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.files import write_json

RECORDINGS = Path(__file__).parent / "recorded"
OBJECTIVES = {"preemptive": 8, "dmlrs": 7.5, "multiserver": -0.06047822423, "jrp": 4}  # of the schedules in files
SEEDS = {"preemptive": (2, 3, 4), "dmlrs": (1, 2, 3), "multiserver": (1, 2, 3), "jrp": (1, 2, 3)}
INSTANCES = [f"{family} {seed}" for family, seeds in SEEDS.items() for seed in seeds]
IN_DOUBLES = ("dmlrs.pd_ors", "dmlrs.oasis", "dmlrs.dorm", "jrp.jrp_rounding", "multiserver.")  # and all bounds


@cache
def instance(name: str) -> sp.Instance:
    """A generated instance of the smallest preset."""
    family, seed = name.split()
    with tempfile.TemporaryDirectory() as folder:
        words = ("generate", family, "--preset", "tiny", "--seed", seed, "--out", "instance.json")
        subprocess.run([sys.executable, "-m", "schedproof", *words], cwd=folder, check=True, capture_output=True)
        return sp.read(Path(folder, "instance.json"))


def ran(policy: str, name: str) -> str:
    """What is recorded of a policy's run."""
    run = sp.policy(policy).run(instance(name))
    assert run.feasible
    if policy.startswith(IN_DOUBLES):
        return f"{float(run.objective):.6g}"
    with tempfile.TemporaryDirectory() as folder:
        write_json(Path(folder, "plan.json"), run.schedule.to_json(run.instance))
        return hashlib.sha256(Path(folder, "plan.json").read_bytes()).hexdigest()


def bounded(bound: str, name: str) -> str:
    """What is recorded of a bound."""
    return f"{sp.bound(bound, instance(name)).value:.6g}"


RECORDED = json.loads((RECORDINGS / "recording.json").read_text())


@pytest.mark.parametrize("name", INSTANCES)
def test_instances_are_the_same(name: str) -> None:
    assert RECORDED["instances"][name] == instance(name).sha256


@pytest.mark.parametrize("policy", RECORDED["policies"])
def test_schedules_are_the_same(policy: str) -> None:
    assert RECORDED["policies"][policy] == {name: ran(policy, name) for name in RECORDED["policies"][policy]}


@pytest.mark.parametrize("bound", RECORDED["bounds"])
def test_bounds_are_the_same(bound: str) -> None:
    assert RECORDED["bounds"][bound] == {name: bounded(bound, name) for name in RECORDED["bounds"][bound]}


@pytest.mark.parametrize("family", OBJECTIVES)
def test_old_files_are_read_as_before(family: str, tmp_path: Path) -> None:
    read = sp.read(RECORDINGS / f"{family}.json")
    write_json(tmp_path / "again.json", read.to_json())
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads((RECORDINGS / f"{family}.json").read_text())
    schedule = sp.read_schedule(RECORDINGS / f"{family}-schedule.json", read)
    assert schedule.violations(read) == []
    assert float(schedule.objective(read)) == pytest.approx(OBJECTIVES[family], rel=1e-9)


def listed(kind: str) -> list[str]:
    """The ids of a kind, as the command line lists them."""
    words = [sys.executable, "-m", "schedproof", kind, "--json"]
    return list(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)[kind])


def of_family(id: str) -> list[str]:
    """The instances that a policy or a bound is recorded on."""
    return [name for name in INSTANCES if name.split()[0] == id.split(".")[0]]


if __name__ == "__main__":
    bounds = ("preemptive.lp4", "dmlrs.rdmlrs_lp", "multiserver.stationary", "multiserver.slot_optimum")
    recording = {
        "instances": {name: instance(name).sha256 for name in INSTANCES},
        "policies": {id: {name: ran(id, name) for name in of_family(id)} for id in listed("policies")},
        "bounds": {
            id: {name: bounded(id, name) for name in of_family(id)}
            for id in (*bounds, "jrp.conic", "jrp.lp_i", "jrp.split_free_lp")
        },
    }
    print(json.dumps(recording, indent=1))
