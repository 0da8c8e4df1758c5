"""The multiserver family by name: ``from schedproof.multiserver import stationary, oga_sched``.

``slot_optimum`` is the program and ``slot_optimum_policy`` the policy. A program that needs an option is asked for with
it: ``schedproof.program("multiserver.slot_optimum", slot=0)``.
"""

from schedproof.core.api.facade import facade
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy

stationary: Program

oga_sched: Policy
slot_optimum_policy: Policy
drf: Policy
fairness: Policy
fairness_arrived: Policy
binpacking: Policy
spreading: Policy

__getattr__, __dir__ = facade("multiserver")
