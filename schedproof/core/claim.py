"""A printed statement and what is needed to judge it: readings, regimes, assumptions, planted variants, witnesses.

Nothing here knows a family. A claim's checks are functions of a `Case`; a check answers with a `Finding`, two exact
numbers and how they should stand to each other, or with None for a case that the statement does not speak about.
The verdict is derived in `schedproof.core.verdict`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec

from schedproof.core import registry
from schedproof.core.errors import InputError
from schedproof.core.files import write_bytes
from schedproof.core.numbers import as_text
from schedproof.core.reading import parse, read_text

Direction = Literal["at most", "at least", "equal"]
_RATIONAL = re.compile(r"-?\d+/\d+")
_PROOF = re.compile(r"^\s*Proof\n\s*-----$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """What a check looks at: an instance (or None) and further exact data (speeds, multipliers, schedules, counts)."""

    instance: Any = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The length of its JSON text: the measure by which witnesses are called smaller."""
        return len(_encode(self.to_json()))

    def to_json(self) -> dict[str, Any]:
        """The case as JSON values: fractions as ``num/den``, the instance as its own JSON object."""
        row: dict[str, Any] = {}
        if self.instance is not None:
            row["instance"] = _instance_json(self.instance)
        return row | {"data": _plain(self.data)}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Case:
        """The case of a parsed JSON object."""
        value = row.get("instance")
        instance = None if value is None else registry.table("instances")[value["family"]](value)
        return cls(instance, _exact(row.get("data", {})))


@dataclass(frozen=True)
class Finding:
    """One comparison of a check: ``measured`` should be at most, at least or equal to ``claimed``, both exact."""

    measured: Fraction
    claimed: Fraction
    direction: Direction = "at most"
    where: str = ""

    @property
    def excess(self) -> Fraction:
        """By how much the statement is missed; positive exactly when it is violated."""
        gap = Fraction(self.measured) - Fraction(self.claimed)
        return {"at most": gap, "at least": -gap, "equal": abs(gap)}[self.direction]

    @property
    def violated(self) -> bool:
        """Whether the case contradicts the statement."""
        return self.excess > 0

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        return f"{self.measured} should be {self.direction} {self.claimed}{place}"


Check = Callable[[Case], "Finding | None"]


def worst(findings: Iterable[Finding]) -> Finding | None:
    """The finding that misses its statement by most (None of none)."""
    return max(findings, key=lambda f: f.excess, default=None)


def has_proof(function: Callable[..., Any] | None) -> bool:
    """Whether the docstring of a function has a section 'Proof' with a text in it."""
    text = inspect.getdoc(function) or "" if function else ""
    match = _PROOF.search(text)
    return match is not None and len(text[match.end() :].split()) >= 10


@dataclass(frozen=True)
class Reading:
    """One way in which a fair reader may take the statement.

    Attributes
    ----------
    check
        The statement under this reading. A 'Proof' in its docstring is the reading's proof.
    exhaustive
        The finite domain of the statement, where it has one: every case is then checked.
    missing
        What the printed text does not define, for a reading that cannot be evaluated at all.
    """

    name: str
    sentence: str
    check: Check
    exhaustive: Callable[[], Iterable[Case]] | None = None
    missing: str = ""


@dataclass(frozen=True)
class Regime:
    """A situation that the claim's strategy must reach."""

    name: str
    reached: Callable[[Case], bool]


@dataclass(frozen=True)
class Assumption:
    """What makes a statement true where it is not so as printed; ``proof`` is a function whose docstring proves it."""

    name: str
    sentence: str
    met: Callable[[Case], bool]
    proof: Callable[..., Any]


@dataclass(frozen=True)
class Planted:
    """A false variant of the statement; the trials must reject it, or they would not have noticed the real thing."""

    name: str
    check: Check


