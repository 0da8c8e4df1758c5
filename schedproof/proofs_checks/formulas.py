"""Typeset formulas in plain text (``alpha_jd <= (t - r_j)/D_j``) as TeX.

A formula is the longest readable sequence of symbols, numbers, formulas in parentheses and operators between them.
Words between formulas, code, links and text between dollars are unchanged.

=======  ==================================================================
sum      product, then any number of times an operator and a product
product  factor, and factors after a space: ``p_j beta_sw(t)``
factor   symbol, number, ``sqrt(x)``, ``(x, y)``, ``|x|``, with its indices
=======  ==================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schedproof.proofs_checks.typeset import GREEK, WORDS

PROTECTED = re.compile(r"```.*?```|`[^`]+`|\$\$.+?\$\$|\$[^$]+\$|\]\([^()\s]+\)|\*\*|<[^<> ]+>", re.DOTALL)
START = re.compile(r"(?<![\w'./-])(?<!Appendix )(?=[\w(|{[])|(?<=\s)(?=[<>]|->)|(?<![^\s(])(?=-[A-Za-z]+_)")
WRAPPED = re.compile(r"(?<!\n)\n(?=[^\s|#>-]|[|-]\S|>=)")  # a line break within a paragraph
WORD = re.compile(r"[\w'-]*[\w']")
SPACED = re.compile(r" (<=|>=|->|/=|[<>=+*/|.-]) ")
INSIDE = re.compile(r" (in) ")
TIGHT = re.compile(r"(<=|>=|[<>=+/*-])(?=[\w(|])(?!(?<=-)[A-Z]{2})")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?(?=[A-Za-z]?(?!\w))(?:\.\.\.)?")
RANGE = re.compile(r"[\d)]-[\d(]|(?<=\d)[a-z]-\d")
REFERENCE = re.compile(r"\(\d+[a-z]?\)")
NAMED = re.compile(
    rf"(?:{GREEK}|OPT|LP\+|grad|exists(?= [b-zB-Z](?![\w'-]))|[A-Za-z](?:\d(?=[^\w%]|$))?)"
    r"(?![A-Za-z0-9]|'[A-Za-z]|-[A-Z]|-[a-z]{2})|[A-Za-z]+(?=_[A-Za-z0-9]\b)"
)
CAPITALS = re.compile(r"[A-Z]{2,}(?![\w-])")
FUNCTION = re.compile(
    rf"(sqrt|ln|log2?|exp|ceil|floor|min|max|Pr|prod|[Ss]um)"
    rf"(?=[_({{|]| (?:[(|]|(?:{GREEK}|[A-Za-z])(?![a-z])|s(?:um|qrt)\b)|(?<=ln) \d|(?<=log2) \d)"
)
CALLED = re.compile(r"[A-Za-z]+(?=\((?!s\)))")
COMPARED = re.compile(r"^\(.*(\\[lg]e |[<>=]).*\)$")
STAR = re.compile(r"\*(?=[)_^|]| [<>=+-])|∗")
QUOTED = re.compile(r"(?<![\w')\]}])'(\S(?:[^'\n]|\w'\w)*)'(?!\w)")
ASTERISK = re.compile(rf"{PROTECTED.pattern}|\n\n|\n- |\*", re.DOTALL)
SIGNS = {
    "<=": r"\le",
    ">=": r"\ge",
    "->": r"\to",
    "/=": r"\ne",
    ".": r"\cdot",
    "*": r"\cdot",
    "|": r"\mid",
    "in": r"\in",
}
NAMES = {
    "eps": r"\varepsilon",
    "grad": r"\nabla",
    "exists": r"\exists",
    "OPT": r"\mathrm{OPT}",
    "LP+": r"\mathrm{LP}^{+}",
}
BRACKETS = {"ceil": (r"\lceil ", r" \rceil"), "floor": (r"\lfloor ", r" \rfloor"), "sqrt": (r"\sqrt{", "}")}
CLOSING = {"(": ")]", "{": "}", "[": "])"}
ARTICLES = {"a", "A", "I"}  # words, except within parentheses and next to operators

Part = tuple[str, int]  # TeX, and the position of the rest


def markdown(text: str) -> str:
    """Return the text with its formulas as TeX between dollars."""
    pieces = _pieces("".join(_starred(QUOTED.sub(r"‘\1’", text))))
    typeset = "".join(piece if protected else "".join(_mixed(piece)) for piece, protected in pieces)
    return typeset.translate({ord("∗"): "*", ord("‘"): "'", ord("’"): "'"})


def _starred(text: str) -> Iterator[str]:
    """Mark the asterisks outside emphasis that follow a symbol."""
    end, emphasis = 0, False
    for found in ASTERISK.finditer(text):
        yield text[end : found.start()]
        end, before = found.end(), text[found.start() - 1 : found.start()]
        closes = emphasis and not re.match(r"[.?]\*(?!\w)| [a-z=][^*\n]*[^*\s]\*(?!\w)", text[end:])
        star = found[0] == "*" and not closes and re.match(r"[\w)'}](?!\*[\w(])", before + text[found.start() :])
        yield "∗" if star else found[0]
        if found[0] == "*":
            emphasis = emphasis if star else not emphasis and not text[end : end + 1].isspace()
        elif found[0].startswith("\n"):
            emphasis = False
    yield text[end:]


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    end = 0
    for kept in PROTECTED.finditer(text):
        yield text[end : kept.start()], False
        yield kept[0], True
        end = kept.end()
    yield text[end:], False


def _mixed(lines: str) -> Iterator[str]:
    text, at = WRAPPED.sub(" ", lines), 0
    while (start := START.search(text, at)) is not None:
        yield lines[at : start.start()]
        at = start.start()
        tex, end = _sum(text, at)
        if _is_formula(text[at:end]):
            yield f"${tex}$"
        elif (sign := re.match(r"<=|>=|->|[<>]", text[at:])) is not None:
            yield f"${SIGNS.get(sign[0], sign[0])}$"
            end = at + sign.end()
        else:
            word = WORD.match(text, at)
            end = word.end() if word else at + 1
            yield lines[at:end]
        at = end
    yield lines[at:]


def _is_formula(text: str) -> bool:
    if not text or text in ARTICLES or NUMBER.fullmatch(text) or CAPITALS.fullmatch(text) or REFERENCE.fullmatch(text):
        return False
    return not re.fullmatch(r"[\[(][\d ,]+[\])]|[\d.]+[a-z]|\(?\d+\)? ?\([a-z]+\)", text)


def _sum(text: str, at: int, inner: bool = False) -> Part:
    """Parse the longest sum of products from a position; return "" if there is none."""
    tex, at = _product(text, at, inner)
    while tex:
        sign = SPACED.match(text, at) or TIGHT.match(text, at) or (inner and INSIDE.match(text, at)) or None
        if sign is None or RANGE.match(text, at - 1):
            break
        right, end = _product(text, sign.end(), True)
        if not right or (
            sign[1] not in "+-" and text[sign.end() : end] in ARTICLES and re.match(r" [a-z]{2}", text[end:])
        ):
            break
        tex, at = f"{tex} {SIGNS.get(sign[1], sign[1])} {right}", end
    return tex, at


def _product(text: str, at: int, inner: bool) -> Part:
    sign = re.compile(r"-(?=[\w(])").match(text, at)
    tex, end = _factor(text, at + bool(sign), inner)
    if not tex:
        return "", at
    tex = f"-{tex}" if sign else tex
    while True:
        space = text[end : end + 1] == " "
        after = end + space
        if space and (NUMBER.match(text, after) or (CAPITALS.match(text, after) and not text.startswith("OPT", after))):
            return tex, end
        if (REFERENCE.match(text, after) and text[end - 1] != "'") or (
            not space and text[after : after + 1] in ("{", "|")
        ):
            return tex, end
        if not inner and NUMBER.fullmatch(tex) and (space and text[after : after + 1] == "("):
            return tex, end
        last = text[after : after + 1] in ARTICLES and text[after + 1 : after + 2] in (".", ",", ";", ":", ")")
        right, right_end = _factor(text, after, last)
        if not right or (space and (_ends_a_word(text, right_end) or COMPARED.search(right))):
            return tex, end
        tex, end = f"{tex} {right}" if not space else rf"{tex}\, {right}", right_end


def _ends_a_word(text: str, at: int) -> bool:
    return text[at : at + 1] == "'" or (text[at : at + 1] == "-" and text[at + 1 : at + 2].isalpha())


def _factor(text: str, at: int, inner: bool) -> Part:
    for read in (_function, _symbol, _number, _group):
        tex, end = read(text, at, inner)
        if tex:
            return tex, end
    return "", at


def _number(text: str, at: int, inner: bool) -> Part:
    if inner and text.startswith("...", at):
        return r"\cdots", at + 3
    number = NUMBER.match(text, at)
    if number is None:
        return "", at
    power, end = _indices(text, number.end()) if text[number.end() : number.end() + 1] == "^" else ("", number.end())
    return number[0].replace(",", "{,}").replace("...", r"\ldots") + power, end


def _function(text: str, at: int, inner: bool) -> Part:
    name = FUNCTION.match(text, at)
    if name is None:
        called = CALLED.match(text, at)
        if called is None or len(called[0]) == 1 or re.fullmatch(GREEK, called[0]):
            return "", at
        group, end = _group(text, called.end(), True)
        return (rf"\operatorname{{{called[0]}}}{group}", end) if group else ("", at)
    if name[1] in BRACKETS:
        group, end = _group(text, name.end(), True, BRACKETS[name[1]])
        return (group, end) if group else ("", at)
    below, end = _indices(text, name.end())
    space = text[end : end + 1] == " "
    tex, end = _factor(text, end + space, True)
    name_in_tex = name[1].replace("S", "s").replace("2", "_{2}")
    return (rf"\{name_in_tex}{below} {tex}", end) if tex else ("", at)


def _symbol(text: str, at: int, inner: bool) -> Part:
    name = NAMED.match(text, at) or (inner and CAPITALS.match(text, at)) or None
    if name is None:
        return "", at
    end, word = name.end(), name[0]
    below = text[end : end + 1] in ("_", "^")
    joined = SPACED.match(text, end) or TIGHT.match(text, end) or re.match(r" [a-z]\^| [A-Z]/|\(", text[end:])
    if word in ARTICLES and not (inner or below or joined):
        return "", at
    tex = NAMES.get(word, f"\\{word}" if re.fullmatch(GREEK, word) else word)
    tex = f"{word[0]}_{{{word[1]}}}" if re.fullmatch(r"[A-Za-z]\d", word) else tex
    tex = rf"\mathrm{{{word}}}" if len(word) > 1 and tex == word else tex
    if re.match(r"\^(?![A-Za-z0-9({]|-\w)", text[end:]):
        tex, end = rf"\hat{{{tex}}}", end + 1
    scripts, end = _indices(text, end)
    tex += scripts
    if text[end : end + 1] in ("(", "{") and word not in ("OPT",):  # the argument of the function with this name
        around = (text[end], ")") if text[end] == "(" else (r"\{", r"\}")
        group, after = _group(text, end, True, around)
        tex, end = (tex + group, after) if group else (tex, end)
    return tex, end


def _indices(text: str, at: int) -> Part:
    tex = ""
    while True:
        if text[at : at + 1] == "'" and not text[at + 1 : at + 2].isalpha():
            tex, at = tex + "'", at + 1
        elif STAR.match(text, at):
            tex, at = tex + "^{*}" if "^" not in tex else tex, at + 1
        elif text[at : at + 1] == "!" and text[at + 1 : at + 2] in (")", " "):
            tex, at = tex + "!", at + 1
        elif (index := re.match(r"([_^])(-?[A-Za-z0-9]+(?:\.\d+)?|\+(?![\w(]))", text[at:])) is not None:
            tex, at = f"{tex}{index[1]}{{{_index(index[2])}}}".replace("^{*}^{", "^{*"), at + index.end()
        elif text[at : at + 2] in ("_(", "^(", "_{", "^{"):
            group, end = _group(text, at + 1, True, ("{", "}"))
            if not group:
                return tex, at
            tex, at = f"{tex}{text[at]}{group}", end
        else:
            return tex, at


def _index(word: str) -> str:
    if re.fullmatch(GREEK, word):
        return NAMES.get(word, f"\\{word}")
    return rf"\mathrm{{{word}}}" if word in WORDS or len(word.lstrip("-")) > 3 else word


def _group(text: str, at: int, inner: bool, brackets: tuple[str, str] = ("", "")) -> Part:
    """Parse parentheses, or a pair of bars."""
    opening = text[at : at + 1]
    reference = REFERENCE.match(text, at)
    if reference is not None and not brackets[0]:
        return rf"\text{{{reference[0]}}}", reference.end()
    if opening == "|":
        tex, end = _sum(text, at + 1, True)
        scripts, after = _indices(text, end + 1)
        return (f"|{tex}|{scripts}", after) if tex and text[end : end + 1] == "|" else ("", at)
    if opening not in CLOSING:
        return "", at
    parts, end = list[str](), at + 1
    while True:
        dots = re.compile(r"\.(\.\.)?(?=[,)])").match(text, end)
        tex, end = (r"\ldots" if dots[1] else r"\cdot", dots.end()) if dots else _sum(text, end, True)
        if not tex:
            return "", at
        parts.append(tex)
        if (comma := re.match(r",\s*|\|", text[end:])) is None:
            break
        parts.append(", " if "," in comma[0] else r" \mid ")
        end += comma.end()
    if not (closing := text[end : end + 1]) or closing not in CLOSING[opening]:
        return "", at
    shown = brackets if brackets[0] else (opening.replace("{", r"\{"), closing.replace("}", r"\}"))
    scripts, end = _indices(text, end + 1)
    return f"{shown[0]}{''.join(parts)}{shown[1]}{scripts}", end
