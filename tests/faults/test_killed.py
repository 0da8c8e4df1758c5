"""Commands with several processes that are killed at random resume, and leave no process and no partial file."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from schedproof.core.data.store import Store
from schedproof.experiments.cells import CELLS
from tests.support import size

KILLS = size(2, 1, 25)  # that end each command
ENDING = 60.0  # seconds for the processes that a killed one leaves
MARK = "SCHEDPROOF_TEST_OF_KILLS"  # an environment variable, which all processes of a command inherit
PLAN = f'policies = ["drf", "fifo"]\n[[generators]]\nname = "dmlrs"\npresets = ["tiny"]\nseeds = {size(6, 3, 12)}\n'
CLAIMS = "jrp.assignment6 jrp.chernoff23 jrp.conic_upper_bound jrp.expectation27 jrp.full_server_wlog"
COMMANDS = {
    "joblib": "sweep plan.toml --jobs 2 --out table.csv",
    "dask": "sweep plan.toml --jobs 2 --engine dask --out table.csv",
    "verify": f"verify {CLAIMS} --record plan.sqlite --json",
}


def start(folder: Path, line: str, mark: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-P", "-m", "schedproof", *line.split()]
    path = os.pathsep.join(str(Path(entry or ".").resolve()) for entry in sys.path)
    quiet = subprocess.DEVNULL
    environment = os.environ | {MARK: mark, "PYTHONPATH": path}
    environment.pop("SCHEDPROOF_PROFILE", None)  # verify itself would run the deep profile's trials
    return subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=quiet, text=True)


def marked(mark: str) -> list[int]:
    """Return the running processes of a command, without zombies."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            ended = (folder / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            if not ended and f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # it has ended, or is another user's
            continue
    return sorted(found)


def left(mark: str) -> list[int]:
    until = time.monotonic() + ENDING
    while (processes := marked(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    return processes


def new(folder: Path) -> None:
    folder.mkdir()
    (folder / "plan.toml").write_text(PLAN)


def without_seconds(told: str) -> str:
    return re.sub(r'"seconds": ?[\d.e-]+', "", told)


def outcome(folder: Path) -> tuple[object, ...]:
    """Return the names of the files, the table's bytes and the keys of the store's rows."""
    table = folder / "table.csv"
    with Store(CELLS if table.exists() else "claims", folder / "plan.sqlite") as store:
        keys = sorted(key for (key,) in store._do("SELECT key FROM rows"))
    return sorted(file.name for file in folder.iterdir()), table.exists() and table.read_bytes(), keys


@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed in /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_resumes_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    if name == "dask" and not find_spec("distributed"):
        pytest.skip("the extra dask is not installed")
    alone, line, rng = tmp_path / "alone", COMMANDS[name], random.Random(name)
    new(alone)
    began = time.monotonic()
    told = start(alone, line, f"{tmp_path} alone").communicate()[0]
    longest, wanted = time.monotonic() - began, outcome(alone)
    killed, attempts, round_ = Counter[str](), 0, 0
    while killed["command"] < KILLS:
        disturbed = tmp_path / f"disturbed{(round_ := round_ + 1)}"
        new(disturbed)
        fresh = True
        while True:
            mark, began = f"{tmp_path} {(attempts := attempts + 1)}", time.monotonic()
            process = start(disturbed, line, mark)
            try:
                again = process.communicate(timeout=rng.random() * longest)[0]
                longest = time.monotonic() - began if fresh else longest  # the machine's other work changes
            except subprocess.TimeoutExpired:
                os.kill(victim := rng.choice([process.pid, *marked(mark)]), signal.SIGKILL)
                again = process.communicate()[0]
                killed["command" if process.returncode else "worker" if victim != process.pid else "late"] += 1
                longest *= 1.02
            fresh = False
            assert not left(mark)
            if process.returncode == 0:
                break
        assert without_seconds(told) == without_seconds(again)
        assert outcome(disturbed) == wanted
    print(f"{name}: {dict(killed)}; {round_} commands resumed, with equal results and nothing left")
