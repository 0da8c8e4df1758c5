"""Reader of openb's node and pod lists."""

from __future__ import annotations

from decimal import Decimal

from schedproof.workloads.multiserver.recorded import MACHINE_REASONS, TASK_REASONS, Columns, Recorded, amounts
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import Form, Rows, seconds
from schedproof.workloads.tally import ACCEPTED, Tally

ONE, MILLI, MIB = Decimal(1), Decimal("0.001"), Decimal("0.0009765625")  # MiB to GiB
NODE: Columns = {"cpu": ("cpu_milli", MILLI), "memory": ("memory_mib", MIB), "gpu": ("gpu", ONE)}
POD: Columns = {**NODE, "gpu": ("num_gpu", ONE)}
SHARE: Columns = {"gpu": ("gpu_milli", MILLI)}  # the share of each of the pod's GPUs, in thousandths
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
    "model_missing": (ACCEPTED, "GPUs without a model: they serve only pods that accept any model"),
    "share_of_several": (ACCEPTED, "several GPUs with a share of less than 1"),
}


class Lists(Recorded):
    """Node and pod lists."""

    def nodes(self, rows: Rows, tally: Tally) -> int:
        """Read a node list and return the number of new nodes."""
        before, columns = len(self.machines), self.select(NODE)
        for row, fields in rows:
            capacity = amounts(fields, columns, row, tally, "capacity")
            tally.add("model_missing", row, count=bool(capacity.get("gpu")) and not fields["model"])
            self.add_machine(fields["sn"], fields["model"], capacity, row)
        return len(self.machines) - before

    def pods(self, rows: Rows, tally: Tally) -> int:
        """Read a pod list and return the number of new pods."""
        before, columns, shares = len(self.tasks.time), self.select(POD), self.select(SHARE)
        for row, fields in rows:
            if self.statuses and fields["pod_phase"] not in self.statuses:
                tally.add("other_status", row)
                continue
            time = seconds(fields["creation_time"], row, tally)
            request = {} if time is None else amounts(fields, columns, row, tally, "request")
            part = amounts(fields, shares, row, tally, "request") if request and shares else {}
            if time is None or not request or len(part) < len(shares):
                continue
            tally.add("share_of_several", row, count=bool(part) and part["gpu"] < 1 < request["gpu"])
            request |= {name: n * request[name] for name, n in part.items()}
            self.add_task(request, fields["gpu_spec"], time, row, tally)
        return len(self.tasks.time) - before
