"""The jrp family."""

from schedproof.core.family import Family

FAMILY = Family(name="jrp")
