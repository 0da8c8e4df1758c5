"""Rows of a family's card for generic job logs: the family maps their jobs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import Loaded
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, choice, file, number, text, whole

FORMS = {
    "table": "A table of jobs, one job in a row: CSV, JSON or Parquet.",
    "swf": "A log in the Standard Workload Format of the Parallel Workloads Archive.",
    "sacct": "The output of Slurm's `sacct --parsable2`.",
    "helios": "A cluster's log of SenseTime's Helios traces (2020).",
    "alibaba_jobs": "Jobs of Alibaba's traces gpu-v2023 (openb), gpu-v2025 and v2026-spot-gpu.",
    "gavel": "A `.trace` of Gavel, with its measured throughputs.",
    "pollux": "A workload of Pollux or Sia, with its measured iterations.",
}
COLUMNS = Option(
    "map",
    text("KEY=COLUMN[:UNIT], separated by commas"),
    "",
    "columns by name or number, like arrival=submit,duration=3:h; keys: id, arrival, gpus, workers (then gpus counts "
    "one worker's), duration (or start and end), wait, user, status, type (of the GPUs, like v100|a100); units of "
    "numbers are s (default), ms, us, ns, min, h, d",
)
TIME_FORMAT = Option(
    "time_format",
    text("a format of Python's strptime, like %d.%m.%Y %H:%M"),
    "",
    "form of the times; other times are read as ISO 8601 or numbers",
)
OWN = {
    "table": (
        COLUMNS,
        Option(
            "header",
            choice("auto", "yes", "no"),
            "auto",
            "whether the first line names the columns; auto: yes, unless the line has a number or a time",
        ),
        TIME_FORMAT,
        Option(
            "comma",
            choice("thousands", "decimal"),
            None,
            "the comma in durations like 1,800; by default such durations are refused",
        ),
    ),
    "sacct": (COLUMNS, TIME_FORMAT),
    "helios": (COLUMNS, TIME_FORMAT),
    "gavel": (
        Option(
            "gpu_type",
            text("a type of GPU in the throughputs"),
            "v100",
            "the type of all GPUs, by which durations are computed",
        ),
    ),
    "pollux": (
        Option(
            "iterations",
            text("APPLICATION-BATCH:NUMBER, separated by commas"),
            "",
            "iterations of a training without a validation file, like cifar10-2048:3178",
        ),
    ),
}
OPTIONS = (
    Option(
        "status",
        text("words, separated by commas"),
        "",
        "statuses of the jobs to keep; by default all statuses of ended jobs; unknown statuses are refused",
    ),
    Option(
        "no_end",
        text("skip, or a time as in the log"),
        None,
        "jobs without an end time: skip, or the end time to use; by default such jobs are refused",
    ),
    Option("start", text("a time as in the log"), None, "start of the window; by default the first submission"),
    Option("hours", number(), None, "length of the window; by default to the end of the log"),
    Option("min_gpus", whole(), 1, "keep jobs with at least this number of GPUs"),
    Option("skip", whole(0), 0, "number of kept jobs to skip"),
    Option("jobs", whole(), None, "number of the remaining jobs to keep; by default all"),
    Option(
        "machines",
        whole(),
        None,
        "number of machines; by default from the log's header, otherwise for the average use while jobs run",
    ),
    Option("machine_gpus", whole(), 8, "GPUs of a machine"),
    Option(
        "machine_file",
        file("a table with a machine in each row"),
        None,
        "file of the machines, in place of their number",
    ),
    Option(
        "machine_map",
        text("gpus=COLUMN, count=COLUMN, type=COLUMN"),
        "",
        "columns of the machine file: GPUs of a machine, number of equal machines, and type of the GPUs; by default "
        "the usual names",
    ),
)


@dataclass(frozen=True, kw_only=True)
class LogEntry(Entry):
    """A format of job logs, whose reader returns rows that a family maps.

    Attributes
    ----------
    jobs
        The family's mapping: ``jobs(rows, tally, cluster, **options)`` returns the JSON object of an instance file and
        its part of the report; ``cluster`` is a `schedproof.workloads.jobs.Cluster`.
    """

    jobs: Entry

    @property
    def function(self) -> Loaded:
        """The reader, bound to the family's mapping."""
        return partial(load(self.home), entry=self)


def logs(family: str, jobs: Entry) -> tuple[LogEntry, ...]:
    """Return a family's rows for logs, ``family.table`` and so on."""
    return tuple(
        LogEntry(
            f"{family}.{form}",
            f"schedproof.workloads.job_logs:{form}",
            words,
            OWN.get(form, (COLUMNS,)) + OPTIONS + jobs.options,
            jobs=jobs,
        )
        for form, words in FORMS.items()
    )
