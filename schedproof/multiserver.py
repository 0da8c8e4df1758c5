"""The multiserver family by name: ``from schedproof.multiserver import stationary, oga_sched``.

``slot_optimum`` is the program and ``slot_optimum_policy`` the policy. A program that needs an option is asked for with
it: ``schedproof.program("multiserver.slot_optimum", slot=0)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("multiserver")
