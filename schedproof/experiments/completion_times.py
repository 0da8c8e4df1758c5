"""Figures 4 to 8 of Li et al. 2023: completion times, task accumulation, scale and GPU usage, beside a certified bound.

``python -m schedproof.experiments completion_times --results cells.jsonl --plot figures.png`` runs the policies of the
placement family on the paper's workloads, prints for each the mean completion time with its 95 % interval over the
draws, beside the mean of the authors' result files, and draws the panels. A finished run or bound is a line of the
results file; an interrupted sweep goes on from there. TapFinger plays with the weights of the package, or with
those that ``--network weights=FILE`` names, wherever they know the tasks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.errors import SchedproofError
from schedproof.core.files import sha256, writable
from schedproof.core.numbers import from_text
from schedproof.core.options import read, whole
from schedproof.core.pictures import save
from schedproof.core.run import Policy, Run, policy
from schedproof.core.store import Row, Store
from schedproof.core.streams import printing
from schedproof.experiments.cells import CELLS, about, bound_of, finish, once, texts
from schedproof.experiments.compare import Progress, draws, named
from schedproof.experiments.completion_pictures import BOUND, draw, half_interval, median
from schedproof.experiments.table import markdown
from schedproof.online.placement.tapfinger import weights
from schedproof.proofs_checks.placement.shared import figures
from schedproof.workloads.placement import PRESETS
from schedproof.workloads.placement.draws import kinds
from schedproof.workloads.placement.settings import configure

SYNTHETIC = "sensitive:2,7;insensitive:2,1"
TESTBED = "speech_recognition:2,1;image_classification:2,8;language_modeling:2,8"


class Workload(NamedTuple):
    """A workload of section V.

    Attributes
    ----------
    figure
        Of the paper.
    preset, settings
        Of the generator.
    table
        The allocations of the policy `table` there.
    long
        Whether it is there for Fig. 8a alone: with its policies and the table, without a bound.
    times
        Draws for each seed.
    """

    figure: str
    preset: str
    settings: Mapping[str, str]
    table: str
    long: bool = False
    times: int = 1

    @property
    def kinds(self) -> set[str]:
        """The names of its kinds of tasks."""
        return {kind.name for kind in kinds(configure(PRESETS[self.preset], self.settings))}

    def policies(self, networks: Iterable[Policy]) -> list[Policy]:
        """Those that are run."""
        learned = [network for network in networks if self.kinds <= _known(network)]
        both = [policy(name, preemption="allowed") for name in ("optimus", "tiresias")]
        in_order = policy("table", table=self.table, turns="in_order")
        others = ["random", "minimum", "optimus", "tiresias"] * (not self.long)
        alike = [policy("table", table=self.table)] * (not self.long)
        return [*learned, *both, in_order, *map(policy, others), *alike]


DOWNSIZED = {"downsizing": "4"}  # Minimum then takes the 5 slots that the paper's does
WORKLOADS = {
    "synthetic3": Workload("Figs. 4a, 4b", "synthetic3", {}, SYNTHETIC),
    "synthetic6": Workload("Figs. 4c, 4d", "synthetic6", {}, SYNTHETIC),
    "testbed3": Workload("Figs. 4e, 4f", "testbed3", DOWNSIZED, TESTBED),
    "testbed6": Workload("Figs. 4g, 4h", "testbed6", DOWNSIZED, TESTBED),
    "testbed3-raw": Workload("-", "testbed3", {}, TESTBED.replace("modeling:2,8", "modeling:2,4")),
    "synthetic6-2": Workload("Fig. 5", "synthetic6", {"rate": "2"}, SYNTHETIC),
    "tiny": Workload("Fig. 7", "tiny", {}, "sensitive:2,3;insensitive:2,1", times=20),
    "testbed6-4000": Workload("Fig. 8a", "testbed6", DOWNSIZED | {"tasks": "4000"}, TESTBED, long=True),
    "testbed6-8000": Workload("Fig. 8a", "testbed6", DOWNSIZED | {"tasks": "8000"}, TESTBED, long=True),
}
PAPER = {name.lower(): name for name in figures.POLICIES}


def packaged() -> list[Policy]:
    """TapFinger with each of the weights that the package has."""
    return [policy("tapfinger", weights=name) for name in weights.PACKAGED]


def _known(network: Policy) -> set[str]:
    return set(weights.read(network.options.get("weights", "tiny"))[0].kinds)


def who(choice: Policy) -> str:
    """A policy's name in a table: with the name of its weights, without the allocations of `table`."""
    options = {name: text for name, text in texts(choice.options).items() if name not in ("table", "weights")}
    network = f" {Path(choice.options['weights']).stem}" if "weights" in choice.options else ""
    return choice.name + network + "".join(f" {name}={text}" for name, text in options.items())


