"""Slot lengths of a log, by the growth of its work by rounding up to slots."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from schedproof.core.base.numbers import decimals
from schedproof.workloads.draws import Row
from schedproof.workloads.jobs import Job

LENGTHS = (3600, 1800, 1200, 900, 600, 300, 120, 60, 30, 20, 15, 10, 5, 2, 1)  # seconds


def choose(jobs: Sequence[Job], inflation: Fraction) -> int:
    """Return the longest slot that inflates the work by at most a fraction, or 1 s."""
    recorded = _work(jobs)
    return next((s for s in LENGTHS if _in_slots(jobs, Decimal(s)) <= recorded * (1 + inflation)), LENGTHS[-1])


def account(jobs: Sequence[Job], slot_seconds: Decimal) -> Row:
    """Return a sentence on the growth of work by slots, for a trace's report."""
    recorded, slotted = _work(jobs), _in_slots(jobs, slot_seconds)
    short = sum((job.duration or 0) < slot_seconds for job in jobs)
    inflation = slotted / recorded - 1
    share, percent = (decimals(100 * value, 1, up=True) for value in (Fraction(short, len(jobs)), inflation))
    return {
        "slot_seconds": float(slot_seconds),
        "gpu_seconds": float(recorded),
        "gpu_seconds_in_slots": float(slotted),
        "inflation": float(decimals(inflation, 6, up=True)),
        "jobs_shorter_than_a_slot": short,
        "summary": f"slots of {slot_seconds} s inflate the work by {percent} %; "
        f"{short} of {len(jobs)} jobs ({share} %) are shorter than a slot",
    }


def _work(jobs: Sequence[Job]) -> Fraction:
    return Fraction(sum(job.gpus * (job.duration or 0) for job in jobs))


def _in_slots(jobs: Sequence[Job], slot: Decimal) -> Fraction:
    counts = ((job.gpus, divmod(job.duration or Decimal(0), slot)) for job in jobs)
    return sum(gpus * (int(whole) + (rest > 0)) for gpus, (whole, rest) in counts) * Fraction(slot)
