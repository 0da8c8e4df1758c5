"""A placement environment decision by decision, for `Parallel` and `Sequential`.

==============  ========================================================================================================
an action       0: start no task. 1 + p A + a: start the task at place p of the cluster's pending set, which is the
                earliest ``window`` tasks of its queue, with the a-th of the A `Game.allocations`
masked          by (12), the starts that are impossible now, for every task of the pending set
conflicts       by (11) with equal scores, a task goes to the cluster, of those that chose it, with room for most tasks
                of these needs, ties by index; the other clusters start no task
a reward        minus the tasks in the system, summed over the slots until the next decision. Slots in which no task can
                start have no decision. The rewards of an episode sum to minus (1)
an episode      terminated when all tasks are complete, truncated at the horizon
an observation  ``cluster``: the free amount of each resource, the taken part of the pending set's places, the tasks in
                the queue beyond it, and the slots since the last arrival, at most 10. ``pending``, ``running``, a row
                for each task: the minimum or the allocation; 1 for a waiting task or the slots since the start; the
                kind, one-hot of K kinds. Rows without a task are 0. Amounts are divided by the largest amount of the
                resource, queues and slots by 10
==============  ========================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from schedproof.core.data.options import pick
from schedproof.core.errors import InputError, SchedproofError
from schedproof.instances.placement import Instance
from schedproof.online.placement.dice import BITS
from schedproof.online.placement.environments import numbering, of_instance, of_settings
from schedproof.online.placement.kernels import NONE, act, advance, begin, mask, renew, room
from schedproof.online.placement.tapfinger.arrays import blank, holds
from schedproof.online.placement.tapfinger.kernels import observe
from schedproof.online.placement.tapfinger.observation import ELAPSED, QUEUE
from schedproof.workloads.placement import PRESETS, draws
from schedproof.workloads.placement.settings import configure

WIDEST = 1000  # pending set


class Game:
    """An environment of an instance, or a sequence of environments drawn by a preset.

    Attributes
    ----------
    world, state
        The arrays of `schedproof.online.placement.kernels`, for one environment.
    clusters, kinds
        The names of the clusters and of the kinds of tasks.
    allocations
        Every allocation that a task can have, in ascending order.
    actions
        The number of actions.
    """

    def __init__(self, of: str | Instance, window: int, settings: Mapping[str, object]) -> None:
        if not isinstance(window, int) or not 1 <= window <= WIDEST:
            raise InputError(f"expected an integer from 1 to {WIDEST}", path="window", value=window)
        self._drawn = isinstance(of, str)
        if isinstance(of, str):
            s = configure(pick("preset", of, PRESETS), {name: str(value) for name, value in settings.items()})
            self.world, self.state = of_settings(s, 1, window=window)
            self.clusters = tuple(cluster["name"] for cluster in draws.system(s)["clusters"])
            of_kinds = [kind.name for kind in draws.kinds(s)]
        elif settings:
            raise InputError("expected no settings with an instance: settings belong to a preset of the generator")
        elif isinstance(of, Instance) and of.tasks:
            self.world, self.state = of_instance(of, window=window)
            self.clusters = tuple(cluster.name for cluster in of.clusters)
            of_kinds = [of.tasks[j].kind for j in numbering(of)]
        else:
            raise InputError("expected a preset, or a placement instance with at least one task")
        self.kinds = tuple(dict.fromkeys(of_kinds))
        self._kinds = np.array([self.kinds.index(kind) for kind in of_kinds], dtype=np.int64)
        self.allocations = tuple(tuple(amounts) for amounts in self.world.amounts.tolist())
        self._most = np.maximum(1, np.max([self.world.capacity.max(0), self.world.needs.max(0)], 0)).astype(np.float64)
        self._seen = blank(self.world, self.state, len(self.kinds))
        self._tasks, self._runs = self.state.arrival.shape[1], int(holds(self.world, self.state).max())
        self._index = np.zeros(self._tasks, dtype=np.int64)
        self._allowed = np.zeros((*self.state.pending.shape, len(self.allocations)), dtype=np.bool_)
        self.actions = 1 + window * len(self.allocations)
        self._seed, self._number, self._told, self._goes_on = 0, NONE, 0, False

    @property
    def highest(self) -> float:
        """Return an upper bound on the numbers of an observation."""
        return max(1.0, float(self.world.horizon) / ELAPSED, self._tasks / QUEUE)

    def begin(self, seed: int | None) -> None:
        """Begin the first episode of a seed; without a seed, the next one (first seed 0)."""
        if seed is not None:
            if not isinstance(seed, int | np.integer) or not 0 <= seed <= BITS:
                raise InputError("expected an integer from 0 to 2^32 - 1", path="seed", value=seed)
            self._seed, self._number = int(seed), NONE
        self._number += 1
        if self._drawn:
            renew(self.world, self.state, 0, self._seed, self._number)
        else:
            begin(self.world, self.state, 0)
        self._told, self._goes_on = 0, True
        self._look()

    def _look(self) -> None:
        observe(self.world, self.state, self._kinds, self._most, self._index, self._seen)
        mask(self.world, self.state, self._allowed)

    @property
    def complete(self) -> bool:
        return bool(self.state.complete[0] == self._tasks)

    @property
    def late(self) -> bool:
        """Return whether the episode ended at the horizon, with tasks left."""
        return not self.complete and bool(self.state.slot[0] >= self.world.horizon)

    def observation(self, n: int) -> dict[str, np.ndarray]:
        """Return the observation of a cluster."""
        seen, runs = self._seen, np.zeros((self._runs, self._seen.running.shape[2]), dtype=np.float32)
        here = seen.running[0, seen.runs[0, n]]
        runs[: len(here)] = here
        place = seen.place[0, n]
        pending = seen.pending[0, place] * (place != NONE)[:, None]
        return {"cluster": seen.clusters[0, n].copy(), "pending": pending, "running": runs}

    def mask(self, n: int, taken: Sequence[int] = ()) -> np.ndarray:
        """Return 1 for each possible action of a cluster, else 0, (`actions`,).

        Tasks in ``taken`` are excluded.
        """
        allowed = self._allowed[0, n] & ~np.isin(self.state.pending[0, n], taken)[:, None]
        return np.concatenate([[1], allowed.ravel()]).astype(np.int8)

    def task(self, n: int, action: int) -> int:
        """Return the task that an action of a cluster starts, or NONE."""
        if not isinstance(action, int | np.integer) or not 0 <= action < self.actions:
            raise InputError(f"expected an integer from 0 to {self.actions - 1}", path="action", value=action)
        return int(self.state.pending[0, n, (action - 1) // len(self.allocations)]) if action else NONE

    def act(self, actions: Sequence[int]) -> float:
        """Let every cluster act, advance to the next decision, and return the reward."""
        if not self._goes_on:
            raise SchedproofError("the episode is over or has not begun: reset the environment")
        choice, allocation = np.full((2, len(self.clusters)), NONE, dtype=np.int64)
        weight = np.zeros(len(self.clusters))
        for n, action in enumerate(actions):
            if (j := self.task(n, action)) != NONE and self.mask(n)[action]:
                choice[n], allocation[n] = divmod(action - 1, len(self.allocations))
                weight[n] = room(self.state.free[0, n], self.world.needs[self.state.kind[0, j]])
        act(self.world, self.state, 0, choice, weight, allocation)
        advance(self.world, self.state, 0)
        self._look()
        self._goes_on = not (self.complete or self.late)
        before, self._told = self._told, int(self.state.passed[0])
        return float(before - self._told)
