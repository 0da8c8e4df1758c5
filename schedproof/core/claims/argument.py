"""Prose proofs, and the theorems in ``proofs`` that Coq has checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Literal

from schedproof.core.errors import short


@dataclass(frozen=True)
class Formal:
    """Theorems of the folder ``proofs`` checked by Coq, and the remaining prose.

    Attributes
    ----------
    theorems
        File and name of each theorem, ``ascent.v`` and ``constant_step``.
    bridge
        The prose that connects the theorems with the statement.
    whole
        Whether this prose only translates the paper's terms, without a step of the argument.
    """

    theorems: tuple[tuple[str, str], ...]
    bridge: str
    whole: bool

    @classmethod
    def parse(cls, text: str) -> Formal:
        """Read ``Coq: ascent.v step, run; sums.v sum. Remaining prose.``.

        ``Coq, in part:`` means that the prose contains steps of the argument.
        """
        row = re.fullmatch(r"Coq(, in part)?: ((?:\w+\.v [\w, ]+)(?:; \w+\.v [\w, ]+)*)\. (.+)", " ".join(text.split()))
        if row is None:
            raise ValueError(f"expected 'Coq: file.v theorem. Remaining prose.', found {short(text)}")
        files = (part.split(" ", 1) for part in row[2].split("; "))
        return cls(tuple((file, name) for file, names in files for name in names.split(", ")), row[3], not row[1])


@dataclass(frozen=True)
class Proof:
    """A prose proof, with an optional formal version checked by Coq.

    Attributes
    ----------
    text
        The argument. Objections follow it, each on lines of its own: ``- *objection* answer``.
    answers
        Objections of a sceptical reader -> answers; at least one.
    formal
        The theorems of a line ``Coq: file.v theorem. Remaining prose.`` above the objections.
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
            begins = f"; this proof begins: {cleandoc(self.text)[:60]!r}"
            raise ValueError(
                f"a proof needs a text and at least one objection below it, '- *objection* answer'{begins}"
            )
        object.__setattr__(self, "text", text.rstrip())
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "formal", Formal.parse(formal[0]) if formal else None)

    @property
    def evidence(self) -> Literal["machine-checked", "prose proof"]:
        """The kind of proof."""
        return "machine-checked" if self.formal is not None and self.formal.whole else "prose proof"
