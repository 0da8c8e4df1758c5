"""The result of a comparison: rows of policies, best schedules and the bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from itertools import islice
from math import isfinite
from textwrap import wrap
from typing import Any, NamedTuple

from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Frame
from schedproof.core.cards import registry
from schedproof.core.certificates.bounds import CERTIFICATES
from schedproof.core.errors import printable
from schedproof.core.simulation.timeline import MEASURES as OVER_TIME
from schedproof.experiments import curves
from schedproof.experiments.export import as_text
from schedproof.experiments.families import comparison
from schedproof.experiments.table import (
    FINE,
    RUN,
    best_found,
    counts,
    forgone,
    in_markdown,
    markdown,
    mean_above,
    meanings_of_rules,
    named_rules,
    summary,
    swept,
)
from schedproof.proofs_checks.typeset import as_latex

FORMATS = ("text", "markdown", "csv", "latex")
MOST_ERRORS = 10  # that are printed
LABEL, LONGEST_LABEL = "label", 34  # a longer label has its own line
HEAD = "policy"  # the heading of the labels
UNIT_ROWS = 1000  # from this objective on, numbers have no decimals


class Column(NamedTuple):
    """Heading, meaning, decimals and rounding of a number."""

    heading: str
    meaning: str
    decimals: int | None = None  # decimals; None: no decimals for large numbers, otherwise two
    rounding: str = ROUND_HALF_EVEN


COLUMNS = {  # in the order of the table
    "objective": Column("objective", "the objective"),
    FINE: Column("fine", "objective with finer slots and thus nearly exact chunk times, in original slots"),
    "±": Column("±", "half of the 95 % interval of the mean"),
    "mean_jct": Column("mean", "mean time from arrival to completion, in slots", 1),
    "jct_p50": Column("p50", "median of the time from arrival to completion"),
    "jct_p95": Column("p95", "time from arrival to completion that 95 % of the jobs do not exceed"),
    "jct_p99": Column("p99", "time from arrival to completion that 99 % of the jobs do not exceed"),
    "queue_mean": Column("queue", "average number of present jobs without resources", 1),
    "queue_max": Column("queue max", "largest number of present jobs without resources"),
    "utilisation": Column("in use", "used share of the most used resource, from first arrival to last completion", 3),
    "fairness_mean": Column(
        "fairness", "average ratio of a job's JCT to its JCT on 1/n of the cluster, with n jobs present", 2
    ),
    "fairness_max": Column("fair max", "largest ratio of a job's JCT to its JCT on 1/n of the cluster", 2),
    "preemptions": Column("stops", "number of interruptions of chunks"),
    "makespan": Column("makespan", "slots slots from the first arrival to the last completion"),
    "cloud_jobs": Column("in cloud", "jobs with a chunk in the cloud"),
    "split_jobs": Column("split", "jobs that run on only part of their workers at some time"),
    "relative": Column("relative", "objective over the baseline's objective", 3),
    "seconds": Column("seconds", "of computation", 2),
    "to_best": Column("to best", "objective over the best schedule found: a lower bound on the ratio", 3, ROUND_FLOOR),
    "ratio": Column("ratio <=", "certified upper bound on the ratio to the optimum", 3, ROUND_CEILING),
}
TO_BEST_REWARD = "the best schedule found over the objective: a lower bound on the ratio"  # for a maximum
FIRST = ("ratio", "to_best", "objective", FINE, "±")  # the columns that a narrow terminal has, in order of importance
THEN = ("jct_p95", "queue_mean", "jct_p50", "utilisation", "jct_p99", "preemptions", "fairness_mean", "makespan")


@dataclass(frozen=True)
class Standings:
    """A comparison as one table.

    Attributes
    ----------
    rows
        Policy and numbers of each row: the policies, then the best schedules found, then the bound.
    policies
        The number of policies among the rows.
    columns
        The columns by name, in the order of the table.
    order
        The names of the columns, from the most important.
    notes
        Sentences below the table.
    table
        Every run with its numbers.
    """

    rows: Sequence[Mapping[str, Any]]
    policies: int
    columns: Mapping[str, Column]
    order: Sequence[str]
    notes: Sequence[str]
    table: Frame = field(repr=False)

    @classmethod
    def of(cls, table: Frame, notes: Sequence[str] = ()) -> Standings:
        """Return the standings of one family in a table of `table.frame`."""
        family = table["family"].iloc[0]
        measure, own = registry.family(family).own.measure, comparison(family).measures
        along = [*swept(table), *(n for n in RUN[2:] if n in table and table[n].nunique(dropna=False) > 1)]
        runs = table[table["policy"].notna()] if "policy" in table else table[:0]
        means = summary(runs, ["policy", "options", *along]) if len(runs) else runs
        rows = [{"family": family, **row, LABEL: _label(row, along)} for row in _records(means)]
        finals = [*(_best(runs, along) if "to_best" in runs else ()), *_bounds(table, along)]
        count = int(means["cells"].max()) if rows else 1
        total = Column(measure.total, f"{measure.total}{measure.unit and ', in '}{measure.unit}")
        named = {name: Column(name.replace("_", " "), name.replace("_", " ")) for name in own}
        columns = {**COLUMNS, **{name: column for name, column in named.items() if name not in COLUMNS}}
        columns["objective"] = total._replace(meaning=total.meaning + f", mean of {count} instances" * (count > 1))
        if registry.family(family).load("instance").sense == "maximize":
            columns["to_best"] = columns["to_best"]._replace(meaning=TO_BEST_REWARD)
        columns = {name: column for name, column in columns.items() if _told(name, means)}
        order = [name for name in (*FIRST, *(n for n in named if n not in COLUMNS), *THEN, *columns) if name in columns]
        said = [
            *errors(table),
            *_on_bounds(table),
            *notes,
            *_equals(table),
            *forgone(table),
            *counts(table),
            *meanings_of_rules(table),
        ]
        said += ["`schedproof show NAME` explains a policy"] * bool(rows)
        finals = [{"family": family, **row} for row in finals]
        return cls([*rows, *finals], len(rows), columns, [*dict.fromkeys(order)], said, table)

    @classmethod
    def of_each(cls, table: Frame, notes: Sequence[str] = ()) -> list[Standings]:
        """Return the standings of each family in a table."""
        return [cls.of(part, notes) for _, part in table.groupby("family", sort=False)] if len(table) else []

    def to_json(self) -> dict[str, Any]:
        """Return all numbers; in a row, policy, options and settings are separate keys."""
        return {
            "rows": self.rows[: self.policies],
            "best_and_bound": self.rows[self.policies :],
            "columns": {name: column.meaning for name, column in self.columns.items()},
            "notes": self.notes,
            "cells": _records(self.table),
        }

    def printed(self, format: str, width: int, along: bool = False) -> Iterator[str]:
        """Yield the table in one of the `FORMATS`.

        As text, `along` selects `grid`.
        """
        texts = {"markdown": self.markdown, "csv": self.csv, "latex": self.latex}
        yield from [texts[format]()] if format in texts else self.grid(width) if along else self.lines(width)

    def grid(self, width: int) -> Iterator[str]:
        """Yield the certified intervals with a row for each swept setting, and the notes."""
        yield from curves.lines(self.table, width)
        yield from self.told(width)

    def lines(self, width: int) -> Iterator[str]:
        """Yield the columns that fit a width, their meanings, and the notes."""
        if not self.rows:
            yield from self.told(width)
            return
        label = min(LONGEST_LABEL, max(len(row[LABEL]) for row in self.rows))
        chosen: list[str] = []
        for name in self.order:
            if label + sum(2 + len(cells[0]) for cells in self._texts([*chosen, name])) <= width:
                chosen.append(name)
        names = [name for name in self.columns if name in chosen]
        texts = self._texts(names)
        for n, row in enumerate([{LABEL: HEAD}, *self.rows]):
            if n in (1, 1 + self.policies):
                yield "-" * (label + sum(2 + len(cells[0]) for cells in texts))
            head = row[LABEL]
            if len(head) > label:
                yield head
                head = ""
            yield "  ".join([f"{head:{label}}", *(cells[n] for cells in texts)]).rstrip()
        yield ""
        heads = max(len(self.columns[name].heading) for name in names)
        for name in names:
            words = f"{self.columns[name].heading:{heads}}  {self.columns[name].meaning}"
            yield from wrap(words, width, subsequent_indent=" " * (heads + 2))
        if self.notes:
            yield ""
        yield from self.told(width)

    def told(self, width: int) -> Iterator[str]:
        """Yield the notes in lines of a width."""
        for note in self.notes:
            yield from wrap(printable(note), width, subsequent_indent="  ", break_long_words=False)

    def _texts(self, names: Sequence[str]) -> list[list[str]]:
        result = []
        for name in names:
            cells = [self.columns[name].heading, *(self._text(name, row) for row in self.rows)]
            result.append([f"{cell:>{max(map(len, cells))}}" for cell in cells])
        return result

    def _text(self, name: str, row: Mapping[str, Any]) -> str:
        column, value = self.columns[name], row.get(name)
        if value is None or not isinstance(value, int | float):
            return "" if value is None else str(value)
        if not isfinite(value):
            return "inf"
        large = abs(value) >= UNIT_ROWS or float(value).is_integer()
        places = column.decimals if column.decimals is not None else 0 if large else 2
        rounding = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}.get(str(row.get("side")), column.rounding)
        return f"{Decimal(value).quantize(Decimal(1).scaleb(-places), rounding):f}"

    def as_frame(self) -> Frame:
        """Return all rows and columns as texts."""
        import pandas as pd

        rows = [{HEAD: row[LABEL], **{n: self._text(n, row) for n in self.columns}} for row in self.rows]
        return pd.DataFrame(rows)

    def markdown(self) -> str:
        return "\n\n".join([markdown(self.as_frame()), *map(in_markdown, self.notes)])

    def csv(self) -> str:
        """Return all rows with their full numbers."""
        import pandas as pd

        rows = [{HEAD: row[LABEL], **{n: row.get(n) for n in self.columns}} for row in self.rows]
        return str(pd.DataFrame(rows).map(as_text).to_csv(index=False)).rstrip("\n")

    def latex(self) -> str:
        """Return a table of the package booktabs."""
        frame = self.as_frame().drop(columns=[name for name in self.columns if name not in (*FIRST, *THEN[:4])])
        heads = [HEAD, *(self.columns[name].heading.replace("<=", "at most") for name in frame.columns[1:])]
        rows = [
            " & ".join(as_latex(str(cell)).replace("±", r"$\pm$") for cell in row) + r" \\"
            for row in (heads, *frame.values)
        ]
        body = [rows[0], r"\midrule", *rows[1 : 1 + self.policies], r"\midrule", *rows[1 + self.policies :]]
        kinds = "l" + "r" * (len(heads) - 1)
        return "\n".join([rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}"])


def merged(standings: Sequence[Standings]) -> dict[str, Any]:
    """Return all numbers of several families."""
    parts = [each.to_json() for each in standings]
    columns = {name: meaning for part in parts for name, meaning in part["columns"].items()}
    lists = ("rows", "best_and_bound", "notes", "cells")
    return {name: [row for part in parts for row in part[name]] for name in lists} | {"columns": columns}


def _records(table: Frame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.astype(object).to_dict("records")
    return [{name: value for name, value in row.items() if value is not None and value == value} for row in rows]


def _label(row: Mapping[str, Any], along: Sequence[str]) -> str:
    name = f"{row['policy']}:{row['options']}" if row.get("options") else str(row["policy"])
    return printable(", ".join([name, *(f"{key} {row.get(key)}" for key in along)]))


def _told(name: str, means: Frame) -> bool:
    """Return whether a column has numbers and, for optional columns, differences."""
    differs = name in FIRST or len(means) < 2 or (name in means and means[name].nunique() > 1)
    return name == "objective" or (differs and name in means and means[name].notna().any())


def _best(table: Frame, along: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield rows of the best schedules found, for each setting and reading."""
    family, readings = table["family"].iloc[0], [*table["rules"].unique()]
    found = table.assign(best=best_found(table))
    for keys, part in found.groupby([*along, "rules"], sort=False, dropna=False):
        settings, rules = dict(zip(along, keys[:-1], strict=True)), named_rules(family, keys[-1], readings)
        words = [f"{name} {value}" for name, value in settings.items()] + [rules] * bool(rules)
        known = part[part["best"].notna()]
        best = known.drop_duplicates([n for n in ("instance_sha256", "seed") if n in part])
        if len(best):
            row = {LABEL: ", ".join(["best schedule", *words]), **settings, **({"rules": rules} if rules else {})}
            yield row | {"objective": float(best["best"].mean()), "to_best": 1.0} | _ratio_of_best(known)


