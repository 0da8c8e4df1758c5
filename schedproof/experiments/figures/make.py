"""Make figures: compute missing cells, write files, compare with the paper."""

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
    """A reproduced figure.

    Attributes
    ----------
    picture, table
        The SVG file and the CSV file with its numbers.
    judgements
        The comparison with the paper's printed numbers.
    """

    figure: Figure
    picture: Path
    table: Path
    judgements: tuple[Judgement, ...]

    def to_json(self) -> dict[str, Any]:
        facts = [
            {"printed": j.fact.says, "place": j.fact.place, "here": j.ours, "verdict": j.verdict}
            for j in self.judgements
        ]
        files = {"picture": str(self.picture), "table": str(self.table)}
        return {"figure": self.figure.id, **files, "differs": self.figure.differs, "facts": facts}

    def lines(self) -> list[str]:
        facts = [f"  {j.verdict}: {j.fact.says}; here {j.ours or '-'} ({j.fact.place})" for j in self.judgements]
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
        The folder; the picture is written to ``out/family/name.svg``, with its numbers next to it.
    store
        The store of finished cells, an SQLite file. These cells are not computed again.
    traces
        The folder with the files of real traces.
    seeds
        Number of draws, in place of the figure's number.
    jobs
        Number of parallel cells; by default, as many as processors.

    Raises
    ------
    SchedproofError
        For an unknown name in the figure.
    """
    check(figure)
    with open_store(store) as finished:
        result = means(figure, rows(figure, Cells(finished, Path(traces), jobs), seeds, progress))
    table = out / figure.family / f"{figure.name}.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(table, result.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode())
    return Made(figure, redraw(figure, table), table, tuple(compare_with_paper(figure, table)))


def redraw(figure: Figure, table: Path) -> Path:
    """Draw a figure next to its CSV; the SVG keeps text as text."""
    from matplotlib import rc_context

    picture = table.with_suffix(".svg")
    with rc_context({"svg.fonttype": "none"}):
        save(draw(figure, read(table), list(printed.points(figure))), picture)
    return picture


def compare_with_paper(figure: Figure, table: Path) -> Iterable[Judgement]:
    """Compare a figure's CSV with each fact that the paper prints about the figure.

    A fact that refers to another figure uses the CSV of that figure.
    """
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
    import pandas as pd

    return pd.read_csv(table)
