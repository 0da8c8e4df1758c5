"""The largest ratio of costs over the cycles of a graph, exactly: from below by cycles, from above by potentials.

At a ratio p/q a slot with a and o jobs present weighs q a - p o, an arrival nothing. The most that a walk from a state
weighs is computed in rounds (Bellman and Ford). Where some cycle weighs more than nothing, the steps that were best at
last close such a cycle, and its ratio is tried next (Dinkelbach); where none does, the weights are a potential, and no
cycle has a larger ratio. All numbers are integers. What one ratio ends in depends on nothing but the graph: so a search
goes on from the trials of an earlier one.
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

ROUNDS = 4  # from one look for cycles to the next
MOST_WEIGHT = 2**62
MOST_CYCLES = 1000  # that are compared at once
Numbers = np.ndarray


@dataclass(frozen=True)
class Bounds:
    """What is known of the largest ratio.

    Attributes
    ----------
    least
        The ratio of the cycle; infinite where the other schedule pays nothing on it.
    cycle
        Its states, from the first one on; empty for none.
    most, potential
        A ratio that no cycle exceeds, and the number of each state that proves it; None before there is one.
    """

    least: Fraction | float = Fraction(0)
    cycle: tuple[int, ...] = ()
    most: Fraction | None = None
    potential: Numbers | None = None


def search(graph: Graph, context: Context, keep: Callable[[Bounds], object], trials: Trials = NO_TRIALS) -> Bounds:
    """Both bounds, equal in the end; those on the way are kept."""
    bounds, quick = Bounds(), True
    endless = (graph.cost > 0) & (graph.other == 0)
    still = [n for tail, head in graph.slots for n in tail[(tail == head) & endless[tail]][:1].tolist()]
    if still:  # a slot that changes nothing: the policy runs none of what is present, and the other has nothing
        return Bounds(inf, (still[0],))
    while bounds.least not in (inf, bounds.most):
        least = Fraction(bounds.least)
        ratio = 2 * max(least, Fraction(1, 2)) if quick else least  # first an upper bound that is soon proven
        trial = trials(ratio, partial(heavier, graph, ratio, context), partial(proves, graph, ratio))
        if cycle := trial.more.tolist():
            bounds = replace(bounds, least=ratio_of(graph, cycle), cycle=tuple(cycle))
        else:
            bounds, quick = replace(bounds, most=ratio, potential=trial.enough), False
        keep(bounds)
        context.progress(f"{len(graph.cost)} states: at least {bounds.least}, at most {bounds.most or 'unknown'}")
    return bounds


def costs(graph: Graph, cycle: Sequence[int]) -> tuple[int, int]:
    """What a cycle costs, and what it costs the other schedule."""
    slots = [n for n, after in pairwise([*cycle, *cycle[:1]]) if graph.is_slot(n, after)]
    return int(graph.cost[slots].sum()), int(graph.other[slots].sum())


def ratio_of(graph: Graph, cycle: Sequence[int]) -> Fraction | float:
    """What a cycle costs, over what it costs the other schedule."""
    cost, other = costs(graph, cycle)
    return Fraction(cost, other) if other else inf


def heavier(graph: Graph, ratio: Fraction, context: Context) -> Trial:
    """A cycle whose ratio is larger, the best that is seen at once; or a potential.

    Raises
    ------
    InputError
        For numbers beyond 63 bits.
    """
    weight = _weights(graph, ratio)
    if (int(np.abs(weight).max()) + 1) * len(weight) > MOST_WEIGHT:
        raise InputError("the numbers of a potential may be beyond 63 bits; expected fewer states")
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
    """Whether a trial shows what it says: its steps are steps of the graph, or none overtakes its potential."""
    cycle, potential = trial.more.tolist(), trial.enough
    if cycle:
        inside = 0 <= min(cycle) <= max(cycle) < len(graph.cost)
        return inside and all(map(graph.has, cycle, [*cycle[1:], cycle[0]])) and ratio_of(graph, cycle) > ratio
    sound = potential.shape == graph.cost.shape and bool((potential >= 0).all() and (potential <= MOST_WEIGHT).all())
    columns = _columns(graph, _weights(graph, ratio))
    return sound and all((potential[head] + gain <= potential[tail]).all() for (tail, head), gain in columns)


def _weights(graph: Graph, ratio: Fraction) -> Numbers:
    """Of a slot from each state."""
    weights: Numbers = ratio.denominator * graph.cost.astype(np.int64) - ratio.numerator * graph.other
    return weights


def _columns(graph: Graph, weight: Numbers) -> Iterator[tuple[Edges, Numbers | int]]:
    """The steps, and what they weigh."""
    yield from ((edges, 0) for edges in graph.arrivals)
    yield from ((edges, weight[edges.tail]) for edges in graph.slots)


def _cycles(best: np.ndarray) -> list[list[int]]:
    """The cycles of a function on the states, but for states that it leaves in place; at most so many."""
    after = best
    for _ in range(len(best).bit_length()):
        after = after[after]  # the states reached after 1, 2, 4, ... steps, in the end those on cycles alone
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
