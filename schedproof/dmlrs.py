"""The dmlrs family by name: ``from schedproof.dmlrs import exact, pd_ors``; Dorm's policy is ``dorm_policy``.

A program that needs an option takes it by name: ``schedproof.program("dmlrs.slot", job="j1", ...)``.
"""

from schedproof.core.api.facade import facade
from schedproof.core.programs.program import Program
from schedproof.core.results.run import Policy

exact: Program
rdmlrs: Program
dorm: Program
rdmlrs_lp: Program
dual: Program

pd_ors: Policy
oasis: Policy
fifo: Policy
drf: Policy
dorm_policy: Policy
offline: Policy

__getattr__, __dir__ = facade("dmlrs")
