from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from schedproof.core.data.store import Store
from schedproof.core.errors import InputError
from schedproof.core.runtime import deadline
from tests.support import size


class Work:
    """Rows of numbers, and the numbers that were computed."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def row(self, number: int) -> dict[str, Any]:
        self.done.append(number)
        return {"square": number**2, "fill": "\n\u2028é" * (number % 7)}

    def through(self, path: Path | None, count: int) -> list[dict[str, Any]]:
        with Store("squares", path) as finished:
            return [finished.get_or_compute({"number": n}, lambda n=n: self.row(n)) for n in range(count)]  # type: ignore[misc]


EXPECTED = Work().through(None, 30)


def rows(path: Path, what: str = "squares") -> list[dict[str, Any]]:
    with Store(what, path) as finished:
        return finished.rows


def test_finished_work_is_not_repeated(tmp_path: Path) -> None:
    file, work = tmp_path / "rows", Work()
    assert work.through(file, 10) == EXPECTED[:10] and work.through(file, 30) == EXPECTED
    assert work.done == list(range(30)) and rows(file) == EXPECTED
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]
    with closing(sqlite3.connect(file)) as base:
        found = base.execute("SELECT json_extract(key, '$.number'), row FROM rows").fetchall()
    assert [(number, json.loads(row)) for number, row in found] == list(enumerate(EXPECTED))


def test_results_after_a_swallowed_interrupt_are_discarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Work().through(tmp_path / "rows", 3)
    monkeypatch.setattr(deadline, "interrupted", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        Work().through(tmp_path / "rows", 9)
    assert rows(tmp_path / "rows") == EXPECTED[:3]


def test_a_row_equals_its_stored_form(tmp_path: Path) -> None:
    for path in (None, tmp_path / "rows"):
        with Store("rows", path) as finished:
            made = finished.get_or_compute({"n": 1}, lambda: {"pair": (1, 2), "huge": 10**50, "third": 1 / 3})
        assert made == {"pair": [1, 2], "huge": 10**50, "third": 1 / 3}


def test_the_first_of_two_rows_with_one_key_stays() -> None:
    with Store("rows") as finished:
        assert finished.find({"a": 1, "b": 2}) is None
        assert finished.add({"a": 1, "b": 2}, {"n": 1}) == {"n": 1} == finished.add({"b": 2, "a": 1}, {"n": 2})
        finished.add({"a": 3}, {"n": 3})
        finished.forget([{"a": 1, "b": 2}])
        assert finished.rows == [{"n": 3}] and finished.get_or_compute({"a": 1, "b": 2}, lambda: {"n": 4}) == {"n": 4}


KILLED = """
import sys
from schedproof.core.data.store import Store
with Store("squares", sys.argv[1]) as finished:
    for n in range(10**6):
        finished.get_or_compute({"number": n}, lambda: {"square": n**2, "fill": "x" * (n * 997 % 5000)})
        print(n, flush=True)
