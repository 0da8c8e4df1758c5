"""Reader of the tables of cluster-trace-v2018 and cluster-trace-gpu-v2020 (PAI)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from schedproof.workloads.multiserver.recorded import MACHINE_REASONS, TASK_REASONS, Recorded, amounts
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import MISSING, Fields, Form, Rows, seconds
from schedproof.workloads.tally import ACCEPTED, DROPPED, Tally

ONE, PERCENT = Decimal(1), Decimal("0.01")
MOST_NORMALISED = 100  # the full memory of a machine in v2018; 101 and -1 mark invalid numbers
IN_USE = "USING"

MACHINES = Form(
    name="machine_meta of v2018",
    columns=("machine_id", "time_stamp", "failure_domain_1", "failure_domain_2", "cpu_num", "mem_size", "status"),
    headed=False,
    needed=("machine_id", "time_stamp", "cpu_num", "mem_size", "status"),
    key=("machine_id", "time_stamp"),
    is_row=lambda fields: _numbers(fields, "time_stamp", "cpu_num", "mem_size") and not _numbers(fields, "status"),
)
TASKS = Form(
    name="batch_task of v2018",
    columns=(
        *("task_name", "instance_num", "job_name", "task_type", "status"),
        *("start_time", "end_time", "plan_cpu", "plan_mem"),
    ),
    headed=False,
    needed=("task_name", "job_name", "status", "start_time", "plan_cpu", "plan_mem"),
    key=("job_name", "task_name"),
    is_row=lambda fields: _numbers(fields, "start_time", "end_time") and not _numbers(fields, "status"),
)
PAI = Form(
    name="pai_machine_spec of gpu-v2020",
    columns=("machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"),
    headed=False,
    needed=("machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"),
    key=("machine",),
    is_row=lambda fields: _numbers(fields, "cap_cpu", "cap_mem", "cap_gpu") and not _numbers(fields, "gpu_type"),
)
REASONS = {
    **MACHINE_REASONS,
    **TASK_REASONS,
    # machine_meta, a log
    "replaced": (DROPPED, "a state of a machine that a later row replaces"),
    "after_moment": (DROPPED, "after the time of option machines_at"),
    "not_in_use": (DROPPED, "a machine that is not in use"),
    # batch_task
    "not_started": (DROPPED, "start time 0: not started, or started before the trace"),
    "instances_missing": (ACCEPTED, "no number of instances: the number is not used"),
    "ends_before_start": (ACCEPTED, "an end before the start, as in rows of running tasks: ends are not used"),
    "no_duration": (ACCEPTED, "an end at the start: ends are not used"),
}


def _numbers(fields: Mapping[str, str], *names: str) -> bool:
    return all(decimal_of(fields[name]) is not None for name in names)


class State(NamedTuple):
    """The fields of a row of machine_meta."""

    time: int
    row: int
    fields: Fields


@dataclass
class Tables(Recorded):
    """v2018's and PAI's tables.

    Attributes
    ----------
    memory_scale
        GB per unit of v2018's memory; 1 if memory stays normalised.
    moment
        Time, in seconds, at which the machines' states are taken; None: the end of the log.
    """

    memory_scale: Decimal = ONE
    moment: int | None = None

    def take_machines(self, rows: Rows, tally: Tally) -> int:
        """Read machine_meta, an event log, and return the number of new machines.

        A machine has its last state in the log, or its last state before ``moment``.
        """
        last: dict[str, State] = {}
        for row, fields in rows:
            time = seconds(fields["time_stamp"], row, tally)
            if time is None:
                continue
            if self.moment is not None and time > self.moment:
                tally.add("after_moment", row)
                continue
            old, new = last.get(fields["machine_id"]), State(time, row, fields)
            if old is not None:
                old, new = sorted((old, new), key=lambda state: state.time)
                tally.add("replaced", old.row)
            last[fields["machine_id"]] = new
        columns = self.select({"cpu": ("cpu_num", ONE), "memory": ("mem_size", self.memory_scale)})
        kept = 0
        for name, (_, row, fields) in last.items():
            if fields["status"].upper() != IN_USE:
                tally.add("not_in_use", row)
            else:
                kept += self.add_machine(name, "", amounts(fields, columns, row, tally, "capacity"), row)
        return kept

    def take_pai(self, rows: Rows, tally: Tally) -> int:
        """Read pai_machine_spec and return the number of new machines."""
        columns = self.select({"cpu": ("cap_cpu", ONE), "memory": ("cap_mem", ONE), "gpu": ("cap_gpu", ONE)})
        return sum(
            self.add_machine(f["machine"], f["gpu_type"], amounts(f, columns, row, tally, "capacity"), row)
            for row, f in rows
        )

    def take_tasks(self, rows: Rows, tally: Tally) -> int:
        """Read batch_task and return the number of new tasks."""
        before = len(self.tasks.time)
        columns = self.select({"cpu": ("plan_cpu", PERCENT), "memory": ("plan_mem", self.memory_scale)})
        limit = MOST_NORMALISED * self.memory_scale
        for row, fields in rows:
            if self.statuses and fields["status"] not in self.statuses:
                tally.add("other_status", row)
                continue
            time = seconds(fields["start_time"], row, tally)
            if not time:
                tally.add("not_started", row, count=time == 0)
                continue
            request = amounts(fields, columns, row, tally, "request")
            if request.get("memory", 0) > limit:
                tally.add("request_unreadable", row)
            elif request and self.add_task(request, "", time, row, tally):
                _remark(fields, time, row, tally)
        return len(self.tasks.time) - before


def _remark(fields: Fields, start: int, row: int, tally: Tally) -> None:
    """Count harmless oddities of a task."""
    tally.add("instances_missing", row, count=fields.get("instance_num", "").lower() in MISSING)
    end = decimal_of(fields.get("end_time", ""))
    if end is not None and end <= start:
        tally.add("no_duration" if end == start else "ends_before_start", row)
