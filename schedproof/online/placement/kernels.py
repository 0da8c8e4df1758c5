"""The compiled simulator: batches of placement environments.

Each environment is at its next decision, the next slot in which a cluster can start a task of its pending set.
All clusters decide, and the environment advances to the next such slot. It sums the number of tasks in the system over
the slots between (a semi-MDP); over a whole run the sum is (1). All numbers are integers. The first axis of every
array of a `State` is the environment.

A task's work is counted in units. In a slot it does `World.usual` units, plus or minus up to `World.noise`. These
gains are hashes of the task's number and the slot, so they need no storage and do not depend on other draws.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel, njit
from schedproof.online.placement import dice

NONE = -1
ARRIVAL, KIND, LINK, GAIN = 0, 1, 2, 3  # the draws of a task
ROUNDS = 1000  # most draws of a task's links until the task reaches a cluster
ALL = 4294967296.0  # number of values of a hash

inlined: Array = njit(cache=True, inline="always")
"""For functions of a `World` and a `State`: a call would count references to thirty arrays, which doubles the time."""

mixed: Array = kernel(dice.mix)
below: Array = kernel(dice.below)


class World(NamedTuple):
    """The constants; N clusters, R resources, K kinds of tasks, A allocations.

    Attributes
    ----------
    capacity
        The capacities, (N, R).
    amounts
        The allocations in ascending order, (A, R).
    needs, least
        The minimum of each kind, (K, R), and its index in ``amounts``, or NONE, (K,).
    work
        Work of a kind with an allocation, in units; 0 if the kind cannot have it. (K, A).
    weights
        Cumulative probabilities of the kinds in a draw, (K,).
    rate, unusable, redraw
        Tasks per slot; the probability of an unusable link, in 2^-32; whether a task must reach a cluster.
    usual, noise
        The usual units that a task does in a slot, and the largest deviation.
    horizon
        The slot in which every environment ends.
    """

    capacity: Array
    amounts: Array
    needs: Array
    least: Array
    work: Array
    weights: Array
    rate: Array
    unusable: Array
    redraw: Array
    usual: Array
    noise: Array
    horizon: Array


class State(NamedTuple):
    """The environments' states.

    E environments, J tasks each in order of arrival, N clusters, pending sets of P.

    Attributes
    ----------
    arrival, kind, reach
        Arrival and kind of each task, (E, J), and the clusters that it can use, (E, J, N).
    start, end, cluster, allocation
        Start, end, cluster and allocation of each task, `NONE` until it starts; (E, J).
    key, slot, arrived, complete, passed
        For each environment, the hash from which its draws begin, its slot, the numbers of arrived and of complete
        tasks, and the sum of tasks in the system; (E,).
    after, before
        The waiting tasks as a linked ring in order of arrival, in which J precedes the first task; (E, J + 1).
    running, runs
        The running tasks, (E, J), and their number, (E,).
    free, queue
        The free amounts, (E, N, R), and how many tasks wait for each cluster, (E, N).
    pending, can
        The pending sets, (E, N, P), filled with `NONE`, and whether each task could start now.
    """

    arrival: Array
    kind: Array
    reach: Array
    start: Array
    end: Array
    cluster: Array
    allocation: Array
    key: Array
    slot: Array
    arrived: Array
    complete: Array
    passed: Array
    after: Array
    before: Array
    running: Array
    runs: Array
    free: Array
    queue: Array
    pending: Array
    can: Array


@kernel
def draw(world: Array, state: Array, e: Array, key: Array) -> None:
    """Draw the tasks of an environment, as `schedproof.workloads.placement` does."""
    state.key[e] = key
    moment = 0.0
    clusters, kinds = world.capacity.shape[0], world.weights.size
    for j in range(state.arrival.shape[1]):
        task = mixed(key, j)
        moment -= log((mixed(task, ARRIVAL) + 0.5) / ALL) / world.rate
        state.arrival[e, j] = int(min(moment, float(world.horizon)))
        share, k = below(mixed(task, KIND), world.weights[kinds - 1]), 0
        while world.weights[k] <= share:
            k += 1
        state.kind[e, j] = k
        links, reached = mixed(task, LINK), 0
        for n in range(clusters * ROUNDS):
            usable = mixed(links, n) >= world.unusable
            state.reach[e, j, n % clusters] = usable
            reached += usable
            if n % clusters == clusters - 1 and (reached > 0 or not world.redraw):
                break


@kernel
def fits(amounts: Array, a: Array, free: Array, e: Array, n: Array) -> Array:
    """Return whether the cluster has enough of every resource free."""
    short = 0
    for r in range(free.shape[2]):
        short += amounts[a, r] > free[e, n, r]
    return short == 0


@kernel
def room(free: Array, needs: Array) -> Array:
    """Return how many tasks of these needs fit: Pr(n) of (11), unnormalised."""
    copies = NONE
    for r in range(free.size):
        if needs[r] > 0:
            count = free[r] // needs[r]
            copies = count if copies == NONE else min(copies, count)
    return 1 if copies == NONE else copies


@kernel
def any_fits(work: Array, k: Array, amounts: Array, free: Array, e: Array, n: Array) -> Array:
    a, count = 0, amounts.shape[0]
    while a < count and (work[k, a] == 0 or not fits(amounts, a, free, e, n)):
        a += 1
    return a < count


@inlined
def look(world: Array, state: Array, e: Array) -> Array:
    """Compute the pending sets and the possible starts; return whether any start is."""
    window, tasks = state.pending.shape[2], state.arrival.shape[1]
    some = False
    for n in range(state.pending.shape[1]):
        j, count = state.after[e, tasks], min(window, state.queue[e, n])
        for p in range(window):
            if p >= count:
                state.pending[e, n, p] = NONE
                state.can[e, n, p] = 0
                continue
            while not state.reach[e, j, n]:
                j = state.after[e, j]
            state.pending[e, n, p] = j
            k = state.kind[e, j]
            can = fits(world.needs, k, state.free, e, n)
            can = can and (world.least[k] != NONE or any_fits(world.work, k, world.amounts, state.free, e, n))
            state.can[e, n, p] = can
            some = some or can
            j = state.after[e, j]
    return some


@inlined
def happen(world: Array, state: Array, e: Array) -> None:
    """Process the completions and arrivals up to the environment's slot."""
    now, i, tasks = state.slot[e], 0, state.arrival.shape[1]
    while i < state.runs[e]:
        j = state.running[e, i]
        if state.end[e, j] > now:
            i += 1
            continue
        state.runs[e] -= 1
        state.running[e, i] = state.running[e, state.runs[e]]
        state.complete[e] += 1
        for r in range(world.capacity.shape[1]):
            state.free[e, state.cluster[e, j], r] += world.amounts[state.allocation[e, j], r]
    while state.arrived[e] < tasks and state.arrival[e, state.arrived[e]] <= now:
        j = state.arrived[e]
        state.arrived[e] += 1
        last = state.before[e, tasks]
        state.after[e, last] = state.before[e, tasks] = j
        state.after[e, j], state.before[e, j] = tasks, last
        for n in range(state.queue.shape[1]):
            state.queue[e, n] += state.reach[e, j, n]


