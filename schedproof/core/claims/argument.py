"""Prose proofs, citations, and the theorems in ``proofs`` that Coq has checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Literal

from schedproof.core.errors import short

Label = Literal["formal", "formal core", "prose proof", "cited"]
CITED = "Cited: "


@dataclass(frozen=True)
class Formal:
    """Theorems in ``proofs`` that Coq has checked, and their relation to the claim.

    Attributes
    ----------
    theorems
        File and name of each theorem, ``ascent.v`` and ``inequality41``.
    objects
        The definitions in these files that are the claim's objects; none for a formal core.
    outside
        The part of the argument outside the theorems, as one phrase; empty if the claim is formal.
    bridge
        The paper's words for the terms of the theorems, and the part of the argument that Coq does not check.
    """

    theorems: tuple[tuple[str, str], ...]
    objects: tuple[str, ...]
    outside: str
    bridge: str

    @classmethod
    def parse(cls, text: str) -> Formal:
        """Read ``Coq: ascent.v step, run; sums.v sum. Objects: space, ascent. Words.``.

        ``Coq, core: sums.v sum. Outside: the rest. Detail.`` names a formal core and the rest of the argument.
        """
        files = r"(\w+\.v [\w, ]+(?:; \w+\.v [\w, ]+)*)"
        row = re.fullmatch(
            rf"Coq(?:: {files}\. Objects: ([\w, ]+)|, core: {files}\. Outside: (.+?))\. (.+)", " ".join(text.split())
        )
        if row is None:
            what = "'Coq: file.v theorem. Objects: name. Words.' or 'Coq, core: file.v theorem. Outside: rest. Detail.'"
            raise ValueError(f"expected {what}, found {short(text)}")
        parts = (part.split(" ", 1) for part in (row[1] or row[3]).split("; "))
        theorems = tuple((file, name) for file, names in parts for name in names.split(", "))
        return cls(theorems, tuple((row[2] or "").split(", ")) if row[2] else (), row[4] or "", row[5])

    @property
    def label(self) -> Literal["formal", "formal core"]:
        """``formal`` if no part of the argument is outside the theorems."""
        return "formal core" if self.outside else "formal"


@dataclass(frozen=True)
class Proof:
    """A prose proof, with an optional formal version checked by Coq, or a citation.

    Attributes
    ----------
    text
        The argument. Objections follow it, each on separate lines: ``- *objection* answer``. A text that begins with
        ``Cited:`` is a reference to a published proof and needs no objection.
    answers
        Objections of a sceptical reader -> answers.
    formal
        The theorems that a line above the objections names, in the format of `Formal.parse`.
    """

    text: str
    answers: Mapping[str, str] = field(init=False)
    formal: Formal | None = field(init=False)

    def __post_init__(self) -> None:
        text, *notes = re.split(r"^- (?=\*)", cleandoc(self.text), flags=re.M)
        text, *formal = re.split(r"^(?=Coq(?:, core)?: )", text, maxsplit=1, flags=re.M)
        result = [re.fullmatch(r"\*(.+?\W)\* (.+)", " ".join(note.split())) for note in notes]
        answers = {row[1]: row[2] for row in result if row}
        object.__setattr__(self, "text", text.rstrip())
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "formal", Formal.parse(formal[0]) if formal else None)
        if not text or len(answers) < max(len(notes), self.label != "cited"):
            what = "the text of a proof and at least one objection below it, '- *objection* answer'"
            raise ValueError(f"expected {what}; this proof begins: {cleandoc(self.text)[:60]!r}")

    @property
    def label(self) -> Label:
        """The kind of proof: formal, formal core, prose proof, or cited."""
        if self.text.startswith(CITED):
            return "cited"
        return "prose proof" if self.formal is None else self.formal.label
