"""The preemptive family: ``from schedproof.preemptive import ilp4, a_online``.

A program with a required option takes the option by name: ``schedproof.program("preemptive.dual11", eps=1)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("preemptive")
