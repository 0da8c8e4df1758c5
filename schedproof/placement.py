"""The placement family by name: ``from schedproof.placement import exact, lp, minimum``."""

from schedproof.core.facade import facade
from schedproof.core.program import Program
from schedproof.core.run import Policy

exact: Program
lp: Program

random: Policy
minimum: Policy
tiresias: Policy
optimus: Policy
table: Policy
tapfinger: Policy

__getattr__ = facade("placement")
