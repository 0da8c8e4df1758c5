"""The window of the trace that the options select, and its jobs' arrival slots."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from schedproof.workloads.google.options import Options
from schedproof.workloads.google.tables import Events, Job
from schedproof.workloads.tally import Tally

SECOND = 1_000_000  # microseconds


@dataclass(frozen=True)
class Window:
    """Jobs as columns, by submission.

    Attributes
    ----------
    name, submitted, kind, arrival
        Job id, microseconds of trace time, scheduling class, slot.
    start, per_slot
        Start of the window and length of a slot, in microseconds of the trace.
    """

    name: list[str]
    submitted: list[int]
    kind: list[str]
    arrival: list[int]
    start: int
    per_slot: Fraction


def cut(events: Events, chosen: Options, tally: Tally) -> Window | None:
    """Return the jobs of the window, or None; count omissions and oddities."""
    entries = _arrivals(events, tally)

    def keep(reason: str, wanted: list[bool]) -> None:
        nonlocal entries
        for (_, _, job), stays in zip(entries, wanted, strict=True):
            if not stays:
                tally.add(reason, job.row)
        entries = [entry for entry, stays in zip(entries, wanted, strict=True) if stays]

    if chosen.start is not None:
        keep("before_start", [time >= chosen.start * SECOND for time, _, _ in entries])
    keep("skipped", [n >= chosen.skip for n in range(len(entries))])
    if not entries:
        return None
    start = entries[0][0] if chosen.start is None else int(chosen.start * SECOND)
    if chosen.seconds is not None:
        keep("after_window", [time - start < chosen.seconds * SECOND for time, _, _ in entries])
    keep("beyond_jobs", [n < chosen.settings.jobs for n in range(len(entries))])
    if not entries:
        return None
    per_slot = _per_slot(entries[-1][0] + 1 - start, chosen)
    keep("beyond_horizon", [(time - start) // per_slot < chosen.settings.horizon for time, _, _ in entries])
    if not entries:
        return None
    for (earlier, _, _), (time, _, job) in pairwise(entries):
        if earlier == time:
            tally.add("tie", job.row)
    for _, _, job in entries:
        if job.changed:
            tally.add("class_changed", job.row)
    return Window(
        name=[str(id) for _, id, _ in entries],
        submitted=[time for time, _, _ in entries],
        kind=[job.kind or job.any_kind or "" for _, _, job in entries],
        arrival=[(time - start) // per_slot for time, _, _ in entries],
        start=start,
        per_slot=per_slot,
    )


def _arrivals(events: Events, tally: Tally) -> list[tuple[int, int, Job]]:
    """Return the jobs that arrive within the trace: (first SUBMIT, id, job), in order."""
    for row in events.alive.values():
        tally.add("alive_before", row)
    entries = []
    for name, job in events.jobs.items():
        if name in events.alive:
            continue
        if job.submitted is None:
            tally.add("no_submit", job.row)
        elif job.first < job.submitted:
            tally.add("event_before_submit", job.row)
        elif job.any_kind is None:
            tally.add("no_class", job.row)
        else:
            entries.append((job.submitted, int(name), job))
    return sorted(entries, key=lambda entry: entry[:2])


def _per_slot(span: int, chosen: Options) -> Fraction:
    """Return the length of a slot in microseconds of the trace."""
    if chosen.scale is not None:
        return Fraction(chosen.scale) * SECOND
    window = span if chosen.seconds is None else Fraction(chosen.seconds) * SECOND
    return Fraction(window) / chosen.settings.horizon
