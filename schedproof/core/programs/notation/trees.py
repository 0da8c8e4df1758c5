"""Trees of LaTeX rows."""

from __future__ import annotations

from dataclasses import dataclass

from schedproof.core.base.untyped import Tree


@dataclass(frozen=True)
class Number:
    """A number as printed."""

    text: str


@dataclass(frozen=True)
class Label:
    """A part of a symbol's name in its subscript or superscript."""

    text: str

    @property
    def bare(self) -> str:
        r"""The text without ``\mathrm``."""
        return self.text.removeprefix(r"\mathrm{").removesuffix("}")


@dataclass(frozen=True)
class Script:
    """The content of a symbol's ``_``, ``^``, parentheses or brackets."""

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
        r"""The head with its labels, without indices: ``r^c`` of ``r_{j,k}^{\mathrm{c}}``."""
        labels = (f"{s.mark}{i.bare}" for s in self.scripts for i in s.items if isinstance(i, Label))
        return self.head + "".join(labels)

    @property
    def arguments(self) -> tuple[Tree, ...]:
        """Indices and arguments, in printed order."""
        return tuple(i for s in self.scripts for i in s.items if not isinstance(i, Label))


@dataclass(frozen=True)
class Total:
    """A sum of signed terms."""

    terms: tuple[tuple[int, Tree], ...]


@dataclass(frozen=True)
class Product:
    """A product."""

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
    """Ceiling, floor, absolute value, root, or Iverson bracket."""

    kind: str
    body: Tree


@dataclass(frozen=True)
class Over:
    """A sum or maximum over indices, under conditions."""

    kind: str
    indices: tuple[Symbol, ...]
    conditions: tuple[Relation, ...]
    body: Tree


@dataclass(frozen=True)
class Set:
    """An interval ``[``, a list ``{``, or a range ``{a, ..., b}`` of kind ``..``."""

    kind: str
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class Relation:
    """Sides and the signs between them."""

    sides: tuple[Tree, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Statement:
    """A relation of a left and a right side, for all indices that meet conditions."""

    left: Tree
    sign: str
    right: Tree
    conditions: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class Row:
    """A group's printed row: statements, or a term of the objective with its sense."""

    statements: tuple[Statement, ...] = ()
    sense: str = ""
    term: Tree = None
