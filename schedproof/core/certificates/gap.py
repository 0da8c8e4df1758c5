"""Gap breakdown: nonnegative named amounts that add up to the gap exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from schedproof.core.base.numbers import as_fraction, as_text
from schedproof.core.base.untyped import AnyFamily, Axes, Frame, Json
from schedproof.core.cards.family import OBJECTIVE, Measure
from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import ProgramError

ZERO = Fraction(0)
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Part:
    """One cause of a gap.

    Attributes
    ----------
    sentence
        Description of the loss.
    amount
        Its part of the objective, >= 0.
    by_job
        Job name -> share of the amount, for all jobs in file order; empty if the amount cannot be split.
    """

    name: str
    sentence: str
    amount: Fraction
    by_job: Mapping[str, Fraction] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, name: str, sentence: str, by_job: Mapping[str, Fraction] | None = None, others: Iterable[Fraction] = ()
    ) -> Part:
        """Return the part whose amount is the sum of job shares and other amounts.

        Raises
        ------
        ProgramError
            If a share or an amount is negative.
        """
        shares, rest = by_job or {}, list(others)
        for job, share in shares.items():
            if share < 0:
                raise ProgramError(
                    f"no account of the gap: the share of {job} in {name} is {float(share):.6g}, expected shares >= 0"
                )
        if (least := min(rest, default=ZERO)) < 0:
            raise ProgramError(
                f"no account of the gap: an amount of {name} is {float(least):.6g}, expected amounts >= 0"
            )
        return cls(name, sentence, sum((*shares.values(), *rest), ZERO), shares)


@dataclass(frozen=True, repr=False)
class Gap:
    """The gap between a run's objective and a certified bound, with its parts.

    Attributes
    ----------
    parts
        Nonnegative amounts whose sum is the gap, exactly.
    measure
        Name and unit of the objective.
    """

    objective: Fraction
    bound: Fraction
    parts: tuple[Part, ...]
    measure: Measure = OBJECTIVE

    def __post_init__(self) -> None:
        if (result := sum((part.amount for part in self.parts), ZERO)) != self.total:
            raise ProgramError(
                f"no account of the gap: its parts sum to {float(result):.17g}, not {float(self.total):.17g}"
            )
        if negative := [part.name for part in self.parts if part.amount < 0]:
            raise ProgramError(f"no account of the gap: expected parts >= 0, negative: {', '.join(negative)}")

    @property
    def total(self) -> Fraction:
        """The distance between objective and bound."""
        return abs(self.bound - self.objective)

    @property
    def largest_first(self) -> list[Part]:
        """The parts by decreasing amount."""
        return sorted(self.parts, key=lambda part: -part.amount)

    def __getitem__(self, name: str) -> Part:
        return {part.name: part for part in self.parts}[name]

    def lines(self) -> list[str]:
        """Return one line per part, the largest first: amount, share, name and cause."""
        width = max((len(part.name) for part in self.parts), default=0)
        bound = self.measure.amount(self.bound, "lower" if self.bound <= self.objective else "upper")
        lines = [f"gap {float(self.total):.6g} between {float(self.objective):.10g} and {bound}:"]
        for part in self.largest_first:
            share = float(part.amount / self.total) if self.total else 0.0
            lines.append(f"{float(part.amount):12.6g} {share:6.1%}  {part.name:{width}}  {part.sentence}")
        return lines

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def by_job(self) -> Frame:
        """Return a pandas table in doubles: a row per job, a column per part, the sum.

        Raises
        ------
        ProgramError
            If no part is split by job.
        """
        import pandas as pd

        if self.total and not any(part.by_job for part in self.parts):
            raise ProgramError(
                "no part of the gap is split by job; in a program of your own, use names of jobs as row indices"
            )
        columns = {part.name: {job: float(x) for job, x in part.by_job.items()} for part in self.parts if part.by_job}
        frame = pd.DataFrame(columns).rename_axis("job")
        return frame.assign(gap=frame.sum(axis=1))

    def to_json(self) -> dict[str, Json]:
        """Return the object under ``gap`` of ``ratio --json``; zero shares are omitted."""
        return {
            "total": float(self.total),
            "exact": as_text(self.total),
            "parts": [
                {
                    "name": part.name,
                    "sentence": part.sentence,
                    "amount": float(part.amount),
                    "exact": as_text(part.amount),
                    "by_job": {job: float(share) for job, share in part.by_job.items() if share},
                }
                for part in self.parts
            ],
        }

    def plot(self, ax: Axes = None) -> Axes:
        """Draw a bar from the objective to the bound, with a colour per part."""
        from schedproof.core.simulation.pictures import draw_gap

        return draw_gap(self, ax)


def account(schedule: AnyFamily, instance: AnyFamily, objective: Fraction, bound: Bound) -> Gap:
    """Return the breakdown of a schedule's gap to a bound on the same instance.

    Raises
    ------
    SchedproofError
        If the family has no breakdown, or its breakdown does not support the bound's certificate or the schedule.
    """
    objective = as_fraction(objective)
    parts: Iterable[Part] = bound.parts(schedule, instance, objective)
    return Gap(objective, bound.exact, tuple(parts), instance.measure)


def certificate(bound: Bound, kind: type[Kind]) -> Kind:
    """Return a bound's certificate; raise a `ProgramError` if its type differs."""
    if not isinstance(bound.witness, kind):
        raise ProgramError(
            f"no account of the gap to {bound.program}: expected {kind.__name__}, found {type(bound.witness).__name__}"
        )
    return bound.witness
