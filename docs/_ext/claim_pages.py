"""Make a page for every claim, the ledger's table, and the start page's cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from made import DOCS, moved, typeset, write
from refutation_parts import decisive_finding, with_parts
from sphinx.application import Sphinx
from sphinx.config import Config
from witness_pictures import row as violated_row

from schedproof.core.cards import registry
from schedproof.core.claims import claims
from schedproof.core.claims.claims import Filed, in_words
from schedproof.experiments.ledger import LEADING, SEVERITIES, account, first_witness, is_refuted
from schedproof.experiments.mathematics import documented_families
from schedproof.proofs_checks.formulas import markdown

Row = Mapping[str, Any]
COLUMNS = ("paper", "verdict", "severity", "evidence")
ORDER = (
    *SEVERITIES,
    "undecided",
    "ill_posed",
    "holds_under",
    "argued_under",
    "argued",
    "cited",
    "holds",
)  # of the ledger
COLOURS = {
    "holds": "success",
    "holds_under": "info",
    "argued": "info",
    "cited": "info",
    "refuted": "danger",
    "refuted_as_printed": "warning",
}
MEANINGS = "## What the words mean"  # the chapter of docs/ledger.md before which the table stands


def make(app: Sphinx, config: Config) -> None:
    """Make the pages of all claims."""
    rows = {id: row for family in documented_families() for id, row in claims.ledger(family).items()}
    origin = {row["repaired_by"]: id for id, row in rows.items() if row["repaired_by"]}
    files: dict[str, str | bytes] = {}
    for id, row in rows.items():
        filed = claims.find(id)
        text, pictures = _refutation(id, filed, rows) if _file(id).is_file() else (_statement(row), {})
        files |= pictures | {f"{_place(id)}.md": _page(dict(row), filed, text, origin.get(id, ""))}
    write("claims", files | {"table.html": _table(rows), "cards.txt": _cards(rows)})


def _place(id: str) -> str:
    return id.replace(".", "/")


# --- a claim's page --------------------------------------------------------------------------------------------------


def _file(id: str) -> Path:
    return DOCS / "refutations" / f"{_place(id)}.md"


def _page(row: dict[str, Any], filed: Filed, text: str, origin: str) -> str:
    id, family = row["id"], filed.claim.family
    badges = [f"{{bdg-{COLOURS.get(row['verdict'], 'secondary')}}}`{in_words(row['verdict'])}`"]
    badges += [
        f"{{bdg-secondary-line}}`{row[key]}`" for key in ("severity", "evidence") if row[key] not in (None, "none")
    ]
    title, _, text = text.partition("\n")
    entry = moved("\n".join(account(row, filed)), "docs/ledger.md", f"docs/claims/{_place(id)}.md")
    paper = registry.family(family).paper
    back = f"\n\nThe nearest true version of [{origin}]({origin.partition('.')[2]}.md)." if origin else ""
    return "\n\n".join(
        [
            f"# {id}{markdown(title)}",
            " ".join(badges) + f" [{paper and paper.short}](../../papers/{family}.md){back}",
            text.strip(),
            "## In the ledger",
            markdown(entry),
            "[The ledger](../../ledger.md#what-the-words-mean) explains these terms.\n",
        ]
    )


def _statement(row: Row) -> str:
    return f"\n## Statement\n\n{markdown(row['statement'])}"


def _refutation(id: str, filed: Filed, rows: Mapping[str, Row]) -> tuple[str, dict[str, bytes]]:
    heading, _, text = _file(id).read_text().partition("\n")
    text = moved(text.strip(), f"docs/refutations/{_place(id)}.md", f"docs/claims/{_place(id)}.md")
    repair = rows.get(rows[id]["repaired_by"])
    text, pictures = with_parts(text, filed, rows[id], repair, _script(id))
    return f": {heading.partition(': ')[2] or heading.removeprefix('# ')}\n{text}", pictures


def _script(id: str) -> str:
    """Return the script that recomputes the violated number, with a button to run it."""
    path = f"refutations/{_place(id)}.py"
    return f"""## Run it

