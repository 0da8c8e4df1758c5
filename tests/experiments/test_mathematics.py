from __future__ import annotations

import re
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser

from schedproof.core.cards import registry
from schedproof.core.data.options import REQUIRED
from schedproof.core.programs import named
from schedproof.experiments import mathematics
from tests.support import FAMILIES

DOCS = Path(__file__).parents[2] / "docs"
FORMULA = re.compile(r"\$`(.+?)`\$")
# commands of TeX that matplotlib's parser does not know, and their like
SIMPLER = (
    (r"\\(textstyle|displaystyle|bigl|bigr|Bigl|Bigr)", ""),
    (r"\\tfrac\s*(\d)(\d)", r"\\frac{\1}{\2}"),
    (r"\\[td]frac", r"\\frac"),
    (r"\\(le|ge|ne)(?![a-z])", r"\\\1q"),
    (r"\\mathbb\{1\}", "1"),
    (r"\\[lr]?[vV]ert(?![a-z])", r"\\|"),
)


def simpler(latex: str) -> str:
    row = re.sub(r"\\text\{(?:[^{}]|\{[^{}]*\})*\}", lambda words: words[0].replace("$", ""), latex)
    for pattern, instead in SIMPLER:
        row = re.sub(pattern, instead, row)
    return row


@pytest.mark.parametrize("family", FAMILIES)
def test_every_group_is_next_to_its_equation_and_its_sentence(family: str) -> None:
    page = mathematics.page(family)
    for entry in registry.family(family).programs:
        section = page.partition(f"\n## {family}.{entry.name}\n")[2].partition("\n## ")[0]
        needed = {option.name: "1" for option in entry.options if option.default is REQUIRED}
        for option in entry.options:
            line = next(line for line in section.splitlines() if line.startswith(f"| `{option.name}` |"))
            assert mathematics.words(option.meaning).replace("|", "\\|") in line
            assert ("| required |" in line) == (option.name in needed)
        for g in named.program(f"{family}.{entry.name}", **needed).groups:
            assert f"| {g.source} | " in section
            row = next(line for line in section.splitlines() if f"| `{g.name}` |" in line)
            assert mathematics.words(g.sentence).replace("|", "\\|") in row


def test_a_group_that_an_option_brings_is_printed_too() -> None:
    page = mathematics.page("preemptive")
    assert "With `chunks=floating`, in place of " in page
    assert "`dual_rows_as_printed`" in page
    assert "`stored_everywhere_as_printed`" in page


@pytest.mark.parametrize("family", FAMILIES)
def test_every_formula_parses(family: str) -> None:
    parser = MathTextParser("path")
    formulas = dict.fromkeys(FORMULA.findall(mathematics.page(family)))
    assert len(formulas) > 5
    for latex in formulas:
        assert latex.count("{") == latex.count("}"), latex
        parser.parse(f"${simpler(latex)}$")


@pytest.mark.parametrize("broken", [r"\frac{a}", r"\summ_j x_j", r"x_{j", r"a^b^c"])
def test_the_parser_notices_a_broken_formula(broken: str) -> None:
    with pytest.raises(ValueError):
        MathTextParser("path").parse(f"${simpler(broken)}$")


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_are_tables(family: str) -> None:
    width = 0
    for line in mathematics.page(family).splitlines():
        columns = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not (width and columns) or columns == width, line
        width = columns


def test_pages_are_written_completely(tmp_path: Path) -> None:
    paths = mathematics.write_pages(tmp_path)
    assert [path.name for path in paths] == [f"{family}.md" for family in sorted(FAMILIES)]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(path.name for path in paths)
