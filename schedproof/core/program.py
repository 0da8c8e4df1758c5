"""Programs as values: named groups of variables, constraints and objective terms, built by one declared backend."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from schedproof.core.errors import InputError, ProgramError, UnknownName

Role = Literal["variables", "constraints", "objective"]


@dataclass(frozen=True)
class Group:
    """A named part of a program: some variables, one family of constraints, or one term of the objective.

    Attributes
    ----------
    name, role, source, latex
        The name users drop it by, its role, the paper's equation number and its LaTeX row.
    needs
        Names of the groups whose variables it uses; one of several alternatives is written ``"a|b"``.
    build
        ``build(block, instance, **parameters)`` for a Pyomo program, ``build(parts, instance, **parameters)`` for a
        CVXPY one. Its first docstring line is the English sentence.
    """

    name: str
    role: Role
    source: str
    latex: str
    needs: tuple[str, ...]
    build: Callable[..., None]

    @property
    def sentence(self) -> str:
        """The group in English."""
        return (self.build.__doc__ or "").strip().splitlines()[0]

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The program parameters this group's builder asks for, by keyword."""
        every = inspect.signature(self.build).parameters.values()
        return tuple(p.name for p in every if p.kind is inspect.Parameter.KEYWORD_ONLY)


def group(role: Role, source: str, latex: str, needs: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Group]:
    """Turn a builder function into the group of the same name."""
    return lambda build: Group(build.__name__, role, source, latex, needs, build)


@dataclass(frozen=True)
class Program:
    """An optimization program as a value: groups that can be dropped, added, relaxed, built and printed.

    Attributes
    ----------
    id
        ``family.name``.
    sense
        ``minimize`` or ``maximize``.
    groups
        In the order in which the paper prints them.
    backend
        ``pyomo`` or ``cvxpy``; one per program.
    parameters
        Values that the builders ask for by keyword (``cost``, ``speed``, ...).
    routes
        Other ways to solve exactly this program, by name: ``route(instance, time_limit=..., **parameters)`` returns an
        `Outcome` of `schedproof.core.solving`.
    to_schedule
        Reads a family's Schedule off a solved model, where the program has one.
    """

    id: str
    sense: Literal["minimize", "maximize"]
    groups: tuple[Group, ...]
    backend: Literal["pyomo", "cvxpy"] = "pyomo"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    integer: bool = True
    routes: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    to_schedule: Callable[..., Any] | None = None

    @property
    def family(self) -> str:
        """The paper's family, the first half of the id."""
        return self.id.split(".")[0]

    def group(self, name: str) -> Group:
        """The group of that name."""
        for g in self.groups:
            if g.name == name:
                return g
        raise UnknownName(f"group of {self.id}", name, [g.name for g in self.groups])

    def without(self, *names: str) -> Program:
        """The program less some groups; refuses to drop a group that another one needs."""
        for name in names:
            self.group(name)
        kept = tuple(g for g in self.groups if g.name not in names)
        return replace(self, groups=kept, routes={}, to_schedule=None)._checked()

    def with_(self, *groups: Group) -> Program:
        """The program with more groups, in printed order after its own."""
        return replace(self, groups=self.groups + groups, routes={})._checked()

    def where(self, **parameters: Any) -> Program:
        """The program with other values for some of its declared parameters."""
        for name in parameters:
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.id}", name, self.parameters)
        return replace(self, parameters={**self.parameters, **parameters})

    def relaxed(self) -> Program:
        """The program with every integer variable made continuous."""
        return replace(self, integer=False, routes={}, to_schedule=None)

    def build(self, instance: Any) -> Any:
        """A plain Pyomo ``ConcreteModel`` (one Block per group) or CVXPY ``Problem``, for the user to extend."""
        if instance.family != self.family:
            raise InputError(f"{self.id} takes a {self.family} instance, this one is {instance.family}")
        from schedproof.core.backends import build

        return build(self, instance)

    def solve(self, instance: Any, solver: str = "highs", time_limit: float | None = None) -> Any:
        """Solve it on an instance; returns a `schedproof.core.solution.Solution`, whatever the outcome."""
        from schedproof.core.solution import solve

        return solve(self, instance, solver, time_limit)

    def latex(self) -> str:
        """The program as rows of an align environment, each with the paper's own number."""
        printed = ("objective", "constraints", "variables")
        rows = sorted(self.groups, key=lambda g: printed.index(g.role))
        return "\n".join(rf"& {g.latex} && \text{{{g.source}}} \\" for g in rows)

    def _checked(self) -> Program:
        names = {g.name for g in self.groups}
        for n, g in enumerate(self.groups):
            if any(g.name == other.name for other in self.groups[:n]):
                raise ProgramError(f"{self.id} has a group '{g.name}' already; drop it first")
            for need in g.needs:
                if not names & set(need.split("|")):
                    raise ProgramError(f"{self.id}: group '{g.name}' {g.source} needs '{need}'; drop or keep both")
        return self
