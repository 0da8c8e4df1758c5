"""Optimus, and Tiresias without preemption, on one unit: first come, first served; a task is (slots left, begun)."""

from __future__ import annotations

MACHINES = 1
ORDER = True
PREEMPTIVE = False


def run(jobs: tuple[tuple[int, int], ...]) -> list[int]:
    """The task that came first."""
    return [0]