@inlined
def has_ended(world: Array, state: Array, e: Array) -> Array:
    """Return whether an environment has ended."""
    return state.complete[e] == state.arrival.shape[1] or state.slot[e] >= world.horizon


@inlined
def advance(world: Array, state: Array, e: Array) -> Array:
    """Advance to the next decision or the end; return the task-slots in between."""
    passed, some, then = 0, False, state.slot[e] + 1
    while not some and not has_ended(world, state, e):
        passed += (state.arrived[e] - state.complete[e]) * (then - state.slot[e])
        state.slot[e] = then
        happen(world, state, e)
        some, then = look(world, state, e), world.horizon
        if not some:
            if state.arrived[e] < state.arrival.shape[1]:
                then = min(then, state.arrival[e, state.arrived[e]])
            for i in range(state.runs[e]):
                then = min(then, state.end[e, state.running[e, i]])
    state.passed[e] += passed
    return passed


@kernel
def begin(world: Array, state: Array, e: Array) -> None:
    """Set an environment with drawn tasks to the slot of its first decision."""
    tasks = state.arrival.shape[1]
    for j in range(tasks):
        state.start[e, j] = state.end[e, j] = state.cluster[e, j] = state.allocation[e, j] = NONE
    state.after[e, tasks] = state.before[e, tasks] = tasks
    state.slot[e] = state.arrived[e] = state.complete[e] = state.passed[e] = state.runs[e] = 0
    for n in range(world.capacity.shape[0]):
        state.queue[e, n] = 0
        for r in range(world.capacity.shape[1]):
            state.free[e, n, r] = world.capacity[n, r]
    happen(world, state, e)
    if not look(world, state, e):
        advance(world, state, e)


