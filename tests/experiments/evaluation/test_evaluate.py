"""A policy in its own process has the same results and cannot cheat."""

from __future__ import annotations

import importlib
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, PolicyError
from schedproof.core.runtime.files import write_json
from schedproof.experiments.evaluation.evaluate import Evaluation
from schedproof.experiments.evaluation.messages import LENGTH, pack, unpack_answer
from tests.command_line import EXAMPLES, Cli, plugged_in, told

HEAD = """
import os, gc, subprocess, sys, threading, time
from schedproof.instances.preemptive.instance import Instance
from schedproof.online.preemptive.gang import GangPolicy

class Mine(GangPolicy):
    def order(self, gang, now):
        return gang.remaining(now), not gang.running
"""
CHEATS = {  # what a policy does before it decides, and a part of the reason
    "open(JOBS)": "the policy opened jobs.json, which is forbidden",
    "open(JOBS, 'w')": "the policy opened jobs.json, which is forbidden",
    "os.open(JOBS, os.O_RDONLY)": "the policy opened jobs.json, which is forbidden",
    "subprocess.run(['cat', JOBS])": "the policy called subprocess.Popen, which is forbidden",
    "os.system('cat ' + JOBS)": "the policy called os.system, which is forbidden",
    "os.fork()": "the policy called os.fork, which is forbidden",
    "os.kill(os.getppid(), 9)": "the policy called os.kill, which is forbidden",
    "raise ValueError([len(x.jobs) for x in gc.get_objects() if isinstance(x, Instance)])": "ValueError: [0]",
    "raise SystemExit(0)": "stopped with SystemExit: 0 (policy.py, line",
    "os._exit(0)": "the policy's process ended with exit code 0 before the simulation was over",
    "[bytearray(10**9) for _ in range(9)]": "the policy needs more memory than the limit of 4096 MiB",
    "time.sleep(9999)": "the policy exceeded the time limit of",
    "self.advance = lambda until: os.system": "type posix.system, expected numbers, arrays or records",
    "self.advance = lambda until: []": "returned [], expected Decisions",
    "raise RuntimeError(self.present(future=True))": "has no attribute 'present'",
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("evaluation") / "jobs.json"
    write_json(file, sp.embedded("day").to_json())
    return file


def policy_file(jobs: Path, act: str = "pass") -> Path:
    """Write a policy file that runs an action when the first jobs arrive."""
    start = f"    def arrive(self, slot, jobs):\n        {act}\n        super().arrive(slot, jobs)\n"
    file = jobs.with_name("policy.py")
    file.write_text(HEAD.replace("\nclass", f"\nJOBS = {str(jobs)!r}\n\nclass") + start)
    return file


def rows(found: Evaluation) -> object:
    """Return the intervals of the schedule."""
    assert found.run is not None, found.error
    return found.run.schedule.to_json(found.run.instance)["intervals"]


def test_it_gives_the_numbers_of_a_run_in_this_process(jobs: Path) -> None:
    found = sp.evaluate(policy_file(jobs), jobs)
    usual = sp.policy("srtf").run(sp.read(jobs))
    assert found.run is not None and found.ratio is not None and found.feasible and not found.offline
    assert rows(found) == usual.schedule.to_json(usual.instance)["intervals"]
    assert found.ratio.exact == usual.ratio("preemptive.lp4").exact
    known = sp.evaluate(policy_file(jobs), jobs, found.ratio.bound)
    assert known.to_json() | {"seconds": 0} == found.to_json() | {"seconds": 0}


@pytest.mark.parametrize("act", CHEATS)
def test_a_policy_that_cheats_or_fails_has_a_reason(jobs: Path, act: str) -> None:
    before = jobs.read_bytes()
    limit = 6.0 if "sleep" in act else 60.0
    found = sp.evaluate(policy_file(jobs, act), jobs, None, time_limit=limit)
    assert CHEATS[act] in found.error and not found.feasible and found.to_json()["violation"] == found.error
    assert jobs.read_bytes() == before


@pytest.fixture(scope="module")
def honest(jobs: Path) -> object:
    """Return the intervals of a policy without an action."""
    return rows(sp.evaluate(policy_file(jobs), jobs, None))


@pytest.mark.parametrize("act", ["print('objective 0')", "os.write(1, b'0' * 99)", "jobs.clear() if 0 else None"])
def test_what_it_prints_or_writes_has_no_effect(jobs: Path, honest: object, act: str) -> None:
    assert rows(sp.evaluate(policy_file(jobs, act), jobs, None)) == honest


def test_the_command_prints_one_object_and_exits_by_feasibility(jobs: Path, cli: Cli) -> None:
    good = told(cli("evaluate", policy_file(jobs), jobs, "--bound", "none", "--json"))
    assert good["feasible"] is True and good["violation"] is None
    bad = told(cli("evaluate", policy_file(jobs, "raise ValueError"), jobs, "--bound", "none", "--json"), 1)
    assert bad["violation"].startswith("stopped with ValueError")


def test_random_edits_improve_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    evolve = importlib.import_module("evolve").evolve
    ratios = [ratio for _, ratio in evolve(3, seed=1)]
    assert len(ratios) > 1 and ratios == sorted(ratios, reverse=True) and ratios[-1] >= 1


def test_a_file_without_a_policy_or_with_two_is_a_reason(jobs: Path) -> None:
    file = jobs.with_name("several.py")
    file.write_text("def one(x): ...\ndef two(x): ...\n")
    assert "found several: one, two; select a policy as FILE.py:NAME" in sp.evaluate(file, jobs, None).error
    file.write_text("X = 1\n")
    assert "expected one policy, found none" in sp.evaluate(file, jobs, None).error
    with pytest.raises(InputError):
        sp.evaluate(file, jobs.with_name("missing.json"), None)


def test_an_answer_runs_no_code() -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return print, ("it ran",)

    with pytest.raises(PolicyError, match=r"builtins\.print"):
        unpack_answer(pack((True, Evil()))[LENGTH:])
    with pytest.raises(PolicyError, match="is not a valid message"):
        unpack_answer(b"junk")
    assert unpack_answer(pack((True, Fraction(1, 3)))[LENGTH:]) == (True, Fraction(1, 3))


def test_the_printed_ratio_is_not_below_the_certified_one(jobs: Path) -> None:
    found = sp.evaluate(policy_file(jobs), jobs)
    assert found.ratio is not None
    for printed in (found.to_json()["ratio"], str(found.facts()["ratio"]).removeprefix("at most ")):
        assert 0 <= Fraction(str(printed)) - found.ratio.exact < Fraction(1, 1000)


POLICIES = {  # example, preset, and a policy of the example's family
    "bins": ("packing", "small", "def mine(view, item):\n    return len(view.bins)\n"),
    "bins, all at once": ("knapsack", "coarse", "def mine(sack):\n    return [[sack.items[0]]]\n"),
    "intervals": ("open_shop", "online", "class Mine:\n    def assign(self, view):\n        return view.jobs[::-1]\n"),
    "shares": ("flow_time", "tiny", "def mine(view):\n    return {(job, 0): 0 for job in view.jobs}\n"),
}


@pytest.mark.parametrize("kind", POLICIES)
def test_policies_of_the_stock_kinds_have_the_results_of_a_run_in_this_process(kind: str, tmp_path: Path) -> None:
    example, preset, text = POLICIES[kind]
    file = tmp_path / f"mine_{example}.py"
    file.write_text(text)
    with plugged_in(example):
        instance = sp.generate(example, preset, seed=1)
        found = sp.evaluate(file, instance, None)
        assert found.run is not None, found.error
        name = f"{file}:{'Mine' if 'class' in text else 'mine'}"
        here = sp.policy(name).run(instance)
        assert found.run.schedule.to_json(instance)["policy"] != ""
        assert (found.run.objective, found.run.feasible) == (here.objective, here.feasible)
        assert found.run.policy == name.rpartition(":")[2]


def test_the_view_of_a_bin_policy_has_no_later_items(tmp_path: Path) -> None:
    file = tmp_path / "peeking.py"
    file.write_text("import pickle\n\ndef mine(view, item):\n    raise ValueError(pickle.dumps(view).count(b'i1'))\n")
    with plugged_in("packing"):
        found = sp.evaluate(file, sp.generate("packing", "small", seed=1), None)
    assert "ValueError: 0" in found.error
