"""The four opening parts of a refutation's page.

They are the paper's statement, a case, its consequences and the true version, from the claim's data. A page with its
own version of these parts gets only the picture of the violated row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from paper_symbols import explained
from witness_pictures import data, row, scene

from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.claims.claims import Filed
from schedproof.core.claims.witness import Witness
from schedproof.proofs_checks.formulas import markdown

Row = Mapping[str, Any]
PARTS = ("The paper says", "Take", "Then", "True instead")
SIGNS = {"at most": r"\le", "at least": r"\ge", "equal": "="}
STATES = {"holds": "holds", "holds_under_assumption": "holds under an assumption", "undefined": "is not defined"}
HEADINGS = {"Witness": "The witness by hand", "Repaired": "The repair in full"}  # what follows the four parts


def with_parts(text: str, filed: Filed, row_of: Row, repair: Row | None, script: str) -> tuple[str, dict[str, bytes]]:
    """Return a refutation's text with its four parts, and its pictures by name."""
    opening, chapters = _chapters(text)
    witnesses = _decisive(filed)
    drawn, pictures = _scene(filed.claim, witnesses[0])
    if PARTS[0] in chapters:
        chapters["Then"] += "\n\n".join(["", *drawn, row(decisive_finding(filed))])
    else:
        own = [chapters.pop("Statement"), *_judged(row_of)]
        says = _paragraphs(own, explained(filed.claim.family, " ".join([*own, row_of["statement"]])))
        parts = {
            "The paper says": says,
            "Take": _paragraphs([markdown(witnesses[0].note), data(witnesses[0].case), *drawn]),
            "Then": _paragraphs(_consequences(filed, witnesses, row_of)),
            "True instead": _paragraphs(_true(row_of, repair)),
        }
        chapters = parts | {HEADINGS.get(name, name): body for name, body in chapters.items()}
    lines = [_typeset(opening)]
    for name, body in chapters.items():
        lines += [script] * (name == PARTS[-1])
        lines.append(f"## {name}\n\n{_typeset(body)}")
    return "\n\n".join(lines), pictures


def _chapters(text: str) -> tuple[str, dict[str, str]]:
    opening, *rest = re.split(r"^## ", text, flags=re.M)
    return opening.strip(), {name: body.strip() for name, _, body in (part.partition("\n") for part in rest)}


def _paragraphs(*groups: Any) -> str:
    return "\n\n".join(part for group in groups for part in group if part)


def _typeset(body: str) -> str:
    blocks = re.split(
        r"(^```.*?^```$|^:::.*?^:::$|^<figure.*?^</figure>$|^\|[ :-].*?(?=\n\n|\Z)|^ {4}.+?(?=\n\n|\Z))",
        body,
        flags=re.M | re.S,
    )
    return "".join(block if n % 2 else markdown(block) for n, block in enumerate(blocks))


# --- the paper says, true instead ------------------------------------------------------------------------------------


def _judged(row_of: Row) -> Iterator[str]:
    yield f"Judged is: **{row_of['statement']}**"


def _true(row_of: Row, repair: Row | None) -> Iterator[str]:
    if repair is not None:
        name = repair["id"].partition(".")[2]
        yield f"{repair['statement']} ([{name}]({name}.md); {repair['verdict']}, {repair['evidence']}.)"


# --- take, then ------------------------------------------------------------------------------------------------------


def _decisive(filed: Filed) -> list[Witness]:
    """Return witnesses that together violate each violated reading, in order."""
    chosen, covered = list[Witness](), set[str]()
    for witness in filed.witnesses():
        if not witness.expected.keys() <= covered:
            chosen.append(witness)
            covered |= witness.expected.keys()
    return chosen


def decisive_finding(filed: Filed) -> Finding:
    """Return the violated finding that is shown first."""
    return next(iter(filed.witnesses()[0].replay(filed.claim).values()))


def _consequences(filed: Filed, witnesses: list[Witness], row_of: Row) -> Iterator[str]:
    """Draw the first witness's violation to scale; list other readings in a table."""
    claim, findings = filed.claim, witnesses[0].replay(filed.claim)
    first = next(iter(findings.values()))
    names = [name for name, finding in findings.items() if finding == first]
    yield f"Read as {', or '.join(_read_as(claim, name) for name in names)}, the claim says"
    yield f"$$ {tex(first)} $$"
    yield f"which is false.\n\n{row(first)}"
    if first.optimum is not None and witnesses[0].proof is not None:
        yield f"The optimum is {first.optimum}, by a proof that `check-optimum` accepts."
    others = [*_others(claim, witnesses, row_of, names)]
    if others:
        yield "\n".join(["| read as | then |", "| --- | --- |", *others])


def _read_as(claim: Claim[Any], name: str) -> str:
    return f"*{name}* ({claim.read_as(name).sentence.rstrip('.')})"


def _others(claim: Claim[Any], witnesses: list[Witness], row_of: Row, covered: list[str]) -> Iterator[str]:
    seen = set(covered)
    for number, witness in enumerate(witnesses):
        taken = f" Witness: {witness.note}" if number else ""
        for name, finding in witness.replay(claim).items():
            if name not in seen:
                where = f" ({finding.where})" if finding.where else ""
                yield _line(_read_as(claim, name), f"${tex(finding)}$ is false{where}.{taken}")
        seen |= witness.expected.keys()
    for name, state in row_of["readings"].items():
        if name not in seen:
            missing = claim.read_as(name).missing
            words = STATES.get(state["state"], "open") + (f": {missing}" if missing else "")
            yield _line(_read_as(claim, name), words)


def _line(*cells: str) -> str:
    return "| " + " | ".join(markdown(cell).replace("|", r"\|") for cell in cells) + " |"


def tex(finding: Finding) -> str:
    """The comparison as TeX; long numbers as decimals."""
    sides = (_number(finding.measured), _number(finding.claimed))
    return f" {SIGNS[finding.direction]} ".join(sides)


def _number(value: Any) -> str:
    if value.denominator == 1 and len(str(value)) <= 12:
        return f"{value.numerator:,}".replace(",", "{,}")
    if len(str(value)) <= 9:
        return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
    mantissa, _, power = f"{float(value):.6g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else rf"{mantissa}\ldots"


def _scene(claim: Claim[Any], witness: Witness) -> tuple[list[str], dict[str, bytes]]:
    drawn = scene(witness.case)
    if drawn is None:
        return [], {}
    name = f"{claim.id.replace('.', '/')}.svg"
    words, picture = drawn
    figure = f"```{{figure}} {name.partition('/')[2]}\n:alt: {escape(words)}\n:figclass: drawn\n\n{words}\n```"
    return [figure], {name: picture}
