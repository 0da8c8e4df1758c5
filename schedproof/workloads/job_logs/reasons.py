"""Anomalies of job logs, and their treatment."""

from __future__ import annotations

from schedproof.workloads.jobs import ASKED, DURATIONS, ORDER, SIZES
from schedproof.workloads.tables import LONGEST_NAME
from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

REASONS = {
    # the file
    "no_header": (ACCEPTED, "no header line: the columns are selected by number"),
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "comment": (DROPPED, "a comment line, # or sep="),
    "blank_line": (DROPPED, "a blank line"),
    "header_again": (DROPPED, "a repeated header line"),
    "field_count": (DROPPED, "a row with more or fewer fields than the header"),
    "not_json": (DROPPED, "a line that is not JSON"),
    "not_an_object": (DROPPED, "an element that is not a JSON object"),
    # parts of jobs
    "step": (DROPPED, "a step of a job: the job has its own row"),
    "component": (DROPPED, "a component of a heterogeneous job: its GPUs are added to the first component"),
    "partial": (DROPPED, "a partial execution of a job that also has a line for the whole job"),
    "partial_added": (DROPPED, "a partial execution: its run time is added to the job's first partial execution"),
    "rerun": (ACCEPTED, "a run that ended in a requeue or a resize: each run is a job, from its own submission"),
    # ids
    "id_missing": (FIXED, f"no id, or an id of more than {LONGEST_NAME} characters: the job is named by its row"),
    "id_again": (FIXED, "the id of an earlier job: the job is kept, and its row number is appended to the id"),
    # times
    "arrival_missing": (DROPPED, "no time of arrival"),
    "arrival_unreadable": (
        DROPPED,
        "a time of arrival that is neither YYYY-MM-DD HH:MM:SS nor a number of seconds from 0 to the year 2100; of "
        "another unit: arrival=COLUMN:h; of another form: the option time_format",
    ),
    "arrival_naive": (ACCEPTED, "a time without a zone: read as UTC, also in hours that daylight saving shifts"),
    "arrival_scaled": (
        ACCEPTED,
        "a number that is after the year 2100 in seconds: read as milliseconds, microseconds or nanoseconds since 1970",
    ),
    "unfinished": (DROPPED, "unfinished when the log was written: unknown duration"),
    "never_started": (DROPPED, "no start time: the job never ran, or its start was not recorded"),
    "end_missing": (DROPPED, "no end time: skipped, because of no_end=skip"),
    "end_assumed": (FIXED, "no end time: the time in the option no_end is used"),
    "start_unclear": (
        ACCEPTED,
        "a start before the submission, or a run from start to end that differs from the duration by over 1 s and 1 %: "
        "the recorded start is not used",
    ),
    # durations
    "duration_clock": (ACCEPTED, "a duration of two parts, like 05:30: read as minutes and seconds"),
    "not_measured": (DROPPED, "a model, number of GPUs or batch size without a measured throughput"),
    # GPUs
    "gpus_numbered": (ACCEPTED, "the resource 1001 of Slurm: read as GPUs"),
    "type_mixed": (DROPPED, "GPUs of several types at once"),
    "gpus_shared": (FIXED, "a share of a GPU: counted as a whole GPU"),
    **ORDER,
    **SIZES,
    **DURATIONS,
    **ASKED,
}
