"""The page of all reproduced figures, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from schedproof.core.cards import registry
from schedproof.experiments.figures.make import compare_with_paper
from schedproof.experiments.figures.plan import Figure, of_family
from schedproof.experiments.figures.printed import VERDICTS, Fact, Judgement


def report(docs: Path) -> str:
    """Return the figures of ``docs/figures`` as the page ``docs/evidence/figures.md``."""
    parts: list[str] = []
    counts: dict[str, tuple[int, int, Counter[str]]] = {}
    for family in registry.families():
        figures = of_family(family)
        result = [figure for figure in figures if (docs / "figures" / family / f"{figure.name}.csv").exists()]
        verdicts: Counter[str] = Counter()
        paper = registry.family(family).paper
        if not figures or paper is None:
            continue
        parts.append(f"## {paper.short} (`{family}`)\n")
        for figure in result:
            judgements = list(compare_with_paper(figure, docs / "figures" / family / f"{figure.name}.csv"))
            verdicts.update(judgement.verdict for judgement in judgements)
            parts.append("\n".join(_section(figure, judgements)))
        counts[family] = (len(result), len(figures), verdicts)
    total: Counter[str] = Counter()
    lines = ["| | figures and tables made | " + " | ".join(VERDICTS) + " |", "|---|---:|" + "---:|" * len(VERDICTS)]
    for family, (made_here, known, verdicts) in counts.items():
        total += verdicts
        lines.append(f"| {family} | {made_here} of {known} | " + " | ".join(str(verdicts[v]) for v in VERDICTS) + " |")
    made_in_all, known_in_all = (sum(numbers) for numbers in zip(*(row[:2] for row in counts.values()), strict=True))
    lines.append(f"| all | {made_in_all} of {known_in_all} | " + " | ".join(str(total[v]) for v in VERDICTS) + " |")
    return "\n".join([*lines, "", *parts]).rstrip() + "\n"


def _section(figure: Figure, judgements: list[Judgement]) -> Iterator[str]:
    yield f"### {figure.title}: {figure.caption}\n"
    yield f"![{figure.title}](../figures/{figure.family}/{figure.name}.svg)\n"
    yield f"{figure.differs}\n"
    if judgements:
        yield "| the paper | where | printed | here | |\n|---|---|---|---|---|"
    for judgement in judgements:
        fact, panel = judgement.fact, figure.panels[judgement.fact.panel].title
        says = f"{fact.says} ({panel})" if panel else fact.says
        here = judgement.ours and f"{fact.curve}: {judgement.ours}"
        yield f"| {says} | {fact.place} | {printed_number(fact)} | {here} | {judgement.verdict} |"
    if judgements:
        yield ""


def printed_number(fact: Fact) -> str:
    if fact.values:
        return ", ".join(f"{value:,.0f}" for value in fact.values)
    return f"{fact.value:g} {fact.unit}".strip() if fact.value else ""
