"""The jrp family's rounding: Algorithm 1 as printed, and repaired."""

from schedproof.rounding.jrp.printed import printed
from schedproof.rounding.jrp.repaired import repaired

__all__ = ["printed", "repaired"]
