"""Batches of placement environments for `kernels`, of an instance or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Amounts, Instance, Schedule, Start
from schedproof.online.placement.heuristics import Minimum, Random
from schedproof.online.placement.kernels import NONE, State, World, begin
from schedproof.online.placement.rule_kernels import MINIMUM, RANDOM, TABLE, Rule
from schedproof.online.placement.table import Table
from schedproof.workloads.placement import draws
from schedproof.workloads.placement.settings import Settings
from schedproof.workloads.settings import decimals


def of_instance(instance: Instance, *, window: int = 10) -> tuple[World, State]:
    """Return an instance as one environment, in the slot of its first decision.

    Each task has a separate kind; tasks are numbered in order of arrival (`numbering`).
    """
    if instance.breaks:
        raise InputError("breaks: environments and compiled rules do not support breaks of clusters")
    tasks = [instance.tasks[j] for j in numbering(instance)]
    allocations = sorted({mode.allocation for task in tasks for mode in task.modes})
    place = {allocation: a for a, allocation in enumerate(allocations)}
    work = np.zeros((len(tasks), len(allocations)), dtype=np.int64)
    for j, task in enumerate(tasks):
        for allocation, slots in task.modes:
            work[j, place[allocation]] = slots
    world = _world(
        [cluster.amounts for cluster in instance.clusters],
        allocations,
        [task.needs for task in tasks],
        work,
        instance.horizon,
    )
    state = blank(1, len(tasks), world, window)
    state.arrival[0] = [task.arrival for task in tasks]
    state.kind[0] = np.arange(len(tasks))
    for j, task in enumerate(tasks):
        state.reach[0, j, list(task.clusters)] = True
    begin(world, state, 0)
    return world, state


def numbering(instance: Instance) -> list[int]:
    """Return the file indices of the tasks, in order of arrival."""
    return sorted(range(len(instance.tasks)), key=lambda j: (instance.tasks[j].arrival, j))


def of_settings(s: Settings, environments: int, *, window: int = 10) -> tuple[World, State]:
    """Return environments of the generator's settings, to be drawn by `kernels.renew`.

    Tasks have the distribution of `schedproof.workloads.placement`, with other random numbers. A task has no
    links if all `kernels.ROUNDS` draws of its links give none.
    """
    kinds, noise = draws.kinds(s), draws.noise(s)
    allocations = sorted(kinds[0].grid)
    work = np.array([[ceil(kind.grid[a] * noise.usual) for a in allocations] for kind in kinds], dtype=np.int64)
    places = max(s.bandwidth.places, decimals(s.usable))
    low, high, least = (int(x.scaleb(places)) for x in (s.bandwidth.low, s.bandwidth.high, s.usable))
    unusable = Fraction(min(max(least - low, 0), high - low + 1), high - low + 1)
    longest = int(work.max() // (noise.usual - noise.most) + 1)
    world = _world(
        [(s.cpus, s.gpus)] * s.clusters,
        allocations,
        [(s.minimum_cpus, s.minimum_gpus)] * len(kinds),
        work,
        ceil(2 * s.tasks / s.rate) + s.tasks * longest,
    )._replace(
        weights=np.cumsum([kind.weight for kind in kinds]),
        rate=float(s.rate),
        unusable=int(unusable * 2**32),
        redraw=s.unreachable == "redraw",
        usual=noise.usual,
        noise=noise.most,
    )
    return world, blank(environments, s.tasks, world, window)


def _world(
    capacity: Sequence[Amounts],
    allocations: Sequence[Amounts],
    needs: Sequence[Amounts],
    work: np.ndarray,
    horizon: int,
) -> World:
    place = {allocation: a for a, allocation in enumerate(allocations)}
    least = [place.get(amounts, NONE) for amounts in needs]
    return World(
        capacity=np.array(capacity, dtype=np.int64),
        amounts=np.array(allocations, dtype=np.int64),
        needs=np.array(needs, dtype=np.int64),
        least=np.array([a if a != NONE and work[k, a] else NONE for k, a in enumerate(least)], dtype=np.int64),
        work=work,
        weights=np.ones(1, dtype=np.int64),
        rate=1.0,
        unusable=0,
        redraw=False,
        usual=1,
        noise=0,
        horizon=horizon,
    )


def blank(environments: int, tasks: int, world: World, window: int) -> State:
    """Return the arrays of ``environments`` environments, before their first slot."""
    clusters, resources = world.capacity.shape

    def whole(*shape: int) -> np.ndarray:
        return np.zeros((environments, *shape), dtype=np.int64)

    of_tasks = {name: whole(tasks) for name in ("arrival", "kind", "start", "end", "cluster", "allocation", "running")}
    counts = {name: whole() for name in ("key", "slot", "arrived", "complete", "passed", "runs")}
    return State(
        **of_tasks,
        **counts,
        reach=np.zeros((environments, tasks, clusters), dtype=np.bool_),
        after=whole(tasks + 1),
        before=whole(tasks + 1),
        free=whole(clusters, resources),
        queue=whole(clusters),
        pending=whole(clusters, window),
        can=whole(clusters, window),
    )


def rule(policy: Random | Minimum | Table, world: World, kinds: Sequence[str], seeds: Sequence[int]) -> Rule:
    """Return a policy in the form for `rule_kernels`.

    Parameters
    ----------
    kinds
        The name of each kind of the world.
    seeds
        The seed of each environment.
    """
    name = TABLE if isinstance(policy, Table) else MINIMUM if isinstance(policy, Minimum) else RANDOM
    entry = np.full((len(kinds), len(world.capacity)), NONE, dtype=np.int64)
    turn = np.zeros(len(kinds), dtype=np.int64)
    if isinstance(policy, Table):
        place = {tuple(amounts): a for a, amounts in enumerate(world.amounts.tolist())}
        for k, kind in enumerate(kinds):
            turn[k] = policy.turn(kind)
            allocations = [allocation for allocation, a in place.items() if world.work[k, a]]
            for n, whole in enumerate(world.capacity.tolist()):
                wanted = policy.entry(kind, tuple(world.needs[k].tolist()), allocations, tuple(whole))
                entry[k, n] = NONE if wanted is None else place[wanted]
    space = np.empty(len(world.amounts), dtype=np.int64)
    return Rule(name, np.array(seeds, dtype=np.int64), entry, turn, space)


def schedule_of(state: State, world: World, instance: Instance, decided_by: DecidedBy) -> Schedule:
    """Return the schedule of an instance's environment so far."""
    rows = [
        Start(
            j, int(state.cluster[0, i]), tuple(world.amounts[state.allocation[0, i]].tolist()), int(state.start[0, i])
        )
        for i, j in enumerate(numbering(instance))
        if state.start[0, i] != NONE
    ]
    return Schedule.of(rows, instance, decided_by)
