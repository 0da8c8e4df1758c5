"""The hot loop of the search: some tasks give up their places, and take the best there are, in an order at random.

Slots are those of an array in which each cluster has, of each resource, what is free. A task that is put back goes
where its end is least, with a price for what it holds until then: a large allocation ends soon and is in the way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel
from schedproof.offline.kernels import accepts, below, draw

NONE = -1  # in place of a way, a task or a slot
MOST = 32  # tasks that give up their places in a step
CHANCE = 0.5  # that one does which starts about when another does
PRICE = 10.0  # of all of a resource for a slot, at most, in slots


class Work(NamedTuple):
    """The tasks and their ways to run, a cluster and an allocation each, numbered task by task.

    Attributes
    ----------
    arrival
        t^_j, (tasks,).
    first
        The number of a task's first way, (tasks + 1,).
    cluster, slots, share
        Of each way, (ways,): n, d_{j,x}, and the largest part that x is of any resource of the cluster.
    allocation
        x_{j,r,n}, (ways, resources).
    never
        What a task without a start counts, in slots: more than all others together.
    """

    arrival: Any
    first: Any
    cluster: Any
    slots: Any
    share: Any
    allocation: Any
    never: Any


class State(NamedTuple):
    """Who runs where, and what is left.

    Attributes
    ----------
    way, start
        Of each task, (tasks,); without a way it does not run, and its start is its arrival.
    free
        (clusters, slots, resources).
    starts
        The task that starts on a cluster in a slot, (clusters, slots).
    """

    way: Any
    start: Any
    free: Any
    starts: Any


class Room(NamedTuple):
    """Room for a step: the tasks that give up their places, these places, and the state of the draws."""

    tasks: Any
    way: Any
    start: Any
    random: Any


@kernel
def hold(work: Any, state: Any, j: Any, times: Any) -> None:
    """Let a task hold what its way takes, once or, with -1, no more."""
    w, s = state.way[j], state.start[j]
    if w == NONE:
        return
    n = work.cluster[w]
    state.starts[n, s] = j if times > 0 else NONE
    for t in range(s, s + work.slots[w]):
        for r in range(work.allocation.shape[1]):
            state.free[n, t, r] -= times * work.allocation[w, r]


@kernel
def time(work: Any, state: Any, j: Any) -> Any:
    """How long a task is there: phi_j of (1)."""
    w = state.way[j]
    return work.never if w == NONE else state.start[j] + work.slots[w] - work.arrival[j]


@kernel
def obstacle(work: Any, state: Any, w: Any, s: Any) -> Any:
    """The last slot before which a way cannot start if it cannot in this one, for (2) or (5); `NONE` where it can."""
    n = work.cluster[w]
    for t in range(s + work.slots[w] - 1, s - 1, -1):
        for r in range(work.allocation.shape[1]):
            if state.free[n, t, r] < work.allocation[w, r]:
                return t
    return s if state.starts[n, s] != NONE else NONE


@kernel
def put(work: Any, state: Any, j: Any, price: Any) -> Any:
    """Start a task where its end and the price of what it holds are least, if anywhere; how long it is then there."""
    state.way[j], state.start[j] = NONE, work.arrival[j]
    least = np.inf
    for w in range(work.first[j], work.first[j + 1]):
        costs = work.slots[w] * (1 + price * work.share[w])
        s, last = work.arrival[j], state.free.shape[1] - work.slots[w]
        while s <= last and s + costs < least:
            t = obstacle(work, state, w, s)
            if t == NONE:
                state.way[j], state.start[j], least = w, s, s + costs
            s = max(s, t) + 1
    hold(work, state, j, 1)
    return time(work, state, j)


@kernel
def remove(work: Any, state: Any, j: Any, i: Any, room: Any) -> None:
    """Let a task give up its place; it comes among the i tasks that have done so, anywhere in their order."""
    k = below(room.random, i + 1)
    for column in (room.tasks, room.way, room.start):
        column[i] = column[k]
    room.tasks[k], room.way[k], room.start[k] = j, state.way[j], state.start[j]
    hold(work, state, j, -1)


@kernel
def take(work: Any, state: Any, room: Any) -> Any:
    """Let a task at random, and some that start about when it does, give up their places; how many."""
    j, most = below(room.random, work.arrival.size), 1 + below(room.random, 1 + below(room.random, MOST))
    middle, count = state.start[j], 1
    clusters, slots = state.starts.shape
    remove(work, state, j, 0, room)
    for distance in range(slots):
        if count == most:
            break
        for s in (middle - distance, middle + distance):
            for n in range(clusters if 0 <= s < slots else 0):
                k = state.starts[n, s]
                if k != NONE and count < most and draw(room.random) < CHANCE:
                    remove(work, state, k, count, room)
                    count += 1
    return count


@kernel
def step(work: Any, state: Any, temperature: Any, room: Any) -> Any:
    """Put some tasks into other places, or back into those they had; by how much the total changes."""
    count = take(work, state, room)
    change = 0
    for i in range(count):
        change -= time(work, state, room.tasks[i])
    for i in range(count):
        change += put(work, state, room.tasks[i], PRICE * draw(room.random) * draw(room.random))
    if accepts(change, temperature, room.random):
        return change
    for i in range(count):
        hold(work, state, room.tasks[i], -1)
    for i in range(count):
        j = room.tasks[i]
        state.way[j], state.start[j] = room.way[i], room.start[i]
        hold(work, state, j, 1)
    return 0


@kernel
def anneal(work: Any, state: Any, steps: Any, temperature: Any, room: Any) -> Any:
    """So many steps at a temperature, in slots; by how much the total changes."""
    change = 0
    for _ in range(steps):
        change += step(work, state, temperature, room)
    return change


@kernel
def put_all(work: Any, state: Any, tasks: Any) -> None:
    """Start tasks one by one, each where it ends soonest."""
    for j in tasks:
        put(work, state, j, 0.0)
