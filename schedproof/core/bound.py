"""A bound is a number with a certificate that proves it exactly; a guarantee, a value with named premises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Literal, Protocol

from schedproof.core.numbers import as_text
from schedproof.core.untyped import Json, OfFamily

Answer = Literal["yes", "no", "cannot tell"]


class Certificate(Protocol):
    """Multipliers that prove a bound."""

    def value(self, instance: OfFamily) -> Fraction:
        """The bound they prove on this instance, exactly; raises ValueError when they prove nothing."""

    def to_json(self) -> dict[str, Json]:
        """The multipliers, for storage."""


@dataclass(frozen=True)
class Bound:
    """A certified bound on a program's optimum.

    Attributes
    ----------
    kind
        ``lower`` or ``upper``.
    exact
        The bound, a rational.
    witness
        The certificate that proves it.
    details
        How it was computed: columns, seconds, the floating-point optimum it came from.
    among
        Which solutions it speaks about, where that is not all of them: ``schedules that ...``.
    """

    program: str
    family: str
    kind: Literal["lower", "upper"]
    exact: Fraction
    witness: Certificate = field(repr=False)
    details: dict[str, Json] = field(default_factory=dict)
    among: str = ""

    @property
    def value(self) -> float:
        """The bound as a double."""
        return float(self.exact)

    def verify(self, instance: OfFamily) -> bool:
        """Whether the witness proves this very number on the instance."""
        try:
            return self.witness.value(instance) == self.exact
        except ValueError:
            return False

    def to_json(self) -> dict[str, Json]:
        """The result object of ``bound --json``."""
        return {
            "kind": self.kind,
            "program": self.program,
            "value": self.value,
            "exact": as_text(self.exact),
            "witness": self.witness.to_json(),
            "details": self.details,
        } | ({"among": self.among} if self.among else {})


def certified(
    program: str,
    kind: Literal["lower", "upper"],
    certificate: Certificate,
    instance: OfFamily,
    details: Mapping[str, Json],
    *,
    started: float,
    among: str = "",
) -> Bound:
    """The bound that a certificate proves, with the seconds that it took to find (since ``started``) and to check."""
    found = perf_counter()
    exact = certificate.value(instance)
    seconds = {"seconds": round(found - started, 3), "certify_seconds": round(perf_counter() - found, 3)}
    return Bound(program, instance.family, kind, exact, certificate, {**details, **seconds}, among)


@dataclass(frozen=True)
class Guarantee:
    """What a theorem promises of a run, and under which premises.

    Attributes
    ----------
    value
        The promised competitive ratio; None where the theorem promises none (no speed augmentation, say).
    source
        The claim's id.
    premises
        Premise -> yes / no / cannot tell, each evaluated on the instance.
    """

    value: Fraction | None
    source: str
    premises: dict[str, Answer]


UNPROVEN = Guarantee(None, "none", {})  # of a policy that no theorem speaks of
