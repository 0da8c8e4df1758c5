"""Regret (11) over t: the best fixed allocation's reward minus the policy's.

For every prefix of slots the best fixed allocation's reward is enclosed by an allocation and a certificate, both
rounded to the safe side. The solution of a prefix is the initial point of the next prefix. The reward of the schedule
is enclosed too, so that every regret lies between two rationals. The whole horizon is solved first, so that a result
exists at the time limit.

Theorem 1 is about policies that commit to y(t) before they see x(t). For a policy that sees x(t) first, the best fixed
allocation is no benchmark: the regret is usually negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from schedproof.core.base.radicals import root, root_below
from schedproof.core.base.untyped import Axes, Frame, Json
from schedproof.core.errors import ProgramError
from schedproof.core.results.regret_curve import Point, RegretCurve, follow, marks
from schedproof.core.results.run import Run
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.pictures import COLOURS
from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.reward import Account
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.online.multiserver.constants import diameter_squared, rationals, steepest_squared
from schedproof.relaxations.multiserver.bounds import certify_optimum, no_prices
from schedproof.relaxations.multiserver.exact import Numbers, earnings
from schedproof.relaxations.multiserver.solver import StationarySolver

CONSTANTS = ("printed", "sharper")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Regret(RegretCurve):
    """A schedule's regret at several points in time, with the bounds of Theorem 1.

    Attributes
    ----------
    gain
        The reading of the reward, ``node`` or ``total``.
    """

    gain: str
    decision: ClassVar[str] = "allocation"

    @cached_property
    def squares(self) -> dict[str, Fraction]:
        """Return D^2 G^2 with the printed constants (51), (48), and with sharper ones."""
        numbers = rationals(self.instance, self.gain)
        return {name: Fraction(diameter_squared(numbers, name) * steepest_squared(numbers, name)) for name in CONSTANTS}

    def bound(self, constants: str = "sharper") -> np.ndarray:
        """Return D G sqrt(t), (P,): the bound of Theorem 1 for horizon t and its step.

        At t < T, a run with the constant step for T has a larger bound, (1 + t/T)/2 times the bound at T.
        """
        return np.sqrt(float(self.squares[constants]) * self.slots)

    @property
    def guarantee(self) -> Fraction:
        """Return a lower bound of D G sqrt(T) with the sharper constants."""
        square = self.squares["sharper"] * int(self.slots[-1])
        exact = root(square)
        return root_below(square) + Fraction(1, 1 << 32) if exact is None else exact

    def within(self, constants: str = "sharper") -> bool:
        """Return whether the whole horizon's regret is proven to be at most D G sqrt(T)."""
        upper = self.upper[-1]
        return upper <= 0 or upper**2 <= self.squares[constants] * int(self.slots[-1])

    def to_frame(self) -> Frame:
        """Return one row per point (pandas), in doubles."""
        frame = super().to_frame()
        for name in CONSTANTS:
            frame.insert(len(frame.columns) - 1, f"bound_{name}", self.bound(name))
        frame.attrs.update(gain=self.gain)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """Plot the regret and the theorem's bounds against t, on logarithmic axes.

        A note counts the points whose regret is not positive.
        """
        ax = super().plot(ax)
        ax.plot(self.slots, self.bound("sharper"), color=COLOURS[1], linestyle="--", label="D G √t, sharper constants")
        ax.plot(self.slots, self.bound("printed"), color=COLOURS[4], linestyle=":", label="(39), printed constants")
        if self.bound("sharper").any():
            ax.set_yscale("log")
        ax.legend(fontsize=8, frameon=False)
        return ax

    def _promises(self) -> Iterator[str]:
        return (f"D G sqrt(T), constants {name}: {self.bound(name)[-1]:.10g}" for name in CONSTANTS)

    def to_json(self) -> dict[str, Json]:
        row = super().to_json()
        bounds = {name: self.bound(name).tolist() for name in CONSTANTS}
        mine = {"gain": self.gain, "bound": bounds, "within": {name: self.within(name) for name in CONSTANTS}}
        order = ("policy", "gain", "slots", "regret", "exact", "bound", "within", "slope", "steps", "left")
        return {name: (row | mine)[name] for name in order}


def regret(
    run: Run | Schedule,
    *,
    points: int = 100,
    gain: str | None = None,
    gap: Fraction = Fraction(1, 10**7),
    context: Context = USUAL,
) -> Regret:
    """The regret (11) of a run or a schedule as a curve in t, enclosed.

    Raises
    ------
    ProgramError
        If the schedule is infeasible, or the run disagrees with its schedule or with ``gain``.
    """
    schedule: Schedule = run.schedule if isinstance(run, Run) else run
    if isinstance(run, Run):
        _require_its_own(run, gain)
    instance, reading = schedule.instance, gain or schedule.gain
    at = marks(instance.horizon, points)
    if broken := schedule.violations(instance):
        raise ProgramError(
            f"{schedule.policy}: no regret is reported, the schedule is infeasible (first violation: {broken[0]})"
        )
    numbers, reward = Numbers(instance, reading), _rewards(schedule, at, reading)

    def curve(positions: Sequence[int], optima: Sequence[Point]) -> Regret:
        return Regret(
            instance=instance,
            policy=schedule.policy,
            options=dict(schedule.options),
            gain=reading,
            slots=at[positions],
            reward=tuple(reward[i] for i in positions),
            optimum=tuple((point.value, point.bound) for point in optima),
            steps=np.array([point.steps for point in optima]),
            left=len(at) - len(positions),
        )

    def whole() -> Iterator[Point]:
        counts, nothing = instance.counts(), np.zeros(instance.graph.shape)
        yield Point(earnings(numbers, counts, nothing), no_prices(numbers).bound(numbers, counts), 0)
        yield _optimum(StationarySolver(instance.graph, reading), numbers, counts, gap)

    def prefixes() -> Iterator[Point]:
        solver = StationarySolver(instance.graph, reading)
        for counts in _counts(instance, at[:-1]):
            yield _optimum(solver, numbers, counts, gap)

    return follow(len(at), whole(), prefixes(), curve, context)


def _require_its_own(run: Run, gain: str | None) -> None:
    if run.flaw:
        raise ProgramError(f"{run.policy}: no regret is reported, {run.flaw}")
    if gain not in (None, run.rules["gain"]):
        raise ProgramError(f"gain={gain}: the {run.policy} run used gain={run.rules['gain']}; expected the same gain")


def _optimum(solver: StationarySolver, numbers: Numbers, counts: np.ndarray, gap: Fraction) -> Point:
    best = certify_optimum(solver, numbers, counts, float(gap))
    return Point(best.value, best.bound, best.found.steps)


def _rewards(schedule: Schedule, marks: np.ndarray, gain: str) -> list[Enclosure]:
    account = Account(schedule.instance, gain)
    rewards = []
    for piece, marked in _pieces(schedule.blocks(), marks):
        account.add(piece)
        if marked:
            rewards.append(account.reward())
    return rewards


def _pieces(blocks: Iterator[np.ndarray], marks: np.ndarray) -> Iterator[tuple[np.ndarray, bool]]:
    at = 0
    for block in blocks:
        inside = marks[(marks > at) & (marks < at + len(block))]
        for part in np.split(block, inside - at):
            at += len(part)
            yield part, at in marks


def _counts(instance: Instance, marks: np.ndarray) -> Iterator[np.ndarray]:
    counts, before = instance.counts(0), 0
    for mark in marks.tolist():
        counts, before = counts + instance.counts(mark, before), mark
        yield counts
