"""Helpers of the notebook `placement`: counterexamples, a training log, pictures."""

from __future__ import annotations

from csv import DictReader
from importlib.resources import files
from typing import Any

import numpy as np
from IPython.display import Markdown
from placement_excess import draw_excess, draw_waiting
from sliders import sliders
from style import BLUE, CYAN, GREEN, GREY, ORANGE, PURPLE, RED, YELLOW, panels

from schedproof.core.claims import claims
from schedproof.core.claims.witness import Witness
from schedproof.experiments.compare import draws
from schedproof.experiments.table import half_interval
from schedproof.proofs_checks.placement.shared.rule11 import by_score, conditional, first

__all__ = [
    "BLUE",
    "CYAN",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "RED",
    "YELLOW",
    "Markdown",
    "draw_conflict",
    "draw_excess",
    "draw_waiting",
    "draws",
    "mean_and_half",
    "panels",
    "sliders",
    "training",
    "witness",
]


def mean_and_half(values: np.ndarray) -> tuple[float, float]:
    """Return the mean, and half of its 95 % interval."""
    return float(values.mean()), half_interval(values)


def witness(claim: str) -> Witness:
    """Return a claim's first stored counterexample."""
    return claims.find(f"placement.{claim}").witnesses()[0]


def training() -> tuple[list[float], list[float]]:
    """Return thousands of decisions, and the mean completion time so far, of the weights' training."""
    log = files("schedproof.online.placement.tapfinger").joinpath("trained/tiny.csv").read_text()
    rows = [row for row in DictReader(log.splitlines()) if row["mean_jct"] != "nan"]
    return [int(row["steps"]) / 1000 for row in rows], [float(row["mean_jct"]) for row in rows]


def draw_conflict(case: Any, ax: Any) -> Any:
    """Draw Pr(n|j) of (11) for each task and cluster, with choices and assignments."""
    tasks = range(len(case.needs))
    for n in range(len(case.free)):
        shares = [float(conditional(case, j, by_score)[n]) for j in tasks]
        places = [j + 0.4 * (n - 0.5) for j in tasks]
        ax.bar(places, shares, width=0.36, color=(BLUE, ORANGE)[n], label=f"cluster {n + 1}")
        for j in tasks:
            words = "chose it\n" * (case.chosen[n] == j) + "gets it" * (first(case, j, by_score) == [n])
            ax.text(places[j], shares[j] + 0.02, words.strip(), ha="center", va="bottom", fontsize=8)
    ax.set(xticks=list(tasks), xticklabels=[f"task {j + 1}" for j in tasks], ylim=(0, 1.2), ylabel="$Pr(n|j)$ of (11)")
    ax.legend(frameon=False, fontsize=8, loc="upper left")
    ax.set_title("assigned to a cluster that did not choose it", loc="left")
    return ax
