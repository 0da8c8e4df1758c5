"""Stores: finished rows of a long computation, so that it can be continued.

A store is an SQLite database in WAL mode. It names the kind of its rows. Each row is JSON under a key, with a SHA-256
over key and row. A row is on disk when `Store.add` returns. Several processes can share a store; of two rows with the
same key the first one stays. A row with a wrong sum is logged as damaged and recomputed. The sum detects damage, not
forgery: readers compare a row's content with known data, for example a bound with its run.

SQLite's files ``-wal`` and ``-shm`` belong to the store; the last process removes them. The store must be on a local
disk, because SQLite is not safe on network file systems.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from schedproof.core.base.untyped import Json
from schedproof.core.errors import UNREADABLE, InputError, short
from schedproof.core.runtime import deadline
from schedproof.core.runtime.files import sha256, turn, unwritten, writable

Row = dict[str, Json]
LOG = logging.getLogger("schedproof")
PATIENCE = 60.0  # seconds to wait for a lock; a write takes milliseconds
PATIENT = 2.0  # seconds of waiting before a warning is logged
LONGEST_ROW = 2**28  # bytes
HEAD = b"SQLite format 3\0"
TABLES = {
    "store": "CREATE TABLE store (what TEXT NOT NULL)",
    "rows": "CREATE TABLE rows (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row TEXT NOT NULL, "
    "sum TEXT NOT NULL)",
}


class Store:
    """Finished rows by key; a context manager that closes the file.

    Parameters
    ----------
    what
        Short name of the rows' kind; a store of another kind is rejected.
    path
        The file, created if missing, or None for a store in memory.
    form
        Checks a row and raises one of `UNREADABLE` if it is invalid; such a row counts as damaged.
    alike
        Fields with the same value in row and key.

    Raises
    ------
    InputError
        If the file is not such a store, or cannot be written.
    """

    def __init__(
        self,
        what: str,
        path: str | Path | None = None,
        form: Callable[[Row], object] = dict,
        alike: tuple[str, ...] = (),
    ) -> None:
        self.what, self._form, self._alike = what, form, alike
        self._path = None if path is None else writable(path)
        try:
            self._refuse_others()
            self._base = sqlite3.connect(self._path or ":memory:", timeout=PATIENT, isolation_level=None)
            self._base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
        except sqlite3.Error as error:
            raise self._explain(error) from None
        try:
            if self._path is None:
                self._open()
            else:
                with turn(self._path.parent):
                    self._open()
        except BaseException:
            self.close()
            raise

    def _refuse_others(self) -> None:
        if self._path is None:
            return
        with suppress(FileNotFoundError), self._path.open("rb") as stream:  # a new store has no file yet
            if stream.read(len(HEAD)) not in (HEAD, b""):  # SQLite would accept a file of one or two bytes as new
                raise self._other()
        for beside in (self._path.with_name(f"{self._path.name}-{part}") for part in ("wal", "shm", "journal")):
            with suppress(FileNotFoundError):  # one call: other processes create and remove these files at any time
                if not stat.S_ISREG(beside.lstat().st_mode):
                    raise InputError(
                        "expected a regular file or no file, since SQLite uses this path for the store",
                        file=str(beside),
                    )

    def _open(self) -> None:
        if self._schema() not in ({}, TABLES):
            raise self._other()
        if self._schema() and self._do("SELECT what FROM store") != [(self.what,)]:
            raise self._other()
        self._do("PRAGMA journal_mode = WAL")
        self._do("PRAGMA synchronous = FULL")
        if not self._schema():
            self._do("BEGIN IMMEDIATE")
            if not self._schema():  # no other process has created them meanwhile
                for table in TABLES.values():
                    self._do(table)
                self._do("INSERT INTO store VALUES (?)", self.what)
            self._do("COMMIT")
        self._remove_damaged()

    def _schema(self) -> dict[str, str]:
        rows = self._do("SELECT name, sql FROM sqlite_master WHERE name != 'sqlite_autoindex_rows_1'")
        return {name: sql for name, sql in rows}  # noqa: C416  # two columns, which the type of rows does not tell

    def _remove_damaged(self) -> None:
        wrong = self._do("PRAGMA quick_check(1)")
        if wrong != [("ok",)]:
            raise InputError(f"is damaged: {wrong[0][0]}; move it away to recompute everything", file=str(self._path))
        damaged = [
            number for number, *row in self._each("SELECT number, key, row, sum FROM rows") if not self._sound(*row)
        ]
        for number in damaged:
            self._do("DELETE FROM rows WHERE number = ?", number)
        if damaged:
            rows = "a row is" if len(damaged) == 1 else f"{len(damaged)} rows are"
            LOG.warning("%s: %s damaged and will be recomputed when needed", self._path, rows)

    def _sound(self, key: str, row: str, sum_: str) -> bool:
        return isinstance(key, str) and isinstance(row, str) and sum_ == self._sum(key, row)

    def _sum(self, key: str, row: str) -> str:
        return sha256("\0".join((self.what, key, row)).encode())

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with suppress(sqlite3.Error):  # added rows are on disk even if closing fails
            self._base.close()

    @property
    def rows(self) -> list[Row]:
        """The finished rows in order of their completion."""
        return [json.loads(row) for (row,) in self._each("SELECT row FROM rows ORDER BY number")]

    def find(self, key: Mapping[str, Json]) -> Row | None:
        """Return the row of a key, or None if it is not finished."""
        rows = self._do("SELECT row FROM rows WHERE key = ?", _name(key))
        try:
            row = json.loads(rows[0][0]) if rows else None
            if row is not None:
                self._form(row)
                if any(name in key and row.get(name) != key[name] for name in self._alike):
                    raise ValueError("expected a row that matches its key")
            return row
        except UNREADABLE as error:
            LOG.warning("%s: a row is damaged and will be recomputed: %s", self._path, short(str(error)))
            self.forget([key])
            return None

    def add(self, key: Mapping[str, Json], row: Row) -> Row:
        """Store a row on disk and return it, or the row already stored under its key.

        Raises
        ------
        KeyboardInterrupt
            If code swallowed an interrupt while it computed the row, which may be wrong.
        """
        if deadline.interrupted():
            raise KeyboardInterrupt
        name, text = _name(key), json.dumps(row)
        self._do("INSERT OR IGNORE INTO rows (key, row, sum) VALUES (?, ?, ?)", name, text, self._sum(name, text))
        stored = self.find(key)
        return row if stored is None else stored  # None if another process has removed it

    def get_or_compute(self, key: Mapping[str, Json], work: Callable[[], Row]) -> Row:
        """Return the row of a key; compute and store it if it is missing.

        Parameters
        ----------
        key
            All inputs of the row.
        """
        result = self.find(key)
        return self.add(key, work()) if result is None else result

    def forget(self, keys: Collection[Mapping[str, Json]]) -> None:
        """Remove the rows of some keys."""
        for key in keys:
            self._do("DELETE FROM rows WHERE key = ?", _name(key))

    def _do(self, statement: str, *values: str) -> list[tuple[str, ...]]:
        return list(self._each(statement, *values))

    def _each(self, statement: str, *values: str) -> Iterator[tuple[str, ...]]:
        began = monotonic()
        patient = True
        while True:
            try:
                rows = self._base.execute(statement, values)
                yield from rows
                return
            except UnicodeDecodeError as error:
                raise self._damage(error) from None
            except sqlite3.Error as error:
                # SQLite waits for most locks, but not while a file switches to WAL mode
                waited = monotonic() - began
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or waited >= PATIENCE:
                    raise self._explain(error) from None
                if patient and waited >= PATIENT:
                    LOG.warning("%s: locked by another program; waiting up to %.0f s", self._path, PATIENCE)
                    patient = False
                sleep(0.005)

    def _explain(self, error: sqlite3.Error) -> InputError:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            return self._other()
        if isinstance(error, sqlite3.OperationalError):
            return unwritten(error, str(self._path))
        return self._damage(error)

    def _damage(self, why: object) -> InputError:
        return InputError(f"is damaged: {why}; move it away to recompute everything", file=str(self._path))

    def _other(self) -> InputError:
        return InputError(
            f"is not a store of {self.what} in this version's format: choose another file", file=str(self._path)
        )


def _name(key: Mapping[str, Json]) -> str:
    return json.dumps(key, sort_keys=True)
