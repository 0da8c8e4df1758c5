"""A worst-case regret between two rationals, of an adversary and of a proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_text, decimals, plural
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.files import write_json
from schedproof.relaxations.multiserver.regret_expressions import Expression, promise, sharper

PLACES = 9


class Adversary(NamedTuple):
    """An instance of regret at least ``lower``; coordinates in multiples of 2^-48.

    Attributes
    ----------
    paid
        For each slot 1 if it counts, 0 if its gradient is almost 0 (only with (53)).
    points
        y(1), ..., y(T), y; the set Y is their convex hull.
    moves
        The steps eta_t g_t.
    """

    lower: Fraction
    paid: str
    points: list[list[int]]
    moves: list[list[int]]


class Proof(NamedTuple):
    """Multipliers in 2^-48: regret <= ``upper`` if these slots are paid (?: either)."""

    upper: Fraction
    paid: str
    moves: list[int]
    distances: list[int]
    projections: list[int]


@dataclass(frozen=True, repr=False)
class WorstRegret(Tabled):
    """The worst regret of projected ascent, as a multiple of D G.

    Attributes
    ----------
    options
        Options of the step rule: eta or eta_0 in D/G, and lambda.
    """

    step: str
    slots: int
    options: dict[str, Fraction]
    adversary: Adversary = field(repr=False)
    proofs: tuple[Proof, ...] = field(repr=False)

    @property
    def lower(self) -> Fraction:
        return self.adversary.lower

    @property
    def upper(self) -> Fraction:
        return max(self.proofs).upper

    @property
    def width(self) -> Fraction:
        return self.upper - self.lower

    @property
    def ends(self) -> str:
        """Both bounds in decimals, rounded outwards."""
        return f"{decimals(self.lower, PLACES, up=False)} to {decimals(self.upper, PLACES, up=True)}"

    @property
    def promise(self) -> Expression:
        return promise(self.step, self.slots, self.options)

    @property
    def sharper(self) -> Expression:
        """A simple proven expression that is closer than the promise."""
        return sharper(self.step, self.slots, self.options)

    def facts(self) -> dict[str, Any]:
        return {"step": self.step, **self.options, "slots": self.slots, "regret": f"{self.ends} D G"}

    def lines(self) -> list[str]:
        facts = "".join(f", {name}={value}" for name, value in self.options.items())
        facts += ", norms G exactly" if self.step == "anytime" else ""
        refuted = ", refuted: it is more" if self.lower > self.promise.value else ""
        return [
            f"worst regret of projected ascent, step={self.step}{facts}, {plural(self.slots, 'slot')}: {self.ends} D G",
            f"promised: {self.promise.text} = {self.promise.value:.7g}{refuted}",
            f"proven: {self.sharper.sense} {self.sharper.text} = {self.sharper.value:.7g}",
        ]

    def to_json(self) -> dict[str, Json]:
        return {
            "step": self.step,
            "slots": self.slots,
            "options": {name: str(value) for name, value in self.options.items()},
            "lower": as_text(self.lower),
            "upper": as_text(self.upper),
            "regret": [float(self.lower), float(self.upper)],
            "promised": {"text": self.promise.text, "value": self.promise.value},
            "proven": self.sharper._asdict(),
            "paid": self.adversary.paid,
            "cases": len(self.proofs),
        }

    def write(self, path: str | Path) -> None:
        write_json(path, self.to_file())

    def to_file(self) -> dict[str, Json]:
        """The certificate file's JSON object, for `schedproof.check.regret`."""
        return {
            "version": 1,
            "step": self.step,
            "slots": self.slots,
            "options": {name: str(value) for name, value in self.options.items()},
            "lower": as_text(self.lower),
            "upper": as_text(self.upper),
            "paid": self.adversary.paid,
            "points": self.adversary.points,
            "moves": self.adversary.moves,
            "proofs": [proof._asdict() | {"upper": as_text(proof.upper)} for proof in self.proofs],
        }
