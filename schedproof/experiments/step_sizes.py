"""How OGASched's step decides its regret: constant ones beside what is promised, decaying ones in a long run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from schedproof.core.bounds import bound
from schedproof.core.pictures import COLOURS, RED, axes, plain_ticks
from schedproof.core.run import policy
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.drive import system
from schedproof.online.multiserver.constants import diameter_squared, doubles, steepest_squared


def diameter_and_steepest(instance: Instance, constants: str = "sharper") -> tuple[float, float]:
    """D and G of Theorem 1 in doubles, ``printed`` or ``sharper``."""
    numbers = doubles(instance.graph)
    return float(diameter_squared(numbers, constants)) ** 0.5, float(steepest_squared(numbers, constants)) ** 0.5


def earned(instance: Instance, **options: Any) -> np.ndarray:
    """What OGASched with these options earns in each slot (T,), in doubles: for curves (a `Run` is exact)."""
    built = policy("oga_sched", **options).build(instance)
    built.start(system(instance))
    found: np.ndarray = built.earn(instance.present(0, instance.horizon))
    return found


def constant_steps(instance: Instance, times: Sequence[float]) -> Any:
    """The regret with multiples of the proof's step D/(G sqrt T), a row each (pandas), in doubles.

    Columns ``times``, ``step``, ``regret`` and ``promised``: D^2/(2 eta) for getting to the best fixed allocation, and
    eta T G^2/2 for not staying there.
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
    """Draw what `constant_steps` found: regret, and what is promised, against the step."""
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
    """Draw regret per slot in a long run; lines where the decaying step, and all steps to come, fall below 1.

    Parameters
    ----------
    regrets
        Name -> the regret after each of these slots, and a colour; regrets that are not positive are left out.
    decay
        eta_0 and lambda of the step eta_0 lambda^t, as `multiserver.oga_sched` takes them with ``step=decayed``.
    changed
        The slot from which on the arrivals are others; the ground is grey from there.
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
