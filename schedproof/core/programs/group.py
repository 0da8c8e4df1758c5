"""A named part of a program, in the paper's own numbering."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pickle import PicklingError
from textwrap import dedent
from typing import Literal, get_args

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.errors import ProgramError, UnknownName, require, short

Index = Hashable  # of a row or a column among many: a number, a name, or a tuple of such
Role = Literal["variables", "constraints", "objective"]
HULLS = (  # sets of whole numbers in a row of variables, and what is left of them without integrality
    (r"\\in \\mathbb\{Z\}_\{\\ge 0\}", r"\\ge 0"),
    (r"\\in \\mathbb\{N\}_0", r"\\ge 0"),
    (r"\\mathbb\{Z\}", r"\\mathbb{R}"),
    (r"\\\{0, ?1\\\}", "[0, 1]"),
    (r"\\\{([^{}]+), \\dots, (.+?)\\\}", r"[\1, \2]"),
)


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
        ``build(block, instance, *blocks, **parameters)`` for a Pyomo program, with the blocks of the groups that its
        further arguments are named after, None where one with a default is missing; ``build(parts, instance,
        **parameters)`` for a CVXPY one. Its first docstring line is the English sentence. What it returns is the
        block's ``term`` of an objective, else its ``row``: a relation, a list of them, or a dict of one for each index;
        a generator yields its rows. A dict of such dicts has several kinds of rows, by name.
    multiplier
        The paper's letter for the multiplier of its row, as LaTeX; "" where it has none.
    separate
        Of constraints too many to be listed: ``separate(instance, values, **parameters)`` gives indices of rows that a
        point violates; ``values`` are its numbers by variable and index. The builder takes ``rows``, the indices so
        far, and makes one row of each, in their order.
    price
        Of variables too many to be listed: ``price(instance, multipliers, **parameters)`` gives indices of columns that
        may improve the optimum; ``multipliers`` are those of rows, by component and index. The builder takes
        ``columns``, the indices so far, and makes one variable >= 0 of each.
    rest
        ``rest(instance, multipliers, **parameters)``, with multipliers in rationals, gives exactly what all columns x_j
        of the group come to at the least at some optimum, for a maximum at the most: the sum of
        (c_j - sum of y_i a_ij) x_j. A bound is proven by it, and by nothing that ``price`` says.
    start
        ``start(instance, **parameters)`` gives the indices to begin with; none if not given. Rows may come in a mapping
        to multipliers, in doubles: these prove a first bound without a solver.
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
        """Pickled by its name in its module, where it has taken the place of its builder."""
        name = self.build.__module__, self.build.__qualname__
        _find(*name)  # refused here rather than where it is read
        return _find, name

    @property
    def sentence(self) -> str:
        """The group in English."""
        return docstring(self.build).strip().partition("\n")[0]

    def row(self, integer: bool = True) -> str:
        """Its LaTeX row, or that of a relaxed program: sets of whole numbers are then the intervals they span."""
        row = self.latex
        for pattern, interval in HULLS if self.role == "variables" and not integer else ():
            row = re.sub(pattern, interval, row)
        return row

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The program parameters this group's builder asks for, by keyword."""
        return tuple(name for name in _keywords(self.build) if name != self.many)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The groups whose blocks its builder takes."""
        return tuple(p.name for p in _blocks(self.build))

    @property
    def many(self) -> str:
        """The builder's word for the indices so far, where its rows or columns are generated; else empty."""
        return "rows" if self.separate else "columns" if self.price else ""

    def first(self, instance: AnyFamily, parameters: Mapping[str, Value]) -> Mapping[Index, float]:
        """The indices to begin with, each with its multiplier; 0 where it has none."""
        first = () if self.start is None else self.start(instance, **arguments_of(self.start, parameters))
        return first if isinstance(first, Mapping) else dict.fromkeys(first, 0.0)


def arguments_of(function: Callable[..., Value], parameters: Mapping[str, Value]) -> dict[str, Value]:
    """The program's parameters that a function asks for by keyword."""
    return {name: parameters[name] for name in _keywords(function) if name in parameters}


def _keywords(function: Callable[..., Value]) -> list[str]:
    every = inspect.signature(function).parameters.values()
    return [p.name for p in every if p.kind is inspect.Parameter.KEYWORD_ONLY]


def _blocks(build: Callable[..., Value]) -> list[inspect.Parameter]:
    """The arguments behind the block and the instance."""
    every = inspect.signature(build).parameters.values()
    return [p for p in every if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD][2:]


def _find(module: str, name: str) -> Group:
    program, dot, short_name = name.rpartition(".")
    value = getattr(import_module(module), program if dot else name, None)
    value = next((g for g in getattr(value, "groups", ()) if g.name == short_name), None) if dot else value
    if not isinstance(value, Group):
        raise PicklingError(f"the group {name} is no name of the module {module}: define it there, outside functions")
    return value


def docstring(function: Callable[..., Value]) -> str:
    """Its docstring, read from the source where Python runs without docstrings (``-OO``); empty without one."""
    if function.__doc__ is not None:
        return function.__doc__
    try:
        written = ast.parse(dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):  # typed at a prompt, say
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
    """Turn a builder function into the group of the same name; it needs the groups that its arguments name.

    With ``separate`` its rows, with ``price`` its columns are generated as they are needed: see `Group`.

    Examples
    --------
    ``chosen`` is a group of variables; what is returned is the row.

    >>> import schedproof as sp
    >>> @sp.group("constraints", "(1a)", r"\\sum_i w_i x_i \\le W")
    ... def weight(block, sack, chosen):
    ...     "The sack holds what is in it."
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
        raise ProgramError("rows of constraints are separated, and columns of variables are priced")

    def make(build: Callable[..., Value]) -> Group:
        if not callable(build):
            raise ProgramError(f"sp.group(...) makes a group of a function, found {short(build)}")
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
            raise ProgramError(f"group '{result.name}' is generated: its function takes indices as *, {result.many}")
        return result

    return make
