"""The jrp family: ``from schedproof.jrp import exact, conic, greedy``."""

from schedproof.core.api.facade import Attribute, facade

__getattr__: Attribute
__getattr__, __dir__ = facade("jrp")
