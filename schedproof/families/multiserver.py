"""The multiserver family."""

from schedproof.core.family import Family

FAMILY = Family(name="multiserver")
