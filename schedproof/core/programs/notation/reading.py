"""LaTeX to trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from schedproof.core.base.untyped import Tree
from schedproof.core.errors import ProgramError
from schedproof.core.programs.notation.trees import (
    Enclosed,
    Label,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Row,
    Script,
    Set,
    Statement,
    Symbol,
    Total,
)

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


def read(latex: str) -> Row:
    """Return the tree of a group's row.

    Raises
    ------
    ProgramError
        If it cannot be parsed.
    """
    return _Reader(latex).row()


def symbol(latex: str) -> Symbol:
    """Return a single symbol, for example a multiplier."""
    term = read(latex).term
    if not isinstance(term, Symbol):
        raise ProgramError(f"'{latex}' is not a symbol")
    return term


def _statements(items: list[Tree], conditions: tuple[Relation, ...]) -> list[Statement]:
    """Split items into two-sided relations.

    An item without a sign takes sign and right side of the next item.
    """
    statements, bare = [], []
    for item in items:
        if not isinstance(item, Relation):
            bare.append(item)
            continue
        for first in (*bare, item.sides[0]):
            sides = (first, *item.sides[1:])
            statements += [
                Statement(a, s, b, conditions) for a, s, b in zip(sides, item.signs, sides[1:], strict=False)
            ]
        bare = []
    return [] if bare else statements


class _Reader:
    """A reader by recursive descent."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.tokens: list[tuple[str, bool]] = []  # token, and whether a space precedes it
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
        return not self.tokens[self.at][1]

    def take(self, *wanted: str) -> str:
        token = self.next
        if not token or (wanted and token not in wanted):
            self.fail()
        self.at += 1
        return token

    def fail(self) -> NoReturn:
        place = "".join(" " * space + t for t, space in self.tokens[self.at : self.at + 6])
        raise ProgramError(f"the row '{self.latex}' cannot be parsed at '{place}'")

    def has(self, token: str) -> bool:
        present = self.next == token
        self.at += present
        return present

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
            new = _statements(items, conditions)
            if not new:
                self.fail()
            statements += new
            if not self.has(";"):
                break
            items = self.items()
        if self.next:
            self.fail()
        return Row(tuple(statements))

    def items(self) -> list[Tree]:
        items = [self.relation()]
        while self.has(","):
            items.append(self.relation())
        return items

    def conditions(self) -> Iterator[Relation]:
        yield self.condition()
        while self.has(","):
            yield self.condition()

    def condition(self) -> Relation:
        relation = self.relation()
        return relation if isinstance(relation, Relation) else Relation((relation,), ())

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
            item = self.relation() if braced else self.scripts(self.take(), bare=True)
            indices.append(item.sides[0] if isinstance(item, Relation) else item)
            conditions += [item] if isinstance(item, Relation) else []
            if not (braced and self.has(",")):
                break
        if braced and self.has(":"):
            conditions += self.conditions()
        if braced:
            self.take("}")
        return Over(kind, tuple(indices), tuple(conditions), self.product())

    def scripts(self, head: str, bare: bool = False) -> Symbol:
        scripts = []
        while self.touches and not bare:
            if self.next in ("_", "^"):
                if self.next == "^" and self.tokens[self.at + 1][0].isdigit():
                    break
                scripts.append(self.script(self.take()))
            elif self.next in ("(", "["):
                scripts.append(self.arguments_in(self.take()))
            else:
                break
        return Symbol(head, tuple(scripts))

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
                items.append(self.offset(self.item()))
        if round_:
            self.take(")")
        self.take("}")
        return Script(mark, "()" if round_ else separator, tuple(items))

    def offset(self, item: Tree) -> Tree:
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

    def arguments_in(self, mark: str) -> Script:
        closing = {"(": ")", "[": "]"}[mark]
        items = [self.total()]
        while self.has(","):
            items.append(self.total())
        self.take(closing)
        return Script(mark, ",", tuple(items))
