"""Kinds of worker classes: classes that serve every job alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.instances.preemptive import Instance

Ways = list[tuple[int, int]]  # the kinds that may train a job, with upload delays


def kinds_and_ways(instance: Instance) -> tuple[np.ndarray, list[Ways]]:
    """Return each class's kind, and each job's kinds in the order of their delays.

    The classes of a kind have the same worker type, the same delay for each job, and the same breaks.
    """
    keys, alike = [(job.worker_types, *job.upload_delay.items()) for job in instance.jobs], dict[Any, Ways]()
    for key, job in zip(keys, instance.jobs, strict=True):
        if key not in alike:
            alike[key] = [(q.index, delay) for q, delay in instance.qualified(job)]
    kinds: list[Any] = [(q.type, instance.calendar.breaks[q.server.index]) for q in instance.classes]
    for ways in dict.fromkeys(map(tuple, alike.values())):
        delays, refined = dict(ways), dict[Any, int]()
        kinds = [refined.setdefault((kind, delays.get(q, -1)), len(refined)) for q, kind in enumerate(kinds)]
    numbers = {kind: n for n, kind in enumerate(dict.fromkeys(kinds))}
    kind = np.array([numbers[k] for k in kinds], dtype=np.int64)
    in_order = {
        key: sorted({(int(kind[q]), delay) for q, delay in ways}, key=lambda way: (way[1], way[0]))
        for key, ways in alike.items()
    }
    return kind, [in_order[key] for key in keys]
