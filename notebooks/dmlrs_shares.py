"""Pictures of utility relative to the certified bound: by span of the prices, and in hindsight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from dmlrs_offers import mean_bundle

from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import InputError
from schedproof.core.programs.named import program
from schedproof.core.results.run import Policy, Run, policy
from schedproof.core.simulation.pictures import COLOURS, RED, axes
from schedproof.experiments.cells import Draw
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.drive import system
from schedproof.relaxations.dmlrs.bounds import certify
from schedproof.relaxations.dmlrs.certificate import PriceCertificate
from schedproof.relaxations.dmlrs.column_generation import column_generation

BY_14 = 60  # x position of the span of (14), which is several hundred
FORESIGHT = "best found offline"
GAP = 1e-3  # of the LP
NOTHING = 1e-9  # replaces zero utility, whose ratio is unbounded
Cases = Sequence[tuple[Instance, Bound]]


def shares(cases: Cases, name: str, **options: Any) -> np.ndarray:
    """Return a policy's utility as a share of the certified bound, for each instance."""
    runs = [policy(name, **options).run(instance) for instance, _ in cases]
    return np.array([float(run.objective) / bound.value for run, (_, bound) in zip(runs, cases, strict=True)])


def lp_prices(bound: Bound) -> np.ndarray:
    """Return the prices (slots, machines, resources) of an R-DMLRS LP bound's certificate, in doubles."""
    if not isinstance(bound.witness, PriceCertificate):
        raise InputError(f"{bound.program}: its certificate has no prices; expected a bound of dmlrs.rdmlrs_lp")
    found: np.ndarray = bound.witness.prices * 2.0**-bound.witness.bits
    return found


def span_of_lp(instance: Instance, bound: Bound) -> float:
    """Return the span at which an empty machine's price equals the mean price in the bound's LP."""
    prices = lp_prices(bound) @ mean_bundle(instance)
    amount = mean_bundle(instance) @ (1 / np.array(instance.grid.per_unit, dtype=float))
    highest: float = max(system(instance).extremes("printed").log_highest.values())
    return float(highest - np.log(prices.mean() / amount))


def draw_swept(
    swept: Mapping[str, Mapping[int | None, np.ndarray]], fifo: float, own: Sequence[float], ax: Any = None
) -> Any:
    """Draw utilities as shares of the bound against the span, and their means.

    Parameters
    ----------
    swept
        Kind of prices -> span (None: that of (14)) -> `shares`.
    fifo
        FIFO's mean share.
    own
        `span_of_lp` of each instance.
    """
    ax = axes(ax, (9, 3.6))
    for (kind, found), colour in zip(swept.items(), COLOURS, strict=False):
        places, values = [span or BY_14 for span in found], 100 * np.array(list(found.values()))
        ax.plot(places, values, color=colour, linewidth=0.8, alpha=0.45)
        ax.plot(places, values.mean(axis=1), "o-", color=colour, markersize=4, label=f"PD-ORS, {kind} prices")
    ax.axhline(100 * fifo, color=COLOURS[-1], linewidth=0.9, linestyle=":", label="FIFO")
    for n, span in enumerate(own):
        ax.axvline(span, color="black", linewidth=0.8, linestyle=":", label=None if n else "span of a draw's LP")
    ax.set(xscale="log", xlabel="span of the prices, ln(U/L)", ylabel="utility, % of the certified bound", ylim=(0, 86))
    spans = sorted({span for found in swept.values() for span in found if span})
    ax.set_xticks([*spans, BY_14], [*map(str, spans), "by (14)"])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plans(run: Run) -> list[Plan]:
    """Return the schedules of the jobs that a run completes."""
    done, placed = run.schedule.completions(run.instance), run.schedule.placements
    return [Plan(run.instance.jobs[j], end, tuple(p for p in placed if p.job == j)) for j, end in done.items()]


def shares_of_bound(instance: Instance, policies: Mapping[str, Policy]) -> dict[str, float]:
    """Return each policy's utility, and `FORESIGHT`, as shares of R-DMLRS's certified bound.

    Foresight packs the schedules of column generation and of the policies by an integer program.
    """
    runs, generated = (
        {name: choice.run(instance) for name, choice in policies.items()},
        column_generation(instance, gap=GAP),
    )
    pool = [*generated.plans, *(plan for run in runs.values() for plan in plans(run))]
    distinct = list({(plan.job.index, plan.placements): plan for plan in pool}.values())
    best = program("dmlrs.rdmlrs", schedules=distinct).solve(instance).objective
    assert best is not None
    top = float(certify(instance, generated, "auto").value(instance))
    return {FORESIGHT: best / top} | {name: float(run.objective) / top for name, run in runs.items()}


def hindsight(cases: Iterable[Draw], policies: Mapping[str, Policy]) -> Any:
    """Return `shares_of_bound` of each draw, one row each after the draw's settings (pandas)."""
    import pandas as pd

    return pd.DataFrame([{**case.settings, **shares_of_bound(case.instance(), policies)} for case in cases])


def ratios(table: Any, policy: str) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds on a policy's true ratio for each draw."""
    earned = np.maximum(table[policy], NOTHING)
    return (table[FORESIGHT] / earned).to_numpy(), (1 / earned).to_numpy()


def draw_hindsight(table: Any, along: str, promised: float, ax: Any = None) -> Any:
    """Draw `hindsight`'s table, grouped by a setting; grey: ratios within the promised one."""
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
