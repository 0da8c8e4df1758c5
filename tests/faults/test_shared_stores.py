"""Stores of other versions, stores that many commands share, and clocks that jump."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import schedproof
from tests.command_line import Cli
from tests.faults.commands import COMMANDS, STORES, Command, Ended, end, inputs, rows_of, start, undisturbed
from tests.support import size

InProcess = Callable[[str, Path], Ended]
AT_ONCE = size(3, 3, 20)
FOREIGN = {  # what another version of the package may have written
    "a column more": "ALTER TABLE rows ADD COLUMN version TEXT",
    "a table more": "CREATE TABLE versions (version TEXT)",
    "another kind": "UPDATE store SET what = 'cells of version 3'",
}


def without_seconds(told: str) -> str:
    return re.sub(r'"[a-z_]*seconds": ?[\d.e-]+|\b[\d.]+ s\b', "", told)


def keys_of(store: Path) -> set[str]:
    """Return the keys of a store's rows, without the number of the part: a slow search stores more parts."""
    return {re.sub(r'"part": ?\d+', "", key) for key, _ in rows_of(store)}


def folder_of(name: str) -> Path:
    folder = inputs() / name
    folder.mkdir()
    return folder


@pytest.fixture
def in_process(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> InProcess:
    """Run a command line of `COMMANDS` in this process, as `start` does in another."""

    def run(words: str, folder: Path) -> Ended:
        monkeypatch.chdir(folder)
        monkeypatch.delenv("SCHEDPROOF_PROFILE", raising=False)
        return Ended(*cli(*words.split()[1:]))

    return run


@pytest.mark.parametrize("name", STORES)
def test_a_store_of_another_version_is_refused_and_unchanged(name: str, in_process: InProcess) -> None:
    folder = folder_of(f"{name}-versions")
    store = folder / COMMANDS[name].files[0]
    assert in_process(COMMANDS[name].words, folder).code == 0
    for statement in FOREIGN.values():
        with closing(sqlite3.connect(store)) as base:
            base.execute(statement)
            base.commit()
        before = store.read_bytes()
        ended = in_process(COMMANDS[name].words, folder)
        assert (ended.code, ended.out) == (2, "")
        assert ended.error.count("\n") == 1 and "in this version's format: choose another file" in ended.error
        assert store.read_bytes() == before and [*folder.iterdir()] == [store]


@pytest.mark.parametrize("name", STORES)
def test_many_commands_share_a_store(name: str, in_process: InProcess) -> None:
    alone, shared = folder_of(f"{name}-one"), folder_of(f"{name}-many")
    single = in_process(COMMANDS[name].words, alone)
    assert single.code == 0
    each = replace(COMMANDS[name], words=COMMANDS[name].words.replace("--jobs 1", "--jobs 2"))
    crowd = [start(each, shared) for _ in range(AT_ONCE)]
    ended = [(process.communicate(timeout=600), process.returncode) for process in crowd]
    for (out, error), code in ended:
        told = [line for line in error.splitlines() if not line.startswith("note: ")]
        done = code == 0 and without_seconds(out) == without_seconds(single.out)
        assert done or (code == 2 and len(told) == 1), (code, out, error)
    assert any(code == 0 for _, code in ended)
    store = COMMANDS[name].files[0]
    assert keys_of(shared / store) == keys_of(alone / store)
    assert in_process(COMMANDS[name].words, shared).code == 0  # SQLite may keep the log of commands that end together
    assert [file.name for file in shared.iterdir()] == [store]


def test_many_commands_write_the_same_file() -> None:
    folder = folder_of("trace-many")
    crowd = [start(COMMANDS["trace"], folder) for _ in range(AT_ONCE)]
    assert all(end(process).code == 0 for process in crowd)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == undisturbed("trace").files


def test_no_deadline_reads_the_clock_of_the_day() -> None:
    """That clock jumps when it is set; the others do not."""
    wall = re.compile(r"\btime\.time\(|from time import .*\b(time|time_ns)\b|datetime\.now|utcnow|date\.today")
    files = [*Path(schedproof.__file__).parent.rglob("*.py")]
    assert len(files) > 100 and not [file for file in files if wall.search(file.read_text(encoding="utf-8"))]


TIMED = {  # a command with a time limit; its result is complete well before
    "compare": "compare --seeds 2 --policy srtf --policy a_online --time-limit 60 --out cells",
    "worst": "worst srtf --against preemptive.lp4 --chains 2 --steps 6 --jobs 1 --time-limit 60 --store cells",
    "refute": "refute preemptive.lemma1 --cases 40 --time-limit 60 --store cells",
    "sweep": "sweep ../plan.toml --jobs 1 --store cells",
}
JUMPS = [*product(("time", "monotonic", "perf_counter"), (3600, -3600), TIMED)]


@pytest.mark.parametrize(("clock", "seconds", "name"), JUMPS[:: size(11, 5, 3)])
def test_a_clock_that_jumps_changes_no_result(clock: str, seconds: int, name: str, in_process: InProcess) -> None:
    rng = random.Random(f"{clock} {seconds} {name}")
    straight, disturbed = folder_of(f"{name}{clock}{seconds}-alone"), folder_of(f"{name}{clock}{seconds}-jumping")
    plain = f"schedproof {TIMED[name]} --json"
    expected = in_process(plain, straight)
    assert expected.code in (0, 3)
    jumping = f"tests.faults.jumping_clock {clock} {seconds} {rng.randrange(size(300, 300, 300))} {TIMED[name]} --json"
    first, resumed = end(start(Command(jumping, ("cells",)), disturbed)), in_process(plain, disturbed)
    assert all(ended.code in (0, 3) and ended.error.count("\n") <= 1 for ended in (first, resumed))
    assert resumed.code == expected.code
    assert without_seconds(resumed.out) == without_seconds(expected.out)
    assert keys_of(disturbed / "cells") == keys_of(straight / "cells")
