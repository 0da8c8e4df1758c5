"""Rounding for the jrp family: Algorithm 1, printed and repaired."""

from schedproof.rounding.jrp.printed import round_as_printed
from schedproof.rounding.jrp.repaired import round_repaired

__all__ = ["round_as_printed", "round_repaired"]
