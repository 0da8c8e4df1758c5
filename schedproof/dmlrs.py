"""The dmlrs family by name: ``from schedproof.dmlrs import exact, pd_ors``; Dorm's policy is ``dorm_policy``.

A program that needs an option takes it by name: ``schedproof.program("dmlrs.slot", job="j1", ...)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("dmlrs")
