"""Helpers of the notebook `dmlrs`: prices and their bounds, a program of one slot, pictures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from dmlrs_offers import draw_doors, draw_prices, draw_spans, fates, watch, worth_admitting
from dmlrs_rounding import NEAR, Outcomes, draw_gains
from dmlrs_rounds import draw_rounds
from dmlrs_shares import draw_hindsight, draw_swept, hindsight, lp_prices, ratios, shares, span_of_lp
from scipy.optimize import LinearConstraint, milp
from sliders import sliders
from style import panels

from schedproof.experiments.compare import draws
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.drive import system
from schedproof.relaxations.dmlrs.column_generation import Round, column_generation
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Pricing
from schedproof.rounding.covering import Program, fractional_optimum

__all__ = [
    "NEAR",
    "Outcomes",
    "draw_doors",
    "draw_gains",
    "draw_hindsight",
    "draw_prices",
    "draw_rounds",
    "draw_spans",
    "draw_swept",
    "draws",
    "extremes",
    "fates",
    "hindsight",
    "lp_prices",
    "panels",
    "proved_by_prices",
    "ratios",
    "rounds_of",
    "shares",
    "sliders",
    "slot",
    "span_of_lp",
    "watch",
    "worth_admitting",
]

WORKER, PS = np.array([1, 3, 2]), np.array([0, 2, 3])  # GPUs, CPUs, memory
FREE = np.array([[4, 11, 11], [4, 9, 12], [5, 13, 9], [4, 10, 10]])
PRICE = np.array([1.0, 1.1, 1.3, 1.6])  # of a unit of any resource


@cache
def slot(room: int) -> tuple[Program, list[Fraction], float]:
    """Return a program of one slot, its fractional optimum, and the cost of the best integer point.

    Four machines with three resources, and a job that needs 6 workers and 3 parameter servers. All but a worker scales
    with ``room``.
    """
    packing = np.kron(np.eye(4, dtype=int), np.stack([WORKER, PS], axis=1))
    cover, costs = np.tile(np.eye(2, dtype=int), 4), np.kron(PRICE, np.array([WORKER.sum(), PS.sum()]))
    program = Program.of(costs, cover, [6 * room, 3 * room], packing, room * FREE.ravel())
    rows = [LinearConstraint(cover, program.demand, np.inf), LinearConstraint(packing, -np.inf, program.capacity)]
    point = fractional_optimum(program)
    assert point is not None  # there is one for every room
    vertex = [Fraction(x).limit_denominator(1000) for x in point]
    return program, vertex, milp(costs, constraints=rows, integrality=np.ones(8)).fun


def extremes(cluster: Instance) -> Any:
    """Return the lowest and the highest prices of (14)."""
    return system(cluster).extremes("printed")


def rounds_of(cluster: Instance, gap: float) -> list[Round]:
    """Return the rounds of column generation down to a gap."""
    rounds: list[Round] = []
    column_generation(cluster, gap=gap, progress=rounds.append)
    return rounds


def proved_by_prices(cluster: Instance, prices: np.ndarray) -> float:
    """Return the bound that prices prove, averaged over the machines.

    Prices have the shape (machines of one kind, slots, resources).
    """
    price_out = Pricing(cluster, MachineClasses.of_instance(cluster))
    return float(price_out(prices.mean(axis=1, keepdims=True), "auto").bound)
