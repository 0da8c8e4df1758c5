"""The largest ratio of two costs over the cycles of a graph, exactly.

Cycles give lower bounds and potentials give upper bounds. At a ratio p/q a slot with costs a and o has weight q a - p
o, and an arrival weight 0. The largest weight of a walk from each state is computed in rounds (Bellman-Ford). If a
cycle has positive weight, the last best steps close such a cycle, and its ratio is tried next (Dinkelbach). Otherwise
the weights are a potential, and no cycle has a larger ratio. All numbers are integers. The outcome of a ratio depends
only on the graph, so a search can resume from the trials of an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf

import numpy as np

from schedproof.adversary.exact_ratio.graph import Edges, Graph
from schedproof.adversary.exact_ratio.trials import NO_TRIALS, Trial, Trials
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

ROUNDS = 4  # rounds between two checks for cycles
MOST_WEIGHT = 2**62
MOST_CYCLES = 1000  # cycles compared at once
Numbers = np.ndarray


@dataclass(frozen=True)
class Bounds:
    """Bounds on the largest ratio.

    Attributes
    ----------
    least
        The ratio of the cycle; infinite if the other schedule's cost on it is 0.
    cycle
        The states of the cycle; empty for none.
    most, potential
        An upper bound on the ratio of every cycle, and the potential that proves it, or None if none is known.
    """

    least: Fraction | float = Fraction(0)
    cycle: tuple[int, ...] = ()
    most: Fraction | None = None
    potential: Numbers | None = None


def search(graph: Graph, context: Context, keep: Callable[[Bounds], object], trials: Trials = NO_TRIALS) -> Bounds:
    """Return both bounds, which are equal at the end; pass earlier bounds to `keep`."""
    bounds, quick = Bounds(), True
    endless = (graph.cost > 0) & (graph.other == 0)
    still = [n for tail, head in graph.slots for n in tail[(tail == head) & endless[tail]][:1].tolist()]
    if still:  # a slot that changes nothing: the policy idles with jobs present, and the other schedule has none
        return Bounds(inf, (still[0],))
    while bounds.least not in (inf, bounds.most):
        least = Fraction(bounds.least)
        ratio = 2 * max(least, Fraction(1, 2)) if quick else least  # first an upper bound that is proven quickly
        trial = trials(ratio, partial(heavier, graph, ratio, context), partial(proves, graph, ratio))
        if cycle := trial.more.tolist():
            bounds = replace(bounds, least=ratio_of(graph, cycle), cycle=tuple(cycle))
        else:
            bounds, quick = replace(bounds, most=ratio, potential=trial.enough), False
        keep(bounds)
        context.progress(f"{len(graph.cost)} states: at least {bounds.least}, at most {bounds.most or 'unknown'}")
    return bounds


def costs(graph: Graph, cycle: Sequence[int]) -> tuple[int, int]:
    slots = [n for n, after in pairwise([*cycle, *cycle[:1]]) if graph.is_slot(n, after)]
    return int(graph.cost[slots].sum()), int(graph.other[slots].sum())


def ratio_of(graph: Graph, cycle: Sequence[int]) -> Fraction | float:
    cost, other = costs(graph, cycle)
    return Fraction(cost, other) if other else inf


def heavier(graph: Graph, ratio: Fraction, context: Context) -> Trial:
    """Return a cycle with a ratio larger than `ratio`, or a potential.

    Raises
    ------
    InputError
        If numbers could exceed 63 bits.
    """
    weight = _weights(graph, ratio)
    if (int(np.abs(weight).max()) + 1) * len(weight) > MOST_WEIGHT:
        raise InputError("the numbers of a potential could exceed 63 bits; decrease present or sizes")
    heaviest, best = np.zeros(len(weight), dtype=np.int64), np.arange(len(weight), dtype=np.int32)
    columns = [*_columns(graph, weight)]
    rounds, moved = 0, True
    while moved:
        moved = False
        for (tail, head), gain in columns:
            value = heaviest[head] + gain
            better = np.flatnonzero(value > heaviest[tail])
            if better.size:
                moved = True
                heaviest[tail[better]], best[tail[better]] = value[better], head[better]
        rounds += 1
        if rounds % ROUNDS == 0:
            context.progress(f"{len(weight)} states: {float(ratio):.6g} in round {rounds}")
            cycles = [cycle for cycle in _cycles(best) if ratio_of(graph, cycle) > ratio]
            if cycles:
                return Trial(more=np.array(max(cycles, key=lambda cycle: ratio_of(graph, cycle))))
    return Trial(enough=heaviest)


def proves(graph: Graph, ratio: Fraction, trial: Trial) -> bool:
    """Return whether a trial's cycle or potential proves its outcome."""
    cycle, potential = trial.more.tolist(), trial.enough
    if cycle:
        inside = 0 <= min(cycle) <= max(cycle) < len(graph.cost)
        return inside and all(map(graph.has, cycle, [*cycle[1:], cycle[0]])) and ratio_of(graph, cycle) > ratio
    sound = potential.shape == graph.cost.shape and bool((potential >= 0).all() and (potential <= MOST_WEIGHT).all())
    columns = _columns(graph, _weights(graph, ratio))
    return sound and all((potential[head] + gain <= potential[tail]).all() for (tail, head), gain in columns)


def _weights(graph: Graph, ratio: Fraction) -> Numbers:
    weights: Numbers = ratio.denominator * graph.cost.astype(np.int64) - ratio.numerator * graph.other
    return weights


def _columns(graph: Graph, weight: Numbers) -> Iterator[tuple[Edges, Numbers | int]]:
    yield from ((edges, 0) for edges in graph.arrivals)
    yield from ((edges, weight[edges.tail]) for edges in graph.slots)


def _cycles(best: np.ndarray) -> list[list[int]]:
    after = best
    for _ in range(len(best).bit_length()):
        after = after[after]  # the states reached after 1, 2, 4, ... steps; in the end only states on cycles
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in np.unique(after[best[after] != after]).tolist():
        if start not in seen and len(found) < MOST_CYCLES:
            cycle = [start]
            while (n := int(best[cycle[-1]])) != start:
                cycle.append(n)
            seen.update(cycle)
            found.append(cycle)
    return found
