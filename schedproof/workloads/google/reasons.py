"""Anomalies of rows and jobs in the Google trace, and their treatment."""

from __future__ import annotations

from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

ROWS = {
    # the file
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "header": (DROPPED, "a header line: the published files have none"),
    "trailing_comma": (FIXED, "a trailing comma: removed"),
    "field_count": (DROPPED, "a row with more or fewer fields than the schema"),
    "number_as_decimal": (ACCEPTED, "an integer written with decimals"),
    "duplicate": (ACCEPTED, "an exact repeat of another row of the same time: no effect"),
    "unordered": (FIXED, "earlier than the previous row: sorted"),
    # times
    "time_missing": (DROPPED, "no time"),
    "time_unreadable": (DROPPED, "a time that is not an integer number of microseconds from 0 to 2^63 - 1"),
    "snapshot": (ACCEPTED, "time 0: before the trace begins"),
    "after_trace": (DROPPED, "time 2^63 - 1: after the trace ends"),
    "before_window": (ACCEPTED, "between 0 and 600 s, before the first observed time"),
    # reasons about an event's job or machine
    "id_missing": (DROPPED, "no id of the job or machine"),
    "id_unreadable": (DROPPED, "an id that is not an integer below 2^64"),
    "event_missing": (DROPPED, "no event type"),
    "event_unknown": (DROPPED, "an event type that the schema does not have"),
    "missing_info": (ACCEPTED, "missing_info is set: a reconstructed row"),
    "blank_request": (ACCEPTED, "a blank request: requests are not used"),
    "class_missing": (ACCEPTED, "no scheduling class: another row of the job gives it"),
    "class_unknown": (ACCEPTED, "a scheduling class other than 0 to 3: another row of the job gives it"),
    # machines
    "blank_capacity": (ACCEPTED, "a blank capacity: capacities are not used"),
}

JOBS = {
    "alive_before": (DROPPED, "an event at time 0: not an arrival"),
    "event_before_submit": (DROPPED, "an event before the job's first SUBMIT: the job arrived before the file begins"),
    "no_submit": (DROPPED, "no SUBMIT after time 0: unknown arrival"),
    "no_class": (DROPPED, "no scheduling class in any row"),
    "class_changed": (ACCEPTED, "several scheduling classes: the class in the first SUBMIT is used"),
    "tie": (ACCEPTED, "submitted in the same microsecond as another job: in order of their ids"),
    "before_start": (DROPPED, "submitted before the window"),
    "after_window": (DROPPED, "submitted after the window"),
    "skipped": (DROPPED, "among the skipped first jobs"),
    "beyond_jobs": (DROPPED, "beyond the requested number of jobs"),
    "beyond_horizon": (DROPPED, "in a slot beyond the horizon"),
}
