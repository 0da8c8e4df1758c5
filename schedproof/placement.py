"""The placement family by name: ``from schedproof.placement import exact, lp, minimum``."""

from schedproof.core.facade import facade
from schedproof.core.program import Program

exact: Program
lp: Program

__getattr__ = facade("placement")
