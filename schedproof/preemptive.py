"""The preemptive family by name: ``from schedproof.preemptive import ilp4, a_online``.

A program that needs an option: ``schedproof.program("preemptive.dual11", eps=1)``.
"""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("preemptive")
