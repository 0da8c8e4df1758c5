"""The chosen part of a trace: its most frequent kinds of tasks, and their arrivals in slots."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Rng
from schedproof.workloads.multiserver import draws
from schedproof.workloads.multiserver.options import Options
from schedproof.workloads.multiserver.recorded import Kind, Tasks
from schedproof.workloads.tally import Tally

NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Window:
    """The window's kinds, most frequent first, and what arrives.

    Attributes
    ----------
    kinds
        The ports.
    arrivals
        (T, L) tasks by slot and kind.
    start, per_slot
        The first second, and how many seconds are a slot.
    """

    kinds: list[Kind]
    arrivals: np.ndarray
    start: int
    per_slot: Fraction


def cut(rng: Rng, tasks: Tasks, chosen: Options, tally: Tally) -> Window:
    """The window; counts the tasks left out, by reason. Of equally frequent kinds, the smaller request leads."""
    s = chosen.settings
    time, kind, row = (np.array(column, dtype=np.int64) for column in (tasks.time, tasks.kind, tasks.row))
    order = np.argsort(time, kind="stable")

    def keep(reason: str, wanted: np.ndarray) -> None:
        nonlocal order
        out = order[~wanted]
        tally.add(reason, int(row[out].min(initial=NEVER)), count=len(out))
        order = order[wanted]
        if not len(order):
            raise InputError(f"no task is left of {len(time)}; dropped: {tally.sentence()}")

    if chosen.start is not None:
        keep("before_start", time[order] >= chosen.start)
    start = int(time[order[0]]) if chosen.start is None else chosen.start
    if chosen.seconds is not None:
        keep("after_window", time[order] - start < chosen.seconds)
    filled = int(time[order[-1]]) + 1 - start if chosen.seconds is None else chosen.seconds
    per_slot = Fraction(filled) / s.horizon if chosen.slot_seconds is None else Fraction(chosen.slot_seconds)
    slot = (time - start) * per_slot.denominator // per_slot.numerator
    keep("beyond_horizon", slot[order] < s.horizon)

    often = np.bincount(kind[order], minlength=len(tasks.kinds))
    named = list(tasks.kinds)
    best = sorted((i for i in range(len(named)) if often[i]), key=lambda i: (-often[i], named[i]))[: s.ports]
    port = np.full(len(named), -1)
    port[best] = np.arange(len(best))
    keep("other_kind", port[kind[order]] >= 0)

    cell = slot * len(best) + port[kind]  # a slot and a port
    if chosen.clip:
        first = np.zeros(len(order), dtype=bool)
        first[np.unique(cell[order], return_index=True)[1]] = True
        keep("clipped", first)
    if chosen.thinned:
        keep("thinned", draws.arrivals(rng, len(best), s).ravel()[cell[order]] > 0)
    cells, counts = np.unique(cell[order], return_counts=True)
    arrivals = draws.no_arrivals(s.horizon, len(best), np.min_scalar_type(counts.max()))
    arrivals.ravel()[cells] = counts
    return Window([named[i] for i in best], arrivals, start, per_slot)
