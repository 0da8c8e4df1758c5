"""Make the bibliography, and a page for every paper with its family's cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from made import DOCS, write
from sphinx.application import Sphinx
from sphinx.config import Config

from schedproof.core.cards import registry
from schedproof.core.cards.family import KINDS, Entry, Family
from schedproof.core.cards.sources import Paper
from schedproof.core.claims import claims
from schedproof.core.claims.claims import in_words
from schedproof.core.data.options import REQUIRED, Option
from schedproof.experiments.ledger import is_refuted
from schedproof.experiments.mathematics import documented_families, words

CALLS = {  # what makes one, in Python
    "program": "sp.{family}.{name}",
    "policy": "sp.{family}.{name}",
    "bound": 'sp.bound("{family}.{name}", instance)',
    "generator": 'sp.generate("{name}", ...)',
    "trace": 'sp.trace("{name}", files)',
    "trainer": "schedproof train {name}",
    "game": 'sp.game("{family}.{name}")',
}
PLURALS = {"policy": "Policies"}


def make(app: Sphinx, config: Config) -> None:
    """Make a page for each paper, and the bibliography's data."""
    families = [registry.family(name) for name in documented_families()]
    families.sort(key=lambda card: card.paper.number if card.paper else "")
    files = {f"{card.name}.md": _page(card) for card in families}
    references = "\n\n".join(_bibtex(card.name, card.paper) for card in families if card.paper is not None)
    write("papers", files | {"papers.bib": references + "\n", "index.md": _index(families)})


def _index(families: Iterable[Family]) -> str:
    rows = (
        (f"[{c.name}]({c.name}.md)", c.sentence, f"{c.paper and c.paper.short} {{cite:p}}`{c.name}`") for c in families
    )
    tree = "\n".join(card.name for card in families)
    return "\n".join(
        [
            "# Papers",
            "",
            "A paper's programs, policies, bounds and claims are a *family*, whose name begins theirs.",
            "",
            _table(("family", "about", "paper"), rows),
            f"\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n",
        ]
    )


def _page(card: Family) -> str:
    parts = [
        f"# {card.name}: {card.paper.title if card.paper else ''}",
        f"{card.sentence} {{cite:p}}`{card.name}`",
        f"**Mathematics.** [Every program, equation by equation beside its code](../{card.name}.md). "
        f"**First steps.** [Its commands, with examples](../howto/{card.name}.md). "
        f"**Notebook.** [Its pictures, with the code that draws them](../../notebooks/{card.name}.ipynb). "
        f"**Claims.** [What the paper says, judged](#claims).",
        *(part for kind in KINDS for part in _offers(card, kind)),
        *_evidence(card.name),
        *_claims(card.name),
        f"```{{toctree}}\n:hidden:\n\n/{card.name}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _offers(card: Family, kind: str) -> Iterator[str]:
    entries = [entry for _, entry in card.entries(kind)]
    if entries:
        yield f"## {PLURALS.get(kind, kind.capitalize() + 's')}"
        yield _table(
            ("name", "", "in Python" if kind != "trainer" else "command"), (_entry(card, kind, e) for e in entries)
        )
    options = [_option(entry, option) for entry in entries for option in entry.options]
    if options:
        yield _table(("option", "of", "expects", "default", ""), options)


def _entry(card: Family, kind: str, entry: Entry) -> tuple[str, ...]:
    name = f"`{entry.name}`"
    if kind == "program":  # its place on the page of the mathematics
        name = f"[{name}](../{card.name}.md#{card.name}{entry.name})"
    sizes = f" Presets: {', '.join(f'`{preset}`' for preset in entry.presets)}." if entry.presets else ""
    return name, f"{words(entry.sentence)}{sizes}", f"`{CALLS[kind].format(family=card.name, name=entry.name)}`"


def _option(entry: Entry, option: Option) -> tuple[str, ...]:
    default = option.usual if option.default in (REQUIRED, None) else f"`{option.usual}`"
    return f"`{option.name}`", f"`{entry.name}`", words(option.kind.words), default, words(option.meaning)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), ["---"] * len(list(head)), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _evidence(family: str) -> Iterator[str]:
    pictures = sorted(
        (path.stem for path in (DOCS / "figures" / family).glob("*.csv")), key=lambda name: (len(name), name)
    )
    pages = sorted(p for p in (DOCS / "evidence").glob("*.md") if re.search(rf"(^|_){family}(_|$)", p.stem))
    if pages or pictures:
        yield "## Figures, and what was measured"
    if pictures:
        yield "[Beside what the paper prints](../evidence/figures.md):"
        cards = (f":::{{grid-item-card}}\n![{name}](../figures/{family}/{name}.svg)\n:::" for name in pictures)
        yield "::::{grid} 1\n:gutter: 2\n\n" + "\n\n".join(cards) + "\n::::"
    if pages:
        yield "\n".join(f"- [{_title(page)}](../evidence/{page.name})" for page in pages)


def _title(page: Path) -> str:
    return page.read_text().partition("\n")[0].removeprefix("# ")


def _claims(family: str) -> Iterator[str]:
    rows = claims.ledger(family)
    yield "## Claims"
    yield "Filtered together with the other papers' in [the ledger](../ledger.md)."
    yield _table(("claim", "verdict", "severity", "statement"), (_claim(id, row) for id, row in rows.items()))
    names = "\n".join(f"/claims/{id.replace('.', '/')}" for id in rows)
    yield f"```{{toctree}}\n:hidden:\n\n{names}\n```"


def _claim(id: str, row: dict[str, Any]) -> tuple[str, ...]:
    link = f"[{id.partition('.')[2]}](../claims/{id.replace('.', '/')}.md)"
    return link, in_words(row["verdict"]), row["severity"] if is_refuted(row) else "", words(row["statement"])


def _bibtex(key: str, paper: Paper) -> str:
    kind, where = ("inproceedings", "booktitle") if paper.venue.startswith("IEEE HPCC") else ("article", "journal")
    if paper.venue.endswith("INFOCOM"):
        kind, where = "inproceedings", "booktitle"
    fields = {
        "author": " and ".join(paper.authors),
        "title": f"{{{paper.title}}}",
        where: paper.venue,
        "year": str(paper.year),
        "doi": paper.doi,
    }
    return f"@{kind}{{{key},\n" + "".join(f"  {k} = {{{v}}},\n" for k, v in fields.items() if v) + "}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
