"""Kernels of the search: remove some tasks, and reinsert them in random order.

The state has the free amount of each resource by cluster and slot. A removed task is inserted at the place with the
least sum of its end and the price of its resources, because a large allocation ends early but blocks other tasks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel
from schedproof.offline.kernels import accepts, below, draw

NONE = -1  # no way, task or slot
MOST = 32  # largest number of tasks removed in a step
CHANCE = 0.5  # probability to remove a task with a similar start
PRICE = 10.0  # the largest price of a full resource for a slot, in slots


class Work(NamedTuple):
    """The tasks and their ways to run; a way is a cluster and an allocation.

    Attributes
    ----------
    arrival
        t^_j, (tasks,).
    first
        The number of each task's first way, (tasks + 1,).
    cluster, slots, share
        For each way, (ways,): n, d_{j,x}, and the largest share that x takes of a resource of the cluster.
    allocation
        x_{j,r,n}, (ways, resources).
    never
        The cost of an unstarted task, in slots, more than that of all started tasks together.
    """

    arrival: Any
    first: Any
    cluster: Any
    slots: Any
    share: Any
    allocation: Any
    never: Any


class State(NamedTuple):
    """The current schedule and the free amounts.

    Attributes
    ----------
    way, start
        The way and start of each task, (tasks,); an unstarted task has no way, and its arrival as start.
    free
        The free amounts, (clusters, slots, resources).
    starts
        The task that starts on a cluster in a slot, (clusters, slots).
    """

    way: Any
    start: Any
    free: Any
    starts: Any


class Room(NamedTuple):
    """Scratch of a step: the removed tasks, their former places, and the random state."""

    tasks: Any
    way: Any
    start: Any
    random: Any


@kernel
def hold(work: Any, state: Any, j: Any, times: Any) -> None:
    """Take a task's resources (1), or release them (-1)."""
    w, s = state.way[j], state.start[j]
    if w == NONE:
        return
    n = work.cluster[w]
    state.starts[n, s] = j if times > 0 else NONE
    free, taken = state.free[n], work.allocation[w]
    for t in range(s, s + work.slots[w]):
        for r in range(taken.size):
            free[t, r] -= times * taken[r]


@kernel
def time(work: Any, state: Any, j: Any) -> Any:
    """Return a task's time in the system: phi_j of (1)."""
    w = state.way[j]
    return work.never if w == NONE else state.start[j] + work.slots[w] - work.arrival[j]


@kernel
def obstacle(work: Any, state: Any, w: Any, s: Any) -> Any:
    """Return the last slot that blocks a way's start by (2) or (5), or `NONE`."""
    n = work.cluster[w]
    free, needed = state.free[n], work.allocation[w]
    for t in range(s + work.slots[w] - 1, s - 1, -1):
        for r in range(needed.size):
            if free[t, r] < needed[r]:
                return t
    return s if state.starts[n, s] != NONE else NONE


@kernel
def put(work: Any, state: Any, j: Any, price: Any) -> Any:
    """Start a task at its least end plus price; return its time in the system."""
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
    """Remove a task; put it at a random position among the i removed tasks."""
    k = below(room.random, i + 1)
    for column in (room.tasks, room.way, room.start):
        column[i] = column[k]
    room.tasks[k], room.way[k], room.start[k] = j, state.way[j], state.start[j]
    hold(work, state, j, -1)


@kernel
def take(work: Any, state: Any, room: Any) -> Any:
    """Remove a random task and some tasks with similar starts; return their number."""
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
    """Reinsert some tasks, or restore their places; return the cost change."""
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
    """Run ``steps`` steps at a temperature in slots; return the cost change."""
    change = 0
    for _ in range(steps):
        change += step(work, state, temperature, room)
    return change


@kernel
def put_all(work: Any, state: Any, tasks: Any) -> None:
    """Start tasks one by one, each with its earliest end."""
    for j in tasks:
        put(work, state, j, 0.0)
