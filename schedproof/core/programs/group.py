"""A named part of a program, with the paper's equation number."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pickle import PicklingError
from textwrap import dedent
from typing import Literal, get_args

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.errors import ProgramError, UnknownName, one_sentence, require, short

Index = Hashable  # index of a generated row or column: a number, a name, or a tuple of them
Role = Literal["variables", "constraints", "objective"]
HULLS = (  # integer sets in a row of variables, and their continuous relaxations
    (r"\\in \\mathbb\{Z\}_\{\\ge 0\}", r"\\ge 0"),
    (r"\\in \\mathbb\{N\}_0", r"\\ge 0"),
    (r"\\mathbb\{Z\}", r"\\mathbb{R}"),
    (r"\\\{0, ?1\\\}", "[0, 1]"),
    (r"\\\{([^{}]+), \\dots, (.+?)\\\}", r"[\1, \2]"),
)


@dataclass(frozen=True)
class Group:
    """A named part of a program: variables, constraints, or a term of the objective.

    Attributes
    ----------
    name, role, source, latex
        Name, role, the paper's equation number, and LaTeX row.
    needs
        Names of the groups whose variables it uses; alternatives are written ``"a|b"``.
    build
        ``build(block, instance, *blocks, **parameters)`` for a Pyomo program. Each further positional argument has the
        name of a group and receives this group's block. An argument with a default is None if the program lacks the
        group. For a CVXPY program ``build(parts, instance, **parameters)``. Its first docstring line describes the
        group. It returns the block's ``term`` for an objective, otherwise the block's ``row``: a relation, a list, a
        generator, or a dict by index. A dict of dicts has several named kinds of rows.
    multiplier
        The paper's LaTeX letter for the row's multiplier, or "".
    separate
        For constraints generated on demand: ``separate(instance, values, **parameters)`` returns indices of rows that a
        point violates. ``values`` has numbers by variable and index. The builder takes ``rows``, all indices so far,
        and makes one row per index, in their order.
    price
        For variables generated on demand: ``price(instance, multipliers, **parameters)`` returns indices of columns
        that may improve the optimum. ``multipliers`` has the multipliers of all rows by component and index. The
        builder takes ``columns``, all indices so far, and makes one variable >= 0 per index, in their order.
    rest
        ``rest(instance, multipliers, **parameters)``, with rational multipliers, returns an exact lower bound (for a
        maximum: upper bound) on the columns' total reduced cost at some optimum: the sum of (c_j - sum of y_i a_ij) x_j
        over all columns x_j of the group. To split the gap by job, return a dict from names of jobs to their parts of
        the sum. A bound's proof uses ``rest``, not ``price``.
    start
        ``start(instance, **parameters)`` returns the first indices; default: none. For rows, it may return a dict from
        indices to multipliers in doubles, which prove a first bound without a solver.
    """

    name: str
    role: Role
    source: str
    latex: str
    needs: tuple[str, ...]
    build: Callable[..., Value]
    multiplier: str = ""
    separate: Callable[..., Iterable[Index]] | None = None
    price: Callable[..., Iterable[Index]] | None = None
    rest: Callable[..., Value] | None = None
    start: Callable[..., Iterable[Index]] | None = None

    def __reduce__(self) -> tuple[Callable[[str, str], Group], tuple[str, str]]:
        """Pickle the group by its name in its module."""
        name = self.build.__module__, self.build.__qualname__
        _find(*name)  # fails here rather than on reading
        return _find, name

    @property
    def sentence(self) -> str:
        """The group's description."""
        return docstring(self.build).strip().partition("\n")[0]

    def row(self, integer: bool = True) -> str:
        """Return the LaTeX row; if relaxed, with intervals in place of integer sets."""
        row = self.latex
        for pattern, interval in HULLS if self.role == "variables" and not integer else ():
            row = re.sub(pattern, interval, row)
        return row

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The program parameters that the builder takes by keyword."""
        return tuple(name for name in _keywords(self.build) if name != self.many)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The groups whose blocks the builder takes."""
        return tuple(p.name for p in _blocks(self.build))

    @property
    def many(self) -> str:
        """The builder's keyword of generated indices, ``rows`` or ``columns``; else ""."""
        return "rows" if self.separate else "columns" if self.price else ""

    def first(self, instance: AnyFamily, parameters: Mapping[str, Value]) -> Mapping[Index, float]:
        """Return the first indices with their multipliers, 0 by default."""
        if self.start is None:
            return {}
        with self.answers("start"):
            first = self.start(instance, **arguments_of(self.start, parameters))
            return first if isinstance(first, Mapping) else dict.fromkeys(first, 0.0)

    def indices(self, what: Literal["price", "separate"], *given: Value, **parameters: Value) -> tuple[Index, ...]:
        """Return the answer of ``price`` or ``separate``, each index once."""
        function = getattr(self, what)
        with self.answers(what):
            return tuple(dict.fromkeys(function(*given, **arguments_of(function, parameters))))

    def answers(self, function: str) -> AbstractContextManager[None]:
        """Re-raise errors of the group's function as one sentence with its place."""
        return one_sentence(f"group '{self.name}': its function `{function}` stopped with", ProgramError)


