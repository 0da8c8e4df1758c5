"""A family's programs and policies by name, as attributes of a module: ``schedproof.jrp.conic``."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core import registry
from schedproof.core.run import policy
from schedproof.core.untyped import Loaded


def facade(family: str) -> Callable[[str], Loaded]:
    """A module's ``__getattr__``: ``name`` is the family's program of that name, or its policy.

    Where a program has the name already, ``name_policy`` is the policy. A program without options is the same object
    that ``registry.program`` gives.
    """

    def attribute(name: str) -> Loaded:
        if f"{family}.{name}" in registry.entries("program"):
            return registry.program(f"{family}.{name}")
        if (id := f"{family}.{name.removesuffix('_policy')}") in registry.entries("policy"):
            return policy(id)
        raise AttributeError(f"the family {family} has no program or policy '{name}'")

    return attribute
