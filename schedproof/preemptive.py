"""The preemptive family by name: ``from schedproof.preemptive import ilp4, a_online``.

A program that needs an option: ``schedproof.program("preemptive.dual11", eps=1)``.
"""

from schedproof.core.api.facade import facade
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy

minlp2: Program
ilp4: Program
minlp7: Program
ilp8: Program
lp4: Program
dual6: Program
dual9: Program

a_online: Policy
a_online_edge: Policy
gang_online: Policy
srtf: Policy
tiresias_l: Policy
srpt_floating: Policy
batch_sche: Policy
offline: Policy

__getattr__, __dir__ = facade("preemptive")
