"""What the Google trace does not say, and how it was drawn or set."""

from __future__ import annotations

from schedproof.workloads.dmlrs.settings import CLASSES, RESOURCES, Settings

CLASS_OF = {"0": CLASSES[0], "1": CLASSES[1], "2": CLASSES[1], "3": CLASSES[2]}  # scheduling class -> criticality


def drawn(s: Settings) -> dict[str, str]:
    """By field of the instance: what the trace has no data for, and where the numbers come from."""
    demands = {
        role: ", ".join(f"{r} {getattr(s, f'{role}_{r}')}" for r in RESOURCES if getattr(s, f"{role}_{r}").high)
        for role in ("worker", "ps")
    }
    result = {
        "machines": f"normalised in the trace, not used: {s.machines} of {s.capacity} times a worker's mean demand",
        "epochs": f"not in the trace: drawn in {s.epochs}",
        "samples": f"not in the trace: drawn in {s.samples}",
        "batch_size": f"not in the trace: drawn in {s.batch_size}",
        "workers_per_ps": f"not in the trace: drawn in {s.workers_per_ps}",
        "sample_time": f"not in the trace: drawn in {s.sample_time} slots; recorded durations are not used",
        "model_size": f"not in the trace: drawn in {s.model_mb} MB",
        "bandwidth_external": f"not in the trace: drawn in {s.external_mbps} Mbps, slots of {s.slot_seconds} s",
        "bandwidth_internal": f"not in the trace: drawn in {s.internal_times} times the external one",
        "worker": f"recorded requests are normalised, not used: drawn in {demands['worker']}",
        "ps": f"not in the trace: drawn in {demands['ps']}",
        "utility": f"theta2 by the scheduling class: 0 for class 0, drawn in {s.sensitive} for 1 and 2, "
        f"in {s.critical} for 3; theta1 drawn in {s.priority}, theta3 in {s.target}"
        + ("; as rational utilities" if s.utilities == "rational" else ""),
    }
    again = {"hopeless": "jobs that cannot finish on an empty cluster were drawn again"}
    return result | (again if s.hopeless == "redraw" else {})
