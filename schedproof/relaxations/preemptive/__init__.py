"""The preemptive family's relaxations: the LP of (4) by classes, the duals (6), (9), (11), and certified bounds."""

from collections.abc import Callable

from schedproof.core.program import Program
from schedproof.relaxations.preemptive.bounds import bound_from_prices, lp4_bound
from schedproof.relaxations.preemptive.duals import dual6, dual9, dual11
from schedproof.relaxations.preemptive.lp4 import lp4

PROGRAMS: dict[str, Callable[..., Program]] = {
    "preemptive.lp4": lp4,
    "preemptive.dual6": dual6,
    "preemptive.dual9": dual9,
    "preemptive.dual11": dual11,
}
BOUNDS = {"preemptive.lp4": lp4_bound}

__all__ = ["BOUNDS", "PROGRAMS", "bound_from_prices"]
