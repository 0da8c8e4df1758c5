"""SRTF whose chunks may move, on one server's workers.

A job is (slots left of all chunks, number of chunks, slots of a chunk where that counts, whether it has just run).
"""

from __future__ import annotations

CHUNKS = True
ORDER = True
RAN = True


def keep(slots: int, chunks: int, machines: int) -> int:
    """The slots of a chunk, where there are more chunks than workers, so that they run in rounds."""
    return slots // chunks if chunks > machines else 0


def needs(job: tuple[int, int, int, int], machines: int) -> tuple[int, int]:
    """For how many slots it must still run, and on how many workers in this round."""
    left, chunks, slots, _ = job
    width = min(chunks, machines)
    last = chunks % width  # of the last round, if that is not a whole one
    if left > last * slots:
        return (left - last * slots) // width + slots * (last > 0), width
    return left // last, last


def run(jobs: tuple[tuple[int, int, int, int], ...], machines: int) -> list[int]:
    """Who must run for fewer slots first, of equal ones who has just run, who came first; all workers or none."""
    chosen = list[int]()
    for n in sorted(range(len(jobs)), key=lambda n: (needs(jobs[n], machines)[0], not jobs[n][3])):
        width = needs(jobs[n], machines)[1]
        if len(chosen) + width <= machines:
            chosen.extend([n] * width)
    return chosen
