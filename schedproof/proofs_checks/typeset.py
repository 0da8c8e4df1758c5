"""Set the text of claims, with plain-text formulas, as LaTeX or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape

from schedproof.core.errors import printable

GREEK = (
    "alpha|beta|gamma|Gamma|delta|Delta|epsilon|eps|zeta|eta|theta|Theta|kappa|lambda|Lambda|mu|nu|xi|pi|Pi|rho|sigma|"
    "Sigma|tau|phi|Phi|chi|psi|Psi|omega|Omega|varpi"
)
RELATIONS = {"<=": ("$\\le$", "≤"), ">=": ("$\\ge$", "≥"), "->": ("$\\to$", "→"), "<": ("$<$", "&lt;")} | {
    ">": ("$>$", "&gt;"),
    "|": ("$|$", "|"),
    " - ": (" $-$ ", " − "),
}
PIECE = re.compile(
    rf"`(?P<code>[^`]+)`"
    rf"|(?P<relation>{'|'.join(map(re.escape, RELATIONS))})"
    rf"|(?<![\w'])(?P<base>{GREEK}|(?:sum|max|min)(?=_)|[B-HJ-Zb-z](?![\w'])|[A-Za-z](?=[_^])"
    r"|[A-Za-z]+(?=_[A-Za-z0-9](?![A-Za-z0-9_])))"
    r"(?:_(?P<index>[A-Za-z0-9]+|\([^()]*\)))?(?:\^(?P<power>\w+|\([^()]*\)))?(?!\w)"
    r"|\^(?P<above>\w+|\([^()]*\))"
)
COMMANDS = {*GREEK.split("|"), "sum", "max", "min"}  # commands of LaTeX; HTML has all but the last two as entities
WORDS = {"max", "min", "ps", "online", "greedy", "top", "below"}  # indices that are words, not letters
SPECIAL: dict[str, str] = {c: f"\\{c}" for c in "%$#_&{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\^{}",
}


def latex(text: str) -> str:
    return "".join(_latex(found) for found in _pieces(text))


def as_latex(text: str) -> str:
    """Return text without formulas as LaTeX."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def html(text: str) -> str:
    return "".join(_html(found) for found in _pieces(text))


def _pieces(text: str) -> Iterator[str | re.Match[str]]:
    text, end = "\n".join(map(printable, text.split("\n"))), 0
    for result in PIECE.finditer(text):
        yield text[end : result.start()]
        yield result
        end = result.end()
    yield text[end:]


def _bare(script: str) -> str:
    return script.strip("()")


def _script(text: str) -> str:
    """Return an index or a power as LaTeX, in which it may have indices itself."""
    return "".join(letter if letter in "_^" else as_latex(letter) for letter in _bare(text))


def _latex(piece: str | re.Match[str]) -> str:
    if isinstance(piece, str):
        return as_latex(piece)
    code, relation, base, index, power, above = piece.group("code", "relation", "base", "index", "power", "above")
    if code:
        return f"\\texttt{{{_latex(code)}}}"
    if relation:
        return RELATIONS[relation][0]
    name = "" if above else base if len(base) == 1 else f"\\mathit{{{base}}}"
    name = f"\\{'varepsilon' if base == 'eps' else base}" if base in COMMANDS else name
    below = "" if index is None else f"_{{\\mathrm{{{index}}}}}" if index in WORDS else f"_{{{_script(index)}}}"
    raised = _script(power or above or "")
    return f"${name}{below}{f'^{{{raised}}}' if raised else ''}$"


def _html(piece: str | re.Match[str]) -> str:
    if isinstance(piece, str):
        return escape(piece, quote=False)
    code, relation, base, index, power, above = piece.group("code", "relation", "base", "index", "power", "above")
    if code:
        return f"<code>{_html(code)}</code>"
    if relation:
        return RELATIONS[relation][1]
    letter = {"eps": "&epsilon;", "varpi": "&piv;"}.get(base, f"&{base};") if base in COMMANDS else base
    name = "" if above else base if base in ("max", "min") else f"<i>{unescape(letter)}</i>"
    below = "" if index is None else f"<sub>{index if index in WORDS else f'<i>{escape(_bare(index))}</i>'}</sub>"
    raised = _bare(power or above or "")
    return f"{name}{below}{f'<sup>{escape(raised)}</sup>' if raised else ''}"
