"""Intervals of time as columns: when workers train chunks, and when parameter servers serve jobs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

import numpy as np


class Table:
    """Intervals [start, end) as int64 columns, one entry each; the fields in the order of `rows`."""

    job: np.ndarray

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(field.name for field in fields(cls))  # type: ignore[arg-type]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> Self:
        """From rows of whole numbers, in any order."""
        names = cls.columns()
        return cls(*np.array(sorted(rows), dtype=np.int64).reshape(-1, len(names)).T)

    def rows(self) -> list[tuple[int, ...]]:
        """The entries as tuples."""
        return list(zip(*(getattr(self, name).tolist() for name in self.columns()), strict=True))

    def __len__(self) -> int:
        return len(self.job)


@dataclass(frozen=True)
class Intervals(Table):
    """When workers train chunks.

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
    """When parameter servers serve jobs; ``kind`` is a position in the server's PS types, -1 in the cloud."""

    job: np.ndarray
    server: np.ndarray
    kind: np.ndarray
    start: np.ndarray
    end: np.ndarray