def _ratio_of_best(rows: Frame) -> dict[str, float]:
    """Return the mean certified ratio of the best schedules, rounded up."""
    runs = rows[rows["feasible"].eq(True)]
    if runs.empty or runs["ratio"].isna().any():
        return {}
    least = runs["ratio"].where(runs["to_best"] <= 1, runs["ratio"] / runs["to_best"] * (1 + 2.0**-50))
    of_each = least.groupby([runs[n] for n in ("instance_sha256", "seed") if n in runs]).min()
    return {"ratio": mean_above(of_each)}


def _bounds(table: Frame, along: Sequence[str]) -> Iterator[dict[str, Any]]:
    if "bound" not in table or table["bound"].isna().all():
        return
    lower = registry.family(table["family"].iloc[0]).load("instance").sense == "minimize"
    names = [*(name for name in along if name not in ("speed", "program")), "program"]
    for keys, part in table[table["bound"].notna()].groupby(names, sort=False, dropna=False):
        each = part.drop_duplicates([n for n in ("instance_sha256", "seed") if n in part])["bound"]
        named = dict(zip(names, keys, strict=True))
        words = [f"{name} {named[name]}" for name in names[:-1]]
        label = ", ".join([_named(named["program"]), *words])
        yield {LABEL: label, **named, "objective": float(each.mean()), "side": "lower" if lower else "upper"}


