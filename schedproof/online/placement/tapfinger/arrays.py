"""The arrays of an observation, filled by `kernels.observe`."""

from __future__ import annotations

import numpy as np

from schedproof.online.placement.kernels import State, World
from schedproof.online.placement.tapfinger.observation import Observation


def holds(world: World, state: State) -> np.ndarray:
    """Return the largest number of tasks that can run at once on each cluster, (N,).

    The result is at most the number of tasks, and at most the number allowed by the smallest minimum.
    """
    least = world.needs.min(0)
    used = least > 0
    limit: np.ndarray = (world.capacity[:, used] // least[used]).min(1, initial=state.arrival.shape[1])
    return limit


def blank(world: World, state: State, kinds: int) -> Observation:
    """Return an empty observation for ``kinds`` kinds, with the most nodes possible."""
    environments, clusters, window = places = state.pending.shape
    tasks, features = state.arrival.shape[1], world.capacity.shape[1] + 1 + kinds
    waiting, running = min(tasks, clusters * window), min(tasks, int(holds(world, state).sum()))
    return Observation(
        np.zeros((environments, clusters, world.capacity.shape[1] + 3), dtype=np.float32),
        np.zeros((environments, waiting, features), dtype=np.float32),
        np.zeros((environments, running, features), dtype=np.float32),
        np.zeros((environments, clusters, waiting), dtype=np.bool_),
        np.zeros((environments, clusters, running), dtype=np.bool_),
        np.zeros(places, dtype=np.int64),
        np.zeros(places, dtype=np.bool_),
    )
