"""The dmlrs family: ``from schedproof.dmlrs import exact, pd_ors``.

``dorm_policy`` is Dorm's policy.

A program with a required option takes the option by name: ``schedproof.program("dmlrs.slot", job="j1", ...)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("dmlrs")
