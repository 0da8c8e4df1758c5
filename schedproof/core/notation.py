"""Rows of LaTeX as trees: sums, fractions, relations and sets are read, renamed and printed.

The part of LaTeX that the groups of programs use, and one rule beyond it: in a subscript, superscript or argument a
small italic letter is an index, ``\\mathrm{c}`` a label that belongs to the name. A parenthesis that follows a symbol
without a space holds its arguments; with a space it is a factor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import NoReturn, TypeVar

from schedproof.core.errors import ProgramError
from schedproof.core.untyped import Tree

RELATIONS = (r"\le", r"\ge", "=", "<", ">", r"\ne", r"\in", r"\notin")
SETS = (r"\mathbb{Z}_{\ge 0}", r"\mathbb{Z}", r"\mathbb{R}")
TOKEN = re.compile(
    r"(?P<space>(?:\s|\\[,;:! ]|\\quad|\\textstyle|\\displaystyle|\\[bB]igg?[lr](?=\W))+)|"
    + r"(?P<token>"
    + "|".join(map(re.escape, SETS))
    + r"|\\mathrm\{[\w.-]+\}|\\mathcal\{\w\}|\\(?:hat|tilde|bar)(?:\{\\?\w+\}| ?\w)|\\[a-zA-Z]+'*|\\[{}|]"
    + r"|\d(?:\d|\.\d)*|[a-zA-Z]'*|.)"
)
GREEK_OR_NAME = re.compile(
    r"\\(?:mathrm|mathcal|hat|tilde|bar)|"
    r"\\(?:infty|ell|alpha|beta|[Gg]amma|[Dd]elta|epsilon|zeta|eta|[Tt]heta|kappa|[Ll]ambda|mu|nu|xi|[Pp]i|rho|"
    r"[Ss]igma|tau|[Pp]hi|chi|[Pp]si|[Oo]mega|varpi|varphi)'*$"
)


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


T = TypeVar("T")


def read(latex: str) -> Row:
    """The tree of a group's row.

    Raises
    ------
    ProgramError
        Where it is no such row.
    """
    return _Reader(latex).row()


def symbol(latex: str) -> Symbol:
    """A single symbol, such as a multiplier's."""
    found = read(latex).term
    if not isinstance(found, Symbol):
        raise ProgramError(f"'{latex}' is no symbol")
    return found


def _statements(items: list[Tree], conditions: tuple[Relation, ...]) -> list[Statement]:
    """Relations of two sides each; an item without a sign has the sign and the right side of the next one."""
    found, bare = [], []
    for item in items:
        if not isinstance(item, Relation):
            bare.append(item)
            continue
        for first in (*bare, item.sides[0]):
            sides = (first, *item.sides[1:])
            found += [Statement(a, s, b, conditions) for a, s, b in zip(sides, item.signs, sides[1:], strict=False)]
        bare = []
    return [] if bare else found


