"""Pictures of the factor G's effect on a fractional point, over all ways to round it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

from schedproof.core.base.untyped import Figure
from schedproof.core.simulation.pictures import COLOURS, panels
from schedproof.rounding.covering import Program
from schedproof.rounding.gains import printed_above, printed_below

WIDE = np.linspace(0.05, 3.5, 70)  # values of G in the first panel
NEAR = np.linspace(0.5, 1.3, 81)  # and in the others
DELTAS = [Fraction(3, 4) ** n for n in range(40)]  # of the lemmas
BLUE, ORANGE, GREEN, GREY = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[-1]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All ways to round a point (27)-(28), in doubles.

    Attributes
    ----------
    chance, cost
        Of each way.
    covers, packs
        Whether it meets all demands, and all capacities.
    """

    chance: np.ndarray
    cost: np.ndarray
    covers: np.ndarray
    packs: np.ndarray

    @classmethod
    def of(cls, program: Program, point: Sequence[Fraction], gain: float) -> Outcomes:
        """Return the outcomes of a point scaled by G."""
        at = np.array([float(x) for x in point]) * gain
        down = np.floor(at)
        broken = np.flatnonzero(at > down)
        ups = np.array(list(product((0, 1), repeat=broken.size)), dtype=np.int64)
        counts = np.tile(down.astype(np.int64), (len(ups), 1))
        counts[:, broken] += ups
        part = (at - down)[broken]
        chance = np.where(ups, part, 1 - part).prod(axis=1)
        covers = (counts @ program.cover.T >= program.demand).all(axis=1)
        packs = (counts @ program.packing.T <= program.capacity).all(axis=1)
        return cls(chance, counts @ program.costs, covers, packs)

    @property
    def chances(self) -> tuple[float, float, float]:
        """Return the probabilities that one draw meets the demands, the capacities, and both."""
        covers, packs = self.chance[self.covers].sum(), self.chance[self.packs].sum()
        return float(covers), float(packs), float(self.chance[self.covers & self.packs].sum())

    def cheapest(self, good: np.ndarray, draws: int) -> float:
        """Return the expected cost of the cheapest good draw, given that there is one; else nan."""
        if not good.any():
            return float("nan")
        levels, place = np.unique(self.cost[good].round(9), return_inverse=True)
        reached = np.bincount(place, self.chance[good]).cumsum()
        least = np.diff(1 - (1 - reached) ** draws, prepend=0)
        return float(levels @ least / least.sum())


@lru_cache(maxsize=16)
def _all_outcomes(program: Program, point: tuple[Fraction, ...]) -> tuple[np.ndarray, list[Outcomes]]:
    """Return the chances at the points of `WIDE`, and the outcomes at those of `NEAR`."""
    wide = np.array([Outcomes.of(program, point, gain).chances for gain in WIDE])
    return wide, [Outcomes.of(program, point, gain) for gain in NEAR]


def draw_gains(program: Program, point: Sequence[Fraction], optimum: float, draws: int = 20) -> Figure:
    """Draw for each G the probability of feasible draws and their costs; return the figure.

    Parameters
    ----------
    point
        Fractional.
    optimum
        The integer optimum: the unit of costs.
    draws
        S; the cheapest feasible draw is kept.
    """
    wide, near, cost = panels((11, 3.5), 1, 3)
    chances, rounded = _all_outcomes(program, tuple(point))
    for curve, colour, name in zip(
        chances.T, (BLUE, ORANGE, GREEN), ("demands met", "rooms kept", "both"), strict=True
    ):
        wide.plot(WIDE, curve, color=colour, label=name, linewidth=2.2 if name == "both" else 1.4)
    sure = [1 - delta / 3 for delta in DELTAS]
    rooms = [printed_below(program.packing_width, len(program.capacity), delta) for delta in DELTAS]
    demands = [printed_above(program.cover_width, len(program.demand), delta) for delta in DELTAS]
    wide.plot(rooms, sure, ":", color=ORANGE, linewidth=2, label="rooms: Lemma 1")
    wide.plot(demands, sure, ":", color=BLUE, linewidth=2, label="demands: Lemma 2")
    wide.set(
        xlabel="G",
        ylabel="probability, one draw",
        ylim=(-0.02, 1.05),
        xlim=(0, 3.5),
        title="one draw; the theorem's value",
    )
    wide.legend(fontsize=7, frameon=False, loc="center right")

    both = np.array([outcomes.chances[2] for outcomes in rounded])
    for number, shade in ((1, 0.35), (draws, 0.65), (1000, 1.0)):
        near.plot(NEAR, 1 - (1 - both) ** number, color=GREEN, alpha=shade, label=f"S = {number}")
    near.set(xlabel="G", ylabel="probability that some draw is feasible", ylim=(-0.02, 1.05), title="S draws")
    near.legend(fontsize=8, frameon=False, loc="upper left", borderaxespad=0)

    bill = float(program.costs @ np.array([float(x) for x in point]))
    lines = {
        "any draw": (GREY, bill * NEAR),
        "a draw that meets the demands": (BLUE, [o.cheapest(o.covers, 1) for o in rounded]),
        f"the cheapest feasible of {draws}": (GREEN, [o.cheapest(o.covers & o.packs, draws) for o in rounded]),
    }
    for name, (colour, costs) in lines.items():
        cost.plot(NEAR, np.array(costs) / optimum, color=colour, label=name)
    cost.axhline(1, color="black", linewidth=0.8)
    cost.set(xlabel="G", ylabel="expected cost / integer optimum", ylim=(0.5, 1.5), title="what it costs")
    cost.legend(fontsize=8, frameon=False, loc="upper left", borderaxespad=0)
    for ax in (wide, near, cost):
        ax.spines[["top", "right"]].set_visible(False)
    return wide.figure