"""


def test_acknowledged_rows_survive_a_kill(tmp_path: Path) -> None:
    file, rng, acknowledged = tmp_path / "rows", random.Random(0), -1
    for _ in range(size(3, 3, 100)):
        writer = subprocess.Popen([sys.executable, "-c", KILLED, file], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        while int(writer.stdout.readline()) <= acknowledged:
            pass
        time.sleep(0.1 * rng.random())
        writer.kill()
        told = [acknowledged + 1, *map(int, writer.communicate()[0].split("\n")[:-1])]
        acknowledged, found = told[-1], [row["square"] for row in rows(file)]
        assert found == [n**2 for n in range(len(found))] and len(found) > acknowledged


def test_a_copy_at_any_moment_is_complete(tmp_path: Path) -> None:
    file, copy = tmp_path / "rows", tmp_path / "copy"
    with Store("squares", file) as finished:
        for n in range(20):
            finished.add({"number": n}, {"square": n**2})
            for end in ("", "-wal"):
                shutil.copy(f"{file}{end}", f"{copy}{end}")
            log = Path(f"{copy}-wal")
            log.write_bytes(log.read_bytes()[: -(n % 3)] if n % 3 else log.read_bytes())  # its last page may be torn
            assert [row["square"] for row in rows(copy)] == [m**2 for m in range(n + (n % 3 == 0))]


@contextmanager
def files_end_at(length: int) -> Iterator[None]:
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_gives_one_message_and_leaves_complete_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    for length in (0, 3, 5000, 40_000, 100_000):
        for path in tmp_path.iterdir():
            path.unlink()
        with pytest.raises(InputError, match="rows: cannot be written: "), files_end_at(length):
            Work().through(file, 30)
        left = rows(file)
        work = Work()
        assert left == EXPECTED[: len(left)] and work.through(file, 30) == EXPECTED
        assert work.done == list(range(len(left), 30)) and (length < 40_000 or left)


@pytest.mark.parametrize(
    "content", [b"my notes", b'{"a": 1}\n', b'{"journal": "squares", "version": 1}\n', b"\n", b"\xff" * 5000]
)
def test_a_foreign_file_is_rejected_and_unchanged(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(InputError, match="is not a store of squares"):
        Store("squares", file)
    assert file.read_bytes() == content and [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "tables", ["CREATE TABLE mine (x)", "CREATE TABLE store (what); INSERT INTO store VALUES ('cells')"]
)
def test_a_foreign_database_is_rejected(tables: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    with closing(sqlite3.connect(file)) as base:
        base.executescript(tables)
    content = file.read_bytes()
    with pytest.raises(InputError, match="is not a store of squares"):
        Store("squares", file)
    assert file.read_bytes() == content and [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_damaged_file_gives_one_message(tmp_path: Path) -> None:
    file = tmp_path / "file"
    Work().through(file, 30)
    content = bytearray(file.read_bytes())
    content[4096:] = b"\x55" * len(content[4096:])
    file.write_bytes(content)
    with pytest.raises(InputError, match="file: is damaged: "):
        Work().through(file, 30)


WRITER = """
import sys
from schedproof.core.data.store import Store
with Store("squares", sys.argv[1]) as finished:
    for n in range(int(sys.argv[2]), int(sys.argv[3])):
        finished.get_or_compute({"number": n}, lambda: {"square": n**2, "fill": "x" * (n * 997 % 5000)})
"""


def test_several_writers_fill_one_file(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    ranges = [(0, 60), (30, 90), (60, 120)]
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, file, *map(str, r)]) for r in ranges]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    found = rows(file)
    assert sorted(row["square"] for row in found) == [n**2 for n in range(120)]
    assert all(row["fill"] == "x" * (round(row["square"] ** 0.5) * 997 % 5000) for row in found)
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]


OPENER = """
import sys
from schedproof.core.data.store import Store
for n in range(int(sys.argv[2])):
    with Store("squares", sys.argv[1]) as finished:
        finished.get_or_compute({"number": n % 7}, lambda: {"square": (n % 7) ** 2})
"""


def test_sqlites_temporary_files_do_not_disturb_other_processes(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    times = str(size(dev=500, ci=1000, deep=10_000))
    openers = [subprocess.Popen([sys.executable, "-c", OPENER, file, times]) for _ in range(3)]
    assert [opener.wait() for opener in openers] == [0, 0, 0]
    assert sorted(row["square"] for row in rows(file)) == [n**2 for n in range(7)]
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]


@pytest.mark.parametrize("question", [1, 2])
def test_a_temporary_file_removed_after_a_query_does_not_reject_the_store(
    question: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, asked, stat = tmp_path / "rows-wal", [], Path.stat
    part.touch()

    def answer(path: Path, **more: bool) -> os.stat_result:
        result = stat(path, **more)
        asked.append(path)
        if asked.count(part) == question:
            part.unlink(missing_ok=True)
        return result

    monkeypatch.setattr(Path, "stat", answer)
    assert rows(tmp_path / "rows") == [] and part in asked


@pytest.mark.parametrize("part", ["wal", "shm", "journal"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_a_folder_in_place_of_a_temporary_file_gives_one_message(kind: str, part: str, tmp_path: Path) -> None:
    beside = tmp_path / f"rows-{part}"
    make = {"folder": beside.mkdir, "pipe": lambda: os.mkfifo(beside), "link": lambda: beside.symlink_to("other")}
    make[kind]()
    with pytest.raises(
        InputError, match=f"rows-{part}: expected a regular file or no file, since SQLite uses this path"
    ):
        Store("squares", tmp_path / "rows")
    assert [path.name for path in tmp_path.iterdir()] == [beside.name]
