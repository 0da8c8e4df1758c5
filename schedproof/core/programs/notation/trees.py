"""The trees that rows of LaTeX are read into."""

from __future__ import annotations

from dataclasses import dataclass

from schedproof.core.base.untyped import Tree


@dataclass(frozen=True)
class Number:
    """A number as it is printed."""

    text: str


@dataclass(frozen=True)
class Label:
    """Part of a symbol's name in its subscript or superscript."""

    text: str

    @property
    def bare(self) -> str:
        """Without the command that sets it upright."""
        return self.text.removeprefix(r"\mathrm{").removesuffix("}")


@dataclass(frozen=True)
class Script:
    """What stands at ``_`` or ``^`` of a symbol, or between its parentheses or brackets."""

    mark: str
    separator: str
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class Symbol:
    """A letter with its scripts."""

    head: str
    scripts: tuple[Script, ...] = ()

    @property
    def name(self) -> str:
        """The head with its labels, without indices: ``r^c`` of ``r_{j,k}^{\\mathrm{c}}``."""
        labels = (f"{s.mark}{i.bare}" for s in self.scripts for i in s.items if isinstance(i, Label))
        return self.head + "".join(labels)

    @property
    def arguments(self) -> tuple[Tree, ...]:
        """Indices and arguments, in printed order."""
        return tuple(i for s in self.scripts for i in s.items if not isinstance(i, Label))


@dataclass(frozen=True)
class Total:
    """Terms that are added, each with its sign."""

    terms: tuple[tuple[int, Tree], ...]


@dataclass(frozen=True)
class Product:
    """Factors."""

    factors: tuple[Tree, ...]


@dataclass(frozen=True)
class Quotient:
    """A fraction; its form is ``/``, ``\\frac`` or ``\\tfrac``."""

    form: str
    top: Tree
    bottom: Tree


@dataclass(frozen=True)
class Power:
    """A power with a number as its exponent."""

    base: Tree
    exponent: str


@dataclass(frozen=True)
class Enclosed:
    """Rounded up or down, absolute, a root, or 1 where a relation holds (in brackets), else 0."""

    kind: str
    body: Tree


@dataclass(frozen=True)
class Over:
    """A sum or a largest value over indices, under conditions."""

    kind: str
    indices: tuple[Symbol, ...]
    conditions: tuple[Relation, ...]
    body: Tree


@dataclass(frozen=True)
class Set:
    """An interval, a list of numbers, or a range ``{a, ..., b}``: its kind is ``[``, ``{`` or ``..``."""

    kind: str
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class Relation:
    """Sides and the signs between them."""

    sides: tuple[Tree, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Statement:
    """A relation of two sides, for all indices that satisfy some conditions."""

    left: Tree
    sign: str
    right: Tree
    conditions: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class Row:
    """What a group prints: statements, or a term of the objective and its sense."""

    statements: tuple[Statement, ...] = ()
    sense: str = ""
    term: Tree = None
