"""Draw files: an instance, its schedules, their ratios to a bound, or a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schedproof.core.base.untyped import Axes
from schedproof.core.certificates.bound import UNPROVEN
from schedproof.core.certificates.bounds import read_bound
from schedproof.core.data import parquet
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import UNREADABLE, InputError, SchedproofError, short
from schedproof.core.results.run import Run
from schedproof.core.runtime.files import regular
from schedproof.core.simulation.pictures import caption, title
from schedproof.core.simulation.schedule_pictures import draw_above_gap, draw_beside
from schedproof.experiments.compare import load
from schedproof.experiments.curves import picture
from schedproof.instances import read, read_schedule

TABLES = (".csv", ".parquet", ".sqlite")


def picture_of(files: Sequence[Path]) -> Axes:
    """Draw files.

    Parameters
    ----------
    files
        The files determine the picture. A table of `sweep` or a store of `compare`: the ratios. An instance: its
        graph. An instance and a schedule: the family's picture. An instance and several schedules: their pictures one
        above the other, and each job's delay from the first to the last. With a bound's certificate: the gap of one
        schedule, or the ratios of several schedules.

    Raises
    ------
    InputError
        For any other files.
    """
    first, *others = files
    if first.suffix in TABLES:
        if others:
            raise InputError("a table cannot be drawn together with other files: plot each separately", file=str(first))
        try:
            return picture(_table(first))
        except SchedproofError:
            raise
        except UNREADABLE as error:
            raise InputError(f"cannot be read as a table of sweep: {short(str(error))}", file=str(first)) from None
    instance = read(first)
    if not others:
        return instance.plot()
    schedules: list[Path] = []
    bounds: list[Path] = []
    for file in others:
        value = parse(read_text(file))
        is_bound = isinstance(value, dict) and "multipliers" in value
        (bounds if is_bound else schedules).append(file)
    if not schedules or len(bounds) > 1:
        raise InputError("expected an instance, schedules of this instance, and at most one bound", file=str(first))
    plans = [read_schedule(file, instance) for file in schedules]
    runs = [Run.of(plan.policy, dict(plan.options), instance, plan, UNPROVEN, 0.0) for plan in plans]
    if bounds:
        bound = read_bound(bounds[0], instance)
        ratio, *more = (run.ratio(bound) for run in runs)
        return ratio.plot(known=plans, beside=more) if more else draw_above_gap(ratio.run, ratio.gap)
    names = [title(plan.policy, plan.options) for plan in plans]
    titles = [
        f"{name} ({caption(file.name)})" if names.count(name) > 1 else name
        for name, file in zip(names, schedules, strict=True)
    ]
    return draw_beside(instance, dict(zip(titles, plans, strict=True))) if len(runs) > 1 else runs[0].plot()


def _table(file: Path) -> Any:
    import pandas as pd

    if file.suffix == ".sqlite":
        return load(file)
    try:
        table = (
            _parquet(str(file))
            if file.suffix == ".parquet"
            else pd.read_csv(regular(file), keep_default_na=False, na_values=[""])
        )
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(file)) from None
    except ValueError as error:
        raise InputError(f"cannot be read as a table: {str(error).splitlines()[0]}", file=str(file)) from None
    if missing := [name for name in ("family", "policy", "ratio", "feasible") if name not in table]:
        raise InputError(f"expected a table of compare or sweep, but column {missing[0]} is missing", file=str(file))
    return table.assign(
        **{name: table[name].astype(object).fillna("") for name in ("options", "rules") if name in table}
    )


def _parquet(file: str) -> Any:
    import pandas as pd

    names = parquet.names(file)
    cells: dict[str, list[object]] = {name: [] for name in names}
    for batch in parquet.batches(file):
        for place, column in batch.items():
            cells[names[place]] += column.to_pylist()
    return pd.DataFrame(cells)
