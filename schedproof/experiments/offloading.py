"""Figures 4 to 9 of Wang et al. 2019: throughput and storage use against load, beside LP_I and a certified optimum.

``python -m schedproof.experiments offloading --results cells.jsonl --plot figures.png`` runs the policies of the jrp
family on the paper's three distributions, prints what each accepts and how far it is ahead of greedy and random, and
draws the six panels. A finished run or bound is a line of the results file; an interrupted one goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from math import floor
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.files import writable
from schedproof.core.options import read, whole
from schedproof.core.pictures import COLOURS, save
from schedproof.core.store import Row, Store
from schedproof.core.streams import printing
from schedproof.experiments.cells import CELLS, Draw, about, once
from schedproof.experiments.compare import Progress, compare, draws
from schedproof.experiments.table import markdown
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.matrix import linear_program

PRESETS = {"figure4": "uniform", "figure5": "normal", "figure6": "Pareto"}
JOBS = tuple(range(10, 101, 10))
BOUND, PAPER = "certified bound", "LP_I"
LINES = {  # policy and options, or one of the two above -> name, colour, style
    BOUND: ("nobody accepts more (certified)", "black", "-"),
    PAPER: ("LP_I, the paper's optimum", "black", ":"),
    "jrp_rounding": ("Algorithm 1, repaired", COLOURS[0], "o-"),
    "jrp_rounding variant=printed": ("Algorithm 1, as printed", COLOURS[4], "s--"),
    "greedy resources=cone": ("greedy, deadlines by (10)", COLOURS[2], "v-"),
    "greedy": ("greedy", COLOURS[1], "^-"),
    "random": ("random", COLOURS[3], "D-"),
}


def sweep(
    presets: Iterable[str] = tuple(PRESETS),
    *,
    jobs: Sequence[int] = JOBS,
    seeds: int = 5,
    results: str | Path | None = None,
    progress: Progress = lambda done, total, row: None,
    **settings: Any,
) -> Any:
    """Every policy on every draw, as a frame with one row for each, and two more rows for each draw.

    Parameters
    ----------
    settings
        Of the generator, the same for all draws.

    Returns
    -------
    pandas.DataFrame
        Columns ``preset``, ``jobs``, ``seed``, ``who`` (a key of `LINES`), ``accepted``, ``utilisation`` (section V-A)
        and ``feasible``. Of `BOUND`, ``accepted`` is the certified bound of the conic relaxation, rounded down, and
        there is no utilisation; of `PAPER`, both are those of the vertex of LP_I at which the solver ends.
    """
    import pandas as pd

    loads = {"jobs": sorted(jobs)}
    cases = [case for p in presets for case in draws(p, family="jrp", seeds=seeds, vary=loads, **settings)]
    table = compare(cases, results=results, progress=progress)
    who = [f"{name} {options}".strip() for name, options in zip(table["policy"], table["options"], strict=True)]
    columns = ["preset", "jobs", "seed", "who", "accepted", "utilisation", "feasible"]
    runs = table.assign(who=who, accepted=table["objective"])[columns]
    ceilings = table.groupby(["preset", "jobs", "seed"], sort=False)["bound"].first().map(floor)
    bounds = ceilings.rename("accepted").reset_index().assign(who=BOUND, utilisation=None, feasible=None)
    with Store(CELLS, results) as finished:
        paper = pd.DataFrame([_fractional(case, finished) for case in cases]).assign(who=PAPER, feasible=None)
    return pd.concat(
        [part[columns].astype(object) for part in (runs, bounds, paper)], ignore_index=True
    ).infer_objects()


def _fractional(case: Draw, finished: Store) -> Row:
    """The row of LP_I on a draw."""
    instance = case.instance()
    known = about(instance) | {"kind": "fractional", "program": "jrp.lp_i"}
    row = once(finished, known, partial(lp_i, instance))
    return {"preset": case.preset, "jobs": len(instance.jobs), "seed": case.seed} | row


def lp_i(instance: Instance) -> Row:
    """What LP_I accepts and stores: ``accepted`` and ``utilisation``, in floating point.

    Raises
    ------
    ProgramError
        When the solver fails.
    """
    edges, share = instance.edges, float(instance.communication_share)
    program = linear_program(instance, (1 - share) * edges.compute, share * edges.bandwidth)
    outcome = program.solve()
    if outcome.objective is None:
        raise ProgramError(f"LP_I: the solver ended with {outcome.status} {outcome.message}".rstrip())
    data = edges.size[edges.node] * program.point[: len(edges.node)]
    stored = np.bincount(edges.server, data, len(edges.storage))
    used = np.divide(stored, edges.storage, out=np.zeros_like(stored), where=edges.storage > 0)
    return {"accepted": -outcome.objective, "utilisation": float(used.mean())}


def means(table: Any, column: str) -> Any:
    """Means over draws of a column of `sweep`, a row for each preset and load, a column for each of `LINES`."""
    values = table.assign(value=table[column].astype(float))
    return values.pivot_table(index=["preset", "jobs"], columns="who", values="value", sort=False)


def advantage(table: Any) -> Any:
    """By how much Algorithm 1 (repaired) is ahead, in percent of means, for each preset: what section V-C speaks of.

    Returns
    -------
    pandas.DataFrame
        ``what`` (throughput or utilisation), ``over_greedy`` and ``over_random`` at the largest load, and the least
        over all loads of the share that it has ``of_lp_i``, and of the certified bound (``of_bound``).
    """
    import pandas as pd

    rows = []
    for what, column in (("throughput", "accepted"), ("utilisation", "utilisation")):
        for preset, all_loads in means(table, column).groupby(level="preset", sort=False):
            ours, last = all_loads["jrp_rounding"], all_loads.iloc[-1]
            row = {"figure": preset, "what": what}
            row |= {f"over_{o}": 100 * (last["jrp_rounding"] / last[o] - 1) for o in ("greedy", "random")}
            row["of_lp_i"] = 100 * (ours / all_loads[PAPER]).min()
            row["of_bound"] = 100 * (ours / all_loads[BOUND]).min() if BOUND in all_loads else None
            rows.append(row)
    return pd.DataFrame(rows)


def draw(table: Any) -> Any:
    """Throughput above, utilisation below, a column for each distribution; returns the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    presets = list(dict.fromkeys(table["preset"]))
    figure = Figure(figsize=(3.6 * len(presets) + 1.5, 6.4), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, len(presets), sharex=True, sharey="row", squeeze=False)
    for row, column, label in zip(
        panels, ("accepted", "utilisation"), ("accepted jobs", "storage in use"), strict=True
    ):
        averages = means(table, column)
        row[0].set_ylabel(label)
        for ax, preset in zip(row, presets, strict=True):
            for who, (name, colour, style) in LINES.items():
                if who in averages:
                    line = averages.loc[preset, who]
                    ax.plot(line.index, line, style, color=colour, label=name, markersize=4, linewidth=1.3)
            ax.spines[["top", "right"]].set_visible(False)
        row[0].set_ylim(bottom=0)
    for ax, preset in zip(panels[0], presets, strict=True):
        ax.set_title(PRESETS.get(preset, preset), fontsize=10)
    for ax in panels[1]:
        ax.set_xlabel("jobs")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


