"""Profiles of runs: a number for each slot or completion time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from schedproof.core.results.run import Run

Profile = dict[str, Any]  # "step": slots between two numbers of a profile; "y": the numbers


def at_work(run: Run) -> Profile:
    """Return the share of edge workers that train a chunk, for each slot."""
    return _in_use(run, "the workers")


def arrivals(run: Run) -> Profile:
    return over_time(np.bincount([job.arrival for job in run.instance.jobs]).tolist())


def average_so_far(run: Run) -> Profile:
    """Return the average reward of the slots so far."""
    review = run.schedule.review
    return {"step": int(review.slots[0]), "y": (review.rewards / review.slots).tolist()}


def reward_so_far(run: Run) -> Profile:
    review = run.schedule.review
    return {"step": int(review.slots[0]), "y": review.rewards.tolist()}


def gain(run: Run) -> float:
    """Return the average computation gain of a slot."""
    from schedproof.instances.multiserver.reward import slot_rewards

    instance, at, total = run.instance, 0, 0.0
    free = replace(instance.graph, overhead=np.zeros_like(instance.graph.overhead))
    for block in run.schedule.blocks():
        total += float(slot_rewards(free, block, instance.present(at, at + len(block)), run.schedule.gain).sum())
        at += len(block)
    return total / instance.horizon


def durations(run: Run) -> Profile:
    """Return the number of tasks that took 0, 1, 2, ... slots until completion."""
    instance = run.instance
    taken = Counter(end - instance.tasks[j].arrival for j, end in run.schedule.completions(instance).items())
    return over_time([taken[slots] for slots in range(max(taken, default=0) + 1)])


def in_system(run: Run) -> Profile:
    """Return the number of arrived, uncompleted tasks, for each slot."""
    ends = run.schedule.completions(run.instance)
    return over_time(added_up([(run.instance.tasks[j].arrival, end, 1) for j, end in ends.items()]))


def gpu_use(run: Run) -> Profile:
    """Return the used share of the last resource, for each slot."""
    return _in_use(run, run.instance.resources[-1])


def _in_use(run: Run, resource: str) -> Profile:
    line: Any = run.timeline
    (_, _, total), *_ = line.room[resource]  # breaks follow
    return over_time([held / max(1, total) for held in added_up(line.use[resource])])


def over_time(numbers: Sequence[float]) -> Profile:
    return {"step": 1, "y": [float(f"{number:.6g}") for number in numbers]}


def added_up(spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the sum of amounts in each slot, of spans (first slot, end slot, amount)."""
    changes = np.zeros(1 + max((end for _, end, _ in spans), default=0), dtype=np.int64)
    for first, end, amount in spans:
        changes[first] += amount
        changes[end] -= amount
    return np.cumsum(changes)[:-1].tolist()
