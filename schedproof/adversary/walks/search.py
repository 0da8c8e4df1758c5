"""The largest ratio of two costs over the walks of a graph, exactly.

The walks are cycles, or also walks from the start.

Walks give lower bounds and potentials give upper bounds. At a ratio p/q a step with costs a and o has weight q a - p o.
The largest weight of a walk from each state is computed in rounds (Bellman-Ford). If a cycle has positive weight, the
last best steps close such a cycle, and its ratio is tried next (Dinkelbach). If no additive constant is allowed, the
ratio of a walk of positive weight from the start is tried too. If no such cycle or walk exists, the weights are a
potential, and no walk has a larger ratio. All numbers are integers. The outcome of a ratio depends only on the graph,
so a search can resume from the trials of an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, NamedTuple

import numpy as np

from schedproof.adversary.walks.graph import Graph, Numbers
from schedproof.adversary.walks.trials import MOST_NUMBER, NO_TRIALS, Trial, Trials
from schedproof.core.runtime.context import Context

ROUNDS = 4  # rounds between two checks for cycles
MOST_CYCLES = 1000  # cycles compared at once


@dataclass(frozen=True)
class Bounds:
    """Bounds on the largest ratio.

    Attributes
    ----------
    least
        The ratio of the walk; infinite if its small costs are 0.
    walk
        The steps of a cycle, or of a walk from the start; empty for none.
    most, potential
        An upper bound on the ratio of every walk, and the potential that proves it, or None if none is known.
    """

    least: Fraction | float = Fraction(0)
    walk: tuple[int, ...] = ()
    most: Fraction | None = None
    potential: Numbers | None = None

    def rows(self, mine: Numbers, theirs: Numbers) -> list[list[int]]:
        """Return the rows of the potential in a certificate, where the potential is not 0.

        A row has the numbers of the two sides' states, and the potential.
        """
        if self.potential is None:
            return []
        at = np.flatnonzero(self.potential)
        return np.stack([mine[at], theirs[at], self.potential[at]], axis=1).tolist()


def search(graph: Graph, context: Context, keep: Callable[[Bounds], object], trials: Trials = NO_TRIALS) -> Bounds:
    """Return both bounds, which are equal at the end; pass earlier bounds to `keep`."""
    bounds, quick = Bounds(), True
    endless = np.flatnonzero((graph.tail == graph.head) & (graph.large > 0) & (graph.small == 0))
    if endless.size:
        return Bounds(inf, (int(endless[0]),))
    while bounds.least not in (inf, bounds.most):
        least = Fraction(bounds.least)
        ratio = 2 * max(least, Fraction(1, 2)) if quick else least  # first an upper bound that is proven quickly
        trial = trials(ratio, partial(heavier, graph, ratio, context), partial(proves, graph, ratio))
        if walk := trial.more.tolist():
            bounds = replace(bounds, least=graph.ratio(walk), walk=tuple(walk))
        else:
            bounds, quick = replace(bounds, most=ratio, potential=trial.enough), False
        keep(bounds)
        context.progress(f"{graph.states} states: at least {bounds.least}, at most {bounds.most or 'unknown'}")
    return bounds


def heavier(graph: Graph, ratio: Fraction, context: Context) -> Trial:
    """Return a walk with a ratio larger than `ratio`, or a potential."""
    kinds = _weighted(graph, ratio)
    heaviest = np.zeros(graph.states, dtype=_type(graph, ratio))
    best = np.full(graph.states + 1, graph.states, dtype=np.int32)  # the best state after each, or none
    rounds, moved = 0, True
    while moved:
        moved = False
        for tail, head, weight in kinds:
            value = heaviest[head] + weight
            better = np.flatnonzero(value > heaviest[tail])
            if better.size:
                moved = True
                heaviest[tail[better]], best[tail[better]] = value[better], head[better]
        rounds += 1
        if rounds % ROUNDS == 0:
            context.progress(f"{graph.states} states: {float(ratio):.6g} in round {rounds}")
            walk = max(_steps(kinds, best, _cycles(best)), key=graph.ratio, default=[])
            if graph.ratio(walk) > ratio:
                return Trial(more=np.array(walk))
    if not graph.constant and heaviest[0] > 0:
        states = [0]
        while (after := int(best[states[-1]])) < graph.states:
            states.append(after)
        return Trial(more=np.array(_steps(kinds, best, [states[:-1]])[0]))
    return Trial(enough=heaviest)


def proves(graph: Graph, ratio: Fraction, trial: Trial) -> bool:
    """Return whether a trial's walk or potential proves its outcome."""
    walk, potential = trial.more, trial.enough
    if walk.size:
        if not 0 <= walk.min() <= walk.max() < len(graph.tail):
            return False
        tail, head = graph.tail[walk], graph.head[walk]
        begins = tail[0] == head[-1] or not (graph.constant or tail[0])
        return bool(begins and (tail[1:] == head[:-1]).all() and graph.ratio(walk.tolist()) > ratio)
    sound = potential.shape == (graph.states,) and _type(graph, ratio) in (object, potential.dtype)
    if not sound or (potential < 0).any() or not (graph.constant or potential[0] == 0):
        return False
    return all((potential[head] + weight <= potential[tail]).all() for tail, head, weight in _weighted(graph, ratio))


class Weighted(NamedTuple):
    """The steps of one kind with their weights; one weight 0 for steps without costs."""

    tail: Numbers
    head: Numbers
    weight: Numbers | int


def _type(graph: Graph, ratio: Fraction) -> Any:
    """Return the type of weights: Python's integers if 63 bits may be too few."""
    large, small = (1 + int(costs.max()) for costs in (graph.large, graph.small))
    heaviest = ratio.denominator * large + ratio.numerator * small
    return np.int64 if heaviest * (graph.states + 1) < MOST_NUMBER else object


def _weighted(graph: Graph, ratio: Fraction) -> list[Weighted]:
    kind, found = _type(graph, ratio), []
    for tail, head, large, small in graph.kinds:
        weight = ratio.denominator * large.astype(kind) - ratio.numerator * small.astype(kind)
        found.append(Weighted(tail, head, weight if weight.any() else 0))
    return found


def _steps(kinds: list[Weighted], best: Numbers, walks: list[list[int]]) -> list[list[int]]:
    """Return the heaviest step from each state of the walks to its best state."""
    before = np.array([state for walk in walks for state in walk], dtype=np.int64)
    after, first = best[before], 0
    steps, heaviest = np.full(len(before), -1), np.zeros(len(before), dtype=object)
    for tail, head, weight in (each for each in kinds if each.tail.size):
        places = np.minimum(np.searchsorted(tail, before), len(tail) - 1)
        weights = np.broadcast_to(weight, tail.shape)[places]
        better = (tail[places] == before) & (head[places] == after) & ((steps < 0) | (weights > heaviest))
        steps[better], heaviest[better] = first + places[better], weights[better]
        first += len(tail)
    return [part.tolist() for part in np.split(steps, np.cumsum([len(walk) for walk in walks])[:-1])] if walks else []


def _cycles(best: Numbers) -> list[list[int]]:
    after = best
    for _ in range(len(best).bit_length()):
        after = after[after]  # the states reached after 1, 2, 4, ... steps; in the end only states on cycles
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in np.unique(after[after < len(best) - 1]).tolist():
        if start not in seen and len(found) < MOST_CYCLES:
            cycle = [start]
            while (n := int(best[cycle[-1]])) != start:
                cycle.append(n)
            seen.update(cycle)
            found.append(cycle)
    return found
