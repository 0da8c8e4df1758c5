"""Alibaba's cluster-trace-gpu-v2023 (openb) as multiserver instances: real nodes, pods and arrivals.

A port is a kind of pods: those with the same request, rounded, and the same ``gpu_spec``. Its nodes are those that can
hold one request and, where there is a ``gpu_spec``, have a GPU of a model that it lists. A pod with a share of a GPU
asks for that share. How long a pod ran is not used: in the model, an allocation ends with its slot.
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
        A node list and a pod list, in any order, or several of them. The names of one node list say nothing about those
        of another, so give one: a name that comes again is dropped.
    seed
        Of what is drawn: the sample of nodes, and all that the trace does not have.
    options
        Those of `schedproof.workloads.alibaba.load` without ``memory_scale`` and ``machines_at``. A pod arrives when it
        is created; ``status`` is its ``pod_phase``; memory is in GiB; the resources are cpu, memory, gpu unless others
        are asked for.
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
