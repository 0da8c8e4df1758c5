"""Link symbols and equations of a statement to their definitions."""

from __future__ import annotations

import re
from functools import cache

from schedproof.experiments import mathematics
from schedproof.proofs_checks.formulas import markdown

CELL = re.compile(r"(?<!\\)\|")
EQUATION = re.compile(r"\((\d+)([a-z]?)\)")
MOST = 12  # links of a line


def explained(family: str, text: str) -> list[str]:
    """Return a line with the text's symbols and equations that the page defines."""
    tex = " ".join(re.findall(r"\$(.+?)\$", markdown(text)))
    page = f"../../{family}.md"
    links = [
        f"[${symbol}$]({page}#symbols) {words}" for symbol, words in _symbols(family).items() if _occurs(symbol, tex)
    ]
    for number, letter in dict.fromkeys(EQUATION.findall(text)):
        whole = f"({number})" if letter < "l" else ""  # (3r) is no equation's number
        anchor = _equations(family).get(f"({number}{letter})") or _equations(family).get(whole)
        links += [f"[({number}{letter})]({page}#{anchor})"] if anchor else []
    defined = f" Here: {'; '.join(links[:MOST])}." if links else ""
    return [f"Symbols are [the paper's]({page}#symbols).{defined}"]


def _occurs(symbol: str, tex: str) -> bool:
    """Whether a symbol is in a formula, with its indices or bare."""
    bare = re.escape(symbol.partition("_")[0])
    return (
        re.search(rf"(?<![A-Za-z\\]){re.escape(symbol)}(?![A-Za-z_^])|(?<![A-Za-z\\{{]){bare}(?![A-Za-z_^'}}])", tex)
        is not None
    )


@cache
def _programs(family: str) -> str:
    return mathematics.page(family)


@cache
def _symbols(family: str) -> dict[str, str]:
    """Map TeX to meaning, from the table of symbols."""
    table = _programs(family).partition("## Symbols")[2].partition("\n## ")[0]
    result: dict[str, str] = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in CELL.split(line)[1:-1]]
        if len(cells) == 5 and "`" in cells[1]:
            names = re.findall(r"\$`(.+?)`\$", cells[0])
            words = [word.strip("` ") for word in cells[1].split(",")]
            for n, name in enumerate(names):
                what = words[min(n, len(words) - 1)]
                result[name] = f"`{what}`" + (f" in {cells[3]}" if cells[3] not in ("1", "-", "") else "")
    return result


@cache
def _equations(family: str) -> dict[str, str]:
    """Map an equation's number to the first program that has it."""
    result: dict[str, str] = {}
    rows: dict[str, str] = {}
    for part in re.split(r"^## ", _programs(family), flags=re.M)[2:]:
        title, _, body = part.partition("\n")
        anchor = title.strip().replace(".", "")
        for number, letter in EQUATION.findall(body.strip().partition("\n")[0]):
            result.setdefault(f"({number}{letter})", anchor)
        for cell in re.findall(r"^\| ([^|]*\(\d[^|]*) \|", body, flags=re.M):
            for number, letter in EQUATION.findall(cell):
                rows.setdefault(f"({number}{letter})", anchor)
    return rows | result
