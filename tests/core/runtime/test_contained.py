"""Foreign code that ends, forks, moves or outlives its process gives one error."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import PolicyError
from schedproof.core.runtime.contained import contained
from schedproof.core.runtime.startup import READ_HERE
from tests.command_line import EXAMPLES

POLICY = """
import os, sys, threading, time
import schedproof as sp

class Evil:
    def start(self, system):
        self.usual = sp.policy("srtf").build(sp.read("day.json"))
        self.usual.start(system)
        {act}

    def arrive(self, time, jobs):
        self.usual.arrive(time, jobs)

    def advance(self, until):
        return self.usual.advance(until)
"""
ACTS = {  # what a policy does, its exit code, and a part of the sentence
    "raise SystemExit(0)": (1, "Evil stopped with SystemExit: 0 (evil.py, line 9, in start)"),
    "os._exit(0)": (2, "the process ended itself with exit code 0 before the command was done"),
    "raise BaseException('mine')": (2, "the command was stopped by BaseException: mine (evil.py, line 9, in start)"),
    "raise KeyboardInterrupt": (130, "interrupted"),
    "raise MemoryError": (2, "memory ran out: MemoryError (evil.py, line 9, in start)"),
    "os.fork()": (1, "Evil tried to fork the process, which is forbidden in a policy"),
    "os.chdir('/')": (1, "Evil tried to change the working folder, which is forbidden in a policy"),
    "threading.Thread(target=time.sleep, args=(9999,), name='mine').start()": (1, "Evil left the thread mine running"),
    "sys.stdout.close()": (0, ""),
    "while True: pass": (1, "Evil did not end within the time limit of 1 s"),
    "time.sleep(9999)": (3, "the time limit passed during a library call that ignores it"),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_policy_that_misbehaves_ends_in_one_sentence(tmp_path: Path, act: str) -> None:
    (tmp_path / "evil.py").write_text(POLICY.format(act=act))
    (tmp_path / "day.json").write_bytes((Path(sp.__file__).parent / "instances/embedded/day.json").read_bytes())
    words = [sys.executable, "-P", "-m", "schedproof", "run", "evil.py:Evil", "day.json", "--time-limit", "1"]
    done = subprocess.run(
        [*words, "--out", "run.json"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    code, sentence = ACTS[act]
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert done.stderr.count("\n") == bool(sentence)
    assert (tmp_path / "run.json").exists() == (code == 0)


def test_a_comparison_in_which_a_named_policy_has_no_result_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(POLICY.format(act="raise SystemExit(0)"))
    (tmp_path / "day.json").write_bytes((Path(sp.__file__).parent / "instances/embedded/day.json").read_bytes())
    words = [sys.executable, "-P", "-m", "schedproof", "compare", "day.json", "--policy", "srtf", "--bound", "none"]
    for more, code in (([], 0), (["--policy", "evil.py:Evil"], 1)):
        done = subprocess.run([*words, *more], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == code, done.stderr
        assert ("Evil: stopped with SystemExit: 0" in done.stdout) == bool(code)


MISDEEDS = {  # what a policy of a plug-in does in a sweep, and a part of the reason
    "raise SystemExit(0)": "stopped with SystemExit: 0",
    "os.fork()": "tried to fork the process",
    "os.chdir('/')": "tried to change the working folder",
    "threading.Thread(target=time.sleep, args=(9999,)).start()": "left the thread",
    "raise ValueError('no data')": "stopped with ValueError: no data",
    "raise MemoryError": "out of memory",
    "return 7": "the policy returned 7, expected a list with",
    "while True: pass": "did not end within the time limit of 1 s",
}
PLAN = 'policies = ["evil", "greedy"]\ntime_limit = 1\n[[generators]]\nname = "knapsack"\npresets = ["coarse"]\n'


@pytest.mark.parametrize("act", MISDEEDS)
def test_a_sweep_without_a_policys_result_ends_with_1(tmp_path: Path, act: str) -> None:
    rule = (
        f"def evil(sack):\n    import os, threading, time\n    {act}\n    return greedy(sack)\n\n\n@KNAPSACK.policy\n"
    )
    card = (EXAMPLES / "knapsack.py").read_text().replace("def greedy(", f"{rule}def greedy(")
    (tmp_path / "sack.py").write_text(card)
    (tmp_path / "plan.toml").write_text(PLAN)
    words = [sys.executable, "-P", "-m", "schedproof", "--plugin", "sack.py", "sweep", "plan.toml", "--jobs", "1"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("knapsack.evil: ") == 1 and MISDEEDS[act] in done.stdout


def test_what_a_policy_prints_stays_out_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    with contained("mine"):
        print("objective 0")
    assert capsys.readouterr() == ("", "objective 0\n")


@pytest.mark.parametrize("act", [os.fork, lambda: os.chdir(os.sep)])
def test_an_act_is_refused_only_while_code_of_others_runs(act: Callable[[], object]) -> None:
    folder = Path.cwd()
    with pytest.raises(PolicyError, match="mine tried to"), contained("mine"):
        act()
    assert Path.cwd() == folder
    os.chdir(folder)


def test_a_thread_that_ends_or_is_a_daemon_is_no_matter() -> None:
    ended = threading.Event()
    with contained("mine"):
        threading.Thread(target=ended.wait, daemon=True).start()
        joined = threading.Thread(target=lambda: None)
        joined.start()
        joined.join()
    ended.set()


def test_the_libraries_read_no_other_file_of_the_folder(tmp_path: Path) -> None:
    """Names of files that libraries look for, as Python's audit events show them."""
    listen = (
        "import sys, os; looked = set()\n"
        "sys.addaudithook(lambda event, given: event == 'open' and type(given[0]) is str and looked.add(given[0]))\n"
        "import matplotlib, numba, pyomo.environ, cvxpy, ortools.sat.python.cp_model, highspy, joblib\n"
        "import hypothesis, pandas\n"
        "here = [name for name in looked if os.path.dirname(os.path.abspath(name)) == os.getcwd()]\n"
        "print(*sorted(map(os.path.basename, here)))"
    )
    for name in READ_HERE:
        (tmp_path / name).write_text("")
    done = subprocess.run(
        [sys.executable, "-P", "-c", listen], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert sorted(done.stdout.split()) == sorted(READ_HERE)
