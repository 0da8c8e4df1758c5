"""Arguments in prose for statements, and the theorems of ``proofs`` in which Coq has checked them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Literal

from schedproof.core.errors import short


@dataclass(frozen=True)
class Formal:
    """Theorems of the folder ``proofs`` that Coq checks, and what an argument adds to them in prose.

    Attributes
    ----------
    theorems
        Of each the file and the name, ``ascent.v`` and ``constant_step``.
    bridge
        What is left to prose between them and the statement.
    whole
        Whether that is only what the paper's words mean in the file's terms, and no step of the argument.
    """

    theorems: tuple[tuple[str, str], ...]
    bridge: str
    whole: bool

    @classmethod
    def parse(cls, text: str) -> Formal:
        """From ``Coq: ascent.v step, run; sums.v sum. What is left to prose.``; ``Coq, in part:`` is not whole."""
        row = re.fullmatch(r"Coq(, in part)?: ((?:\w+\.v [\w, ]+)(?:; \w+\.v [\w, ]+)*)\. (.+)", " ".join(text.split()))
        if row is None:
            raise ValueError(f"expected 'Coq: file.v theorem. What is left to prose.', found {short(text)}")
        files = (part.split(" ", 1) for part in row[2].split("; "))
        return cls(tuple((file, name) for file, names in files for name in names.split(", ")), row[3], not row[1])


@dataclass(frozen=True)
class Proof:
    """A proof in prose, of which Coq may have checked a formal version.

    Attributes
    ----------
    text
        The argument; it is written with the objections below it, each in lines of its own: ``- *objection* answer``.
    answers
        What a sceptical reader objected -> the answer. A proof must answer at least one objection.
    formal
        The theorems that a line ``Coq: file.v theorem. What is left to prose.`` above the objections names.
    """

    text: str
    answers: Mapping[str, str] = field(init=False)
    formal: Formal | None = field(init=False)

    def __post_init__(self) -> None:
        text, *notes = re.split(r"^- (?=\*)", cleandoc(self.text), flags=re.M)
        text, *formal = re.split(r"^(?=Coq(?:, in part)?: )", text, maxsplit=1, flags=re.M)
        result = [re.fullmatch(r"\*(.+?\W)\* (.+)", " ".join(note.split())) for note in notes]
        answers = {row[1]: row[2] for row in result if row}
        if not text or not answers or len(answers) < len(notes):
            begins = f"; this one begins: {cleandoc(self.text)[:60]!r}"
            raise ValueError(f"a proof has a text, and at least one objection below it: - *objection* answer{begins}")
        object.__setattr__(self, "text", text.rstrip())
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "formal", Formal.parse(formal[0]) if formal else None)

    @property
    def evidence(self) -> Literal["machine-checked", "prose proof"]:
        """What it is: checked by a machine as a whole, or not."""
        return "machine-checked" if self.formal is not None and self.formal.whole else "prose proof"
