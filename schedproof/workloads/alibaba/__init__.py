"""Alibaba's cluster traces v2018 and gpu-v2020 (PAI) as multiserver instances.

The paper combines the two (section IV) without details. Here the nodes are machines of PAI, of v2018 or of both. A
port is a kind of v2018's tasks: the tasks whose rounded requests per instance are equal. A task arrives in the slot of
its start. Its duration and number of instances are not used, since an allocation of the model ends with its slot. A
port's nodes are the nodes that can hold one request at contention level 1.

Neither trace has NPUs, TPUs or FPGAs, and v2018 has no GPUs. Requests for them are drawn as in
`schedproof.workloads.multiserver`, as are utilities and overheads. The memory of v2018 is normalised to 100 and PAI's
is in GB: combining them requires ``memory_scale``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from schedproof.core.errors import InputError
from schedproof.workloads.alibaba.files import MACHINES, PAI, REASONS, TASKS, Tables
from schedproof.workloads.draws import Row
from schedproof.workloads.multiserver.mapping import build
from schedproof.workloads.multiserver.options import OF_TASKS, Options, amount, read_options, whole_number
from schedproof.workloads.multiserver.recorded import Tasks
from schedproof.workloads.tables import Form, form_of, read

RESOURCES = ("cpu", "memory")  # of v2018's tasks


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[Row, Row]:
    """Alibaba's cluster traces v2018 and gpu-v2020 (PAI), with a report.

    Parameters
    ----------
    files
        In any order. Machines: v2018's ``machine_meta``, PAI's ``pai_machine_spec``, or both. Tasks: v2018's
        ``batch_task``; without that file, ports and arrivals are drawn as in the generator.
    seed
        The seed for the sample of nodes, and for all fields that the trace lacks.
    options
        - ``nodes``: number of machines, drawn without replacement (128, or all); ``ports``: the most frequent kinds
          (10);
        - ``resources``: a list, with commas, of cpu, memory, gpu, npu, tpu, fpga; by default cpu, memory and, with
        PAI, gpu;
        - ``memory_scale``: GB per unit of v2018's normalised memory (5.12 if 100 units are 512 GB);
          ``memory_unit``: GB per unit of the instance (16; see `schedproof.workloads.multiserver`);
        - ``digits``: significant digits of a request, 2; tasks with equal rounded requests are of one kind;
        - ``status``: statuses of the tasks to keep, with commas (default: all that have started);
        - ``start``: seconds of trace time at which slot 0 begins, by default the first arrival; ``seconds``: length of
          the window; ``horizon``: T (2000); ``slot_seconds``: length of a slot; by default the window fills the T
          slots;
        - ``counts``: clip (several tasks of a kind in one slot count as one task, as in the basic problem; default) or
        keep;
        - ``arrival_probability``: rho; each port and slot keeps its arrivals with this probability (default: all);
        - ``machines_at``: the second of the trace at which v2018's machines are taken (default: the end of the log);
        - ``contention``, ``utilities``, and the ends of the ranges ``alpha``, ``beta``, ``request_gpu``, ``node_npu``
          and so on: as in the generator.
    """
    chosen = read_options("alibaba", options, ("memory_scale", "machines_at"))
    scale = amount(chosen.given, "memory_scale")
    forms = [form_of(str(file), (MACHINES, TASKS, PAI)) for file in files]
    if MACHINES not in forms and PAI not in forms:
        raise InputError(f"expected {MACHINES.name} or {PAI.name}, found neither among {len(files)} files")
    resources = chosen.resources or (RESOURCES + ("gpu",) * (PAI in forms))
    _check(chosen, forms, resources, scale)
    in_gigabytes = scale is not None or (MACHINES not in forms and TASKS not in forms)
    sources = Tables(
        resources=resources,
        tasks=Tasks(chosen.recorded_resources(resources, RESOURCES) if TASKS in forms else ()),
        digits=chosen.digits,
        statuses=chosen.statuses,
        memory_scale=scale or Decimal(1),
        memory_unit=chosen.memory_unit if in_gigabytes else Decimal(1),
        moment=whole_number(chosen.given, "machines_at", zero=True),
    )
    takers = {MACHINES: sources.take_machines, TASKS: sources.take_tasks, PAI: sources.take_pai}
    tables = read(files, forms, takers, REASONS)
    instance, report = build(seed, sources.machines, sources.tasks if TASKS in forms else None, resources, chosen)
    return instance, {"trace": "alibaba", "options": dict(chosen.given), "seed": seed, "files": tables, **report}


def _check(chosen: Options, forms: Collection[Form], resources: Collection[str], scale: Decimal | None) -> None:
    """Refuse mixed units of memory, and options without effect on these files."""
    normalised = "memory" in resources and not {MACHINES, TASKS}.isdisjoint(forms)
    in_gigabytes = PAI in forms or TASKS not in forms  # drawn requests are in GB too
    if normalised and in_gigabytes and scale is None:
        other = "the memory of PAI is" if PAI in forms else "drawn requests are"
        raise InputError(
            f"the memory of v2018 is normalised and {other} in GB: set memory_scale, the GB of one unit of v2018, "
            "or the resources without memory"
        )
    if not normalised:
        chosen.refuse({"memory_scale"}, "if no memory of v2018 is read")
    if normalised and scale is None:
        chosen.refuse({"memory_unit"}, "without memory_scale, as the memory of v2018 is normalised")
    if MACHINES not in forms:
        chosen.refuse({"machines_at"}, f"without {MACHINES.name}")
    if TASKS not in forms:
        chosen.refuse(OF_TASKS, f"without {TASKS.name}")