def main(arguments: Sequence[str] = ()) -> int:
    """Figures 4 to 9 of Wang et al. 2019; prints means over draws, and writes the picture."""
    parser = argparse.ArgumentParser(prog="python -m schedproof.experiments offloading", description=main.__doc__)
    parser.add_argument("--preset", action="append", choices=list(PRESETS), help="all three if none is named")
    parser.add_argument("--jobs", default=",".join(map(str, JOBS)), help="the loads, with commas between them")
    parser.add_argument("--seeds", default="5", help="how many draws, from seed 0 on")
    parser.add_argument("--epochs", help="of every job, in place of the generator's")
    parser.add_argument("--results", help="a file of finished cells; what it holds is not run again")
    parser.add_argument("--plot", type=Path, help="the picture to write")
    given = parser.parse_args(arguments)
    try:
        with printing():
            _tell(given)
    except SchedproofError as error:
        print(f"schedproof: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("\nstopped" + (f"; the finished cells are in {given.results}" if given.results else ""), file=sys.stderr)
        return 130
    return 0


def _tell(given: argparse.Namespace) -> None:
    if given.plot:
        writable(given.plot)
    epochs = {f"epochs_{end}": given.epochs for end in ("low", "high") if given.epochs}
    table = sweep(
        given.preset or tuple(PRESETS),
        jobs=[read("jobs", whole(), text) for text in given.jobs.split(",")],
        seeds=read("seeds", whole(), given.seeds),
        results=given.results,
        progress=_say if sys.stderr.isatty() else lambda done, total, row: None,
        **epochs,
    )
    for column in ("accepted", "utilisation", "feasible"):
        print(f"\n{column}\n\n{markdown(means(table, column).reset_index(), digits=2)}")
    print(f"\nahead, percent\n\n{markdown(advantage(table), digits=1)}")
    if given.plot:
        save(draw(table), given.plot, dpi=120)


def _say(done: int, total: int, row: Row) -> None:
    print(f"\r{done} of {total} cells", end="\n" if done == total else "", file=sys.stderr, flush=True)
