"""Make figures: run what is not finished, write the picture and its CSV, and tell how it compares with the paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schedproof.core.runtime.context import Progress, silent
from schedproof.core.runtime.files import write_bytes
from schedproof.core.simulation.pictures import save
from schedproof.experiments.cells import open_store
from schedproof.experiments.figures import printed
from schedproof.experiments.figures.picture import draw
from schedproof.experiments.figures.plan import Figure, check
from schedproof.experiments.figures.printed import OF_FIGURE, Judgement
from schedproof.experiments.figures.rows import Cells, means, rows


@dataclass(frozen=True)
class Made:
    """A figure that was made.

    Attributes
    ----------
    picture, table
        The SVG and the CSV that it was drawn from.
    judgements
        How it compares with what the paper prints.
    """

    figure: Figure
    picture: Path
    table: Path
    judgements: tuple[Judgement, ...]

    def to_json(self) -> dict[str, Any]:
        """The result object of ``figure --json``."""
        facts = [
            {"printed": j.fact.says, "place": j.fact.place, "here": j.ours, "verdict": j.verdict}
            for j in self.judgements
        ]
        files = {"picture": str(self.picture), "table": str(self.table)}
        return {"figure": self.figure.id, **files, "differs": self.figure.differs, "facts": facts}

    def lines(self) -> list[str]:
        """The picture, what differs, and a line for each fact."""
        facts = [f"  {j.verdict}: {j.fact.says}; here {j.ours or 'nothing'} ({j.fact.place})" for j in self.judgements]
        return [str(self.picture), self.figure.differs, *facts]


def make(
    figure: Figure,
    out: Path,
    *,
    store: str | Path | None = None,
    traces: str | Path = ".",
    seeds: int | None = None,
    jobs: int | None = 1,
    progress: Progress = silent,
) -> Made:
    """Make a figure.

    Parameters
    ----------
    out
        The folder; the picture goes to ``out/family/name.svg``, and its numbers beside it.
    store
        The store of finished cells (an SQLite file); what it holds is not run again.
    traces
        The folder with the files of real traces.
    seeds
        In place of the figure's number of draws.
    jobs
        How many cells at once; one for each processor if not given.

    Raises
    ------
    SchedproofError
        For a figure that asks for what there is not.
    """
    check(figure)
    with open_store(store) as finished:
        result = means(figure, rows(figure, Cells(finished, Path(traces), jobs), seeds, progress))
    table = out / figure.family / f"{figure.name}.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(table, result.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode())
    return Made(figure, redraw(figure, table), table, tuple(compare_with_paper(figure, table)))


def redraw(figure: Figure, table: Path) -> Path:
    """Draw a figure from its CSV, beside it; words stay words, which can be found and are half as long as outlines."""
    from matplotlib import rc_context

    picture = table.with_suffix(".svg")
    with rc_context({"svg.fonttype": "none"}):
        save(draw(figure, read(table), list(printed.points(figure))), picture)
    return picture


def compare_with_paper(figure: Figure, table: Path) -> Iterable[Judgement]:
    """What a figure's CSV says of everything that the paper prints about it, those of other figures beside it."""
    import pandas as pd

    facts = printed.of_figure(figure)
    result = [read(table)]
    for name in sorted({fact.of.partition(OF_FIGURE)[0] for fact in facts if OF_FIGURE in fact.of}):
        if (other := table.with_stem(name)).exists():
            more = read(other)
            result.append(more.assign(curve=name + OF_FIGURE + more["curve"]))
    means = pd.concat(result)
    return [printed.judge(fact, figure, means) for fact in facts]


def read(table: Path) -> Any:
    """A figure's CSV, as `rows.means` made it."""
    import pandas as pd

    return pd.read_csv(table)
