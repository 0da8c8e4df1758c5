"""Stores: the finished rows of a long computation, so that it continues where it was interrupted.

A store is an SQLite database in WAL mode. It says what its rows are of; each row is JSON, under the key of what it is
the result of. A row that has been added is on the disk, whatever then happens to the process; of several processes that
add to one store each sees the rows of all, and of two rows with one key the first stays. Beside the file there may be
``-wal`` and ``-shm``, which belong to it and which the last one to close it removes. The file lies on a disk of the
machine that writes: SQLite cannot keep it safe on a network's.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from schedproof.core.errors import InputError
from schedproof.core.files import turn, unwritten, writable
from schedproof.core.untyped import Json

Row = dict[str, Json]
PATIENCE = 60.0  # seconds to wait for others who write, each a few thousandths
HEAD = b"SQLite format 3\0"  # of every database
TABLES = """
CREATE TABLE store (what TEXT NOT NULL);
CREATE TABLE rows (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row TEXT NOT NULL);
"""


class Store:
    """The rows that are finished, by their keys; a context manager that closes it.

    Parameters
    ----------
    what
        The rows are of, in a few words; a store of something else is refused.
    path
        Of the file, which need not be there yet; None for one in memory.

    Raises
    ------
    InputError
        For a file that is no such store, or cannot be written.
    """

    def __init__(self, what: str, path: str | Path | None = None) -> None:
        self.what = what
        self._path = None if path is None else writable(path)
        try:
            if self._path is not None and self._path.exists():
                with self._path.open("rb") as stream:  # SQLite takes a byte or two for a new database
                    if stream.read(len(HEAD)) not in (HEAD, b""):
                        raise self._other()
            self._base = sqlite3.connect(self._path or ":memory:", timeout=PATIENCE, isolation_level=None)
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

    def _open(self) -> None:
        """Find our tables, or make them in a file that is new; a file of others is left as it is."""
        names = {name for (name,) in self._do("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if names and ("store" not in names or self._do("SELECT what FROM store") != [(self.what,)]):
            raise self._other()
        self._do("PRAGMA journal_mode = WAL")
        self._do("PRAGMA synchronous = FULL")
        if not names:
            self._do("BEGIN IMMEDIATE")
            if not self._do("SELECT name FROM sqlite_master"):  # nobody else has made them meanwhile
                for table in TABLES.strip().splitlines():
                    self._do(table)
                self._do("INSERT INTO store VALUES (?)", self.what)
            self._do("COMMIT")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):  # what has been added is there, whether or not it can be tidied up
            self._base.close()

    @property
    def rows(self) -> list[Row]:
        """Those that are finished, in the order in which they were."""
        return [json.loads(row) for (row,) in self._do("SELECT row FROM rows ORDER BY number")]

    def find(self, key: Mapping[str, Json]) -> Row | None:
        """The row of that key, if it is finished."""
        rows = self._do("SELECT row FROM rows WHERE key = ?", _name(key))
        return json.loads(rows[0][0]) if rows else None

    def add(self, key: Mapping[str, Json], row: Row) -> Row:
        """Keep a row; it is on the disk when this returns. Of two with one key the first stays, and is returned."""
        self._do("INSERT OR IGNORE INTO rows (key, row) VALUES (?, ?)", _name(key), json.dumps(row))
        stored = self.find(key)
        return row if stored is None else stored  # None where somebody else has forgotten it since

    def once(self, key: Mapping[str, Json], work: Callable[[], Row]) -> Row:
        """The row of that key, made now unless it is there.

        Parameters
        ----------
        key
            Everything that the row depends on.
        """
        stored = self.find(key)
        return self.add(key, work()) if stored is None else stored

    def forget(self, keys: Collection[Mapping[str, Json]]) -> None:
        """Remove the rows of some keys, so that they are made again."""
        for key in keys:
            self._do("DELETE FROM rows WHERE key = ?", _name(key))

    def _do(self, statement: str, *values: str) -> list[tuple[str, ...]]:
        """What a statement returns, when those who write at the moment have ended."""
        until = monotonic() + PATIENCE
        while True:
            try:
                return self._base.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                # SQLite itself waits for most locks, not for that of a file that changes to WAL
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or monotonic() >= until:
                    raise self._explain(error) from None
                sleep(0.005)

    def _explain(self, error: sqlite3.Error) -> InputError:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            return self._other()
        if isinstance(error, sqlite3.OperationalError):
            return unwritten(error, str(self._path))
        return InputError(f"is damaged: {error}", file=str(self._path))

    def _other(self) -> InputError:
        return InputError(f"is not a store of {self.what}: name another file", file=str(self._path))


def _name(key: Mapping[str, Json]) -> str:
    return json.dumps(key, sort_keys=True)
