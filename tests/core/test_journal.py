"""Journals: what is finished is not done again, whatever happened to the writer, and a file of others is left alone."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from schedproof.core import journal as module
from schedproof.core.errors import InputError
from schedproof.core.journal import Journal
from tests.support import size


class Work:
    """Rows of numbers, and for which numbers they were really made."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def row(self, number: int) -> dict[str, Any]:
        self.done.append(number)
        return {"square": number**2, "fill": "\n\u2028é" * (number % 7)}

    def through(self, path: Path | None, count: int) -> list[dict[str, Any]]:
        finished = Journal("squares", path)
        return [finished.once({"number": n}, lambda n=n: self.row(n)) for n in range(count)]  # type: ignore[misc]


EXPECTED = Work().through(None, 30)


def test_what_is_finished_is_not_done_again(tmp_path: Path) -> None:
    file, work = tmp_path / "rows", Work()
    assert work.through(file, 10) == EXPECTED[:10] and work.through(file, 30) == EXPECTED
    assert work.done == list(range(30)) and Journal("squares", file).rows == EXPECTED
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_a_row_is_what_it_will_be_read_as(tmp_path: Path) -> None:
    for path in (None, tmp_path / "rows"):
        assert Journal("rows", path).once({"n": 1}, lambda: {"pair": (1, 2), "huge": 10**50, "third": 1 / 3}) == {
            "pair": [1, 2],
            "huge": 10**50,
            "third": 1 / 3,
        }


def test_a_file_torn_anywhere_goes_on_from_its_last_whole_row(tmp_path: Path) -> None:
    """Cut at random places, in the first line too."""
    file, rng = tmp_path / "rows", random.Random(0)
    Work().through(file, 30)
    whole = file.read_bytes()
    for length in [0, 1, whole.index(b"\n"), *rng.sample(range(len(whole)), size(20, 24, 1000))]:
        file.write_bytes(whole[:length])
        work = Work()
        assert work.through(file, 30) == EXPECTED
        assert work.done == list(range(max(0, whole[:length].count(b"\n") - 1), 30))
        assert file.read_bytes() == whole


@contextmanager
def files_end_at(length: int) -> Iterator[None]:
    """No file of ours can be longer: a write is short, and the next one fails, as on a full disk."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_is_one_sentence_and_leaves_whole_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    Work().through(file, 30)
    whole = file.read_bytes()
    for length in (0, 3, len(whole) // 2, len(whole) - 1):
        file.unlink(missing_ok=True)
        with pytest.raises(InputError, match="rows: cannot be written: File too large"), files_end_at(length):
            Work().through(file, 30)
        left = file.read_bytes()
        assert whole.startswith(left) and len(left) <= length and (not left or left.endswith(b"\n"))
        work = Work()
        assert work.through(file, 30) == EXPECTED and len(work.done) == 30 - max(0, left.count(b"\n") - 1)


@pytest.mark.parametrize(
    "content", [b"my notes", b'{"a": 1}\n', b'{"journal": "cells", "version": 1}\n', b"\n", b"\xff"]
)
def test_a_file_of_something_else_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    finished = Journal("squares", file)
    file.write_bytes(content)
    for act in (lambda: Journal("squares", file), lambda: finished.once({}, dict)):
        with pytest.raises(InputError, match="is not a journal of squares"):
            act()
        assert file.read_bytes() == content


@pytest.mark.parametrize("line", ["", "1", "{}", '{"key": 1}', '{"key": {}, "row": 3}', "[" * 100_000, "\x00"])
def test_a_line_that_is_no_row_is_one_sentence(line: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    Work().through(file, 1)
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(InputError, match="line 3: expected a finished row, as JSON"):
        Journal("squares", file)


WRITER = """
import sys
from schedproof.core.journal import Journal
finished = Journal("squares", sys.argv[1])
for n in range(int(sys.argv[2]), int(sys.argv[3])):
    finished.once({"number": n}, lambda: {"square": n**2, "fill": "x" * (n * 997 % 5000)})
"""


def test_several_writers_append_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    ranges = [(0, 60), (30, 90), (60, 120)]
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, file, *map(str, r)]) for r in ranges]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    rows = Journal("squares", file).rows
    assert sorted(row["square"] for row in rows) == [n**2 for n in range(120)]
    assert all(row["fill"] == "x" * (round(row["square"] ** 0.5) * 997 % 5000) for row in rows)


def test_code_is_known_by_all_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package, single = tmp_path / "a_package_of_mine", tmp_path / "a_module_of_mine.py"
    package.mkdir()
    (package / "__init__.py").touch()
    single.write_text("x = 1")
    seen = []
    for change in (lambda: None, (package / "more.py").touch, lambda: (package / "data.json").write_text("{}")):
        change()
        module.code.cache_clear()
        seen.append(module.code("a_package_of_mine"))
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "more.pyc").touch()
    module.code.cache_clear()
    assert len(set(seen)) == 3 and module.code("a_package_of_mine") == seen[-1]
    assert module.code("a_module_of_mine") != module.code("schedproof")
    module.code.cache_clear()
