"""What can be odd in the Philly trace, and what becomes of it."""

from __future__ import annotations

from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

REASONS = {
    # the file
    "no_header": (ACCEPTED, "no header line: the columns are taken in the published order"),
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "header_again": (DROPPED, "the header line once more"),
    "trailing_comma": (FIXED, "a trailing comma, taken off"),
    "field_count": (DROPPED, "another number of fields than the header has"),
    "not_an_object": (DROPPED, "an element that is no JSON object"),
    "duplicate": (ACCEPTED, "an exact repeat of an earlier row: kept, two jobs may be alike"),
    "duplicate_id": (FIXED, "the id of an earlier job: kept under a name of its own"),
    "unordered": (FIXED, "submitted before the row above it: sorted"),
    "tie": (ACCEPTED, "submitted in the same second as another job: kept in file order"),
    # times
    "submission_missing": (DROPPED, "no submission time"),
    "submission_unreadable": (DROPPED, "a submission time that is not YYYY-MM-DD HH:MM:SS of 1970 to 2099"),
    "submission_ambiguous": (
        ACCEPTED,
        "submitted in the hour that the end of daylight saving repeats: read as its first pass",
    ),
    "submission_nonexistent": (
        FIXED,
        "submitted in the hour that the start of daylight saving skips: read one hour on",
    ),
    # sizes
    "gpus_missing": (DROPPED, "no GPU count"),
    "gpus_unreadable": (DROPPED, "a GPU count that is no number, or no sensible one"),
    "gpus_fractional": (DROPPED, "a GPU count that is not whole"),
    "gpus_as_decimal": (ACCEPTED, "a whole GPU count written with decimals"),
    "gpus_zero": (DROPPED, "no GPU"),
    "gpus_negative": (DROPPED, "a negative GPU count"),
    "wider_than_machines": (ACCEPTED, "more GPUs than any machine has: its chunks spread"),
    "wider_than_cluster": (ACCEPTED, "more GPUs than the whole cluster has: its chunks queue"),
    # durations
    "duration_missing": (DROPPED, "no duration"),
    "duration_unreadable": (DROPPED, "a duration that is no number, or no sensible one"),
    "duration_not_positive": (DROPPED, "a duration that is zero or negative"),
    "duration_too_long": (DROPPED, "a duration of more slots than the format takes"),
    # attempts of the original log
    "no_attempts": (DROPPED, "no attempts: how many GPUs it needs is not known"),
    "no_gpus_listed": (DROPPED, "attempts that list no GPUs"),
    "no_complete_attempt": (DROPPED, "no attempt with both a start and an end after it"),
    "still_running": (DROPPED, "still running when the trace ends: its duration is not known"),
    "attempt_malformed": (FIXED, "an attempt that is no JSON object, or whose GPUs are no lists: left out"),
    "attempt_without_start": (FIXED, "an attempt without a start: left out of the duration"),
    "attempt_without_end": (FIXED, "an attempt without an end, not the last one: left out of the duration"),
    "attempt_unreadable": (FIXED, "an attempt with an unreadable time: left out of the duration"),
    "attempt_backwards": (FIXED, "an attempt that ends before it starts: left out of the duration"),
    "attempt_daylight": (ACCEPTED, "an attempt that starts or ends in an ambiguous or skipped hour"),
    "attempt_before_submission": (ACCEPTED, "an attempt that starts before the submission"),
    "attempts_differ": (ACCEPTED, "attempts with different GPU counts"),
    # machines
    "machine_nameless": (DROPPED, "a machine without a name, or named '*' or 'cloud'"),
    "machine_repeated": (DROPPED, "a machine that stands in the list already: the first one counts"),
    # what was asked for
    "other_status": (DROPPED, "another status than asked for"),
    "min_gpus": (DROPPED, "fewer GPUs than min_gpus"),
    "before_start": (DROPPED, "submitted before the window"),
    "after_hours": (DROPPED, "submitted after the window"),
    "skipped": (DROPPED, "among the first jobs, that were to be skipped"),
    "beyond_jobs": (DROPPED, "after as many jobs as asked for"),
    "beyond_machines": (DROPPED, "after as many machines as asked for"),
}