def sweep(
    workloads: Iterable[str] = tuple(WORKLOADS),
    *,
    seeds: int = 5,
    networks: Sequence[Policy] | None = None,
    results: str | Path | None = None,
    progress: Progress = lambda done, total, row: None,
    **settings: Any,
) -> Any:
    """Every policy on every draw of some workloads, as a frame with a row for each and for each bound.

    Parameters
    ----------
    networks
        TapFinger, with options; the `packaged` ones if not given. One that does not know the tasks is left out.
    settings
        Of the generator, for all draws, over those of the workload.

    Returns
    -------
    pandas.DataFrame
        Columns ``workload``, ``draw``, ``tasks``, ``who`` (see `who`), and what `played` says; of `BOUND` only
        ``mean``, below which there is no schedule without preemption.
    """
    import pandas as pd

    rows: list[Row] = []
    cases = [
        (name, case)
        for name in workloads
        for case in draws(
            WORKLOADS[name].preset,
            family="placement",
            seeds=seeds * WORKLOADS[name].times,
            **{**WORKLOADS[name].settings, **settings},
        )
    ]
    choices = {name: WORKLOADS[name].policies(packaged() if networks is None else networks) for name, _ in cases}
    total = sum(len(choices[name]) + (not WORKLOADS[name].long) for name, _ in cases)
    with Store(CELLS, results) as finished:
        for name, case in cases:
            instance = case.instance()
            known = {"workload": name, "draw": case.seed, "seed": case.seed, "tasks": len(instance.tasks)}
            known |= about(instance)
            if not WORKLOADS[name].long:
                row = finish(finished, bound_of("placement.lp", {}, case, known), instance)
                value = float(from_text(row["value"])) / len(instance.tasks) if row["verified"] else None
                rows.append(known | {"who": BOUND, "mean": value})
                progress(len(rows), total, row)
            for choice in choices[name]:
                cell = {"kind": "profile", "policy": choice.name, "options": texts(choice.options) | _weights(choice)}
                row = once(finished, known | cell, partial(played, choice, instance, case.seed))
                rows.append(row | known | {"who": who(choice)})
                progress(len(rows), total, row)
    columns = ["workload", "draw", "tasks", "who", "mean", "feasible", "slots", "in_system", "gpus", "milliseconds"]
    return pd.DataFrame(rows, columns=columns)


def _weights(choice: Policy) -> Row:
    """What tells weights of the same name apart."""
    if choice.name != "tapfinger":
        return {}
    _, arrays = weights.read(choice.options.get("weights", "tiny"))
    return {"sha256": sha256(b"".join(arrays[name].tobytes() for name in sorted(arrays)))}


def played(choice: Policy, instance: Any, seed: int) -> Row:
    """A policy's run as the figures show it.

    Returns
    -------
    dict
        ``mean``, the completion time in slots; ``feasible``; ``slots``, how many tasks took so many from arrival to
        completion; ``in_system``, how many tasks there are in slot 0, 1, ...; ``gpus``, the part of the last resource
        in use in these slots; ``milliseconds`` of processor time from one decision to the next, the median.
    """
    moments = [process_time()]
    run = choice.run(instance, seed, progress=lambda message, done=None: moments.append(process_time()))
    return {
        "mean": float(run.objective) / max(1, len(instance.tasks)),
        "feasible": run.feasible,
        "slots": sorted(Counter(_taken(run)).items()),
        "in_system": _in_system(run),
        "gpus": _gpus(run),
        "milliseconds": 1000 * float(np.median(np.diff(moments))) if len(moments) > 1 else None,
    }


