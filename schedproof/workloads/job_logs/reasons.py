"""Anomalies of job logs, and their treatment."""

from __future__ import annotations

from schedproof.workloads.jobs import ASKED, DURATIONS, ORDER, SIZES
from schedproof.workloads.tables import LONGEST_NAME
from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

REASONS = {
    # the file
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "header_again": (DROPPED, "a repeated header line"),
    "field_count": (DROPPED, "another number of fields than the header has"),
    "step": (DROPPED, "a step of a job, which has a row of its own"),
    # ids
    "id_missing": (FIXED, f"no id, or one of more than {LONGEST_NAME} characters: named by its row"),
    "id_again": (FIXED, "the id of an earlier job: kept, with its row appended"),
    # times
    "arrival_missing": (DROPPED, "no time of arrival"),
    "arrival_unreadable": (
        DROPPED,
        "a time of arrival that is neither YYYY-MM-DD HH:MM:SS nor a number of seconds from 0 to the year 2100; of "
        "another unit: arrival=COLUMN:ms",
    ),
    "arrival_naive": (ACCEPTED, "a time without a zone: read as UTC, also in hours that daylight saving shifts"),
    "unfinished": (DROPPED, "unfinished when the log was written: unknown duration"),
    **ORDER,
    **SIZES,
    **DURATIONS,
    **ASKED,
}
