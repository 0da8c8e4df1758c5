"""A view of the slot game as the network's input.

The arrays are equal to those of `kernels.observe` on compiled environments.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.errors import InputError
from schedproof.instances.placement.drive import Shown, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement.clusters import pending_set
from schedproof.online.placement.tapfinger.observation import ELAPSED, NONE, QUEUE, Config, Observation


def observe(view: View, c: Config, latest: int) -> tuple[Observation, list[list[Shown]]]:
    """Return the observation, a batch of one without padding, and the pending sets.

    Parameters
    ----------
    latest
        The slot of the last arrival.
    """
    clusters, quiet = len(view.free), min(ELAPSED, view.slot - latest) / ELAPSED
    sets = [pending_set(view, n, c.window) for n in range(clusters)]
    shown = {task.index for tasks in sets for task in tasks}
    nodes = {task.index: u for u, task in enumerate(task for task in view.pending if task.index in shown)}
    size = len(c.most) + 1 + len(c.kinds)
    seen = Observation(
        np.zeros((1, clusters, len(c.most) + 3), dtype=np.float32),
        np.zeros((1, max(1, len(nodes)), size), dtype=np.float32),
        np.zeros((1, max(1, len(view.running)), size), dtype=np.float32),
        np.zeros((1, clusters, max(1, len(nodes))), dtype=np.bool_),
        np.zeros((1, clusters, max(1, len(view.running))), dtype=np.bool_),
        np.full((1, clusters, c.window), NONE, dtype=np.int64),
        np.zeros((1, clusters, c.window), dtype=np.bool_),
    )
    for n, tasks in enumerate(sets):
        queue = sum(n in task.clusters for task in view.pending)
        seen.clusters[0, n] = [*_part(view.free[n], c), len(tasks) / c.window, (queue - len(tasks)) / QUEUE, quiet]
        for p, task in enumerate(tasks):
            u = nodes[task.index]
            seen.pending[0, u] = [*_part(task.needs, c), 1, *_kind(task, c)]
            seen.sets[0, n, u] = True
            seen.place[0, n, p] = u
            seen.can[0, n, p] = bool(view.fitting(task, n))
    for m, run in enumerate(view.running):
        seen.running[0, m] = [*_part(run.allocation, c), run.elapsed / ELAPSED, *_kind(run.task, c)]
        seen.runs[0, run.cluster, m] = True
    return seen, sets


def _part(amounts: Amounts, c: Config) -> list[float]:
    return [amount / most for amount, most in zip(amounts, c.most, strict=True)]


def _kind(task: Shown, c: Config) -> list[bool]:
    if task.kind not in c.kinds:
        known = ", ".join(c.kinds)
        raise InputError(f"task {task.name}: expected a kind among those of the weights, {known}, found {task.kind}")
    return [task.kind == kind for kind in c.kinds]
