"""Stores: the finished rows of a long computation, so that it continues where it was interrupted.

A store is an SQLite database in WAL mode. It says what its rows are of; each row is JSON, under the key of what it is
the result of, with a SHA-256 over key and row. A row that has been added is on the disk, whatever then happens to the
process; of several processes that add to one store each sees the rows of all, and of two rows with one key the first
stays. A row whose sum differs is damaged: the log says so, and it is computed again. The sum tells damage from a row,
not who wrote it: whoever can write the file can write rows with right sums, so those who read a row compare what it
says with what they know (a bound with a run, a verdict with its readings).

Beside the file there may be ``-wal`` and ``-shm``, which belong to it and which the last one to close it removes. The
file lies on a disk of the machine that writes: SQLite cannot keep it safe on a network's.
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
PATIENCE = 60.0  # seconds to wait for others who write, each a few thousandths
PATIENT = 2.0  # seconds after which the log says that somebody else holds the file
LONGEST_ROW = 2**28  # bytes; a longer one is not ours
HEAD = b"SQLite format 3\0"  # of every database
TABLES = {
    "store": "CREATE TABLE store (what TEXT NOT NULL)",
    "rows": "CREATE TABLE rows (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row TEXT NOT NULL, "
    "sum TEXT NOT NULL)",
}


class Store:
    """The rows that are finished, by their keys; a context manager that closes it.

    Parameters
    ----------
    what
        The rows are of, in a few words; a store of something else is refused.
    path
        Of the file, which need not be there yet; None for one in memory.
    form
        Reads a row and raises what `UNREADABLE` names where it is none of this kind; such a row counts as damaged.
    alike
        Fields of which a row says what its key says.

    Raises
    ------
    InputError
        For a file that is no such store, or cannot be written.
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
        """Refuse a file that is no database, and what lies in the place of the files that SQLite has beside it."""
        if self._path is None:
            return
        with suppress(FileNotFoundError), self._path.open("rb") as stream:  # a new store has no file yet
            if stream.read(len(HEAD)) not in (HEAD, b""):  # SQLite takes a byte or two for a new database
                raise self._other()
        for beside in (self._path.with_name(f"{self._path.name}-{part}") for part in ("wal", "shm", "journal")):
            with suppress(FileNotFoundError):  # asked once: those who share the store make and remove them at any time
                if not stat.S_ISREG(beside.lstat().st_mode):
                    raise InputError("stands where SQLite keeps a part of the store, and is no file", file=str(beside))

    def _open(self) -> None:
        """Find our tables and sound rows, or create tables in a new file; a file of others is left as it is."""
        if self._schema() not in ({}, TABLES):
            raise self._other()
        if self._schema() and self._do("SELECT what FROM store") != [(self.what,)]:
            raise self._other()
        self._do("PRAGMA journal_mode = WAL")
        self._do("PRAGMA synchronous = FULL")
        if not self._schema():
            self._do("BEGIN IMMEDIATE")
            if not self._schema():  # nobody else has created them meanwhile
                for table in TABLES.values():
                    self._do(table)
                self._do("INSERT INTO store VALUES (?)", self.what)
            self._do("COMMIT")
        self._remove_damaged()

    def _schema(self) -> dict[str, str]:
        """What the file defines, tables and all else, by name; SQLite's own index of the keys is left out."""
        rows = self._do("SELECT name, sql FROM sqlite_master WHERE name != 'sqlite_autoindex_rows_1'")
        return {name: sql for name, sql in rows}  # noqa: C416  # rows have two columns, which their type does not say

    def _remove_damaged(self) -> None:
        """Remove rows whose sum differs, and say how many; of a file whose pages are damaged nothing is believed."""
        wrong = self._do("PRAGMA quick_check(1)")
        if wrong != [("ok",)]:
            raise InputError(
                f"is damaged: {wrong[0][0]}; move it away, and all is computed again", file=str(self._path)
            )
        damaged = [
            number for number, *row in self._each("SELECT number, key, row, sum FROM rows") if not self._sound(*row)
        ]
        for number in damaged:
            self._do("DELETE FROM rows WHERE number = ?", number)
        if damaged:
            rows = "a row is" if len(damaged) == 1 else f"{len(damaged)} rows are"
            LOG.warning("%s: %s damaged, and computed again when needed", self._path, rows)

    def _sound(self, key: str, row: str, sum_: str) -> bool:
        return isinstance(key, str) and isinstance(row, str) and sum_ == self._sum(key, row)

    def _sum(self, key: str, row: str) -> str:
        return sha256("\0".join((self.what, key, row)).encode())

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
        return [json.loads(row) for (row,) in self._each("SELECT row FROM rows ORDER BY number")]

    def find(self, key: Mapping[str, Json]) -> Row | None:
        """The row of that key, if it is finished."""
        rows = self._do("SELECT row FROM rows WHERE key = ?", _name(key))
        try:
            row = json.loads(rows[0][0]) if rows else None
            if row is not None:
                self._form(row)
                if any(name in key and row.get(name) != key[name] for name in self._alike):
                    raise ValueError("it is of something else than its key")
            return row
        except UNREADABLE as error:
            LOG.warning("%s: a row is damaged, and computed again: %s", self._path, short(str(error)))
            self.forget([key])
            return None

    def add(self, key: Mapping[str, Json], row: Row) -> Row:
        """Keep a row; it is on the disk when this returns. Of two with one key the first stays, and is returned.

        Raises
        ------
        KeyboardInterrupt
            Where an interrupt was swallowed while the row was computed: nobody knows what it is worth.
        """
        if deadline.interrupted():
            raise KeyboardInterrupt
        name, text = _name(key), json.dumps(row)
        self._do("INSERT OR IGNORE INTO rows (key, row, sum) VALUES (?, ?, ?)", name, text, self._sum(name, text))
        stored = self.find(key)
        return row if stored is None else stored  # None where somebody else has forgotten it since

    def get_or_compute(self, key: Mapping[str, Json], work: Callable[[], Row]) -> Row:
        """The row of that key, made now unless it is there.

        Parameters
        ----------
        key
            Everything that the row depends on.
        """
        result = self.find(key)
        return self.add(key, work()) if result is None else result

    def forget(self, keys: Collection[Mapping[str, Json]]) -> None:
        """Remove the rows of some keys, so that they are made again."""
        for key in keys:
            self._do("DELETE FROM rows WHERE key = ?", _name(key))

    def _do(self, statement: str, *values: str) -> list[tuple[str, ...]]:
        """What a statement returns, when those who write at the moment have ended."""
        return list(self._each(statement, *values))

    def _each(self, statement: str, *values: str) -> Iterator[tuple[str, ...]]:
        """The rows that a statement returns, one at a time."""
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
                # SQLite itself waits for most locks, not for that of a file that changes to WAL
                waited = monotonic() - began
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or waited >= PATIENCE:
                    raise self._explain(error) from None
                if patient and waited >= PATIENT:
                    LOG.warning("%s: another program holds it; waiting %.0f s at most", self._path, PATIENCE)
                    patient = False
                sleep(0.005)

    def _explain(self, error: sqlite3.Error) -> InputError:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            return self._other()
        if isinstance(error, sqlite3.OperationalError):
            return unwritten(error, str(self._path))
        return self._damage(error)

    def _damage(self, why: object) -> InputError:
        return InputError(f"is damaged: {why}; move it away, and all is computed again", file=str(self._path))

    def _other(self) -> InputError:
        return InputError(
            f"is not a store of {self.what}, as this version writes it: name another file", file=str(self._path)
        )


def _name(key: Mapping[str, Json]) -> str:
    return json.dumps(key, sort_keys=True)