def _taken(run: Run) -> list[int]:
    """The slots of each completed task, from arrival on."""
    return [end - run.instance.tasks[j].arrival for j, end in run.schedule.completions(run.instance).items()]


def _in_system(run: Run) -> list[int]:
    ends = run.schedule.completions(run.instance)
    return _added_up([(run.instance.tasks[j].arrival, end, 1) for j, end in ends.items()])


def _gpus(run: Run) -> list[float]:
    instance, ends = run.instance, run.schedule.completions(run.instance)
    spans = [
        (row.slot, ends.get(row.task, instance.horizon) if row.until is None else row.until, row.allocation[-1])
        for row in run.schedule.starts
    ]
    total = sum(cluster.amounts[-1] for cluster in instance.clusters)
    return [round(used / total, 4) for used in _added_up(spans)]


def _added_up(spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """The sum of the amounts over each slot, of spans (first slot, first slot after, amount)."""
    changes = np.zeros(1 + max((end for _, end, _ in spans), default=0), dtype=np.int64)
    for first, end, amount in spans:
        changes[first] += amount
        changes[end] -= amount
    return np.cumsum(changes)[:-1].tolist()


# --- what is told ----------------------------------------------------------------------------------------------------


def summary(table: Any) -> Any:
    """A row for each workload and policy.

    Returns
    -------
    pandas.DataFrame
        Columns ``workload``, ``who``, ``mean`` over the draws and ``interval``, half of its 95 % interval (Student's t
        over draws); ``median`` of all tasks; ``over_bound``, the mean excess over the certified bound in percent, not
        of policies that may stop tasks; ``gpus``, the part in use to the last completion, in percent; ``milliseconds``;
        and ``paper``, the mean of the authors' files.
    """
    import pandas as pd

    bounds = table[table["who"] == BOUND].set_index(["workload", "draw"])["mean"]
    rows = []
    for (workload, name), group in table.groupby(["workload", "who"], sort=False):
        means, least = group["mean"], bounds.reindex(zip(group["workload"], group["draw"], strict=True)).to_numpy()
        row: Row = {"workload": workload, "who": name, "mean": means.mean(), "interval": half_interval(means)}
        if name != BOUND:
            row["median"] = median(group["slots"])
            row["over_bound"] = None if "preemption" in name else 100 * float(np.mean(means / least - 1))
            row["gpus"] = 100 * float(np.mean(np.concatenate(group["gpus"].to_list())))
            row["milliseconds"] = group["milliseconds"].mean()
        row["paper"] = printed(workload, name.split()[0])
        rows.append(row)
    return pd.DataFrame(rows)


def printed(workload: str, name: str) -> float | None:
    """The mean of the authors' files for a policy, if there is one."""
    figure = WORKLOADS[workload].figure
    return float(figures.mean(figure, PAPER[name])) if figure in figures.MEANS and name in PAPER else None


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> int:
    """Figures 4 to 8 of Li et al. 2023; prints a table for each workload, and writes the picture."""
    parser = argparse.ArgumentParser(prog="python -m schedproof.experiments completion_times", description=main.__doc__)
    parser.add_argument("--workload", action="append", choices=list(WORKLOADS), help="all if none is named")
    parser.add_argument("--seeds", default="5", help="how many draws, from seed 0 on")
    parser.add_argument(
        "--network",
        action="append",
        metavar="KEY=VALUE,...",
        help="options of tapfinger; the package's weights if none",
    )
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
    table = sweep(
        given.workload or tuple(WORKLOADS),
        seeds=read("seeds", whole(), given.seeds),
        networks=[named(f"tapfinger:{text}") for text in given.network] if given.network else None,
        results=given.results,
        progress=_say if sys.stderr.isatty() else lambda done, total, row: None,
    )
    for workload, rows in summary(table).groupby("workload", sort=False):
        print(f"\n{workload} ({WORKLOADS[workload].figure})\n\n{markdown(rows.drop(columns='workload'), digits=2)}")
    if given.plot:
        save(draw(table), given.plot, dpi=110)


def _say(done: int, total: int, row: Row) -> None:
    print(f"\r{done} of {total} cells", end="\n" if done == total else "", file=sys.stderr, flush=True)
