"""`schedproof worst`, killed at random, resumes and ends with the same files."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from schedproof.cli import main
from schedproof.core.runtime.files import write_json
from schedproof.experiments import pieces as module
from tests.support import size
from tests.tiny.multiserver import by_hand

FORKED = multiprocessing.get_context("forkserver")  # a process that has imported everything, but run nothing
IMPORTED = (
    *("schedproof.adversary.multiserver.worst_arrivals", "schedproof.online.multiserver.regret"),
    *("highspy", "numba", "pyomo.environ", "schedproof.core.solvers.pyomo_models"),
)
FORKED.set_forkserver_preload([*IMPORTED, "tests.experiments.test_worst_killed"])
KILLS = size(2, 1, 30)  # of each command, at least
DUEL = by_hand([[1]], [([1], [0]), ([1], [0])], [[1, 1]] * 4)
COMMANDS = {
    "moves and shrinking": ["srtf", "--against", "preemptive.lp4", "--chains", "2", "--steps", str(size(10, 10, 30))],
    "a program, then moves": [
        *("oga_sched", "duel.json", "--against", "multiserver.regret", "--free", "arrivals[*][*]=0..1"),
        *("--chains", "1", "--steps", "12"),
    ],
}


def command(words: list[str], folder: Path) -> None:
    """The forked process; it stores a state twenty times a second."""
    os.chdir(folder)
    module.AT_ONCE = 0.05
    sys.argv = ["schedproof", "worst", *words, "--jobs", "1", "--out", "found", "--json"]
    with Path("told.json").open("w") as told:
        os.dup2(told.fileno(), 1)
        main()


def lived(words: list[str], folder: Path, seconds: float | None) -> int:
    process = FORKED.Process(target=command, args=(words, folder))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def result(folder: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    told: dict[str, Any] = json.loads((folder / "told.json").read_text())
    return {path.name: path.read_bytes() for path in (folder / "found").iterdir()}, told


@pytest.mark.parametrize("name", list(COMMANDS)[: size(2, 1, 2)])
def test_a_killed_search_ends_like_an_undisturbed_one(name: str, tmp_path: Path) -> None:
    rng, kills, seed = random.Random(name), 0, 0
    while kills < KILLS:
        seed += 1
        words = [*COMMANDS[name], "--seed", str(seed)]
        alone, disturbed = tmp_path / f"alone{seed}", tmp_path / f"disturbed{seed}"
        for folder in (alone, disturbed):
            folder.mkdir()
            write_json(folder / "duel.json", DUEL)
        started = monotonic()
        assert lived(words, alone, None) == 0
        longest = monotonic() - started
        while (code := lived(words, disturbed, rng.random() ** 2 * longest)) != 0:
            assert code == -signal.SIGKILL
            kills += 1
            longest *= 1.1  # the machine may have other work by now
        assert result(disturbed) == result(alone)
