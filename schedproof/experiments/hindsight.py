"""What dmlrs policies earn beside the best that is found with foresight, in units of the certified bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from schedproof.core.pictures import COLOURS, RED, axes
from schedproof.core.registry import program
from schedproof.core.run import Policy, Run
from schedproof.experiments.cells import Draw
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.bounds import certify
from schedproof.relaxations.dmlrs.column_generation import column_generation

FORESIGHT = "best found with foresight"
GAP = 1e-3  # of the LP
NOTHING = 1e-9  # stands for a policy that earns nothing, whose ratio has no bound


def plans(run: Run) -> list[Plan]:
    """The schedules of the jobs that a run completes."""
    done, placed = run.schedule.completions(run.instance), run.schedule.placements
    return [Plan(run.instance.jobs[j], end, tuple(p for p in placed if p.job == j)) for j, end in done.items()]


def shares_of_bound(instance: Instance, policies: Mapping[str, Policy]) -> dict[str, float]:
    """What each policy earns, and `FORESIGHT`, as shares of the certified bound of R-DMLRS's LP.

    Foresight packs the schedules that column generation and the policies made, as well as can be.
    """
    runs, generated = (
        {name: policy.run(instance) for name, policy in policies.items()},
        column_generation(instance, gap=GAP),
    )
    pool = [*generated.plans, *(plan for run in runs.values() for plan in plans(run))]
    distinct = list({(plan.job.index, plan.placements): plan for plan in pool}.values())
    best = program("dmlrs.rdmlrs", schedules=distinct).solve(instance).objective
    assert best is not None
    top = float(certify(instance, generated, "auto").value(instance))
    return {FORESIGHT: best / top} | {name: float(run.objective) / top for name, run in runs.items()}


def hindsight(cases: Iterable[Draw], policies: Mapping[str, Policy]) -> Any:
    """`shares_of_bound` of each draw, a row each, with the draw's settings before them (pandas)."""
    import pandas as pd

    return pd.DataFrame([{**case.settings, **shares_of_bound(case.instance(), policies)} for case in cases])


def ratios(table: Any, policy: str) -> tuple[np.ndarray, np.ndarray]:
    """Between which numbers a policy's true ratio lies on each draw."""
    earned = np.maximum(table[policy], NOTHING)
    return (table[FORESIGHT] / earned).to_numpy(), (1 / earned).to_numpy()


def draw_hindsight(table: Any, along: str, promised: float, ax: Any = None) -> Any:
    """Draw what `hindsight` found, draws of one setting together; grey is where the ratio is at most as promised."""
    ax = axes(ax, (8, 3.4))
    groups = table.groupby(along, sort=False).ngroup().to_numpy()
    x = np.arange(len(table)) + 0.6 * groups
    ax.axhspan(100 / promised, 100, color="#eeeeee", zorder=0, label=f"the paper's 1.0 to {promised:g}")
    ax.plot(x, 100 * table[FORESIGHT], "_", color="black", markersize=16, markeredgewidth=2, label=FORESIGHT)
    policies = table.columns[table.columns.get_loc(FORESIGHT) + 1 :]
    for name, colour, marker in zip(policies, (RED, COLOURS[1], COLOURS[0], *COLOURS[2:]), "osD^v*", strict=False):
        ax.plot(x, 100 * table[name], marker, color=colour, markersize=5, label=name)
    ax.set_xticks(
        [x[groups == group].mean() for group in range(groups.max() + 1)],
        [f"{value} {along}" for value in dict.fromkeys(table[along])],
    )
    ax.set(ylabel="utility, % of the certified bound", ylim=(-3, 103))
    ax.legend(frameon=False, fontsize=8, bbox_to_anchor=(1.0, 1.0), loc="upper left")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
