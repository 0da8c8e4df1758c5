"""The multiserver family's relaxations: the stationary optimum, solved fast, and certified bounds for both games."""

from collections.abc import Callable

from schedproof.core.program import Program
from schedproof.relaxations.multiserver.bounds import slot_optimum_bound, stationary_bound

PROGRAMS: dict[str, Callable[..., Program]] = {}
BOUNDS = {"multiserver.stationary": stationary_bound, "multiserver.slot_optimum": slot_optimum_bound}

__all__ = ["BOUNDS", "PROGRAMS"]
