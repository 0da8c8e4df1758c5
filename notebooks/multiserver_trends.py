"""Growth of regret with T, its dependence on OGASched's step, and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from levels import plain_ticks
from multiserver_arrivals import SHAPES, Worst, enclosed_regret, worst_arrivals

from schedproof.core.certificates.bounds import bound
from schedproof.core.errors import InputError
from schedproof.core.results.run import Policy, policy
from schedproof.core.results.slope import log_log_slope
from schedproof.core.simulation.pictures import COLOURS, RED, axes, panels
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.drive import system
from schedproof.online.multiserver.constants import diameter_squared, doubles, steepest_squared
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.printed_projection import printed_projection
from schedproof.online.multiserver.projection import project

ADVERSARIAL = "adversarial"
SHAPES_AND_WORST = (*SHAPES, ADVERSARIAL)
APART = 1e-9  # relative: larger differences count


def trends(
    instance: Instance,
    policies: Sequence[Policy],
    *,
    horizons: Sequence[int],
    shapes: Sequence[str] = SHAPES_AND_WORST,
    steps: int = 100,
    seed: int = 0,
) -> Any:
    """Return each policy's regret by shape of arrivals and horizon (pandas), one row each.

    Parameters
    ----------
    shapes
        Of `SHAPES`, and ``adversarial``: the worst of a search of so many steps.
    """
    import pandas as pd

    rows = []
    for choice, shape, slots in product(policies, shapes, horizons):
        if shape == ADVERSARIAL:
            found = worst_arrivals(choice, instance, slots, steps, seed).regret
        else:
            arrivals = SHAPES[shape](slots, len(instance.ports), np.random.default_rng(seed))
            found = enclosed_regret(choice, instance, arrivals)
        options = ",".join(f"{name}={value}" for name, value in choice.options.items())
        row = {"policy": choice.name, "options": options, "shape": shape}
        rows.append(row | found.to_frame().to_dict("records")[-1])
    return pd.DataFrame(rows)


def slopes(table: Any) -> Any:
    """Return the log-log slope of regret in T by policy and shape, and the last horizon's row (pandas).

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
    """Draw one policy's regrets against the horizon, one line with its slope for each shape.

    Regrets that are not positive have no point. The dashed line is the theorem's bound with the sharper constants.
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


def draw_worst(worst: Worst, regrets: Sequence[float], steady: float) -> Any:
    """Draw a bad trajectory, and other regrets in units of the theorem's bound; return the figure.

    Parameters
    ----------
    regrets
        Of other trajectories of this length.
    steady
        The largest with the same ports in every slot.
    """
    matrix, beside = panels((11, 2.2), 1, 2, width_ratios=(3, 2))
    instance, promised = worst.regret.instance, worst.regret.bound()[-1]
    matrix.pcolormesh(instance.arrivals.T, cmap="Greys", vmin=0, vmax=1, edgecolors="#bbbbbb", linewidth=0.3)
    names = [port.name for port in instance.ports]
    matrix.set(yticks=np.arange(len(names)) + 0.5, yticklabels=names, xlabel="slot (black: comes)")
    matrix.invert_yaxis()
    beside.hist(np.array(regrets) / promised, bins=25, color=COLOURS[5], label="other arrivals")
    beside.axvline(steady / promised, color=COLOURS[1], linewidth=1.8, label="the same ports in every slot")
    beside.axvline(float(worst.regret.lower[-1]) / promised, color=COLOURS[4], linewidth=1.8, label="the worst found")
    beside.axvline(1, color="black", linewidth=1)
    beside.set(yticks=[], xlim=(0, 1.02), xlabel="regret / bound with the sharper D and G")
    beside.spines[["top", "right", "left"]].set_visible(False)
    beside.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return matrix.figure


def diameter_and_steepest(instance: Instance, constants: str = "sharper") -> tuple[float, float]:
    """Return D and G of Theorem 1 in doubles, ``printed`` or ``sharper``."""
    numbers = doubles(instance.graph)
    return float(diameter_squared(numbers, constants)) ** 0.5, float(steepest_squared(numbers, constants)) ** 0.5


def earned(instance: Instance, **options: Any) -> np.ndarray:
    """Return OGASched's reward in each slot (T,) in doubles, for curves."""
    built = policy("oga_sched", **options).build(instance)
    built.start(system(instance))
    found: np.ndarray = built.earn(instance.present(0, instance.horizon))
    return found


