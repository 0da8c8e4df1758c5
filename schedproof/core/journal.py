"""Journals: the finished rows of a long piece of work, so that what was interrupted goes on where it stopped.

A journal is a text file. Its first line says what its rows are of, every other one is a row of JSON with the key of
what it is the result of. A row is on the disk before the next piece of work begins; several processes may append to one
file. The torn last line of a writer that was killed, or whose disk was full, is cut off, and its row is made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from schedproof.core.errors import InputError
from schedproof.core.files import TURN, lock, unwritten, writable
from schedproof.core.untyped import Json

Row = dict[str, Json]
SOFTWARE = ("schedproof", "numpy", "scipy", "numba", "highspy", "hypothesis", "python-flint")


class Journal:
    """The rows that are finished, by their keys.

    Parameters
    ----------
    what
        The rows are of, in a few words; a journal of something else is refused.
    path
        Of the file, which need not be there yet; None for one in memory.

    Raises
    ------
    InputError
        For a file that is no such journal, or cannot be written.
    """

    def __init__(self, what: str, path: str | Path | None = None) -> None:
        self.what = what
        self._rows: dict[str, Row] = {}
        self._head = json.dumps({"journal": what, "version": 1}).encode() + b"\n"
        self._path = None if path is None else writable(path)
        if self._path is not None:
            self._read(self._path)

    @property
    def rows(self) -> list[Row]:
        """Those that are finished, in the order in which they were."""
        return [*self._rows.values()]

    def once(self, key: Mapping[str, Json], work: Callable[[], Row]) -> Row:
        """The row of that key, made now unless it is there.

        Parameters
        ----------
        key
            Everything that the row depends on.
        """
        name = _name(key)
        if name not in self._rows:
            line = json.dumps({"key": key, "row": work()}).encode() + b"\n"
            if self._path is not None:
                self._append(self._path, line)
            self._rows[name] = json.loads(line)["row"]  # as it will be read again
        return self._rows[name]

    def _read(self, path: Path) -> None:
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
        self._ours(content, path)
        for number, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines()[1:], start=2):
            try:
                row = json.loads(line)
                self._rows[_name(row["key"])] = {**row["row"]}
            except (ValueError, TypeError, KeyError, RecursionError):
                raise InputError("expected a finished row, as JSON", path=f"line {number}", file=str(path)) from None

    def _ours(self, start: bytes, path: Path) -> bool:
        """Whether a file that starts so has its first line, or else is to have it yet."""
        if not self._head.startswith(start[: len(self._head)]):
            raise InputError(f"is not a journal of {self.what}: name another file", file=str(path))
        return start[: len(self._head)] == self._head

    def _append(self, path: Path, line: bytes) -> None:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            try:
                lock(handle, TURN)
                whole = 0
                if self._ours(os.pread(handle, len(self._head), 0), path):
                    whole = _end_of_last_line(handle)
                os.ftruncate(handle, whole)
                try:
                    _write(handle, (b"" if whole else self._head) + line)
                except BaseException:
                    os.ftruncate(handle, whole)
                    raise
            finally:
                os.close(handle)
        except OSError as error:
            raise unwritten(error, path) from None


def _name(key: Mapping[str, Json]) -> str:
    return json.dumps(key, sort_keys=True)


def _write(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
    os.fsync(handle)


def _end_of_last_line(handle: int) -> int:
    """Behind the last line break of a file that has one."""
    end = os.fstat(handle).st_size
    while True:
        begin = max(0, end - 65536)
        found = os.pread(handle, end - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin


def software() -> str:
    """The versions of Python and of the libraries on which numbers depend."""
    return " ".join([*(f"{name} {version(name)}" for name in SOFTWARE), f"python {python_version()}"])


@cache
def code(package: str) -> str:
    """The SHA-256 of a package's programs and stored data, as they are installed."""
    module, total = import_module(package), sha256()
    homes = [Path(home) for home in getattr(module, "__path__", ())]
    files = [(home, file) for home in homes for file in home.rglob("*") if file.suffix in (".py", ".json")]
    if not homes:  # one file alone
        files = [(Path(str(module.__file__)).parent, Path(str(module.__file__)))]
    for home, file in sorted(files):
        content = file.read_bytes()
        total.update(f"{file.relative_to(home).as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()
