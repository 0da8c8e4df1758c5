"""Regret (11) as a curve in t: what the best fixed allocation for the first t slots earns there, less what was earned.

The optimum of every prefix is enclosed: an allocation that earns so much, and a certificate that no other earns more
than so much, both rounded to the safe side. Its solver starts from the prefix before. The reward of the schedule is
enclosed as well, so that regret lies between two rationals at every point. The whole horizon comes first, so that it is
known when time is over: at first between what nothing earns and what everything would, then by its optimum.

Theorem 1 speaks of policies that commit to y(t) before x(t) is seen. Against one that responds to x(t), the best fixed
allocation is no measure: its regret is usually negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from schedproof.core.context import USUAL, Context
from schedproof.core.display import Tabled
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.numbers import as_text
from schedproof.core.pictures import COLOURS, axes, caption, settings
from schedproof.core.radicals import root, root_below
from schedproof.core.run import Run
from schedproof.core.untyped import Axes, Frame, Json
from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.reward import Account
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.online.multiserver.constants import diameter_squared, rationals, steepest_squared
from schedproof.online.multiserver.slope import Slope, log_log_slope
from schedproof.relaxations.multiserver.bounds import certify_optimum, no_prices
from schedproof.relaxations.multiserver.exact import Numbers, earnings
from schedproof.relaxations.multiserver.solver import StationarySolver

CONSTANTS = ("printed", "sharper")


@dataclass(frozen=True, eq=False, repr=False)
class Regret(Tabled):
    """A schedule's regret after some numbers of slots.

    Attributes
    ----------
    slots
        (P,) increasing numbers of slots, the last T, and the first 1 unless time was over.
    reward, optimum
        What was earned in them, and what the best allocation fixed for all of them earns: P enclosures each.
    steps
        (P,) of the interior point method, for each optimum.
    left
        How many points there was no time for.
    """

    instance: Instance = field(repr=False)
    policy: str
    options: dict[str, Json]
    gain: str
    slots: np.ndarray = field(repr=False)
    reward: tuple[Enclosure, ...] = field(repr=False)
    optimum: tuple[Enclosure, ...] = field(repr=False)
    steps: np.ndarray = field(repr=False)
    left: int = 0

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

    @cached_property
    def squares(self) -> dict[str, Fraction]:
        """D^2 G^2 with the constants printed in (51) and (48), and with sharper ones."""
        numbers = rationals(self.instance, self.gain)
        return {name: Fraction(diameter_squared(numbers, name) * steepest_squared(numbers, name)) for name in CONSTANTS}

    def bound(self, constants: str = "sharper") -> np.ndarray:
        """(P,) D G sqrt(t): what Theorem 1 promises of a run whose horizon is t and whose step is the one for it.

        At t < T a run with the constant step for T is promised (1 + t/T)/2 times the number at T, which is more.
        """
        return np.sqrt(float(self.squares[constants]) * self.slots)

    @property
    def guarantee(self) -> Fraction:
        """At least what Theorem 1 promises of the whole horizon for the sharper constants, D G sqrt(T)."""
        square = self.squares["sharper"] * int(self.slots[-1])
        exact = root(square)
        return root_below(square) + Fraction(1, 1 << 32) if exact is None else exact

    def within(self, constants: str = "sharper") -> bool:
        """Whether the regret of the whole horizon is proven to be at most D G sqrt(T), in rationals."""
        upper = self.upper[-1]
        return upper <= 0 or upper**2 <= self.squares[constants] * int(self.slots[-1])

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
        for name in CONSTANTS:
            frame[f"bound_{name}"] = self.bound(name)
        frame["steps"] = self.steps
        frame.attrs.update(policy=self.policy, options=self.options, gain=self.gain)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """Regret and the theorem's bounds against t, both axes logarithmic.

        A note counts the points whose regret is not positive.
        """
        ax = axes(ax, (6.5, 4))
        slots = self.slots
        low, high = (np.array([float(end) for end in ends]) for ends in (self.lower, self.upper))
        shown = low > 0
        ax.fill_between(slots[shown], low[shown], high[shown], color=COLOURS[0], alpha=0.3, linewidth=0)
        ax.plot(slots[shown], self.middle[shown], color=COLOURS[0], linewidth=1.6, label=caption(self.policy))
        ax.plot(slots, self.bound("sharper"), color=COLOURS[1], linestyle="--", label="D G √t, sharper constants")
        ax.plot(slots, self.bound("printed"), color=COLOURS[4], linestyle=":", label="(39), printed constants")
        if shown.any() or self.bound("sharper").any():
            ax.set_yscale("log")
        ax.set_xscale("log")
        ax.set_xlabel("t (slots)")
        ax.set_ylabel("regret (reward)")
        ax.set_title(settings(self.policy, self.options), fontsize=10)
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
            f"the best fixed allocation earns {best:.10g}, this run {earned:.10g}",
            *(f"D G sqrt(T), constants {name}: {self.bound(name)[-1]:.10g}" for name in CONSTANTS),
            f"log-log slope in t: {self._slope_in_words()}",
            *([f"time was over before {self.left} more points of the curve"] if self.left else []),
        ]

    def to_json(self) -> dict[str, Json]:
        """The result object of ``regret --json``."""
        return {
            "policy": self.policy,
            "gain": self.gain,
            "slots": self.slots.tolist(),
            "regret": [[float(low), float(high)] for low, high in zip(self.lower, self.upper, strict=True)],
            "exact": [as_text(self.lower[-1]), as_text(self.upper[-1])],
            "bound": {name: self.bound(name).tolist() for name in CONSTANTS},
            "within": {name: self.within(name) for name in CONSTANTS},
            "slope": self._slope_in_words(),
            "steps": int(self.steps.sum()),
            "left": self.left,
        }

    def _slope_in_words(self) -> str:
        try:
            return str(self.slope())
        except InputError as error:
            return f"none, {error}"


def regret(
    run: Run | Schedule,
    *,
    points: int = 100,
    gain: str | None = None,
    gap: Fraction = Fraction(1, 10**7),
    context: Context = USUAL,
) -> Regret:
    """The regret (11) of a run or a schedule as a curve in t, both of its sides enclosed.

    Raises
    ------
    ProgramError
        For a schedule that is not feasible, a run that says otherwise than its schedule, or another gain than its own.
    """
    schedule: Schedule = run.schedule if isinstance(run, Run) else run
    if isinstance(run, Run):
        _require_its_own(run, gain)
    instance, reading = schedule.instance, gain or schedule.gain
    marks = np.unique(np.geomspace(1, instance.horizon, points).round().astype(np.int64))
    if broken := schedule.violations(instance):
        raise ProgramError(f"{schedule.policy}: no regret is quoted, the schedule is not feasible (first: {broken[0]})")
    numbers, reward = Numbers(instance, reading), _rewards(schedule, marks, reading)
    optima: dict[int, Point] = {}

    def current() -> Regret:
        at = sorted(optima)
        points = [optima[i] for i in at]
        return Regret(
            instance,
            schedule.policy,
            dict(schedule.options),
            reading,
            marks[at],
            tuple(reward[i] for i in at),
            tuple((point.value, point.bound) for point in points),
            np.array([point.steps for point in points]),
            len(marks) - len(at),
        )

    def keep(number: int, point: Point) -> None:
        optima[number] = point
        partial = current()
        context.keep(partial)
        ends = f"{float(partial.lower[-1]):.6g} to {float(partial.upper[-1]):.6g}"
        context.progress(f"{ends}, {len(partial.slots)} of {len(marks)} points", len(partial.slots) / len(marks))

    last, counts = len(marks) - 1, instance.counts()
    nothing = np.zeros(instance.graph.shape)
    keep(last, Point(earnings(numbers, counts, nothing), no_prices(numbers).bound(numbers, counts), 0))
    keep(last, _optimum(StationarySolver(instance.graph, reading), numbers, counts, gap))
    solver = StationarySolver(instance.graph, reading)
    for number, counts in enumerate(_counts(instance, marks[:-1])):
        if context.over:
            break
        keep(number, _optimum(solver, numbers, counts, gap))
    return current()


def _require_its_own(run: Run, gain: str | None) -> None:
    """Refuse a run that says otherwise than its schedule, and another gain than the one it was judged by."""
    if run.flaw:
        raise ProgramError(f"{run.policy}: no regret is quoted, {run.flaw}")
    if gain not in (None, run.rules["gain"]):
        raise ProgramError(f"the regret of this {run.policy} run is for gain={run.rules['gain']}, not gain={gain}")


class Point(NamedTuple):
    """What the best fixed allocation earns at least and at most, and the steps to it."""

    value: Fraction
    bound: Fraction
    steps: int


def _optimum(solver: StationarySolver, numbers: Numbers, counts: np.ndarray, gap: Fraction) -> Point:
    best = certify_optimum(solver, numbers, counts, float(gap))
    return Point(best.value, best.bound, best.found.steps)


def _rewards(schedule: Schedule, marks: np.ndarray, gain: str) -> list[Enclosure]:
    """What was earned until each mark."""
    account = Account(schedule.instance, gain)
    rewards = []
    for piece, marked in _pieces(schedule.blocks(), marks):
        account.add(piece)
        if marked:
            rewards.append(account.reward())
    return rewards


def _pieces(blocks: Iterator[np.ndarray], marks: np.ndarray) -> Iterator[tuple[np.ndarray, bool]]:
    """The blocks cut after each mark: a piece's allocations, and whether it ends at a mark."""
    at = 0
    for block in blocks:
        inside = marks[(marks > at) & (marks < at + len(block))]
        for part in np.split(block, inside - at):
            at += len(part)
            yield part, at in marks


def _counts(instance: Instance, marks: np.ndarray) -> Iterator[np.ndarray]:
    """(C,) in how many slots until each mark each copy is present."""
    counts, before = instance.counts(0), 0
    for mark in marks.tolist():
        counts, before = counts + instance.counts(mark, before), mark
        yield counts
