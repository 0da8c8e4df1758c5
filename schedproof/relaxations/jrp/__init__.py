"""The jrp family's relaxations: LP_I, the conic relaxation, the split-free LP, and certified bounds from each."""

from collections.abc import Callable

from schedproof.core.program import Program
from schedproof.relaxations.jrp.bounds import conic_bound, lp_i_bound, split_free_bound
from schedproof.relaxations.jrp.conic import conic
from schedproof.relaxations.jrp.programs import lp_i, split_free_lp

PROGRAMS: dict[str, Callable[..., Program]] = {
    "jrp.lp_i": lp_i,
    "jrp.conic": conic,
    "jrp.split_free_lp": split_free_lp,
}
BOUNDS = {"jrp.lp_i": lp_i_bound, "jrp.conic": conic_bound, "jrp.split_free_lp": split_free_bound}

__all__ = ["BOUNDS", "PROGRAMS"]
