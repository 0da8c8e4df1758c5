"""SRPT for chunks that may move, on one server's workers: a job is (slots left of all chunks, number of chunks)."""

from __future__ import annotations

CHUNKS = True
ORDER = True


def run(jobs: tuple[tuple[int, int], ...], machines: int) -> list[int]:
    """As many workers as each can use, the least work first, of equal work what came first."""
    order = sorted(range(len(jobs)), key=lambda n: jobs[n][0])
    return [n for n in order for _ in range(min(jobs[n]))][:machines]
