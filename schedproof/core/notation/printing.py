"""Trees to LaTeX, and the indices that stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from schedproof.core.notation.trees import (
    Enclosed,
    Label,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Script,
    Set,
    Statement,
    Symbol,
    Total,
)
from schedproof.core.untyped import Tree

T = TypeVar("T")


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
    # of the same kind each time, which the types of trees are too free to say
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
