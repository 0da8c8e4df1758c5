"""Intervals of time as columns: chunks in training, and parameter servers in use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

import numpy as np


class Table:
    """Intervals [start, end) as int64 columns, in the order of the fields of `rows`."""

    job: np.ndarray

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the columns' names."""
        return tuple(field.name for field in fields(cls))  # type: ignore[arg-type]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> Self:
        """Return the table of given integer rows, sorted by job, chunk and start."""
        names = cls.columns()
        columns = np.array([*rows], dtype=np.int64).reshape(-1, len(names)).T
        of_what, start = columns[: names.index("server")], columns[names.index("start")]
        return cls(*columns[:, np.lexsort([*columns[::-1], start, *of_what[::-1]])])

    def rows(self) -> list[tuple[int, ...]]:
        """Return the entries as tuples."""
        return list(zip(*(getattr(self, name).tolist() for name in self.columns()), strict=True))

    def __len__(self) -> int:
        return len(self.job)


@dataclass(frozen=True)
class Intervals(Table):
    """Chunks trained by workers.

    ``job`` and ``server`` are file positions, ``kind`` a position in the server's list of worker types, ``worker`` a
    number below the type's count; both are -1 in the cloud.
    """

    job: np.ndarray
    chunk: np.ndarray
    server: np.ndarray
    kind: np.ndarray
    worker: np.ndarray
    start: np.ndarray
    end: np.ndarray


@dataclass(frozen=True)
class Services(Table):
    """Jobs served by parameter servers.

    ``kind`` is a position in the server's list of parameter-server types, or -1 in the cloud.
    """

    job: np.ndarray
    server: np.ndarray
    kind: np.ndarray
    start: np.ndarray
    end: np.ndarray
