"""A family's programs and policies as attributes: ``schedproof.jrp.conic``."""

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
        """A program or policy for type checkers, which cannot read cards."""


Attribute = Callable[[str], "Named"]


def attribute(family: str, name: str) -> Loaded:
    """Return the family's program or policy of this name.

    If a program and a policy share a name, ``name_policy`` is the policy. A program without options is the object that
    `named.program` returns.
    """
    if f"{family}.{name}" in registry.entries("program"):
        return named.program(f"{family}.{name}")
    if (id := f"{family}.{name.removesuffix('_policy')}") in registry.entries("policy"):
        return policy(id)
    raise AttributeError(f"the family {family} has no program or policy '{name}'")


def names(family: str) -> list[str]:
    """Return the names for `attribute`, without programs that require options."""
    card = registry.family(family)
    programs = {entry.name: all(option.default is not REQUIRED for option in entry.options) for entry in card.programs}
    policies = [f"{entry.name}_policy" if entry.name in programs else entry.name for entry in card.policies]
    return sorted([*(name for name, ready in programs.items() if ready), *policies])


def facade(family: str) -> tuple[Callable[[str], Loaded], Callable[[], list[str]]]:
    """Return a module's ``__getattr__`` and ``__dir__``."""
    return lambda name: attribute(family, name), lambda: names(family)


def module_of(family: str) -> ModuleType:
    """Return a new module with the programs and policies of a family."""
    result = ModuleType(f"schedproof.{family}", registry.family(family).sentence)
    result.__dict__["__getattr__"], result.__dict__["__dir__"] = facade(family)
    return result
