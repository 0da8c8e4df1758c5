"""How a policy's regret grows with T on arrivals of several shapes: a run for each horizon, each regret certified.

``python -m schedproof.experiments arrival_trends`` does so for the step rules of OGASched.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.core import registry
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.options import pick, read, whole
from schedproof.core.pictures import COLOURS, axes
from schedproof.core.run import Policy, policy
from schedproof.core.store import Row, Store
from schedproof.core.streams import printing
from schedproof.experiments.arrival_patterns import PATTERNS
from schedproof.experiments.arrival_search import search
from schedproof.experiments.cells import CELLS, about, once, texts
from schedproof.experiments.table import markdown
from schedproof.experiments.worst_arrivals import Opponent
from schedproof.instances.multiserver import Instance, from_json
from schedproof.online.multiserver.slope import log_log_slope

ADVERSARIAL = "adversarial"
SHAPES = (*PATTERNS, ADVERSARIAL)
RULES = tuple(policy("oga_sched", step=step) for step in ("constant", "decayed", "printed53", "anytime"))
DUEL: dict[str, Any] = {  # two job types on one node, which has what one of them asks for
    "version": 1,
    "family": "multiserver",
    "resources": ["gpu"],
    "nodes": [{"name": "node", "capacity": {"gpu": 1}}],
    "ports": [{"name": name, "demand": {"gpu": 1}, "nodes": ["node"]} for name in ("one", "other")],
    "utilities": {"gpu": {"kind": "linear", "alpha": 1}},
    "overhead": {"gpu": 0},
    "arrivals": [[1, 1]],
}

COLUMNS = (
    *("policy", "options", "shape", "slots", "regret_lower", "regret_upper", "bound_printed", "bound_sharper"),
    *("tried", "exact", "seed", "instance_sha256", "software"),
)

Told = Callable[[int, int, Row], None]  # cells done, cells in all, the cell's row


def trends(
    cluster: Instance,
    choices: Sequence[Policy] = RULES,
    *,
    horizons: Sequence[int],
    shapes: Sequence[str] = SHAPES,
    trials: int = 500,
    seed: int = 0,
    results: str | Path | None = None,
    progress: Told = lambda done, total, row: None,
) -> Any:
    """The regret of each policy on each shape of arrivals at each horizon (pandas): one row each, in that order.

    Parameters
    ----------
    shapes
        Of `arrival_patterns`, and ``adversarial``: what `search` finds in so many trials.
    results
        A store of finished cells; what it holds is not run again.
    """
    import pandas as pd

    for shape in shapes:
        pick("shape", shape, dict.fromkeys(SHAPES))
    cells = list(_cells(cluster, choices, horizons, shapes, read("trials", whole(0), trials), seed))
    rows = []
    with Store(CELLS, results) as finished:
        for done, (known, work) in enumerate(cells, start=1):
            rows.append(once(finished, known, work))
            progress(done, len(cells), rows[-1])
    return pd.DataFrame([{name: (row | row["result"])[name] for name in COLUMNS} for row in rows])


def _cells(
    cluster: Instance, choices: Sequence[Policy], horizons: Sequence[int], shapes: Sequence[str], trials: int, seed: int
) -> Iterator[tuple[Row, Callable[[], Row]]]:
    """What each cell is, and how it comes to be."""
    for choice in choices:
        options = texts(choice.options)
        for shape in shapes:
            for slots in horizons:
                opponent = Opponent(cluster, choice, slots)
                key = {"kind": "regret", "policy": choice.name, "options": options, "seed": seed, "shape": shape}
                program = f"{shape}:{trials}" if shape == ADVERSARIAL else shape
                known = about(opponent.cluster) | key | {"program": program}
                yield known, partial(_cell, opponent, shape, trials, seed)


def _cell(opponent: Opponent, shape: str, trials: int, seed: int) -> Row:
    if shape == ADVERSARIAL:
        found = search(opponent.cluster, opponent.choice, opponent.slots, trials=trials, seed=seed)
    else:
        rng = np.random.default_rng(seed)
        found = opponent.certified(PATTERNS[shape](opponent.slots, opponent.ports, rng))
    return {"result": found.to_json()}


def slopes(table: Any) -> Any:
    """The log-log slope of regret in T for each policy and shape (pandas), and what there is at the last horizon.

    The slope is empty where regret is not positive at eight horizons.
    """
    import pandas as pd

    rows = []
    for names, group in table.groupby(["policy", "options", "shape"], sort=False):
        middle = (group["regret_lower"] + group["regret_upper"]) / 2
        row = dict(zip(("policy", "options", "shape"), names, strict=True))
        try:
            slope = log_log_slope(group["slots"].to_numpy(), middle.to_numpy())
            row |= {"slope": slope.value, "low": slope.low, "high": slope.high, "points": slope.points}
        except InputError:
            row |= {"slope": None, "low": None, "high": None, "points": int((middle > 0).sum())}
        row["regret"] = float(middle.iloc[-1])
        row |= {name: float(group[name].iloc[-1]) for name in ("bound_printed", "bound_sharper")}
        rows.append(row)
    return pd.DataFrame(rows)


def draw_trends(table: Any, ax: Any = None) -> Any:
    """Draw the regrets of one policy on one system against the horizon, a line for each shape, with its slope.

    Regrets that are not positive have no point. The dashed line is the theorem's promise, with the sharper constants.
    """
    ax = axes(ax, (6, 4.4))
    found = {row["shape"]: row for row in slopes(table).to_dict("records")}
    for (shape, rows), colour, marker in zip(table.groupby("shape", sort=False), COLOURS, "osD^v*", strict=False):
        shown, slope = rows[rows["regret_lower"] > 0], found[shape]
        words = f"negative at {len(rows) - len(shown)} of {len(rows)} horizons"
        if slope["slope"] == slope["slope"] and slope["slope"] is not None and len(shown) == len(rows):
            words = f"slope {slope['slope']:.2f} [{slope['low']:.2f}, {slope['high']:.2f}]"
        style = {"color": colour, "markersize": 4, "linewidth": 1}
        ax.plot(shown["slots"], shown["regret_lower"], marker + "-", label=f"{shape} arrivals: {words}", **style)
    promised = table.drop_duplicates("slots").sort_values("slots")
    ax.plot(
        promised["slots"], promised["bound_sharper"], "--", color="black", linewidth=1, label=r"$DG\sqrt{T}$, sharper"
    )
    ax.set(xscale="log", yscale="log", xlabel="horizon T, slots", ylabel="regret after T slots")
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.17))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def main(arguments: Sequence[str] = ()) -> int:
    """Regret against T for the step rules of OGASched; prints the slopes, and the regrets at the last horizon."""
    parser = argparse.ArgumentParser(prog="python -m schedproof.experiments arrival_trends", description=main.__doc__)
    parser.add_argument("--preset", help="of the multiserver generator; two ports on one node if none is named")
    parser.add_argument(
        "--longest", default="4096", help="the last of twelve horizons, spaced evenly in ln T from 32 on"
    )
    parser.add_argument("--trials", default="500", help="changes that the adversarial search tries")
    parser.add_argument(
        "--step", action="append", choices=[c.options["step"] for c in RULES], help="all if none is named"
    )
    parser.add_argument("--shape", action="append", choices=SHAPES, help="all if none is named")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--results", help="a file of finished cells; what it holds is not run again")
    given = parser.parse_args(arguments)
    try:
        with printing():
            _tell(given)
    except SchedproofError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _tell(given: argparse.Namespace) -> None:
    seed, longest = read("seed", whole(0), given.seed), read("longest", whole(64), given.longest)
    cluster = from_json(DUEL)
    if given.preset:
        cluster = from_json(registry.generate("multiserver", given.preset, seed, {"horizon": "1"}))
    table = trends(
        cluster,
        [choice for choice in RULES if not given.step or choice.options["step"] in given.step],
        shapes=given.shape or SHAPES,
        horizons=np.unique(np.geomspace(32, longest, 12).round().astype(int)).tolist(),
        trials=read("trials", whole(0), given.trials),
        seed=seed,
        results=given.results,
        progress=lambda done, total, row: print(f"{done} of {total} cells", file=sys.stderr),
    )
    print(markdown(slopes(table)))
