"""The multiserver family: ``from schedproof.multiserver import oga_sched``.

``slot_optimum`` is the program and ``slot_optimum_policy`` the policy. A program with a required option takes the
option by name: ``schedproof.program("multiserver.slot_optimum", slot=0)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("multiserver")
