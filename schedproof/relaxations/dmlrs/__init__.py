"""The dmlrs family's relaxations: the slot problem, the best schedule at given prices, column generation, duals."""

from collections.abc import Callable

from schedproof.core.program import Program
from schedproof.relaxations.dmlrs.bounds import rdmlrs_lp_bound
from schedproof.relaxations.dmlrs.duals import dual, rdmlrs_lp

PROGRAMS: dict[str, Callable[..., Program]] = {"dmlrs.rdmlrs_lp": rdmlrs_lp, "dmlrs.dual": dual}
BOUNDS = {"dmlrs.rdmlrs_lp": rdmlrs_lp_bound}

__all__ = ["BOUNDS", "PROGRAMS"]