@kernel
def slots(work: Array, usual: Array, noise: Array, key: Array) -> Array:
    """Return the duration of a task with this work; ``key`` is the hash of its gains."""
    rest, taken = work, 0
    if noise == 0:
        return -(-rest // usual)
    while rest > 0:
        rest -= usual - noise + below(mixed(key, taken), 2 * noise + 1)
        taken += 1
    return taken


@inlined
def place(world: Array, state: Array, e: Array, n: Array, j: Array, a: Array) -> None:
    """Start a waiting task on a cluster with an allocation."""
    k, now = state.kind[e, j], state.slot[e]
    gains = mixed(mixed(state.key[e], j), GAIN)
    state.start[e, j], state.end[e, j] = now, now + slots(world.work[k, a], world.usual, world.noise, gains)
    state.cluster[e, j], state.allocation[e, j] = n, a
    first, last = state.before[e, j], state.after[e, j]
    state.after[e, first], state.before[e, last] = last, first
    for m in range(state.queue.shape[1]):
        state.queue[e, m] -= state.reach[e, j, m]
    state.running[e, state.runs[e]] = j
    state.runs[e] += 1
    for r in range(world.capacity.shape[1]):
        state.free[e, n, r] -= world.amounts[a, r]


@inlined
def settle(state: Array, e: Array, choice: Array, weight: Array) -> None:
    """Apply the repaired rule (11): the largest weight keeps the task, ties by index.

    Parameters
    ----------
    choice, weight
        The position in the pending set that each cluster has chosen, or NONE, and score times `room`; (N,).
    """
    clusters = choice.size
    for n in range(clusters):
        if choice[n] != NONE and weight[n] <= 0:
            choice[n] = NONE
    for n in range(clusters):
        for m in range(n + 1, clusters):
            if choice[n] == NONE:
                break
            if choice[m] != NONE and state.pending[e, n, choice[n]] == state.pending[e, m, choice[m]]:
                choice[m if weight[n] >= weight[m] else n] = NONE


@inlined
def act(world: Array, state: Array, e: Array, choice: Array, weight: Array, allocation: Array) -> None:
    """Start the clusters' choices after `settle`, with these allocations, (N,)."""
    settle(state, e, choice, weight)
    for n in range(choice.size):
        if choice[n] != NONE:
            place(world, state, e, n, state.pending[e, n, choice[n]], allocation[n])


@kernel
def renew(world: Array, state: Array, e: Array, seed: Array, number: Array) -> None:
    """Draw environment number ``number`` of the seed."""
    draw(world, state, e, mixed(mixed(0, seed), number))
    begin(world, state, e)


@kernel
def step(
    world: Array,
    state: Array,
    choice: Array,
    weight: Array,
    allocation: Array,
    seed: Array,
    number: Array,
    passed: Array,
    ended: Array,
) -> None:
    """Make a decision in every environment, and redraw the environments that ended.

    A redrawn environment's number grows by the number of environments.

    Parameters
    ----------
    choice, weight, allocation
        As in `act`, (E, N); a choice that a cluster did not get becomes NONE.
    number
        The number of each environment, (E,).
    passed, ended
        The task-slots in between, (E,), and whether the environment has ended: 1 with all tasks complete, 2 at
        the horizon.
    """
    for e in range(state.slot.size):
        act(world, state, e, choice[e], weight[e], allocation[e])
        passed[e] = advance(world, state, e)
        ended[e] = 0
        if has_ended(world, state, e):
            ended[e] = 1 if state.complete[e] == state.arrival.shape[1] else 2
            number[e] += state.slot.size
            renew(world, state, e, seed, number[e])


@kernel
def replay(
    world: Array, state: Array, key: Array, slot: Array, start: Array, cluster: Array, allocation: Array
) -> None:
    """Rebuild every environment at its slot; impossible starts are ignored.

    ``key``, ``slot``, ``start``, ``cluster`` and ``allocation`` are as in the state; all are validated.
    """
    clusters, allocations = world.capacity.shape[0], world.amounts.shape[0]
    choice, given, weight = np.empty(clusters, np.int64), np.empty(clusters, np.int64), np.ones(clusters)
    for e in range(state.slot.size):
        draw(world, state, e, key[e])
        begin(world, state, e)
        while state.slot[e] < slot[e] and not has_ended(world, state, e):
            for n in range(clusters):
                choice[n] = NONE
                for p in range(state.pending.shape[2]):
                    j = state.pending[e, n, p]
                    if j != NONE and start[e, j] == state.slot[e] and cluster[e, j] == n:
                        k, a = state.kind[e, j], allocation[e, j]
                        if 0 <= a < allocations and world.work[k, a] > 0 and fits(world.amounts, a, state.free, e, n):
                            choice[n], given[n] = p, a
            act(world, state, e, choice, weight, given)
            advance(world, state, e)


@kernel
def mask(world: Array, state: Array, out: Array) -> None:
    """Compute (12): the possible allocations of every pending task, (E, N, P, A)."""
    out[:] = False
    for e in range(state.slot.size):
        for n in range(state.pending.shape[1]):
            for p in range(state.pending.shape[2]):
                if state.can[e, n, p]:
                    k = state.kind[e, state.pending[e, n, p]]
                    for a in range(world.amounts.shape[0]):
                        out[e, n, p, a] = world.work[k, a] > 0 and fits(world.amounts, a, state.free, e, n)
