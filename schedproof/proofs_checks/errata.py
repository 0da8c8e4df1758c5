"""The errata of a paper: each statement that is false as printed, with its repair.

The text is taken from the claims. The numbers of each counterexample are recomputed when the report is written. The
report is set with LaTeX, or as HTML if LaTeX is not installed.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from shutil import copyfile, which
from tempfile import TemporaryDirectory

from schedproof.core.base.untyped import Json
from schedproof.core.cards import registry
from schedproof.core.cards.sources import Paper
from schedproof.core.claims import claims
from schedproof.core.claims.claims import Filed
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.runtime.context import Progress, silent
from schedproof.core.runtime.files import atomic, write_bytes
from schedproof.proofs_checks.typeset import as_latex, html, latex

KINDS = {".pdf": "PDF", ".tex": "LaTeX", ".html": "HTML"}
SECTIONS = {
    "false theorem": "Statements that are false",
    "false proof step": "Steps of proofs that are false",
    "slip": "Slips",
    "holds_under": "True under an assumption that is not printed",
    "argued_under": "Argued by its author under an assumption that is not printed",
    "ill_posed": "Not defined as printed",
}
OPENING = (
    "These notes concern printed sentences, not the value of the paper. Every counterexample is exact, in rational "
    "numbers or rigorous enclosures, and was evaluated anew for this report; `schedproof verify ID` evaluates it again "
    "on your machine. A proof is prose that no machine has checked, unless the proof says that Coq has checked it."
)
LATEX = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper, margin=2.5cm]{geometry}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\sloppy\raggedbottom
\title{Notes on ``TITLE''}
\date{}\setcounter{tocdepth}{1}
\begin{document}
\maketitle
PAPER

OPENING
\tableofcontents
TEXT
\end{document}
"""
HTML = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Notes on “TITLE”</title>
<style>body { max-width: 45em; margin: 2em auto; padding: 0 1em; font-family: serif; line-height: 1.4 }</style>
<h1>Notes on “TITLE”</h1>
<p>PAPER</p>
<p>OPENING</p>
TEXT
</html>
"""
PROOFS = {
    "prose proof": "Proof",
    "formal": "Proof, checked by Coq",
    "formal core": "Proof, in part checked by Coq",
    "cited": "Reference",
}
STATES = {
    "holds": "holds",
    "holds_under_assumption": "holds under the assumption",
    "argued": "is argued by its author",
    "argued_under_assumption": "is argued by its author under the assumption",
    "cited": "is cited",
    "violated": "does not hold",
    "undefined": "is not defined",
    "open": "is open",
}


@dataclass(frozen=True)
class Erratum:
    """A statement that is false as printed.

    Attributes
    ----------
    section
        One of `SECTIONS`.
    said
        Heading -> paragraph, in the order of the text.
    """

    id: str
    section: str
    source: str
    statement: str
    said: tuple[tuple[str, str], ...]


def errata(family: str, progress: Progress = silent, ledger: str | Path | None = None) -> Iterator[Erratum]:
    """Return the errata of the family's paper, the most severe first.

    Parameters
    ----------
    ledger
        The file in which `verify` stored its results; by default ``ledger.json`` next to the claims.

    Raises
    ------
    SchedproofError
        When a stored counterexample does not reproduce the stored numbers, or the claims have not been judged.
    """
    filed = claims.of_family(registry.family(family).name)
    rows = {id: row for id, row in claims.ledger(family, ledger).items() if id in filed}
    if not rows:
        beside = next(iter(claims.ledger_files(family)), Path("ledger.json"))
        judge = f"schedproof verify --family {family} --store {ledger or beside}"
        raise SchedproofError(f"the claims of {family} are not judged yet; judge them with: {judge}")
    result = {id: section for id, row in rows.items() if (section := _section(row["verdict"], filed[id])) in SECTIONS}
    for number, id in enumerate(sorted(result, key=lambda id: [*SECTIONS].index(result[id])), 1):
        progress(f"{number} of {len(result)}: {id}")
        yield _erratum(rows[id], filed[id], result[id])


def _section(verdict: str, filed: Filed) -> str:
    return filed.claim.severity or ("false theorem" if verdict.startswith("refuted") else verdict)


def _erratum(row: Mapping[str, Json], filed: Filed, section: str) -> Erratum:
    said = list[tuple[str, str]]()
    if row["readings"].keys() != {reading.name for reading in filed.claim.readings}:
        raise SchedproofError(
            f"the readings of {filed.claim.id} have changed since the ledger was written: "
            f"run `schedproof verify {filed.claim.id}`"
        )
    for reading in filed.claim.readings:
        missing = f"; missing: {reading.missing}" if reading.missing else ""
        outcome = STATES[row["readings"][reading.name]["state"]]
        said.append((f"Read as “{reading.name}”", f"{reading.sentence.removesuffix('.')}: {outcome}{missing}."))
    for witness in filed.witnesses():
        try:
            numbers = dict.fromkeys(str(finding) for finding in witness.replay(filed.claim).values())
        except ValueError as error:
            raise SchedproofError(str(error)) from error
        said.append(("Counterexample", f"{witness.note} In numbers: {'; '.join(numbers)}."))
    assumption = filed.claim.assumption
    if assumption is not None:
        said.append(("Assumption", f"{assumption.sentence}."))
    true = filed.claim.repaired or filed.claim
    if true is not filed.claim:
        said.append(("True instead", true.statement))
    proofs = [reading.proof for reading in true.readings if reading.proof is not None]
    said += dict.fromkeys((PROOFS[proof.label], proof.text) for proof in proofs)
    return Erratum(filed.claim.id, section, str(filed.claim.source), filed.claim.statement, tuple(said))


def write(family: str, path: str | Path, progress: Progress = silent, ledger: str | Path | None = None) -> Path:
    """Write a paper's errata as ``.pdf``, ``.tex`` or ``.html``, by the file's suffix.

    Returns
    -------
    Path
        The file written. Without LaTeX, a PDF is replaced by an HTML page with the same stem.

    Raises
    ------
    InputError
        For another suffix.
    SchedproofError
        When LaTeX fails.
    """
    path = Path(path)
    if path.suffix not in KINDS:
        raise InputError(f"expected a file that ends in {', '.join(KINDS)}, found {path.name}")
    if path.suffix == ".pdf" and which("pdflatex") is None:
        path = path.with_suffix(".html")
    result, paper = list(errata(family, progress, ledger)), registry.family(family).paper
    if paper is None:
        raise SchedproofError(f"the card of {family} names no paper")
    if path.suffix == ".pdf":
        _typeset(_as_latex(paper, result), path)
    else:
        write_bytes(path, (_as_latex if path.suffix == ".tex" else _as_html)(paper, result).encode())
    return path


def _typeset(text: str, path: Path) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "errata.tex").write_text(text, encoding="utf-8")
        for _ in range(2):  # the second time the page numbers of the contents are right
            words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "errata.tex"]
            facts = subprocess.run(words, cwd=folder, capture_output=True, check=False)
        if facts.returncode:
            lines = facts.stdout.decode(errors="replace").splitlines()
            reason = next((line for line in lines if line.startswith("!")), "it gave no reason")
            raise SchedproofError(f"LaTeX could not set the errata ({reason}): write them as .html or .tex instead")
        with atomic(path) as part:
            copyfile(Path(folder) / "errata.pdf", part)


def _as_latex(paper: Paper, found: list[Erratum]) -> str:
    lines = list[str]()
    for title, errata_there in _sections(found):
        lines.append(f"\\section{{{title}}}")
        for erratum in errata_there:
            lines += [f"\\subsection{{{as_latex(_place(erratum, paper))}}}", f"\\texttt{{{latex(erratum.id)}}}"]
            lines.append(f"\\begin{{quote}}{latex(erratum.statement)}\\end{{quote}}")
            lines += [f"\\textbf{{{latex(heading)}.}} {latex(text)}\n" for heading, text in erratum.said]
    return _fill(
        LATEX, TITLE=as_latex(paper.title), PAPER=as_latex(str(paper)), OPENING=latex(OPENING), TEXT="\n".join(lines)
    )


def _as_html(paper: Paper, found: list[Erratum]) -> str:
    lines = list[str]()
    for title, errata_there in _sections(found):
        lines.append(f"<h2>{title}</h2>")
        for erratum in errata_there:
            id = escape(erratum.id)
            lines.append(f'<h3 id="{id}">{escape(_place(erratum, paper))}</h3>\n<p><code>{id}</code></p>')
            lines.append(f"<blockquote>{html(erratum.statement)}</blockquote>")
            paragraphs = ((heading, text.split("\n\n")) for heading, text in erratum.said)
            lines += [f"<p><b>{html(head)}.</b> {'</p><p>'.join(map(html, parts))}</p>" for head, parts in paragraphs]
    return _fill(
        HTML, TITLE=escape(paper.title), PAPER=escape(str(paper)), OPENING=html(OPENING), TEXT="\n".join(lines)
    )


def _sections(found: list[Erratum]) -> Iterator[tuple[str, list[Erratum]]]:
    for section, title in SECTIONS.items():
        here = [erratum for erratum in found if erratum.section == section]
        if here:
            yield f"{title} ({len(here)})", here


def _place(erratum: Erratum, paper: Paper) -> str:
    place = erratum.source.removeprefix(f"{paper.short}, ")
    return f"{place[0].upper()}{place[1:]}"


def _fill(page: str, **parts: str) -> str:
    for name, text in parts.items():
        page = page.replace(name, text)
    return page
