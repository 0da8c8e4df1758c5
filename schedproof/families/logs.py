"""The logs of jobs that any cluster has, as rows of a card: a family maps a log's jobs, whatever its form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import Loaded
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, number, text, whole

FORMS = {
    "table": "A table of jobs with a header, one job in a row: CSV, or Parquet.",
    "swf": "A log in the Standard Workload Format, as the Parallel Workloads Archive has them.",
    "sacct": "What Slurm's `sacct --parsable2` prints.",
}
OPTIONS = (
    Option(
        "map",
        text("KEY=COLUMN[:UNIT] with commas between them"),
        "",
        "where to find what is asked for under another name, like arrival=submit,duration=hours:h; keys are id, "
        "arrival, gpus, duration (or start and end), user, status; units of numbers s (usual), ms, us, min, h, d",
    ),
    Option(
        "status", text("words with commas between them"), "", "of the jobs to keep; all that ended where none is given"
    ),
    Option("start", text("a time as in the log"), None, "of the window; the first submission where none is given"),
    Option("hours", number(), None, "of the window from its start on; to the end where none are given"),
    Option("min_gpus", whole(), 1, "keep jobs with at least so many"),
    Option("skip", whole(0), 0, "leave out the first so many of these"),
    Option("jobs", whole(), None, "keep so many of the rest; all where none are given"),
)


@dataclass(frozen=True, kw_only=True)
class LogEntry(Entry):
    """A log of any cluster's jobs, which its home reads as neutral rows.

    Attributes
    ----------
    jobs
        What makes an instance of them: ``jobs(rows, tally, **options)`` gives the JSON object of its file, and what a
        report says of it.
    """

    jobs: Entry

    @property
    def function(self) -> Loaded:
        """The reader with what it maps jobs by."""
        return partial(load(self.home), entry=self)


def logs(family: str, jobs: Entry) -> tuple[LogEntry, ...]:
    """The rows of a family that maps jobs: ``family.table``, ``family.swf``, ``family.sacct``."""
    return tuple(
        LogEntry(f"{family}.{form}", f"schedproof.workloads.job_logs:{form}", words, OPTIONS + jobs.options, jobs=jobs)
        for form, words in FORMS.items()
    )
