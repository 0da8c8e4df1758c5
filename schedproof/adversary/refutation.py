"""`Refutation`: the result of an attack on a claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import Json
from schedproof.core.claims import cases
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.claims.witness import Witness
from schedproof.core.data.reading import parse
from schedproof.core.errors import UNREADABLE, InputError, short
from schedproof.core.runtime.files import write_bytes

SOURCES = {"domain": "drawn from its domain", "presets": "by moves from draws of the preset {preset}"}


@dataclass(frozen=True, repr=False)
class Refutation(Tabled):
    """The counterexample found by an attack on a claim, or the number of cases tried.

    Attributes
    ----------
    written
        The counterexample as JSON, or None if none was found.
    way
        The source of the counterexample: ``domain`` or ``presets``.
    looked_at
        Number of cases from each source.
    unjudged
        Number of cases without a comparison, by reason.
    seconds
        CPU seconds until the first counterexample, before shrinking.
    first_size
        Size of the first counterexample in bytes of JSON.
    unfinished
        Whether the attack or the shrinking was interrupted; the same call with the same store resumes.
    """

    claim: Claim[Any]
    seed: int
    preset: str
    written: str | None = field(default=None, repr=False)
    way: str = ""
    looked_at: dict[str, int] = field(default_factory=dict)
    unjudged: dict[str, int] = field(default_factory=dict, repr=False)
    seconds: float = 0.0
    first_size: int = 0
    unfinished: bool = True

    @cached_property
    def case(self) -> Any:
        """The counterexample, or None if none was found."""
        if self.written is None:
            return None
        try:
            return self.claim.domain.read(parse(self.written.encode()))
        except UNREADABLE as error:  # the case may come from a store
            raise InputError(f"{self.claim.id}: the stored case cannot be read: {short(str(error))}") from None

    @cached_property
    def witness(self) -> Witness | None:
        """The counterexample with the readings that it violates, evaluated anew, or None."""
        if self.written is None:
            return None
        name = self.claim.id.partition(".")[2]
        note = f"Found by `schedproof refute {self.claim.id} --seed {self.seed}`."
        result = Witness.of(name, self.claim, note, self.case)
        if not result.expected:
            raise InputError(f"{self.claim.id}: the counterexample changes when it is written and read back")
        return result

    @property
    def size(self) -> int | None:
        """Size of the counterexample in bytes of JSON, or None if none was found."""
        return None if self.written is None else cases.size(self.case)

    @property
    def against_proofs(self) -> list[str]:
        """The violated readings that are proved."""
        if self.witness is None:
            return []
        assumption = self.claim.assumption
        met = assumption is not None and assumption.met(self.case)
        violated = map(self.claim.read_as, self.witness.expected)
        return [one.name for one in violated if met or one.proof is not None or one.exhaustive is not None]

    @property
    def compared(self) -> int:
        """Number of cases with a comparison."""
        return sum(self.looked_at.values()) - sum(self.unjudged.values())

    @property
    def sentence(self) -> str:
        total = sum(self.looked_at.values())
        parts = [f"{count} {SOURCES[way].format(preset=self.preset)}" for way, count in self.looked_at.items() if count]
        words = f" ({', '.join(parts)})" if parts else ""
        if self.written is not None:
            return (
                f"{self.claim.id} is contradicted by the last of {plural(total, 'case')}{words}, {self.seconds:.2f} s"
            )
        early = "; the attack ended early" if self.unfinished else ""
        if not self.compared:
            return f"{self.claim.id}: undecided, no case of {total} was compared{words}, {self.seconds:.2f} s{early}"
        among = f"{self.compared} compared" if self.compared < total else f"{total}"
        return f"{self.claim.id}: no case among {among} contradicts it{words}, {self.seconds:.2f} s; no proof{early}"

    def facts(self) -> dict[str, Any]:
        return {"claim": self.claim.id, "sentence": self.sentence, "bytes": self.size}

    def lines(self) -> Iterator[str]:
        yield self.sentence
        yield f"  {self.claim.statement}"
        if self.witness is not None:
            for reading in self.claim.readings:
                answer = None if reading.missing else self.claim.ask(reading, self.case)
                if isinstance(answer, Finding):
                    yield f"  {reading.name}: {answer}"
            yield f"  a case of {self.size} bytes, shrunk from {self.first_size}{self._early}"
            yield " ".join(["   ", *cases.text(cases.to_json(self.case)).decode().split()])
            yield from (f"  this contradicts the proof of the reading {name}" for name in self.against_proofs)
        yield from (f"  {plural(count, 'case')} without a comparison: {why}" for why, count in self.unjudged.items())

    @property
    def _early(self) -> str:
        return ", and could be shrunk further" if self.unfinished else ""

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``refute --json``."""
        return {
            "claim": self.claim.id,
            "contradicted": self.written is not None,
            "way": self.way or None,
            "looked_at": self.looked_at,
            "compared": self.compared,
            "unjudged": self.unjudged,
            "seconds": round(self.seconds, 3),
            "bytes": self.size,
            "unfinished": self.unfinished,
            "against_proofs": self.against_proofs,
            "witness": None if self.witness is None else self.witness.to_json(),
        }

    def write(self, file: str | Path) -> None:
        """Write the witness in the format of the stored ones.

        Raises
        ------
        InputError
            If no counterexample was found, or the file cannot be written.
        """
        if self.witness is None:
            raise InputError(f"nothing to write: {self.sentence}")
        write_bytes(Path(file), cases.text(self.witness.to_json()))
