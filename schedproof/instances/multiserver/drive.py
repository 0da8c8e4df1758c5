"""Two games: a policy commits to y(t) before it sees x(t), or responds to x(t)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import (
    DecidedBy,
    Hidden,
    drive_commits,
    drive_responses,
    is_ours,
    require_methods,
)
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.schedule import Schedule, review, slots_at_once

GAMES = {"commits": drive_commits, "responds": drive_responses}
HELD_BYTES = 1 << 28  # bytes of allocations kept in memory; longer runs are simulated again on demand


def drive(policy: Any, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a policy on an instance.

    Large allocations are not kept: they are simulated again on demand.
    """
    kept: list[np.ndarray] = []
    rest = HELD_BYTES

    def first_time() -> Iterator[np.ndarray]:
        nonlocal rest
        for block in play(policy, instance):
            rest -= block.nbytes
            if rest >= 0:
                kept.append(block.copy())  # the policy may still hold a reference to the array
            else:
                kept.clear()
            yield block

    def blocks() -> Iterator[np.ndarray]:
        return iter(kept) if rest >= 0 else play(policy, instance)

    gain = str(decided_by.options.get("gain", "node"))
    schedule = Schedule.by(decided_by, instance, blocks, gain)
    schedule.__dict__["review"] = review(
        instance, first_time(), schedule.gain, context
    )  # the first pass is also the review
    return schedule


def play(policy: Any, instance: Instance) -> Iterator[np.ndarray]:
    """Yield the policy's allocations from the first slot on, in blocks (n, E, K).

    Parameters
    ----------
    policy
        ``policy.protocol`` names the game: ``commits`` (`core.policy.CommitPolicy`) or ``responds``
        (`ResponsePolicy`).
        A policy of this package may have ``play(present)``, which maps presence (n, C) in n slots to allocations (n,
        E, K). ``start(system)`` is called at the start of a run.
    """
    require_methods(policy, "start")
    policy.start(system(instance))
    size, shape = slots_at_once(instance), instance.graph.shape
    if hasattr(policy, "play") and is_ours(policy):  # other policies would see ahead
        for present in instance.blocks(size):
            yield _check_allocation(policy.play(present), (len(present), *shape))
        return
    protocol = getattr(policy, "protocol", None)
    if protocol not in GAMES:
        raise PolicyError(f"the policy's protocol is {short(protocol)}, expected {' or '.join(GAMES)}")
    game: Any = GAMES[protocol]
    slots = game(policy, (present for block in instance.blocks(size) for present in block))
    count = size
    while count == size:
        block, count = np.empty((size, *shape)), 0
        for row in islice(slots, size):
            block[count] = _check_allocation(row, shape)
            count += 1
        if count:
            yield block[:count]


def system(instance: Instance) -> Hidden:
    """Return the data that a policy knows in advance: all but the arrivals."""
    cluster = replace(
        instance, arrivals=np.array([instance.copies], dtype=np.int64)
    )  # one slot with every copy present
    return Hidden.of(instance, "horizon", "resources", "nodes", "ports", "graph", cluster=cluster)


def _check_allocation(allocation: Any, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asarray(allocation)
    if array.shape != shape or array.dtype != np.float64:
        raise PolicyError(f"the policy allocated {array.dtype} of {array.shape}, expected float64 of {shape}")
    return array
