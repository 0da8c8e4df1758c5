"""Anomalies of the Philly trace, and their treatment."""

from __future__ import annotations

from schedproof.workloads.jobs import ASKED, DURATIONS, ORDER, SIZES, WIDE
from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

REASONS = {
    # the file
    "no_header": (ACCEPTED, "no header line: the columns are taken in the published order"),
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "header_again": (DROPPED, "a repeated header line"),
    "trailing_comma": (FIXED, "a trailing comma: removed"),
    "field_count": (DROPPED, "a row with more or fewer fields than the header"),
    "not_an_object": (DROPPED, "an element that is not a JSON object"),
    "duplicate": (ACCEPTED, "an exact repeat of an earlier row: kept, as two jobs may be alike"),
    "duplicate_id": (FIXED, "the id of an earlier job: kept under a new name"),
    **ORDER,
    # times
    "submission_missing": (DROPPED, "no submission time"),
    "submission_unreadable": (DROPPED, "a submission time that is not YYYY-MM-DD HH:MM:SS of 1970 to 2099"),
    "submission_ambiguous": (
        ACCEPTED,
        "submitted in the hour that the end of daylight saving repeats: read as the first occurrence",
    ),
    "submission_nonexistent": (
        FIXED,
        "submitted in the hour that the start of daylight saving skips: read one hour later",
    ),
    # sizes
    **SIZES,
    **WIDE,
    # durations
    **DURATIONS,
    # attempts of the original log
    "no_attempts": (DROPPED, "no attempts: unknown number of GPUs"),
    "no_gpus_listed": (DROPPED, "attempts that list no GPUs"),
    "no_complete_attempt": (DROPPED, "no attempt with a start and a later end"),
    "still_running": (DROPPED, "still running when the trace ends: unknown duration"),
    "attempt_malformed": (FIXED, "an attempt that is not a JSON object, or whose GPUs are not lists: skipped"),
    "attempt_without_start": (FIXED, "an attempt without a start: not in the duration"),
    "attempt_without_end": (FIXED, "an attempt without an end, followed by others: not in the duration"),
    "attempt_unreadable": (FIXED, "an attempt with an unreadable time: not in the duration"),
    "attempt_backwards": (FIXED, "an attempt that ends before it starts: not in the duration"),
    "attempt_daylight": (ACCEPTED, "an attempt that starts or ends in an ambiguous or skipped hour"),
    "attempt_before_submission": (ACCEPTED, "an attempt that starts before the submission"),
    "attempts_joined": (ACCEPTED, "several attempts: one run, which ends with the last attempt"),
    "attempts_differ": (ACCEPTED, "attempts with different GPU counts"),
    # machines
    "machine_nameless": (DROPPED, "a machine without a name, or named '*' or 'cloud'"),
    "machine_repeated": (DROPPED, "a machine listed before: the first entry is used"),
    # reasons from the options
    **ASKED,
    "beyond_machines": (DROPPED, "beyond the requested number of machines"),
}
