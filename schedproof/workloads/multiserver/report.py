"""What the traces of the multiserver family do not say, and how it was drawn or set."""

from __future__ import annotations

from collections.abc import Sequence

from schedproof.workloads.multiserver.options import Options


def origins(requests: Sequence[str], devices: Sequence[str], chosen: Options, *, recorded: bool) -> dict[str, str]:
    """By field of the instance: what the trace has no data for, and where the numbers come from.

    Parameters
    ----------
    requests, devices
        Resources whose requests, and those whose capacities are drawn.
    recorded
        Whether tasks were read.
    """
    s = chosen.settings
    kinds = "one of the four kinds" if s.utilities == "mixed" else s.utilities
    result = {
        "utilities": f"not in the trace: {kinds} for each node and resource, alpha in {s.alpha}",
        "overhead": f"not in the trace: drawn in {s.beta} for each resource",
        "demand": f"a request times the contention level, {s.contention}",
        "ports[].nodes": "every node that can hold one request, on GPUs of a model that will do",
    }
    for name in devices:
        result[f"capacity of {name}"] = f"not in the trace: drawn in {getattr(s, f'node_{name}')}"
    for name in requests:
        result[f"request for {name}"] = f"not in the trace: drawn in {getattr(s, f'request_{name}')}"
    if not recorded:
        result["arrivals"] = f"no tasks among the files: Bernoulli, {s.arrival_probability}"
    elif chosen.thinned:
        result["arrivals"] = f"recorded; of each port and slot, left in with probability {s.arrival_probability}"
    return result
