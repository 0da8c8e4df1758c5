"""The dmlrs family."""

from schedproof.core.family import Family

FAMILY = Family(name="dmlrs")
