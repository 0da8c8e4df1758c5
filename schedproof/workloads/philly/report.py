"""What the trace does not say, and how it was drawn or set; and how loaded the instance is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedproof.workloads.philly.options import Options
from schedproof.workloads.preemptive.settings import Settings


def load_factor(rows: Sequence[dict[str, Any]], lengths: Sequence[int], workers: int, slots: int) -> dict[str, Any]:
    """Work over capacity: sum_j D_j ceil(p_j) over (workers x slots from the first arrival to the last)."""
    work = sum(row["chunks"] * length for row, length in zip(rows, lengths, strict=True))
    return {"work": work, "workers": workers, "slots": slots, "factor": round(work / (workers * slots), 4)}


def drawn(chosen: Options) -> dict[str, str]:
    """By field of the instance: what the trace has no data for, and where the numbers come from."""
    s = chosen.settings
    per = "per job and machine" if s.delays == "server" else "per job, the same for all machines"
    result = {
        "upload_delay": f"not in the trace: drawn whole slots in {s.delay}, one {per}"
        + (f"; to the cloud in {s.cloud_delay}, one per job" if s.cloud == "yes" else ""),
        "cloud": "not in the trace: added, unlimited" if s.cloud == "yes" else "not in the trace: none",
        "parameter_servers": f"not in the trace, which has no CPU counts: set to {s.ps_per_gpu} per GPU, rounded up"
        + (f", each of one of {s.ps_types} types, drawn; one type drawn per job" if s.ps_types > 1 else ""),
    }
    return result | (_of_trace() if chosen.timed else _of_paper(s))


def _of_trace() -> dict[str, str]:
    return {
        "worker_types": "not in the trace: one type, 'gpu'",
        "chunks": "set to the GPU count",
        "epochs, minibatches, minibatch_time": "not in the trace: set to 1, 1 and the recorded duration in slots",
        "update_time, gradient_size, bandwidth": "not in the trace: set to 0, 0 and 1, the duration holds them",
    }


def _of_paper(s: Settings) -> dict[str, str]:
    sizes = {
        "gpus": "chunks set to the GPU count, mini-batches those of Table II",
        "table": "a model of Table II drawn per job, GPU count not used",
        "uniform": f"chunks drawn in {s.chunk_count}, mini-batches in {s.minibatches}, GPU counts unused",
    }
    return {
        "worker_types": f"not in the trace: a type of {s.types} drawn per GPU, and one per job",
        "chunks, minibatches": sizes[s.chunks],
        "epochs": f"not in the trace: drawn in {s.epochs}",
        "minibatch_time": f"recorded duration not used: drawn in {s.minibatch_hours} hours",
        "update_time": f"not in the trace: drawn in {s.update_ms} ms",
        "gradient_size": f"not in the trace: drawn in {s.gradient_mb} MB",
        "bandwidth": f"not in the trace: drawn in {s.bandwidth_mbps} Mbps",
    }
