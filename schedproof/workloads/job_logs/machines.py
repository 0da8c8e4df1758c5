"""The cluster of a log: from options, a machine file, the header, or the jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError
from schedproof.workloads.job_logs.content import Source, table
from schedproof.workloads.job_logs.reasons import REASONS
from schedproof.workloads.jobs import MOST_GPUS, MOST_MACHINES, Cluster, spread
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tally import Tally

USUAL = {
    "gpus": (
        *("gpus", "gpu", "num_gpus", "num_gpu", "number of gpus", "gpu_num", "gpu_count", "gpu_capacity_num"),
        *("cap_gpu", "num_gpu_p_node", "gpus_per_node"),
    ),
    "count": ("count", "machines", "nodes", "num_node_p_switch", "num_switch"),  # factors of one another
    "type": ("gpu_type", "gpu_model", "model"),
}


def cluster(given: Mapping[str, Value], comments: Mapping[str, str]) -> Cluster:
    """Return the cluster that the options or the header of the log define.

    Raises
    ------
    InputError
        For a malformed machine file, or two definitions.
    """
    count, file, size = given.get("machines"), given.get("machine_file"), given.get("machine_gpus")
    if file is not None:
        for name in ("machines", "machine_gpus"):
            if name in given:
                raise InputError(
                    "has no effect with machine_file: remove one of the two options", path=name, value=given[name]
                )
        sizes, types = read_machines(str(file), given.get("machine_map", ""))
        return Cluster(sizes, f"of {file.name}", types=types)
    if "machine_map" in given:
        raise InputError(
            "has no effect without machine_file: add the option machine_file",
            path="machine_map",
            value=given["machine_map"],
        )
    if count is not None:
        size = size or Cluster().machine_gpus
        return Cluster(spread(size * count, size), "as given")
    if recorded := _of_header(comments, size):
        return Cluster(recorded, "in the header of the log, with processors for GPUs")
    return Cluster(machine_gpus=size or Cluster().machine_gpus)


def _of_header(comments: Mapping[str, str], size: int | None) -> tuple[int, ...]:
    """Return the processors of each node; without MaxProcs, a node has one processor."""
    nodes, processors = (_count(comments.get(name, "")) for name in ("MaxNodes", "MaxProcs"))
    total = processors or nodes
    if not total:
        return ()
    if size is not None or not nodes or nodes > total:
        return spread(total, size or Cluster().machine_gpus)
    each, more = divmod(total, nodes)
    return (each + 1,) * more + (each,) * (nodes - more)


def _count(text: str) -> int:
    found = re.match(r"\d{1,6}\b", text)
    return int(found[0]) if found else 0


def read_machines(file: str, wanted: str = "") -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return each machine's GPUs and type; a row may stand for equal machines.

    Types are in lower case; without a column of types they are empty.

    Parameters
    ----------
    wanted
        ``gpus=COLUMN,count=COLUMN,type=COLUMN``; by default the usual names.

    Raises
    ------
    InputError
        For a table without a column of GPUs, or in which no machine has GPUs.
    """
    lines = table(Source(file, Tally(REASONS)))
    _, header = next(lines, (0, []))
    names = [name.lower() for name in header]
    chosen = {key: [place for place, name in enumerate(names) if name in usual] for key, usual in USUAL.items()}
    for word in filter(None, wanted.split(",")):
        key, _, name = (part.strip().lower() for part in word.partition("="))
        place = names.index(name) if name in names else int(name) - 1 if name.isdecimal() else len(names)
        if key not in USUAL or not 0 <= place < len(names):
            raise InputError(
                "expected gpus=COLUMN, count=COLUMN or type=COLUMN, with a COLUMN of the machine file",
                path="machine_map",
                value=word,
            )
        chosen[key] = [place]
    if len(chosen["gpus"]) != 1 or "date" in names:
        raise InputError(
            f"expected a row for each machine, and one column with its GPUs, named by machine_map=gpus=COLUMN; the "
            f"columns are {', '.join(header[:50])}",
            file=file,
        )
    sizes: list[int] = []
    types: list[str] = []
    for row, fields in lines:
        gpus, *counts = (decimal_of(fields[place]) for place in (*chosen["gpus"], *chosen["count"]))
        if gpus is None or gpus % 1 or not 0 <= gpus <= MOST_GPUS or any(n is None or n % 1 or n < 0 for n in counts):
            raise InputError(f"expected whole numbers of GPUs and machines in line {row}", file=file)
        number = prod(int(n) for n in counts if n is not None)
        if len(sizes) + number > MOST_MACHINES:
            raise InputError(f"expected at most {MOST_MACHINES} machines", file=file)
        sizes += [int(gpus)] * number * (gpus > 0)
        types += [fields[place].lower() or "unknown" for place in chosen["type"][:1]] * number * (gpus > 0)
    if not sizes:
        raise InputError("no machine has GPUs", file=file)
    return tuple(sizes), tuple(types)