This script needs nothing but Python's standard library and shares no code with the package.
`python -I docs/{path}` runs it, and so does the button, in this page, without a server.

```{{raw}} html
<div class="run-it"><button type="button">Run this</button><pre hidden aria-live="polite"></pre></div>
```

:::{{dropdown}} The script
```{{literalinclude}} ../../{path}
:language: python
:class: run-this
```
:::"""


# --- the ledger, and the cards ---------------------------------------------------------------------------------------


def _table(rows: Mapping[str, Row]) -> str:
    """Return the table by decreasing severity; ``ledger.js`` filters and pages it."""
    cells = "\n".join(_line(row) for row in sorted(rows.values(), key=_gravity))
    chosen = "".join(_choice(n, name, rows) for n, name in enumerate(COLUMNS, 1))
    head = "".join(f"<th>{name}</th>" for name in ("claim", *COLUMNS, "statement"))
    return f"""<form id="ledger-filters">{chosen}
<label>words <input type="search" name="words"></label></form>
<table id="ledger-table" class="table"><thead><tr>{head}</tr></thead>
<tbody>
{cells}
</tbody></table>
<div id="ledger-pages" hidden><button type="button">previous</button>
<output></output><button type="button">next</button></div>
"""


def _gravity(row: Row) -> tuple[int, int]:
    """Return the sort key of a row: leading refutations, then by severity, then others."""
    kind = row["severity"] if is_refuted(dict(row)) else row["verdict"]
    return ORDER.index(kind), [*LEADING, row["id"]].index(row["id"])


def _line(row: Row) -> str:
    link = f'<a href="claims/{_place(row["id"])}.html">{row["id"].replace("_", "_<wbr>").replace(".", ".<wbr>")}</a>'
    cells = "".join(f"<td>{cell}</td>" for cell in (link, *_cells(row)))
    return f'<tr>{cells}<td data-words="{escape(row["statement"])}">{typeset(row["statement"])}</td></tr>'


def _cells(row: Row) -> Iterator[str]:
    paper = registry.family(row["id"].partition(".")[0]).paper
    yield paper.short if paper is not None else ""
    yield in_words(row["verdict"])
    yield row["severity"] if is_refuted(dict(row)) else ""
    yield row["evidence"]


def _choice(column: int, name: str, rows: Mapping[str, Row]) -> str:
    values = sorted({[*_cells(row)][column - 1] for row in rows.values()} - {""})
    options = "".join(f"<option>{value}</option>" for value in values)
    start = f'<label>{name} <select name="{name}" data-column="{column}"><option value="">all</option>'
    return f"{start}{options}</select></label>"


def _cards(rows: Mapping[str, Row]) -> str:
    cards = [_card(rows[id], claimed) for id, claimed in LEADING.items()]
    return "::::{grid} 1 2 2 4\n:gutter: 3\n\n" + "\n\n".join(cards) + "\n::::\n"


def _card(row: Row, claimed: str) -> str:
    """Return the claim, its violated row to scale, and the witness."""
    paper, place = str(row["source"]).split(", ", 1)
    return f""":::{{grid-item-card}}
:link: claims/{_place(row["id"])}
:link-type: doc
:footer: {paper}, {place.split(", and ")[0]} · {in_words(row["verdict"])}

**Claims:** {markdown(claimed)}

**But:** {markdown(first_witness(row))}

```{{raw}} html
{violated_row(decisive_finding(claims.find(row["id"])))}
```
:::"""


def add_table(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put the table of all claims, with its filters, into the ledger's page."""
    if docname == "ledger":
        table = "```{raw} html\n:file: claims/table.html\n```"
        content[0] = content[0].replace(MEANINGS, f"{table}\n\n{MEANINGS}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", make)
    app.connect("source-read", add_table, priority=400)  # before links are rewritten
    app.add_js_file("ledger.js")
    app.add_js_file("witness.js")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
