"""Commands for an overview: tour, programs, policies, claims, show, schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import schedproof as sp
from schedproof.cli.command import Answer, Folder, command
from schedproof.cli.terminal import page_lines, say, table
from schedproof.core.programs import named

if TYPE_CHECKING:
    from schedproof.core.programs.program import Program


@command()
def tour(*, out: Folder = Path("tour")) -> None:
    """Show the main functions on an embedded instance.

    Solve, relax, run online, certify, draw.

    out: The folder for the pictures.
    """
    from schedproof.experiments.tour import take

    take(out, say)


@command()
def programs(*, family: str | None = None) -> Answer:
    """List programs."""
    rows = sp.programs(family)
    return Answer({"programs": rows}, table([*rows.items()]))


@command()
def policies(*, family: str | None = None) -> Answer:
    """List online policies, then offline policies."""
    online, offline = sp.policies(family), sp.policies(family, offline=True)
    more = ["", "offline, all jobs known:", *table([*offline.items()])] if offline else []
    return Answer({"policies": online, "offline": offline}, [*table([*online.items()]), *more])


@command()
def claims(*, family: str | None = None, verdict: str | None = None, store: Path | None = None) -> Answer:
    """List the papers' claims with their verdicts, and count the kinds of evidence.

    store: A ledger written by `verify --store`; its verdicts replace the stored verdicts.
    verdict: Only claims with this verdict, like refuted_as_printed.
    """
    from schedproof.core.claims.claims import in_words, ledger_rows

    rows = ledger_rows(family, verdict, store)
    verdicts = {id: row["verdict"] for id, row in rows.items()}
    statements = {id: row["statement"] for id, row in rows.items()}
    lines = [*table([(id, f"{in_words(verdicts[id]):25}  {statement}") for id, statement in statements.items()])]
    evidence = dict(Counter(row.get("evidence", "not judged") for row in rows.values()).most_common())
    lines.append(f"{len(rows)} claims: {', '.join(f'{count} {kind}' for kind, count in evidence.items())}")
    return Answer({"claims": statements, "verdicts": verdicts, "evidence": evidence}, lines)


@command()
def show(
    name: str,
    *,
    latex: bool = False,
    drop: Sequence[str] = (),
    relaxed: bool = False,
    dual: bool = False,
    option: Mapping[str, str],
    rows: bool = False,
    json: bool = False,
) -> Answer | None:
    """Show the meaning of a name: options, groups or verdict.

    NAME is a family, program, policy, bound, game, generator, trace or claim.

    name: An id or a short name.
    latex: Print a program's LaTeX rows.
    dual: Show the dual of the program, which must be linear and continuous.
    rows: Build the program for a first random draw, and list its variables and rows.
    """
    from schedproof.core.api import catalogue

    if latex or drop or relaxed or dual or option:
        program = change(name, option, drop, relaxed)
        pages = [catalogue.program_page(program.dual() if dual else program)]
    else:
        pages = catalogue.pages(name)
    if latex and not json:
        print(pages[0].latex)
        return None
    if not rows:
        pages = [replace(page, built=tuple) for page in pages]
    return Answer({"shown": [page.to_json() for page in pages]}, (line for page in pages for line in page_lines(page)))


def change(name: str, options: Mapping[str, str], drop: Sequence[str], relaxed: bool) -> Program:
    """Return a program with options, without some groups, or without integrality."""

    program = named.program(name, **options)
    program = program.drop(*drop) if drop else program
    return program.relaxed() if relaxed else program


@command()
def schema(family: str) -> None:
    """Print the JSON Schema of a family's instance files.

    family: A family, like jrp.
    """
    import msgspec

    from schedproof.core.cards import registry

    schema = registry.family(family).load("instance").json_schema()
    print(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