def _named(program: str) -> str:
    return f"bound {program if program.endswith(CERTIFICATES) else program.rpartition('.')[2]}"


def _on_bounds(table: Frame) -> list[str]:
    """Return the notes of the bounds in a table, each once."""
    if "bound_note" not in table:
        return []
    rows = table[table["bound_note"].notna()].drop_duplicates(["program", "bound_note"])
    return [f"{_named(row['program'])}: {row['bound_note']}" for row in _records(rows)][:MOST_ERRORS]


def errors(table: Frame) -> list[str]:
    """Return the errors in a table, each once."""
    found: dict[str, None] = {}
    for row in _records(table):
        for who, name, column in ((_label(row, ()), "policy", "error"), (row.get("program"), "program", "bound_error")):
            if row.get(column):
                found[f"{who}: {row[column].removeprefix(f'{row[name]} ')}"] = None
    more = len(found) - MOST_ERRORS
    return [*islice(found, MOST_ERRORS), *([f"and {plural(more, 'other error')}"] if more > 0 else [])]


def _equals(table: Frame) -> list[str]:
    """Return groups of policies with equal numbers, and facts that explain them."""
    facts = comparison(table["family"].iloc[0]).facts
    same: dict[Any, dict[str, list[dict[str, Any]]]] = {}
    cells: dict[str, list[dict[str, Any]]] = {}
    for row in _records(table):
        if row.get("feasible"):
            cells.setdefault(_label(row, ("speed",) if "speed" in row and row["speed"] != 1 else ()), []).append(row)
    for label, rows in cells.items():
        key = tuple((row["instance_sha256"], row["objective"], *(row.get(n) for n in OVER_TIME)) for row in rows)
        same.setdefault(key, {})[label] = rows
    notes = []
    for alike in same.values():
        if len(alike) > 1:
            every = [row for rows in alike.values() for row in rows]
            why = [fact for fact, holds in facts.items() if all(holds(row) for row in every)]
            rules = " or ".join({row["rules"]: None for row in every if row.get("rules")})
            if rules and len({row["policy"] for row in every}) == 1:
                why.insert(0, f"{rules} has no shorter times")
            if len({tuple(row.get(FINE) for row in rows) for rows in alike.values()}) > 1:
                why = ["they differ only with finer slots"]
            reason = f"here {' and '.join(why)}" if why else "no general reason is known"
            notes.append(f"equal rows: {' = '.join(alike)}; {reason}")
    return notes
