"""Formats of logs: their rows, usual column names, and meanings of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from schedproof.workloads.job_logs.content import BETWEEN, Lines, Source, delimited, table
from schedproof.workloads.job_logs.profiles import gavel, pollux
from schedproof.workloads.job_logs.swf import swf
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import MISSING

KEYS = ("id", "arrival", "gpus", "workers", "duration", "start", "end", "wait", "user", "status", "type")
ABSENT = frozenset({*MISSING, "unknown", "n/a", "nat", "<na>", "-", "\\n"})
OWN_NAMES = {key: (key,) for key in KEYS if key not in ("workers", "type")}
ENDED = frozenset({
    *("completed", "complete", "done", "success", "successful", "succeeded", "pass", "passed", "finished", "ended"),
    *("exited", "failed", "failure", "fail", "error", "killed", "cancelled", "canceled", "aborted", "timeout"),
    *("timed_out", "preempted", "evicted", "terminated", "node_fail", "out_of_memory", "oom", "boot_fail", "deadline"),
    *("revoked", "launch_failed", "reconfig_fail", "exit"),
})  # fmt: skip
UNFINISHED = frozenset({
    *("running", "pending", "queued", "waiting", "suspended", "submitted", "held", "hold", "configuring", "completing"),
    *("starting", "requeue_hold", "requeue_fed", "special_exit", "resv_del_hold", "stage_out", "signaling"),
    *("pend", "run", "psusp", "ususp", "ssusp", "unkwn"),  # of LSF
})  # fmt: skip
RERUN = frozenset({"requeued", "resizing"})  # the statuses of a run that ended before another run of the same job


class Form(NamedTuple):
    """A format of logs.

    Attributes
    ----------
    lines
        Yields the column names, then each row with its line number; counts malformed rows.
    usual
        Key -> its usual columns; a row's value is in the first nonempty column.
    absent
        Texts, in lower case, that mean "no value".
    ended, unfinished
        First words of a status, in lower case, of jobs that have ended and of other jobs.
    running_at_end
        Whether a missing end means, by the format's documentation, that the job outlived the log.
    per_node
        Columns, in lower case, whose GPUs are those of one node; empty: all columns, if the log has ``workers``.
    slurm
        Whether ids are Slurm's: with steps ``1.0``, and components ``1+0`` of heterogeneous jobs.
    shares
        Whether a part of a GPU counts as a whole GPU.
    """

    lines: Callable[[Source], Lines]
    usual: Mapping[str, tuple[str, ...]]
    absent: frozenset[str] = ABSENT
    ended: frozenset[str] = ENDED
    unfinished: frozenset[str] = UNFINISHED
    running_at_end: bool = False
    per_node: frozenset[str] = frozenset()
    slurm: bool = False
    shares: bool = False


def _alibaba(source: Source) -> Lines:
    """Yield the rows; a pod's GPUs (openb) are their number times the share of each."""
    lines = table(source)
    _, header = next(lines, (0, []))
    pods = {"num_gpu", "gpu_milli"} <= set(header)
    yield 0, [*header, "gpus"] if pods else header
    for row, fields in lines:
        if pods:
            count, share = (decimal_of(fields[header.index(name)]) for name in ("num_gpu", "gpu_milli"))
            whole = fields[header.index("num_gpu")]
            fields = [*fields, whole if count is None or not share else str(count * share / Decimal(1000))]
        yield row, fields


FORMS = {
    "table": Form(table, OWN_NAMES),
    "swf": Form(
        swf,
        {
            "id": ("job",),
            "arrival": ("submit",),
            "gpus": ("allocated", "requested"),
            "duration": ("run",),
            "wait": ("wait",),
            "user": ("user",),
            "status": ("status",),
        },
        absent=frozenset({*MISSING, "-1"}),
        ended=frozenset("015"),
        unfinished=frozenset(),
    ),
    "sacct": Form(
        partial(delimited, between="|" + BETWEEN, quotes=False),
        {
            "id": ("JobID",),
            "arrival": ("Submit",),
            "gpus": ("AllocTRES", "ReqTRES", "AllocGRES", "TresPerNode", "ReqGRES"),
            "workers": ("AllocNodes", "NNodes", "ReqNodes"),
            "duration": ("ElapsedRaw", "Elapsed"),
            "start": ("Start",),
            "end": ("End",),
            "user": ("User",),
            "status": ("State",),
        },
        per_node=frozenset({"trespernode", "reqgres"}),
        slurm=True,
    ),
    "helios": Form(
        table,
        {
            "id": ("job_id",),
            "arrival": ("submit_time",),
            "gpus": ("gpu_num",),
            "duration": ("duration",),
            "start": ("start_time",),
            "end": ("end_time",),
            "user": ("user",),
            "status": ("state",),
        },
    ),
    "alibaba_jobs": Form(
        _alibaba,
        {
            "id": ("name", "instance_sn", "job_name"),
            "arrival": ("creation_time", "submit_time"),
            "gpus": ("gpus", "gpu_request"),
            "workers": ("worker_num",),
            "duration": ("duration",),
            "start": ("scheduled_time",),
            "end": ("deletion_time",),
            "user": ("organization",),
            "status": ("pod_phase",),
        },
        ended=frozenset({"running", "failed", "succeeded"}),  # openb's last known statuses of pods that ran
        unfinished=frozenset({"pending"}),
        running_at_end=True,
        shares=True,
    ),
    "gavel": Form(gavel, OWN_NAMES),
    "pollux": Form(pollux, OWN_NAMES),
}
