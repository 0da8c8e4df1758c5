"""The placement family by name: ``from schedproof.placement import exact, lp, minimum``."""

from schedproof.core.facade import facade
from schedproof.core.run import Policy

random: Policy
minimum: Policy
table: Policy
tapfinger: Policy

__getattr__ = facade("placement")
