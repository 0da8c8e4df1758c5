"""openb's node and pod lists, read row by row."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from schedproof.workloads.multiserver.options import Options
from schedproof.workloads.multiserver.recorded import (
    MACHINE_REASONS,
    TASK_REASONS,
    Columns,
    Machine,
    Tasks,
    amounts,
    in_units,
    kind_of,
)
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import Form, Rows, seconds
from schedproof.workloads.tally import ACCEPTED, Tally

ONE, MILLI, MIB = Decimal(1), Decimal("0.001"), Decimal("0.0009765625")  # a MiB is 1/1024 GiB
NODE: Columns = {"cpu": ("cpu_milli", MILLI), "memory": ("memory_mib", MIB), "gpu": ("gpu", ONE)}
POD: Columns = {**NODE, "gpu": ("num_gpu", ONE)}
SHARE: Columns = {"gpu": ("gpu_milli", MILLI)}  # of each of the pod's GPUs
RESOURCES = tuple(NODE)

NODES = Form(
    name="node list",
    columns=("sn", "cpu_milli", "memory_mib", "gpu", "model"),
    headed=True,
    needed=("sn", "cpu_milli", "memory_mib", "gpu", "model"),
    key=("sn",),
    is_row=lambda fields: all(decimal_of(fields[name]) is not None for name in ("cpu_milli", "memory_mib", "gpu")),
)
PODS = Form(
    name="pod list",
    columns=(
        *("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase"),
        *("creation_time", "deletion_time", "scheduled_time"),
    ),
    headed=True,
    needed=("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "pod_phase", "creation_time"),
    key=("name",),
    is_row=lambda fields: all(decimal_of(fields[name]) is not None for name in ("cpu_milli", "num_gpu", "gpu_milli")),
)
REASONS = {
    **MACHINE_REASONS,
    **TASK_REASONS,
    "model_missing": (ACCEPTED, "GPUs of no model: they serve the pods that take any"),
    "share_of_several": (ACCEPTED, "several GPUs, less than the whole of each"),
}


@dataclass
class Lists:
    """What the lists say of the resources that were asked for."""

    chosen: Options
    tasks: Tasks
    machines: list[Machine] = field(default_factory=list)

    def nodes(self, rows: Rows, tally: Tally) -> int:
        """Take a node list; how many it adds."""
        before = len(self.machines)
        columns = {name: NODE[name] for name in self.tasks.resources}
        for row, fields in rows:
            if capacity := amounts(fields, columns, row, tally, "capacity"):
                tally.add("model_missing", row, count=bool(capacity.get("gpu")) and not fields["model"])
                own = in_units(capacity, self.chosen.memory_unit)
                self.machines.append(Machine(fields["sn"], own, fields["model"], row))
        return len(self.machines) - before

    def pods(self, rows: Rows, tally: Tally) -> int:
        """Take a pod list; how many it adds."""
        before = len(self.tasks.time)
        columns = {name: POD[name] for name in self.tasks.resources}
        shares = {name: SHARE[name] for name in columns.keys() & SHARE}
        for row, fields in rows:
            if self.chosen.statuses and fields["pod_phase"] not in self.chosen.statuses:
                tally.add("other_status", row)
                continue
            time = seconds(fields["creation_time"], row, tally)
            request = {} if time is None else amounts(fields, columns, row, tally, "request")
            part = amounts(fields, shares, row, tally, "request") if request and shares else {}
            if time is None or not request or len(part) < len(shares):
                continue
            tally.add("share_of_several", row, count=bool(part) and part["gpu"] < 1 < request["gpu"])
            request |= {name: n * request[name] for name, n in part.items()}
            if any(request.values()):
                kind = kind_of(request, self.chosen.digits, self.chosen.memory_unit, fields["gpu_spec"])
                self.tasks.add(kind, time, row)
            else:
                tally.add("request_zero", row)
        return len(self.tasks.time) - before
