"""Rows and bounds of a listing for display, shortened and folded by index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from math import inf

from schedproof.core.base.untyped import Json, Model
from schedproof.core.programs.exact.entries import Entry, Terms

TERMS = 3  # printed terms of a row


@dataclass(frozen=True)
class Row:
    """A row of a program, or a bound of a variable.

    Attributes
    ----------
    name
        Pyomo's name, which starts with the group's name.
    component, index
        The parts of the name.
    body
        The left side, shortened; empty for a bound.
    relation
        The relation to the right side: ``>= 3``, ``= 0``, ``in [0, 1]``.
    """

    name: str
    component: str
    index: tuple[Model, ...]
    body: str
    relation: str

    @property
    def group(self) -> str:
        return self.component.partition(".")[0]

    def to_json(self) -> dict[str, Json]:
        """Return a row of an `InfeasibleSubsystem` in JSON."""
        return {"row": self.name, "group": self.group, "body": self.body, "relation": self.relation}


def describe_row(entry: Entry, body: str, lower: float, upper: float) -> Row:
    """Return an entry of a listing for display."""
    component, index = entry.place
    if lower == upper:
        relation = f"= {lower:g}"
    elif lower > -inf and upper < inf:
        relation = f"in [{lower:g}, {upper:g}]"
    else:
        relation = f">= {lower:g}" if lower > -inf else f"<= {upper:g}"
    places = () if index is None else index if isinstance(index, tuple) else (index,)
    return Row(entry.name, component, places, body, relation)


def left_side(terms: Terms, columns: Sequence[Entry]) -> str:
    """Return a sum of columns as text, shortened."""
    first = ((float(a), columns[j].name) for j, a in islice(terms.items(), TERMS))
    signed = " ".join(f"{'-' if a < 0 else '+'} {'' if abs(a) == 1 else f'{abs(a):g} '}{name}" for a, name in first)
    more = f" + ... ({len(terms)} terms)" if len(terms) > TERMS else ""
    return signed.removeprefix("+ ") + more or "0"


def by_kind(rows: Iterable[Row]) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """Yield rows grouped by component and relation."""
    kinds: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        kinds.setdefault((row.component, row.relation), []).append(row)
    yield from kinds.items()


def fold(rows: Iterable[Row]) -> Iterator[str]:
    """Yield texts of rows; rows with consecutive indices share one text."""

    for _, every in by_kind(rows):
        places = [p for p in range(len(every[0].index)) if all(isinstance(row.index[p], int) for row in every)]
        yield from min(([*_runs(every, p)] for p in places), key=len) if places else map(_text, every)


def domains(bounds: Iterable[Row]) -> Iterator[str]:
    """Yield texts of bounds; equal bounds of one variable become one text."""
    for (component, relation), same in by_kind(bounds):
        yield _text(same[0]) if len(same) == 1 else f"{component} {relation} ({len(same)} variables)"


def _runs(rows: Iterable[Row], place: int) -> Iterator[str]:
    others: dict[tuple[Model, ...], list[Row]] = {}
    for row in rows:
        others.setdefault((*row.index[:place], *row.index[place + 1 :]), []).append(row)
    for alike in others.values():
        ordered = enumerate(sorted(alike, key=lambda row: row.index[place]))
        for _, consecutive in groupby(ordered, key=lambda pair: pair[1].index[place] - pair[0]):
            run = [row for _, row in consecutive]
            if len(run) == 1:
                yield _text(run[0])
            else:
                index = [*run[0].index]
                index[place] = f"{index[place]}..{run[-1].index[place]}"
                yield _text(replace(run[0], index=tuple(index), body=""))


def _text(row: Row) -> str:
    index = f"[{', '.join(map(str, row.index))}]" if row.index else ""
    return f"{row.component.removesuffix('.row')}{index}{row.body and f': {row.body}'} {row.relation}"
