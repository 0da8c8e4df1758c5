"""A family's programs and policies by name, as attributes of a module or of a draft: ``schedproof.jrp.conic``."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from schedproof.core.base.untyped import Loaded
from schedproof.core.cards import registry
from schedproof.core.data.options import REQUIRED
from schedproof.core.programs import named
from schedproof.core.results.run import policy

if TYPE_CHECKING:
    from schedproof.core.programs.program import Program
    from schedproof.core.results.run import Policy

    class Named(Program, Policy):  # type: ignore[misc]  # both have `build`
        """A program or a policy; a type checker cannot read the card, so it allows what either allows."""


Attribute = Callable[[str], "Named"]


def attribute(family: str, name: str) -> Loaded:
    """The family's program of that name, or its policy.

    Where a program has the name already, ``name_policy`` is the policy. A program without options is the same object
    that `named.program` gives.
    """
    if f"{family}.{name}" in registry.entries("program"):
        return named.program(f"{family}.{name}")
    if (id := f"{family}.{name.removesuffix('_policy')}") in registry.entries("policy"):
        return policy(id)
    raise AttributeError(f"the family {family} has no program or policy '{name}'")


def names(family: str) -> list[str]:
    """The names that `attribute` knows; what needs an option is asked for by its id, with the option."""
    card = registry.family(family)
    programs = {entry.name: all(option.default is not REQUIRED for option in entry.options) for entry in card.programs}
    policies = [f"{entry.name}_policy" if entry.name in programs else entry.name for entry in card.policies]
    return sorted([*(name for name, ready in programs.items() if ready), *policies])


def facade(family: str) -> tuple[Callable[[str], Loaded], Callable[[], list[str]]]:
    """A module's ``__getattr__`` and ``__dir__``."""
    return lambda name: attribute(family, name), lambda: names(family)


def module_of(family: str) -> ModuleType:
    """A module with what a family offers, for one that has none of its own."""
    result = ModuleType(f"schedproof.{family}", registry.family(family).sentence)
    result.__dict__["__getattr__"], result.__dict__["__dir__"] = facade(family)
    return result
