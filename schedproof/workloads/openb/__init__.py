"""Alibaba's trace gpu-v2023 (openb) as multiserver instances.

A port is a kind of pods: the pods with equal rounded requests and equal ``gpu_spec``. The port's nodes are the nodes
that can hold one request. If ``gpu_spec`` names GPU models, the nodes also have a GPU of one of these models. A pod
with a share of a GPU requests that share. Durations are not used: in the model, an allocation ends with its slot.
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
    """Alibaba's trace gpu-v2023 (openb): nodes, pods and arrivals, with a report.

    Parameters
    ----------
    files
        One node list and one pod list, in any order. Nodes of further node lists whose names are in the first list are
        dropped.
    seed
        The seed for the sample of nodes, and for all fields that the trace lacks.
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
            raise InputError(f"expected a {form.name}, found none among {len(files)} files")
    tables = read(files, forms, takers, REASONS)
    instance, report = build(seed, lists.machines, lists.tasks, resources, chosen)
    return instance, {"trace": "openb", "options": dict(chosen.given), "seed": seed, "files": tables, **report}


__all__ = ["load"]
