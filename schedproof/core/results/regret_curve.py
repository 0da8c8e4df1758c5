"""Regret as a function of t: the best fixed decision's reward minus the run's.

Both sides are enclosed. The family encloses the optimum of each prefix between the reward of a decision and a certified
upper bound. The regret of the whole horizon is computed first, so that a time limit cannot prevent it.
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
    """Bounds on the best fixed decision's reward, and the solver's steps."""

    value: Fraction
    bound: Fraction
    steps: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegretCurve(Tabled):
    """Bounds on a schedule's regret after some numbers of slots.

    Attributes
    ----------
    slots
        (P,) increasing numbers of slots, for P points. The last is the horizon; the first is 1 unless time ran out.
    reward, optimum
        P enclosures each: the run's reward, and the reward of the best decision fixed for all these slots.
    steps
        (P,) solver steps for each optimum.
    left
        Number of points not computed before the time limit.
    decision
        Noun for the fixed decision.
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
        """Lower bounds on the regret."""
        return tuple(best[0] - earned[1] for best, earned in zip(self.optimum, self.reward, strict=True))

    @property
    def upper(self) -> tuple[Fraction, ...]:
        """Upper bounds on the regret."""
        return tuple(best[1] - earned[0] for best, earned in zip(self.optimum, self.reward, strict=True))

    @property
    def middle(self) -> np.ndarray:
        """(P,) midpoints of the enclosures, as doubles."""
        return np.array([float(low + high) / 2 for low, high in zip(self.lower, self.upper, strict=True)])

    def slope(self, first: int = 1, seed: int = 0) -> Slope:
        """Return the log-log slope of regret from ``first`` slots on; see `log_log_slope`."""
        used = self.slots >= first
        return log_log_slope(self.slots[used], self.middle[used], seed)

    def facts(self) -> dict[str, Json]:
        ends = f"{float(self.lower[-1]):.6g} to {float(self.upper[-1]):.6g}"
        return {"policy": self.policy, "options": self.options, "slots": int(self.slots[-1]), "regret": ends}

    def to_frame(self) -> Frame:
        """Return a pandas table in doubles, one row per point."""
        import pandas as pd

        ends = {"reward": self.reward, "optimum": self.optimum, "regret": zip(self.lower, self.upper, strict=True)}
        frame = pd.DataFrame({"slots": self.slots})
        for name, enclosures in ends.items():
            frame[[f"{name}_lower", f"{name}_upper"]] = [(float(low), float(high)) for low, high in enclosures]
        frame["steps"] = self.steps
        frame.attrs.update(policy=self.policy, options=self.options)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """Draw regret against t on logarithmic axes, with a note on points without regret."""
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
        """Return the result as text lines."""
        low, high = float(self.lower[-1]), float(self.upper[-1])
        best, earned = float(self.optimum[-1][0]), float(self.reward[-1][0])
        return [
            f"{self.policy}: regret {low:.10g} to {high:.10g} after {self.slots[-1]} slots",
            f"the best fixed {self.decision} earns {best:.10g}, this run {earned:.10g}",
            *self._promises(),
            f"log-log slope in t: {self._slope_in_words()}",
            *([f"time limit reached before {self.left} more points of the curve"] if self.left else []),
        ]

    def _promises(self) -> Iterable[str]:
        return ()

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``regret --json``."""
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
    """Return at most `points` numbers of slots, evenly spaced in their logarithms.

    The last one is the horizon.
    """
    return np.unique(np.geomspace(1, horizon, points).round().astype(np.int64))


def follow(
    number: int,
    whole: Iterable[Point],
    prefixes: Iterator[Point],
    curve: Callable[[Sequence[int], Sequence[Point]], C],
    context: Context,
) -> C:
    """Return the curve at all points computed in time; each partial curve is kept.

    Parameters
    ----------
    number
        Number of points.
    whole
        Improving results for the last point.
    prefixes
        The other points in increasing order, each computed on demand.
    curve
        Makes a curve from some points and their positions.
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
