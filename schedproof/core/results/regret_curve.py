"""Regret as a curve in t, for any family: what the best fixed decision for the first t slots earns, less what was.

Both sides are enclosed, the optimum of every prefix as the family proves it: by a decision that earns so much, and a
certificate that no other earns more than so much. The whole horizon comes first, so that it is known when time is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_text
from schedproof.core.base.untyped import AnyFamily, Axes, Frame, Json
from schedproof.core.errors import InputError
from schedproof.core.results.slope import Slope, log_log_slope
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.pictures import COLOURS, axes, title

Enclosure = tuple[Fraction, Fraction]


class Point(NamedTuple):
    """What the best fixed decision earns at least and at most, and the steps to it."""

    value: Fraction
    bound: Fraction
    steps: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegretCurve(Tabled):
    """A schedule's regret after some numbers of slots.

    Attributes
    ----------
    slots
        (P,) increasing numbers of slots, the last T, and the first 1 unless time was over.
    reward, optimum
        What was earned in them, and what the best decision fixed for all of them earns: P enclosures each.
    steps
        (P,) of the solver, for each optimum.
    left
        How many points there was no time for.
    decision
        What is fixed, in a word.
    """

    instance: AnyFamily = field(repr=False)
    policy: str
    options: dict[str, Json]
    slots: np.ndarray = field(repr=False)
    reward: tuple[Enclosure, ...] = field(repr=False)
    optimum: tuple[Enclosure, ...] = field(repr=False)
    steps: np.ndarray = field(repr=False)
    left: int = 0
    decision: ClassVar[str] = "decision"

    @property
    def lower(self) -> tuple[Fraction, ...]:
        """At most the regret, at each point."""
        return tuple(best[0] - earned[1] for best, earned in zip(self.optimum, self.reward, strict=True))

    @property
    def upper(self) -> tuple[Fraction, ...]:
        """At least the regret, at each point."""
        return tuple(best[1] - earned[0] for best, earned in zip(self.optimum, self.reward, strict=True))

    @property
    def middle(self) -> np.ndarray:
        """(P,) the middle of the enclosures, as doubles."""
        return np.array([float(low + high) / 2 for low, high in zip(self.lower, self.upper, strict=True)])

    def slope(self, first: int = 1, seed: int = 0) -> Slope:
        """The log-log slope of regret in t from ``first`` slots on; see `log_log_slope`."""
        used = self.slots >= first
        return log_log_slope(self.slots[used], self.middle[used], seed)

    def facts(self) -> dict[str, Json]:
        """Policy, options, and the regret of the whole horizon."""
        ends = f"{float(self.lower[-1]):.6g} to {float(self.upper[-1]):.6g}"
        return {"policy": self.policy, "options": self.options, "slots": int(self.slots[-1]), "regret": ends}

    def to_frame(self) -> Frame:
        """One row per point (pandas), in doubles."""
        import pandas as pd

        ends = {"reward": self.reward, "optimum": self.optimum, "regret": zip(self.lower, self.upper, strict=True)}
        frame = pd.DataFrame({"slots": self.slots})
        for name, enclosures in ends.items():
            frame[[f"{name}_lower", f"{name}_upper"]] = [(float(low), float(high)) for low, high in enclosures]
        frame["steps"] = self.steps
        frame.attrs.update(policy=self.policy, options=self.options)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """Regret against t, both axes logarithmic; a note counts the points whose regret is not positive."""
        ax = axes(ax, (6.5, 4))
        slots = self.slots
        low, high = (np.array([float(end) for end in ends]) for ends in (self.lower, self.upper))
        shown = low > 0
        ax.fill_between(slots[shown], low[shown], high[shown], color=COLOURS[0], alpha=0.3, linewidth=0)
        ax.plot(slots[shown], self.middle[shown], color=COLOURS[0], linewidth=1.6, label=title(self.policy))
        if shown.any():
            ax.set_yscale("log")
        ax.set_xscale("log")
        ax.set_xlabel("t (slots)")
        ax.set_ylabel("regret (reward)")
        ax.set_title(title(self.policy, self.options), fontsize=10)
        if hidden := int((~shown).sum()):
            ax.annotate(
                f"at {hidden} of {len(slots)} points the regret is not positive",
                (0.98, 0.02),
                xycoords="axes fraction",
                ha="right",
                fontsize=8,
            )
        ax.legend(fontsize=8, frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def lines(self) -> list[str]:
        """The result in words."""
        low, high = float(self.lower[-1]), float(self.upper[-1])
        best, earned = float(self.optimum[-1][0]), float(self.reward[-1][0])
        return [
            f"{self.policy}: regret {low:.10g} to {high:.10g} after {self.slots[-1]} slots",
            f"the best fixed {self.decision} earns {best:.10g}, this run {earned:.10g}",
            *self._promises(),
            f"log-log slope in t: {self._slope_in_words()}",
            *([f"time was over before {self.left} more points of the curve"] if self.left else []),
        ]

    def _promises(self) -> Iterable[str]:
        """What a theorem says of it, in words."""
        return ()

    def to_json(self) -> dict[str, Json]:
        """The result object of ``regret --json``."""
        return {
            "policy": self.policy,
            "slots": self.slots.tolist(),
            "regret": [[float(low), float(high)] for low, high in zip(self.lower, self.upper, strict=True)],
            "exact": [as_text(self.lower[-1]), as_text(self.upper[-1])],
            "slope": self._slope_in_words(),
            "steps": int(self.steps.sum()),
            "left": self.left,
        }

    def _slope_in_words(self) -> str:
        try:
            return str(self.slope())
        except InputError as error:
            return f"none, {error}"


C = TypeVar("C", bound=RegretCurve)


def marks(horizon: int, points: int) -> np.ndarray:
    """So many numbers of slots at most, evenly spaced in their logarithms, the last the horizon."""
    return np.unique(np.geomspace(1, horizon, points).round().astype(np.int64))


def follow(
    number: int,
    whole: Iterable[Point],
    prefixes: Iterator[Point],
    curve: Callable[[Sequence[int], Sequence[Point]], C],
    context: Context,
) -> C:
    """The curve at all points that there was time for; each one so far is kept.

    Parameters
    ----------
    number
        Of points.
    whole
        What is known of the last one, each time better than before.
    prefixes
        All others in increasing order, each found when it is asked for.
    curve
        Makes a curve of some points, by their positions.
    """
    found: dict[int, Point] = {}

    def current() -> C:
        at = sorted(found)
        return curve(at, [found[i] for i in at])

    def keep(i: int, point: Point) -> None:
        found[i] = point
        partial = current()
        context.keep(partial)
        ends = f"{float(partial.lower[-1]):.6g} to {float(partial.upper[-1]):.6g}"
        context.progress(f"{ends}, {len(found)} of {number} points", len(found) / number)

    for point in whole:
        keep(number - 1, point)
    for i in range(number - 1):
        if context.over:
            break
        keep(i, next(prefixes))
    return current()
