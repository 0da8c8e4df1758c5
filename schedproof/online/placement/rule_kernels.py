"""Compiled `random`, `minimum` and `table`, with the policies' decisions.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel
from schedproof.online.placement.heuristics import ALLOCATION, TASK
from schedproof.online.placement.kernels import (
    NONE,
    act,
    advance,
    below,
    fits,
    has_ended,
    inlined,
    mixed,
    renew,
    room,
)

RANDOM, MINIMUM, TABLE = 0, 1, 2


class Rule(NamedTuple):
    """A rule, and the seed of its choices.

    Attributes
    ----------
    name
        RANDOM, MINIMUM or TABLE.
    seed
        The seed of each environment, (E,).
    entry, turn
        For a table: the allocation of each kind on each cluster, or NONE, (K, N); the rank of each kind, (K,).
    fitting
        Scratch for A numbers.
    """

    name: Array
    seed: Array
    entry: Array
    turn: Array
    fitting: Array


@kernel
def draw(seed: Array, slot: Array, n: Array, purpose: Array, size: Array) -> Array:
    """Return an integer from 0 to size - 1, as `heuristics.AnyTask.draw`."""
    return below(mixed(mixed(mixed(mixed(0, seed), slot), n), purpose), size)


@inlined
def choose(world: Array, state: Array, rule: Array, e: Array, n: Array, weight: Array) -> Array:
    """Return a cluster's chosen position in the pending set, or NONE; set its weight."""
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
        rest = draw(rule.seed[e], state.slot[e], n, TASK, count)
        for p in range(state.pending.shape[2]):
            if state.can[e, n, p]:
                if rest == 0:
                    chosen = p
                    break
                rest -= 1
    if chosen != NONE:
        weight[n] = room(state.free[e, n], world.needs[state.kind[e, state.pending[e, n, chosen]]]) / max(1, count)
    return chosen


@inlined
def allocate(world: Array, state: Array, rule: Array, e: Array, n: Array, k: Array) -> Array:
    """Return the rule's allocation for a task of a kind."""
    if rule.name == TABLE:
        return rule.entry[k, n]
    count = 0
    for a in range(world.amounts.shape[0]):
        if world.work[k, a] and fits(world.amounts, a, state.free, e, n):
            if rule.name == MINIMUM:
                return a
            rule.fitting[count] = a
            count += 1
    return rule.fitting[draw(rule.seed[e], state.slot[e], n, ALLOCATION, count)]


@inlined
def propose(world: Array, state: Array, rule: Array, e: Array, choice: Array, weight: Array, allocation: Array) -> None:
    """Compute the choices of an environment's clusters for `kernels.act`; (N,)."""
    for n in range(choice.size):
        choice[n] = choose(world, state, rule, e, n, weight)
        if choice[n] != NONE:
            k = state.kind[e, state.pending[e, n, choice[n]]]
            allocation[n] = allocate(world, state, rule, e, n, k)


@kernel
def propose_all(world: Array, state: Array, rule: Array, choice: Array, weight: Array, allocation: Array) -> None:
    """Compute the choices of all clusters for `kernels.step`; (E, N)."""
    for e in range(state.slot.size):
        propose(world, state, rule, e, choice[e], weight[e], allocation[e])


@kernel
def play(world: Array, state: Array, rule: Array) -> Array:
    """Run every environment to its end; return the number of decisions."""
    decisions, clusters = 0, world.capacity.shape[0]
    choice, allocation, weight = np.empty(clusters, np.int64), np.empty(clusters, np.int64), np.empty(clusters)
    for e in range(state.slot.size):
        while not has_ended(world, state, e):
            propose(world, state, rule, e, choice, weight, allocation)
            act(world, state, e, choice, weight, allocation)
            advance(world, state, e)
            decisions += 1
    return decisions


@kernel
def play_anew(world: Array, state: Array, rule: Array, seed: Array, number: Array) -> Array:
    """Draw the environments, numbered from ``number`` on, and `play` them."""
    for e in range(state.slot.size):
        renew(world, state, e, seed, number + e)
    return play(world, state, rule)