def arguments_of(function: Callable[..., Value], parameters: Mapping[str, Value]) -> dict[str, Value]:
    """Return the program's parameters that a function takes by keyword."""
    return {name: parameters[name] for name in _keywords(function) if name in parameters}


def _keywords(function: Callable[..., Value]) -> list[str]:
    every = inspect.signature(function).parameters.values()
    return [p.name for p in every if p.kind is inspect.Parameter.KEYWORD_ONLY]


def _blocks(build: Callable[..., Value]) -> list[inspect.Parameter]:
    every = inspect.signature(build).parameters.values()
    return [p for p in every if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD][2:]


def _find(module: str, name: str) -> Group:
    program, dot, short_name = name.rpartition(".")
    value = getattr(import_module(module), program if dot else name, None)
    value = next((g for g in getattr(value, "groups", ()) if g.name == short_name), None) if dot else value
    if not isinstance(value, Group):
        raise PicklingError(
            f"the group {name} cannot be imported from {module}: define it in that module, outside functions"
        )
    return value


def docstring(function: Callable[..., Value]) -> str:
    """Return a docstring, from the source under ``-OO``; empty without one."""
    if function.__doc__ is not None:
        return function.__doc__
    try:
        written = ast.parse(dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):  # for example typed at a prompt
        return ""
    return ast.get_docstring(written) or "" if isinstance(written, ast.FunctionDef) else ""


def group(
    role: Role,
    source: str,
    latex: str,
    needs: tuple[str, ...] = (),
    multiplier: str = "",
    *,
    separate: Callable[..., Iterable[Index]] | None = None,
    price: Callable[..., Iterable[Index]] | None = None,
    rest: Callable[..., Value] | None = None,
    start: Callable[..., Iterable[Index]] | None = None,
) -> Callable[[Callable[..., Value]], Group]:
    r"""Turn a builder function into a group; its arguments name the groups it needs.

    With ``separate`` the group's rows are generated on demand, with ``price`` its columns: see `Group`.

    Examples
    --------
    ``chosen`` is a group of variables; the result is the row.

    >>> import schedproof as sp
    >>> @sp.group("constraints", "(1a)", r"\\sum_i w_i x_i \\le W")
    ... def weight(block, sack, chosen):
    ...     "The total weight is at most the capacity."
    ...     return sum(w * x for w, x in zip(sack["weights"], chosen.x.values())) <= sack["capacity"]
    >>> weight.needs
    ('chosen',)
    """
    if role not in get_args(Role):
        raise UnknownName("role of a group", role, get_args(Role))
    for words in (source, latex, multiplier):
        require(words, str, "a group's source, LaTeX and multiplier as text")
    if not isinstance(needs, tuple) or not all(isinstance(need, str) for need in needs):
        raise ProgramError(f"expected a tuple of names, needs=('starts',), found needs={short(needs)}")
    if (separate and role != "constraints") or ((price or rest) and role != "variables"):
        raise ProgramError("`separate` needs a group of constraints, `price` and `rest` a group of variables")

    def make(build: Callable[..., Value]) -> Group:
        if not callable(build):
            raise ProgramError(f"sp.group(...) expects a function, found {short(build)}")
        result = Group(
            build.__name__,
            role,
            source,
            latex,
            (*needs, *(p.name for p in _blocks(build) if p.default is p.empty)),
            build,
            multiplier,
            separate,
            price,
            rest,
            start,
        )
        if result.many and result.many not in _keywords(build):
            raise ProgramError(f"group '{result.name}' is generated: its function needs the keyword {result.many}")
        return result

    return make
