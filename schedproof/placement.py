"""The placement family by name: ``from schedproof.placement import exact, lp, minimum``."""

from schedproof.core.facade import facade

__getattr__ = facade("placement")
