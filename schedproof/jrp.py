"""The jrp family by name: ``from schedproof.jrp import exact, conic, greedy``."""

from schedproof.core.api.facade import facade
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy

exact: Program
split: Program
lp_i: Program
conic: Program
split_free_lp: Program

jrp_rounding: Policy
random: Policy
greedy: Policy

__getattr__, __dir__ = facade("jrp")
