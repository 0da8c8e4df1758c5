"""The rules `random`, `minimum` and `table` on the compiled simulator, decision for decision as on the drive."""

from __future__ import annotations

from typing import Any, NamedTuple

from schedproof.core.kernels import kernel
from schedproof.online.placement.heuristics import ALLOCATION, TASK
from schedproof.online.placement.kernels import (
    NONE,
    advance,
    below,
    fits,
    inlined,
    mixed,
    over,
    place,
    renew,
    room,
    settle,
)

RANDOM, MINIMUM, TABLE = 0, 1, 2


class Rule(NamedTuple):
    """A rule, and the seed of its choices.

    Attributes
    ----------
    name
        RANDOM, MINIMUM or TABLE.
    seed
        Of each environment, (E,).
    entry, turn
        Of a table: the allocation of a kind on a cluster, or NONE, (K, N); and which kind is served first, (K,).
    fitting
        Space for A numbers.
    """

    name: Any
    seed: Any
    entry: Any
    turn: Any
    fitting: Any


@kernel
def drawn(seed: Any, slot: Any, n: Any, purpose: Any, size: Any) -> Any:
    """A whole number from 0 to size - 1, as `heuristics.AnyTask.drawn`."""
    return below(mixed(mixed(mixed(mixed(0, seed), slot), n), purpose), size)


@inlined
def choose(world: Any, state: Any, rule: Any, e: Any, n: Any, weight: Any) -> Any:
    """The place in its pending set that a cluster chooses, or NONE; sets its weight in (11)."""
    chosen, count = NONE, 0
    for p in range(state.pending.shape[2]):
        if rule.name != TABLE:
            count += state.can[e, n, p]
        elif state.can[e, n, p]:
            k = state.kind[e, state.pending[e, n, p]]
            a = rule.entry[k, n]
            earlier = chosen == NONE or rule.turn[k] < rule.turn[state.kind[e, state.pending[e, n, chosen]]]
            if earlier and a != NONE and fits(world.amounts, a, state.free, e, n):
                chosen = p
    if count > 0:
        left = drawn(rule.seed[e], state.slot[e], n, TASK, count)
        for p in range(state.pending.shape[2]):
            if state.can[e, n, p]:
                if left == 0:
                    chosen = p
                    break
                left -= 1
    if chosen != NONE:
        weight[n] = room(state.free[e, n], world.needs[state.kind[e, state.pending[e, n, chosen]]]) / max(1, count)
    return chosen


@inlined
def allocate(world: Any, state: Any, rule: Any, e: Any, n: Any, k: Any) -> Any:
    """The allocation that the rule gives a task of a kind."""
    if rule.name == TABLE:
        return rule.entry[k, n]
    count = 0
    for a in range(world.amounts.shape[0]):
        if world.work[k, a] and fits(world.amounts, a, state.free, e, n):
            if rule.name == MINIMUM:
                return a
            rule.fitting[count] = a
            count += 1
    return rule.fitting[drawn(rule.seed[e], state.slot[e], n, ALLOCATION, count)]


@inlined
def decide(world: Any, state: Any, rule: Any, e: Any, choice: Any, weight: Any) -> None:
    """Have all clusters of an environment decide; ``choice`` and ``weight`` are room for N numbers."""
    for n in range(choice.size):
        choice[n] = choose(world, state, rule, e, n, weight)
    settle(state, e, choice, weight)
    for n in range(choice.size):
        if choice[n] != NONE:
            j = state.pending[e, n, choice[n]]
            place(world, state, e, n, j, allocate(world, state, rule, e, n, state.kind[e, j]))


@kernel
def play(world: Any, state: Any, rule: Any, choice: Any, weight: Any) -> Any:
    """Run every environment to its end; how many decisions that took."""
    decisions = 0
    for e in range(state.slot.size):
        while not over(world, state, e):
            decide(world, state, rule, e, choice, weight)
            advance(world, state, e)
            decisions += 1
    return decisions


@kernel
def play_anew(world: Any, state: Any, rule: Any, seed: Any, numbers: Any, choice: Any, weight: Any, out: Any) -> Any:
    """Play environments of these numbers, one after the other, in environment 0; how many decisions that took.

    Parameters
    ----------
    out
        What each of them passes, (numbers,).
    """
    decisions = 0
    for i in range(numbers.size):
        renew(world, state, 0, seed, numbers[i])
        while not over(world, state, 0):
            decide(world, state, rule, 0, choice, weight)
            advance(world, state, 0)
            decisions += 1
        out[i] = state.passed[0]
    return decisions
