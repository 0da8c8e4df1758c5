"""The network's view of the compiled environments, and the effect of its choices."""

from __future__ import annotations

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel
from schedproof.online.placement.kernels import (
    GAIN,
    NONE,
    advance,
    fits,
    has_ended,
    mixed,
    place,
    renew,
    room,
    settle,
    slots,
)
from schedproof.online.placement.tapfinger.observation import ELAPSED, QUEUE


@kernel
def observe(world: Array, state: Array, kinds: Array, largest: Array, index: Array, seen: Array) -> None:
    """Fill an `Observation` from the environments.

    Parameters
    ----------
    kinds
        The network's kind of each kind of the world, (K,).
    most
        Divisors of the amounts, (R,).
    index
        Scratch for J numbers.
    """
    tasks, resources, window = state.arrival.shape[1], world.capacity.shape[1], state.pending.shape[2]
    for array in (seen.clusters, seen.pending, seen.running):
        array[:] = 0
    for array in (seen.sets, seen.runs, seen.can):
        array[:] = False
    for e in range(state.slot.size):
        index[:] = NONE
        distinct = 0
        quiet = state.slot[e] - state.arrival[e, state.arrived[e] - 1]
        for n in range(world.capacity.shape[0]):
            for r in range(resources):
                seen.clusters[e, n, r] = state.free[e, n, r] / largest[r]
            seen.clusters[e, n, resources] = min(state.queue[e, n], window) / window
            seen.clusters[e, n, resources + 1] = max(0, state.queue[e, n] - window) / QUEUE
            seen.clusters[e, n, resources + 2] = min(ELAPSED, quiet) / ELAPSED
            for p in range(window):
                j = state.pending[e, n, p]
                if j != NONE and index[j] == NONE:
                    index[j] = 0
                    distinct += 1
        u, j = 0, state.after[e, tasks]
        while u < distinct:
            if index[j] != NONE:
                index[j] = u
                k = state.kind[e, j]
                for r in range(resources):
                    seen.pending[e, u, r] = world.needs[k, r] / largest[r]
                seen.pending[e, u, resources] = 1
                seen.pending[e, u, resources + 1 + kinds[k]] = 1
                u += 1
            j = state.after[e, j]
        for n in range(world.capacity.shape[0]):
            for p in range(window):
                j = state.pending[e, n, p]
                seen.place[e, n, p] = NONE if j == NONE else index[j]
                if j != NONE:
                    seen.sets[e, n, index[j]] = True
                    seen.can[e, n, p] = state.can[e, n, p] != 0
        for i in range(state.runs[e]):
            j = state.running[e, i]
            for r in range(resources):
                seen.running[e, i, r] = world.amounts[state.allocation[e, j], r] / largest[r]
            seen.running[e, i, resources] = (state.slot[e] - state.start[e, j]) / ELAPSED
            seen.running[e, i, resources + 1 + kinds[state.kind[e, j]]] = 1
            seen.runs[e, state.cluster[e, j], i] = True


@kernel
def allow(world: Array, state: Array, entry: Array, choice: Array, allowed: Array) -> None:
    """Compute the mask of (12) for the chosen tasks; entry 0, no start, is allowed.

    Parameters
    ----------
    entry
        The position of each allocation of the world in the network's grid, or NONE, (A,).
    choice
        A position in the pending set, or NONE, (E, N).
    allowed
        Output, (E, N, grid).
    """
    allowed[:] = False
    for e in range(state.slot.size):
        for n in range(choice.shape[1]):
            allowed[e, n, 0] = True
            if choice[e, n] != NONE:
                k = state.kind[e, state.pending[e, n, choice[e, n]]]
                for a in range(entry.size):
                    if entry[a] > 0 and world.work[k, a] and fits(world.amounts, a, state.free, e, n):
                        allowed[e, n, entry[a]] = True


@kernel
def exceeds(amounts: Array, others: Array) -> Array:
    """Return whether ``amounts`` has more of some resource."""
    more = 0
    for r in range(amounts.size):
        more += amounts[r] > others[r]
    return more > 0


@kernel
def drop_dominated(
    world: Array, state: Array, entry: Array, candidate: Array, slot: Array, choice: Array, allowed: Array
) -> None:
    """Keep entry 0 and the task's undominated allowed allocations.

    Parameters
    ----------
    candidate
        Whether an allocation is undominated by the work of a kind, (K, A); only such allocations can be kept.
    slot
        Scratch for A numbers.
    """
    for e in range(state.slot.size):
        for n in range(choice.shape[1]):
            if choice[e, n] == NONE:
                continue
            j = state.pending[e, n, choice[e, n]]
            k, gains = state.kind[e, j], mixed(mixed(state.key[e], j), GAIN)
            for a in range(entry.size):
                kept = candidate[k, a]
                if kept:
                    slot[a] = slots(world.work[k, a], world.usual, world.noise, gains)
                for b in range(a):  # allocations with no more of any resource come earlier
                    if kept and candidate[k, b] and slot[b] <= slot[a]:
                        kept = exceeds(world.amounts[b], world.amounts[a])
                if entry[a] > 0 and not kept:
                    allowed[e, n, entry[a]] = False


@kernel
def act(
    world: Array,
    state: Array,
    allocation: Array,
    choice: Array,
    score: Array,
    grid: Array,
    granted: Array,
    passed: Array,
    total: Array,
    seed: Array,
    number: Array,
) -> None:
    """Let all clusters act and all environments advance; redraw those that end.

    Parameters
    ----------
    allocation
        The world's allocation at each place of the grid, or NONE, (grid,).
    choice, score, grid
        The position in its pending set that each cluster has chosen, or NONE; its probability; the position of the
        allocation in the grid; (E, N).
    granted, passed, total
        Output: whether each cluster got its task by (11), (E, N); the tasks in the system, summed over the passed
        slots, (E,); this sum over the whole run if it has ended, else NONE, (E,).
    number
        The number of the seed's next environment, (1,), increased in place.
    """
    for e in range(state.slot.size):
        for n in range(choice.shape[1]):
            if choice[e, n] != NONE:
                k = state.kind[e, state.pending[e, n, choice[e, n]]]
                score[e, n] *= room(state.free[e, n], world.needs[k])
        settle(state, e, choice[e], score[e])
        for n in range(choice.shape[1]):
            granted[e, n] = choice[e, n] != NONE
            if granted[e, n] and grid[e, n] > 0:
                place(world, state, e, n, state.pending[e, n, choice[e, n]], allocation[grid[e, n]])
        passed[e] = advance(world, state, e)
        total[e] = NONE
        if has_ended(world, state, e):
            total[e] = state.passed[e]
            renew(world, state, e, seed, number[0])
            number[0] += 1