@dataclass(frozen=True)
class Witness:
    """A stored counterexample, with the exact numbers that each reading's check must find on it."""

    name: str
    claim: str
    note: str
    case: Case
    expected: Mapping[str, tuple[Fraction, Fraction]]

    def replay(self, claim: Claim) -> dict[str, Finding]:
        """Evaluate it anew: reading -> finding.

        Raises
        ------
        ValueError
            When a reading is unknown, the numbers differ from the stored ones, or nothing is violated.
        """
        found = {}
        for name, numbers in self.expected.items():
            finding = claim.reading(name).check(self.case)
            if finding is None or (finding.measured, finding.claimed) != numbers:
                raise ValueError(f"{self.claim}: the witness '{self.name}' gives {finding}, stored is {numbers}")
            if not finding.violated:
                raise ValueError(f"{self.claim}: the witness '{self.name}' does not violate the reading '{name}'")
            found[name] = finding
        return found

    def to_json(self) -> dict[str, Any]:
        """The witness file's JSON object."""
        numbers = {n: {"measured": as_text(m), "claimed": as_text(c)} for n, (m, c) in self.expected.items()}
        return {"claim": self.claim, "note": self.note, "violates": numbers} | self.case.to_json()

    @classmethod
    def of(cls, name: str, claim: Claim, note: str, case: Case, readings: Iterable[str] = ()) -> Witness:
        """A witness from a case, its numbers evaluated now; by default for every reading that it violates."""
        found = {r.name: r.check(case) for r in claim.readings if not readings or r.name in set(readings)}
        numbers = {n: (f.measured, f.claimed) for n, f in found.items() if f is not None and f.violated}
        return cls(name, claim.id, note, case, numbers)

    def store(self, folder: Path) -> Path:
        """Write it into a folder of witnesses, whole or not at all."""
        path = folder / f"{self.name}.json"
        write_bytes(path, _encode(self.to_json()))
        return path

    @classmethod
    def load(cls, path: Path) -> Witness:
        """Read a witness file."""
        row = parse(read_text(path))
        try:
            numbers = {n: (Fraction(v["measured"]), Fraction(v["claimed"])) for n, v in row["violates"].items()}
            return cls(path.stem, row["claim"], row["note"], Case.from_json(row), numbers)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"expected a witness: {error!r}", file=str(path)) from None


@dataclass(frozen=True)
class Claim:
    """One printed statement, with everything that is needed to judge it.

    Attributes
    ----------
    strategy
        Draws the cases of the trials (a Hypothesis strategy).
    assumption
        Where the statement holds although it does not as printed.
    repaired_by, small_repair
        The id of the nearest true version; whether it differs from the printed one by a detail only.
    page
        The page of the refutation under ``docs/refutations``, for a claim that has one.
    """

    id: str
    source: str
    statement: str
    readings: Sequence[Reading]
    regimes: Sequence[Regime]
    strategy: Any
    planted: Sequence[Planted]
    witnesses: Path | None = None
    assumption: Assumption | None = None
    repaired_by: str = ""
    small_repair: bool = False
    text: str = "ocr"

    @property
    def family(self) -> str:
        """The family's name, the id's first word."""
        return self.id.partition(".")[0]

    @property
    def page(self) -> str:
        """The refutation's page, relative to the repository."""
        return f"docs/refutations/{self.id.replace('.', '/')}.md"

    def reading(self, name: str) -> Reading:
        """The reading of that name."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise ValueError(f"{self.id} has no reading '{name}'")

    def stored(self) -> list[Witness]:
        """The stored witnesses of this claim, by name: ``<name>.json`` or ``<name>-<what>.json``."""
        if self.witnesses is None:
            return []
        short = self.id.partition(".")[2]
        files = (path for path in self.witnesses.glob("*.json") if path.stem.partition("-")[0] == short)
        return [Witness.load(path) for path in sorted(files, key=lambda path: path.stem)]


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return as_text(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def _exact(value: Any) -> Any:
    if isinstance(value, str) and _RATIONAL.fullmatch(value):
        return Fraction(value)
    if isinstance(value, dict):
        return {k: _exact(v) for k, v in value.items()}
    return [_exact(v) for v in value] if isinstance(value, list) else value


def _instance_json(instance: Any) -> dict[str, Any]:
    from importlib import import_module

    row: dict[str, Any] = import_module(f"schedproof.instances.{instance.family}").to_json(instance)
    return row


def _encode(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.Encoder(decimal_format="number").encode(value), indent=1) + b"\n"