def constant_steps(instance: Instance, times: Sequence[float]) -> Any:
    """Return the regret for multiples of the proof's step D/(G sqrt T), one row each (pandas).

    Columns ``times``, ``step``, ``regret`` and ``promised``: D^2/(2 eta) for reaching the best fixed allocation, and
    eta T G^2/2 for moving away from it.
    """
    import pandas as pd

    (diameter, steepest), slots = diameter_and_steepest(instance), instance.horizon
    best = float(bound("multiserver.stationary", instance).value)
    table = pd.DataFrame({"times": np.asarray(times, dtype=float)})
    table["step"] = table["times"] * diameter / (steepest * slots**0.5)
    table["regret"] = [best - float(earned(instance, initial=float(step)).sum()) for step in table["step"]]
    table["promised"] = diameter**2 / (2 * table["step"]) + table["step"] * slots * steepest**2 / 2
    return table


def draw_constant_steps(table: Any, ax: Any = None) -> Any:
    """Draw `constant_steps`' regret and the theorem's bound against the step."""
    ax = axes(ax, (8, 3.6))
    words = r"promised: $D^2/(2\eta) + \eta\,TG^2/2$"
    ax.plot(table["step"], table["promised"], "--", color="black", linewidth=1, label=words)
    ax.plot(table["step"], table["regret"], "o-", color=COLOURS[0], markersize=4, label="measured")
    for step in table["step"][table["times"] == 1]:
        ax.axvline(step, color=COLOURS[-1], linewidth=0.9, linestyle=":", label=r"$D/(G\sqrt{T})$")
    ax.set(xscale="log", yscale="log", xlabel=r"constant step $\eta$", ylabel="regret")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_decay(
    slots: np.ndarray,
    regrets: Mapping[str, tuple[np.ndarray, str]],
    decay: tuple[float, float],
    changed: int,
    ax: Any = None,
) -> Any:
    """Draw regret per slot in a long run; lines mark where the remaining steps fall below 1.

    Parameters
    ----------
    regrets
        Name -> the regret after each of these slots, and a colour; regrets that are not positive are left out.
    decay
        eta_0 and lambda of the step eta_0 lambda^t, as in `multiserver.oga_sched` with ``step=decayed``.
    changed
        The slot at which the arrivals change; the background is grey from there.
    """
    ax = axes(ax, (8, 3.2))
    for name, (regret, colour) in regrets.items():
        ax.plot(slots, np.where(regret > 0, regret / slots, np.nan), color=colour, label=name)
    start, ratio = decay
    for sum_of_steps in (start, start / (1 - ratio)):
        ax.axvline(np.log(sum_of_steps) / -np.log(ratio), color=RED, linewidth=0.9, linestyle=":")
    end = int(slots[-1])
    ax.axvspan(changed, end, color="#eeeeee", zorder=0, label="other arrivals")
    ax.set(yscale="log", ylim=(5e-4, 2), xlim=(0, end), xlabel="slots t, thousands", ylabel="regret per slot")
    plain_ticks(ax)
    places = range(0, end + 1, max(end // 4, 1))
    ax.set_xticks(places, [f"{place / 1000:g}" for place in places])
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def fates(instance: Instance, step: float, slots: int) -> Counter[str]:
    """Count rows (slot, node, resource) of an exact run by outcome: nearest, other, infeasible.

    The run is OGASched's with this constant step. In every slot the printed lines project the same point. Nodes without
    ports have no rows.
    """
    graph, found = instance.graph, Counter[str]()
    exact = policy("oga_sched", initial=step).build(instance)
    exact.start(system(instance))
    at_node = (np.arange(len(instance.nodes))[:, None] == graph.edge_node).astype(int)
    at_node, demand = at_node[at_node.any(axis=1)], graph.demand[graph.edge_copy]
    for slot, present in enumerate(instance.present(0, slots)):
        y = exact.decide(slot)
        z = y + step * supergradient(graph, y, present)
        exact.observe(slot, present)
        nearest, answer = project(z, graph), printed_projection(graph, z)
        breaks = at_node @ (answer > demand) > 0
        apart = at_node @ (abs(answer - nearest) > APART * (1 + abs(nearest))) > 0
        found["the nearest point"] += int((~breaks & ~apart).sum())
        found["feasible, not the nearest"] += int((~breaks & apart).sum())
        found["more than a demand"] += int(breaks.sum())
    return found
