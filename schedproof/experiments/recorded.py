"""A job log's own schedule as a row of its comparison."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

from schedproof.core.base.numbers import decimals
from schedproof.core.base.untyped import Frame
from schedproof.core.results.run import Policy
from schedproof.online.preemptive.recorded_starts import RecordedStarts

NAME = "recorded"


def recorded(report: Mapping[str, Any]) -> Policy | None:
    """Return the policy with the starts in a log's report, if it has them."""
    starts = report.get(NAME, {}).get("starts")
    if starts is None:
        return None
    slot = Fraction(str(report["time"]["slot_seconds"]))
    return Policy(NAME, {}, RecordedStarts([Fraction(str(start)) / slot for start in starts]))


def on_recorded(report: Mapping[str, Any], instance: Any, table: Frame) -> str:
    """Return a note on the recorded schedule: how it was read, or why it has no row."""
    found = recorded(report)
    if found is None:
        return f"{NAME}: {report.get(NAME, {}).get('summary', 'no schedule: the reader keeps no starts')}"
    rows = table[table["policy"].eq(NAME) & table["feasible"].eq(True)]
    if rows.empty:
        return f"{NAME}: no row with other machines, load or speed"
    ends = Fraction(rows["objective"].iloc[0]) + sum(job.arrival for job in instance.jobs)
    late = ends - sum(job.slots() for job in instance.jobs) - sum(map(floor, found.own.starts))
    mean = decimals(late / len(instance.jobs), 2, up=True)
    why = "jobs take whole slots" + " and drawn upload delays" * any(
        any(j.upload_delay.values()) for j in instance.jobs
    )
    words = f"{why}, which delays a start by {mean} slots on average" if late else "no start is delayed"
    notes = [f"{NAME}: the starts in the log, without other jobs than those of the table; {words}"]
    if report[NAME]["assumed_machines"]:
        used = f"in the log, jobs run on up to {report[NAME]['gpus_at_once']} GPUs at once"
        notes.append(f"the machines are assumed: with fewer, the recorded starts are closer to the optimum; {used}")
    return "; ".join(notes)
