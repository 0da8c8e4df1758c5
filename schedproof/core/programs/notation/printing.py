"""Trees to LaTeX, and the free indices of trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from schedproof.core.base.untyped import Tree
from schedproof.core.programs.notation.trees import (
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

T = TypeVar("T")


def to_latex(tree: Tree) -> str:
    match tree:
        case Number(text) | Label(text):
            return text
        case Symbol(head, scripts):
            return head + "".join(map(to_latex, scripts))
        case Script(mark, separator, items):
            if mark in "([":
                return mark + ", ".join(map(to_latex, items)) + {"(": ")", "[": "]"}[mark]
            shifted = any(isinstance(i, Total) for i in items)
            listed = _join("," if separator or shifted else "", map(to_latex, items))
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
            return _join(r" ", (_factor(f, n == len(factors) - 1) for n, f in enumerate(factors)))
        case Quotient("/", top, bottom):
            below = f"({to_latex(bottom)})" if isinstance(bottom, Product | Quotient) else _factor(bottom)
            return f"{_factor(top)} / {below}"
        case Quotient(form, top, bottom):
            return f"{form}{{{to_latex(top)}}}{{{to_latex(bottom)}}}"
        case Power(base, exponent):
            raised = isinstance(base, Symbol) and any(s.mark == "^" for s in base.scripts)
            return f"({to_latex(base)})^{exponent}" if raised else f"{_factor(base)}^{exponent}"
        case Enclosed(r"\sqrt", body):
            return rf"\sqrt{{{to_latex(body)}}}"
        case Enclosed("[", body):
            return f"[{to_latex(body)}]"
        case Enclosed(kind, body):
            return rf"{kind} {to_latex(body)} {kind.replace(chr(92) + 'l', chr(92) + 'r')}"
        case Over(kind, indices, conditions, body):
            if len(indices) == len(conditions) == 1 and conditions[0].sides[0] == indices[0]:
                return rf"{kind}_{{{to_latex(conditions[0])}}} {_factor(body, True)}"
            under = ",".join(map(to_latex, indices))
            under += ": " * bool(conditions) + ", ".join(map(to_latex, conditions))
            return rf"{kind}_{{{under}}} {_factor(body, True)}"
        case Set("..", (low, high)):
            return rf"\{{{to_latex(low)}, \dots, {to_latex(high)}\}}"
        case Set("{", items):
            return rf"\{{{','.join(map(to_latex, items))}\}}"
        case Set("[", (low, high)):
            return f"[{to_latex(low)}, {to_latex(high)}]"
        case Set(kind):
            return str(kind)
        case Statement(rest, sign, right, conditions):
            forall = r" \quad \forall " * bool(conditions) + ", ".join(map(to_latex, conditions))
            return f"{to_latex(rest)} {sign} {to_latex(right)}{forall}"
        case Relation(sides, signs):
            return to_latex(sides[0]) + "".join(f" {s} {to_latex(x)}" for s, x in zip(signs, sides[1:], strict=True))
    raise TypeError(tree)


def _factor(tree: Tree, last: bool = False) -> str:
    loose = isinstance(tree, Total) or (isinstance(tree, Over) and not last)
    return rf"({to_latex(tree)})" if loose else to_latex(tree)


def _join(separator: str, parts: Iterable[str]) -> str:
    text = ""
    for part in parts:
        lone = re.search(r"\\[a-zA-Z]+$", text + separator) and part[:1].isalpha()
        text += (separator if text else "") + " " * bool(lone and text) + part
    return text


def indices(tree: Tree) -> dict[str, Symbol]:
    """Return the free indices of a tree, in printed order."""
    free: dict[str, Symbol] = {}
    _indices(tree, frozenset(), free)
    return free


def is_index(tree: Tree) -> bool:
    """Whether a script's item is an index: a small letter, or one with an index."""
    return (
        isinstance(tree, Symbol)
        and bool(re.fullmatch(r"[a-z]'*|\\pi", tree.head))
        and not any(isinstance(i, Label) for s in tree.scripts for i in s.items)
    )


def _indices(tree: Tree, bound: frozenset[str], free: dict[str, Symbol]) -> None:
    if isinstance(tree, Symbol | Relation):
        for argument in tree.arguments if isinstance(tree, Symbol) else tree.sides:
            for each in _plain(argument):
                if to_latex(each) not in bound:
                    free.setdefault(to_latex(each), each)
            _indices(argument, bound, free)
    elif isinstance(tree, Over):
        inner = bound | {to_latex(i) for i in tree.indices}
        for part in (*tree.indices, *tree.conditions, tree.body):
            _indices(part, inner, free)
    else:
        for child in children(tree):
            _indices(child, bound, free)


def _plain(tree: Tree) -> Iterator[Symbol]:
    if is_index(tree) and (not tree.scripts or tree.head == r"\pi"):
        yield tree
    elif isinstance(tree, Total | Product):
        for child in children(tree):
            yield from _plain(child)


def children(tree: Tree) -> Iterator[Tree]:
    """Yield the subtrees of a tree."""
    for f in fields(tree):
        yield from _trees(getattr(tree, f.name))


def _trees(value: Tree) -> Iterator[Tree]:
    if isinstance(value, tuple):
        for entry in value:
            yield from _trees(entry)
    elif hasattr(value, "__dataclass_fields__"):
        yield value


def substitute(tree: T, names: Mapping[str, Tree]) -> T:
    """Return a tree with some indices replaced simultaneously."""
    # the result has the same kind, which the types of trees cannot express
    if isinstance(tree, Symbol):
        if (text := to_latex(tree)) in names:
            return names[text]  # type: ignore[no-any-return]
        head = to_latex(names[tree.head]) if tree.head in names and tree.scripts else tree.head
        return Symbol(head, substitute(tree.scripts, names))  # type: ignore[return-value]
    if isinstance(tree, tuple):
        return tuple(substitute(entry, names) for entry in tree)  # type: ignore[return-value]
    if hasattr(tree, "__dataclass_fields__"):
        changed = {f.name: substitute(getattr(tree, f.name), names) for f in fields(tree)}  # type: ignore[arg-type]
        return replace(tree, **changed)  # type: ignore[type-var]
    return tree
