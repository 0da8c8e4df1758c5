"""Generic job logs as rows of a family's card; the family maps the jobs of any log format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import Loaded
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, number, text, whole

FORMS = {
    "table": "A table of jobs with a header, one job in a row: CSV, or Parquet.",
    "swf": "A log in the Standard Workload Format of the Parallel Workloads Archive.",
    "sacct": "The output of Slurm's `sacct --parsable2`.",
}
OPTIONS = (
    Option(
        "map",
        text("KEY=COLUMN[:UNIT], separated by commas"),
        "",
        "columns with other names, like arrival=submit,duration=hours:h; keys: id, arrival, gpus, duration (or start "
        "and end), user, status; units of numbers are s (default), ms, us, min, h, d",
    ),
    Option("status", text("words, separated by commas"), "", "statuses of the jobs to keep; by default all that ended"),
    Option("start", text("a time as in the log"), None, "start of the window; by default the first submission"),
    Option("hours", number(), None, "length of the window; by default to the end of the log"),
    Option("min_gpus", whole(), 1, "keep jobs with at least this number of GPUs"),
    Option("skip", whole(0), 0, "number of these jobs to skip"),
    Option("jobs", whole(), None, "number of the remaining jobs to keep; by default all"),
)


@dataclass(frozen=True, kw_only=True)
class LogEntry(Entry):
    """A generic job log, which its home reads as neutral rows.

    Attributes
    ----------
    jobs
        The family's mapping: ``jobs(rows, tally, **options)`` returns the JSON object of an instance file and its part
        of the report.
    """

    jobs: Entry

    @property
    def function(self) -> Loaded:
        """The reader, bound to the family's mapping."""
        return partial(load(self.home), entry=self)


def logs(family: str, jobs: Entry) -> tuple[LogEntry, ...]:
    """Return a family's rows for logs: ``family.table``, ``family.swf``, ``family.sacct``."""
    return tuple(
        LogEntry(f"{family}.{form}", f"schedproof.workloads.job_logs:{form}", words, OPTIONS + jobs.options, jobs=jobs)
        for form, words in FORMS.items()
    )