class _Reader:
    """A reader by recursive descent."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.tokens: list[tuple[str, bool]] = []  # and whether there is a space before
        space = False
        for match in TOKEN.finditer(latex):
            if match["space"]:
                space = space or not re.fullmatch(r"(\\[bB]igg?[lr])+", match["space"])
            else:
                self.tokens.append((match["token"], space))
                space = False
        self.tokens += [("", True)] * 2
        self.at = 0

    # --- tokens ---------------------------------------------------------------------------------------------------

    @property
    def next(self) -> str:
        return self.tokens[self.at][0]

    @property
    def touches(self) -> bool:
        """Whether the next token follows without a space."""
        return not self.tokens[self.at][1]

    def take(self, *wanted: str) -> str:
        token = self.next
        if not token or (wanted and token not in wanted):
            self.fail()
        self.at += 1
        return token

    def fail(self) -> NoReturn:
        place = "".join(" " * space + t for t, space in self.tokens[self.at : self.at + 6])
        raise ProgramError(f"the row '{self.latex}' is not read beyond '{place}'")

    def has(self, token: str) -> bool:
        found = self.next == token
        self.at += found
        return found

    # --- rows -----------------------------------------------------------------------------------------------------

    def row(self) -> Row:
        sense = self.take()[1:] if self.next in (r"\min", r"\max") else ""
        if self.next == "{":  # an empty pair before a sign
            self.take("{")
            self.take("}")
        items = self.items()
        if not self.next and len(items) == 1 and not isinstance(items[0], Relation):
            return Row(sense=sense, term=items[0])
        statements: list[Statement] = []
        while True:
            conditions = tuple(self.conditions()) if self.has(r"\forall") else ()
            found = _statements(items, conditions)
            if not found:
                self.fail()
            statements += found
            if not self.has(";"):
                break
            items = self.items()
        if self.next:
            self.fail()
        return Row(tuple(statements))

    def items(self) -> list[Tree]:
        found = [self.relation()]
        while self.has(","):
            found.append(self.relation())
        return found

    def conditions(self) -> Iterator[Relation]:
        yield self.condition()
        while self.has(","):
            yield self.condition()

    def condition(self) -> Relation:
        found = self.relation()
        return found if isinstance(found, Relation) else Relation((found,), ())

    def relation(self) -> Tree:
        sides, signs = [self.side()], []
        while self.next in RELATIONS:
            signs.append(self.take())
            sides.append(self.side())
        return Relation(tuple(sides), tuple(signs)) if signs else sides[0]

    def side(self) -> Tree:
        if self.next in SETS:
            return Set(self.take(), ())
        if self.next == "[" and not self._brackets_a_relation():
            self.take("[")
            low = self.total()
            self.take(",")
            high = self.total()
            self.take("]")
            return Set("[", (low, high))
        if self.next == r"\{":
            self.take(r"\{")
            items, kind = [self.total()], "{"
            while self.has(","):
                if self.has(r"\dots"):
                    kind = ".."
                else:
                    items.append(self.total())
            self.take(r"\}")
            return Set(kind, tuple(items))
        return self.total()

    # --- expressions ----------------------------------------------------------------------------------------------

    def _brackets_a_relation(self) -> bool:
        tokens = [token for token, _ in self.tokens[self.at :]]
        return "]" in tokens and any(token in RELATIONS for token in tokens[: tokens.index("]")])

    def total(self) -> Tree:
        sign = -1 if self.next == "-" else 1
        if self.next in ("+", "-"):
            self.take()
        terms = [(sign, self.product())]
        while self.next in ("+", "-"):
            terms.append((-1 if self.take() == "-" else 1, self.product()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Total(tuple(terms))

    def product(self) -> Tree:
        factors = [self.factor()]
        while True:
            if self.has("/"):
                whole = factors[0] if len(factors) == 1 else Product(tuple(factors))
                factors = [Quotient("/", whole, self.factor())]
            elif self._starts_a_factor():
                factors.append(self.factor())
            else:
                return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _starts_a_factor(self) -> bool:
        token = self.next
        if token in (r"\sum", r"\max", r"\frac", r"\tfrac", r"\sqrt", "(", "[", r"\lceil", r"\lfloor", r"\lvert"):
            return True
        return bool(re.match(r"\d|[a-zA-Z]", token) or GREEK_OR_NAME.match(token))

    def factor(self) -> Tree:
        body = self.atom()
        return Power(body, self.take()) if self.has("^") else body

    def atom(self) -> Tree:
        token = self.take()
        if token in (r"\sum", r"\max"):
            return self.over(token)
        if token in (r"\frac", r"\tfrac"):
            return Quotient(token, self.group(), self.group())
        if token == r"\sqrt":
            return Enclosed(token, self.group())
        if token == "(":
            body = self.total()
            self.take(")")
            return body
        if token == "[":
            body = self.relation()
            self.take("]")
            return Enclosed(token, body)
        if token in (r"\lceil", r"\lfloor", r"\lvert"):
            body = self.total()
            self.take(token.replace(r"\l", r"\r"))
            return Enclosed(token, body)
        if token[0].isdigit():
            return Number(token)
        if re.match(r"[a-zA-Z]", token) or GREEK_OR_NAME.match(token):
            return self.scripts(token)
        self.at -= 1
        self.fail()

    def group(self) -> Tree:
        """What stands in braces, or a single digit or letter."""
        if self.next == "{":
            self.take("{")
            body = self.total()
            self.take("}")
            return body
        token, space = self.tokens[self.at]
        if token.isdigit() and len(token) > 1:  # \tfrac12
            self.tokens[self.at : self.at + 1] = [(token[0], space), (token[1:], False)]
        return self.atom()

    def over(self, kind: str) -> Over:
        indices, conditions = [], []
        self.take("_")
        braced = self.has("{")
        while True:
            found = self.relation() if braced else self.scripts(self.take(), bare=True)
            indices.append(found.sides[0] if isinstance(found, Relation) else found)
            conditions += [found] if isinstance(found, Relation) else []
            if not (braced and self.has(",")):
                break
        if braced and self.has(":"):
            conditions += self.conditions()
        if braced:
            self.take("}")
        return Over(kind, tuple(indices), tuple(conditions), self.product())

    def scripts(self, head: str, bare: bool = False) -> Symbol:
        found = []
        while self.touches and not bare:
            if self.next in ("_", "^"):
                if self.next == "^" and self.tokens[self.at + 1][0].isdigit():
                    break
                found.append(self.script(self.take()))
            elif self.next in ("(", "["):
                found.append(self.bracketed(self.take()))
            else:
                break
        return Symbol(head, tuple(found))

    def script(self, mark: str) -> Script:
        if self.next != "{":
            return Script(mark, "", (self.item(),))
        self.take("{")
        round_ = self.has("(")
        items, separator = [], ""
        while self.next not in ("}", ")"):
            if self.has(","):
                separator = ","
            else:
                items.append(self.shifted(self.item()))
        if round_:
            self.take(")")
        self.take("}")
        return Script(mark, "()" if round_ else separator, tuple(items))

    def shifted(self, item: Tree) -> Tree:
        """An index and what is added to it."""
        terms = [(1, item)]
        while self.next in ("+", "-"):
            terms.append((-1 if self.take() == "-" else 1, self.item()))
        return Total(tuple(terms)) if len(terms) > 1 else item

    def item(self) -> Tree:
        token = self.take()
        if token.startswith(r"\mathrm") or token in "-+":
            return Label(token)
        if token[0].isdigit():
            return Number(token)
        nested = []
        while self.touches and self.next == "_":
            nested.append(self.script(self.take()))
        return Symbol(token, tuple(nested))

    def bracketed(self, mark: str) -> Script:
        closing = {"(": ")", "[": "]"}[mark]
        items = [self.total()]
        while self.has(","):
            items.append(self.total())
        self.take(closing)
        return Script(mark, ",", tuple(items))


# --- printed ---------------------------------------------------------------------------------------------------------


def printed(tree: Tree) -> str:
    """A tree as LaTeX."""
    match tree:
        case Number(text) | Label(text):
            return text
        case Symbol(head, scripts):
            return head + "".join(map(printed, scripts))
        case Script(mark, separator, items):
            if mark in "([":
                return mark + ", ".join(map(printed, items)) + {"(": ")", "[": "]"}[mark]
            shifted = any(isinstance(i, Total) for i in items)
            listed = _spaced("," if separator or shifted else "", map(printed, items))
            listed = f"({listed})" if separator == "()" else listed
            return mark + (listed if len(listed) == 1 else f"{{{listed}}}")
        case Total(terms):
            first, *others = terms
            start = ("-" if first[0] < 0 else "") + _factor(first[1], True)
            return start + "".join(f" {'-' if sign < 0 else '+'} {_factor(term, True)}" for sign, term in others)
        case Product(factors):
            factors = tuple(
                replace(f, form=r"\tfrac") if isinstance(f, Quotient) and f.form == "/" else f for f in factors
            )
            return _spaced(r" ", (_factor(f, n == len(factors) - 1) for n, f in enumerate(factors)))
        case Quotient("/", top, bottom):
            below = f"({printed(bottom)})" if isinstance(bottom, Product | Quotient) else _factor(bottom)
            return f"{_factor(top)} / {below}"
        case Quotient(form, top, bottom):
            return f"{form}{{{printed(top)}}}{{{printed(bottom)}}}"
        case Power(base, exponent):
            raised = isinstance(base, Symbol) and any(s.mark == "^" for s in base.scripts)
            return f"({printed(base)})^{exponent}" if raised else f"{_factor(base)}^{exponent}"
        case Enclosed(r"\sqrt", body):
            return rf"\sqrt{{{printed(body)}}}"
        case Enclosed("[", body):
            return f"[{printed(body)}]"
        case Enclosed(kind, body):
            return rf"{kind} {printed(body)} {kind.replace(chr(92) + 'l', chr(92) + 'r')}"
        case Over(kind, indices, conditions, body):
            if len(indices) == len(conditions) == 1 and conditions[0].sides[0] == indices[0]:
                return rf"{kind}_{{{printed(conditions[0])}}} {_factor(body, True)}"
            under = ",".join(map(printed, indices))
            under += ": " * bool(conditions) + ", ".join(map(printed, conditions))
            return rf"{kind}_{{{under}}} {_factor(body, True)}"
        case Set("..", (low, high)):
            return rf"\{{{printed(low)}, \dots, {printed(high)}\}}"
        case Set("{", items):
            return rf"\{{{','.join(map(printed, items))}\}}"
        case Set("[", (low, high)):
            return f"[{printed(low)}, {printed(high)}]"
        case Set(kind):
            return str(kind)
        case Statement(left, sign, right, conditions):
            forall = r" \quad \forall " * bool(conditions) + ", ".join(map(printed, conditions))
            return f"{printed(left)} {sign} {printed(right)}{forall}"
        case Relation(sides, signs):
            return printed(sides[0]) + "".join(f" {s} {printed(x)}" for s, x in zip(signs, sides[1:], strict=True))
    raise TypeError(tree)


def _factor(tree: Tree, last: bool = False) -> str:
    loose = isinstance(tree, Total) or (isinstance(tree, Over) and not last)
    return rf"({printed(tree)})" if loose else printed(tree)


def _spaced(separator: str, parts: Iterable[str]) -> str:
    """Joined, with a space where a command would run into a letter."""
    text = ""
    for part in parts:
        lone = re.search(r"\\[a-zA-Z]+$", text + separator) and part[:1].isalpha()
        text += (separator if text else "") + " " * bool(lone and text) + part
    return text


# --- indices ---------------------------------------------------------------------------------------------------------


def indices(tree: Tree) -> dict[str, Symbol]:
    """The indices that stand in a tree and are not bound by a sum in it, in printed order."""
    found: dict[str, Symbol] = {}
    _indices(tree, frozenset(), found)
    return found


def is_index(tree: Tree) -> bool:
    """Whether an item of a script is an index: a small letter, or one with an index of its own."""
    return (
        isinstance(tree, Symbol)
        and bool(re.fullmatch(r"[a-z]'*|\\pi", tree.head))
        and not any(isinstance(i, Label) for s in tree.scripts for i in s.items)
    )


def _indices(tree: Tree, bound: frozenset[str], found: dict[str, Symbol]) -> None:
    if isinstance(tree, Symbol | Relation):
        for argument in tree.arguments if isinstance(tree, Symbol) else tree.sides:
            for each in _plain(argument):
                if printed(each) not in bound:
                    found.setdefault(printed(each), each)
            _indices(argument, bound, found)
    elif isinstance(tree, Over):
        inner = bound | {printed(i) for i in tree.indices}
        for part in (*tree.indices, *tree.conditions, tree.body):
            _indices(part, inner, found)
    else:
        for child in children(tree):
            _indices(child, bound, found)


def _plain(tree: Tree) -> Iterator[Symbol]:
    """The indices among an argument's own terms."""
    if is_index(tree) and (not tree.scripts or tree.head == r"\pi"):
        yield tree
    elif isinstance(tree, Total | Product):
        for child in children(tree):
            yield from _plain(child)


def children(tree: Tree) -> Iterator[Tree]:
    """The trees in a tree."""
    for f in fields(tree):
        yield from _trees(getattr(tree, f.name))


def _trees(value: Tree) -> Iterator[Tree]:
    if isinstance(value, tuple):
        for entry in value:
            yield from _trees(entry)
    elif hasattr(value, "__dataclass_fields__"):
        yield value


def renamed(tree: T, names: Mapping[str, Tree]) -> T:
    """A tree with other trees in place of some indices, all at once."""
    if isinstance(tree, Symbol):
        if (text := printed(tree)) in names:
            return names[text]  # type: ignore[no-any-return]
        head = printed(names[tree.head]) if tree.head in names and tree.scripts else tree.head
        return Symbol(head, renamed(tree.scripts, names))  # type: ignore[return-value]
    if isinstance(tree, tuple):
        return tuple(renamed(entry, names) for entry in tree)  # type: ignore[return-value]
    if hasattr(tree, "__dataclass_fields__"):
        changed = {f.name: renamed(getattr(tree, f.name), names) for f in fields(tree)}  # type: ignore[arg-type]
        return replace(tree, **changed)  # type: ignore[type-var]
    return tree
