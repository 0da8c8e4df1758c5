"""What can be odd in the Google trace, and what becomes of it: rows of events, and the jobs that they make."""

from __future__ import annotations

from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED

ROWS = {
    # the file
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "header": (DROPPED, "a header line: the published files have none"),
    "trailing_comma": (FIXED, "a trailing comma, taken off"),
    "field_count": (DROPPED, "another number of fields than the schema has"),
    "number_as_decimal": (ACCEPTED, "an integer written with decimals"),
    "duplicate": (ACCEPTED, "an exact repeat of another row of the same moment: it changes nothing"),
    "unordered": (FIXED, "earlier than the row above it: sorted"),
    # times
    "time_missing": (DROPPED, "no time"),
    "time_unreadable": (DROPPED, "a time that is not an integer number of microseconds from 0 to 2^63 - 1"),
    "snapshot": (ACCEPTED, "time 0: it was there before the trace begins"),
    "after_trace": (DROPPED, "time 2^63 - 1: after the trace ends"),
    "before_window": (ACCEPTED, "between 0 and 600 s, before the first moment that was observed"),
    # what happened to whom
    "id_missing": (DROPPED, "no id of its job or machine"),
    "id_unreadable": (DROPPED, "an id that is not an integer below 2^64"),
    "event_missing": (DROPPED, "no event type"),
    "event_unknown": (DROPPED, "an event type that the schema does not have"),
    "missing_info": (ACCEPTED, "missing_info is set: a row that was put together from what else is known"),
    "blank_request": (ACCEPTED, "a request that is blank: requests are not used"),
    "class_missing": (ACCEPTED, "no scheduling class: another row of the job gives it"),
    "class_unknown": (ACCEPTED, "a scheduling class that is none of 0 to 3: another row of the job gives it"),
    # machines
    "blank_capacity": (ACCEPTED, "a capacity that is blank: capacities are not used"),
}

JOBS = {
    "alive_before": (DROPPED, "an event at time 0: it is no arrival"),
    "event_before_submit": (DROPPED, "an event before its first SUBMIT: it was there before the file begins"),
    "no_submit": (DROPPED, "no SUBMIT after time 0: when it arrived is not known"),
    "no_class": (DROPPED, "no scheduling class in any row"),
    "class_changed": (ACCEPTED, "several scheduling classes: that of its first SUBMIT counts"),
    "tie": (ACCEPTED, "submitted in the same microsecond as another job: in order of their ids"),
    "before_start": (DROPPED, "submitted before the window"),
    "after_window": (DROPPED, "submitted after the window"),
    "skipped": (DROPPED, "among the first jobs, that were to be skipped"),
    "beyond_jobs": (DROPPED, "after as many jobs as asked for"),
    "beyond_horizon": (DROPPED, "in a slot beyond the horizon"),
}
