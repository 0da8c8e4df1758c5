"""Alibaba's cluster-trace-gpu-v2023 (openb) as multiserver instances.

A port is a kind of pods: those with equal rounded requests and equal ``gpu_spec``. Its nodes are those that can hold
one request and have a GPU of a model in ``gpu_spec``, if any is given. A pod with a share of a GPU requests that share.
Durations are not used: in the model, an allocation ends with its slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Row
from schedproof.workloads.multiserver.mapping import build
from schedproof.workloads.multiserver.options import read_options
from schedproof.workloads.multiserver.recorded import Tasks
from schedproof.workloads.openb.files import NODES, PODS, REASONS, RESOURCES, Lists
from schedproof.workloads.tables import form_of, read


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[Row, Row]:
    """Alibaba's cluster-trace-gpu-v2023 (openb): real nodes, pods and arrivals, and a report on them.

    Parameters
    ----------
    files
        A node list and a pod list, in any order. Node names are unique only within a list, so give one node list:
        repeated names are dropped.
    seed
        For the sample of nodes, and all fields missing from the trace.
    options
        Those of `schedproof.workloads.alibaba.load` without ``memory_scale`` and ``machines_at``. A pod arrives at its
        creation; ``status`` is its ``pod_phase``; memory is in GiB; the default resources are cpu, memory, gpu.
    """
    chosen = read_options("openb", options)
    resources = chosen.resources or RESOURCES
    tasks = Tasks(chosen.recorded_resources(resources, RESOURCES))
    lists = Lists(resources, tasks, chosen.digits, chosen.statuses, chosen.memory_unit)
    takers = {NODES: lists.nodes, PODS: lists.pods}
    forms = [form_of(str(file), tuple(takers)) for file in files]
    for form in takers:
        if form not in forms:
            raise InputError(f"expected a {form.name} among the {len(files)} files")
    tables = read(files, forms, takers, REASONS)
    instance, report = build(seed, lists.machines, lists.tasks, resources, chosen)
    return instance, {"trace": "openb", "options": dict(chosen.given), "seed": seed, "files": tables, **report}


__all__ = ["load"]
