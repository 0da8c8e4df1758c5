"""Helpers of the notebook `multiserver`: two systems, two readings of the projection, pictures."""

from __future__ import annotations

from typing import Any

from IPython.display import Markdown
from multiserver_arrivals import DUEL, RegretGoal, random, with_arrivals, worst_arrivals
from multiserver_projection import draw_projection, draw_protocols
from multiserver_trends import (
    constant_steps,
    diameter_and_steepest,
    draw_constant_steps,
    draw_decay,
    draw_trends,
    draw_worst,
    earned,
    fates,
    trends,
)
from sliders import sliders
from style import BLUE, CYAN, GREEN, ORANGE, RED, panels

from schedproof.core.errors import ProgramError
from schedproof.experiments.compare import draws
from schedproof.instances.multiserver import Instance
from schedproof.reference.multiserver_projection import Interpretation

__all__ = [
    "BLUE",
    "CYAN",
    "GREEN",
    "ORANGE",
    "READINGS",
    "RED",
    "Markdown",
    "ProgramError",
    "RegretGoal",
    "constant_steps",
    "diameter_and_steepest",
    "draw_constant_steps",
    "draw_decay",
    "draw_projection",
    "draw_protocols",
    "draw_trends",
    "draw_worst",
    "drawn",
    "duel",
    "earned",
    "fates",
    "panels",
    "random",
    "sliders",
    "trends",
    "with_arrivals",
    "worst_arrivals",
]

# a port that is cut off keeps its last amount, as printed; or the amount is set to 0
READINGS = {"kept": Interpretation(zeroed=False), "zero": Interpretation(zeroed=True)}
duel = Instance.from_json(DUEL)  # two job types that both fill one node


def drawn(**settings: Any) -> Instance:
    """Return a draw of Table II."""
    (case,) = draws("default", family="multiserver", seeds=[1], **settings)
    instance: Instance = case.instance()
    return instance
