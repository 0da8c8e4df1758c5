"""Trace instances: sampled machines are nodes, frequent kinds of tasks are ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Rng, Row, number, random_numbers
from schedproof.workloads.multiserver import draws
from schedproof.workloads.multiserver.options import Options, devices_of
from schedproof.workloads.multiserver.recorded import SAMPLE, WINDOW, Kind, Machine, Tasks
from schedproof.workloads.tally import Tally

Amounts = Mapping[str, Decimal]
ABSENT = Decimal(0)  # capacity for a resource that a machine's table lacks: v2018 has no GPUs


@dataclass(frozen=True)
class Window:
    """The kinds of tasks in the window, most frequent first, and their arrivals.

    Attributes
    ----------
    kinds
        The kinds that become ports.
    arrivals
        (T, L) tasks by slot and kind.
    start, per_slot
        The first second, and seconds per slot.
    """

    kinds: list[Kind]
    arrivals: np.ndarray
    start: int
    per_slot: Fraction


class Port(NamedTuple):
    """A port: its request at contention level 1, GPU models, nodes and tasks."""

    request: Amounts
    models: tuple[str, ...]
    nodes: list[str]
    tasks: int


def build(
    seed: int, machines: Sequence[Machine], tasks: Tasks | None, resources: tuple[str, ...], chosen: Options
) -> tuple[Row, Row]:
    """Return an instance's JSON object, and the report of nodes, ports and draws.

    Parameters
    ----------
    machines, tasks
        At least one machine and one task. If ``tasks`` is None, ports and arrivals are drawn as in the generator.
    """
    s, devices = chosen.settings, devices_of(resources)
    drawn = [k for k in resources if tasks is None or k not in tasks.resources]
    chosen.check_drawn(resources, drawn)
    of_nodes, of_devices, of_requests, of_rewards, of_arrivals = random_numbers(seed).spawn(5)
    of_sample, of_tasks = Tally(SAMPLE), Tally(WINDOW)
    sample = _sample(of_nodes, machines, chosen, of_sample)
    columns = dict(zip(devices, draws.devices(of_devices, devices, len(sample), s), strict=True))
    nodes = {
        node.name: {k: columns[k][r] if k in columns else node.capacity.get(k, ABSENT) for k in resources}
        for r, node in enumerate(sample)
    }
    window = None if tasks is None else _cut(of_arrivals, tasks, chosen, of_tasks)
    arrivals = draws.arrivals(of_arrivals, s.ports, s) if window is None else window.arrivals
    requested = draws.by_resource(drawn, draws.requests(of_requests, drawn, arrivals.shape[1], s))
    ports = []
    for i, total in enumerate(arrivals.sum(axis=0).tolist()):
        kind = Kind(()) if window is None else window.kinds[i]
        known = {} if tasks is None else dict(zip(tasks.resources, kind.request, strict=True))
        request = {k: known[k] if k in known else requested[i][k] for k in resources}
        serving = [node for node in sample if not kind.models or node.model in kind.models]
        fitting = [node.name for node in serving if _fits(request, nodes[node.name])]
        ports.append(Port(request, kind.models, fitting, total))
    rewards = draws.rewards(of_rewards, resources, list(nodes), s)
    instance = draws.instance(resources, nodes, ((port.request, port.nodes) for port in ports), rewards, arrivals, s)
    report: Row = {"nodes": {"seen": len(machines)} | of_sample.account(len(nodes))}
    if tasks is not None and window is not None:
        report["jobs"] = {"seen": len(tasks.time)} | of_tasks.account(int(arrivals.sum()))
        report["window"] = _window(window)
    report["ports"] = [_port(f"p{i}", port) for i, port in enumerate(ports, start=1)]
    report["density"] = round(sum(len(port.nodes) for port in ports) / len(nodes), 4)
    report["recorded"] = {"summary": "no schedule: in the model, an allocation ends with its slot"}
    report["drawn"] = _origins(drawn, devices, chosen, recorded=tasks is not None)
    return instance, report


def _cut(rng: Rng, tasks: Tasks, chosen: Options, tally: Tally) -> Window:
    """Return the window and count the omitted tasks; smaller requests win ties."""
    s = chosen.settings
    time, kind, row = (np.array(column, dtype=np.int64) for column in (tasks.time, tasks.kind, tasks.row))
    order = np.argsort(time, kind="stable")

    def keep(reason: str, wanted: np.ndarray) -> None:
        nonlocal order
        tally.add_all(reason, row[order[~wanted]])
        order = order[wanted]
        if not len(order):
            raise InputError(f"no task is left of {len(time)} tasks; dropped: {tally.sentence()}")

    if chosen.start is not None:
        keep("before_start", time[order] >= chosen.start)
    start = int(time[order[0]]) if chosen.start is None else chosen.start
    if chosen.seconds is not None:
        keep("after_window", time[order] - start < chosen.seconds)
    filled = int(time[order[-1]]) + 1 - start if chosen.seconds is None else chosen.seconds
    per_slot = Fraction(filled) / s.horizon if chosen.slot_seconds is None else Fraction(chosen.slot_seconds)
    slot = (time - start) * per_slot.denominator // per_slot.numerator
    keep("beyond_horizon", slot[order] < s.horizon)

    often = np.bincount(kind[order], minlength=len(tasks.kinds))
    named = list(tasks.kinds)
    best = sorted((i for i in range(len(named)) if often[i]), key=lambda i: (-often[i], named[i]))[: s.ports]
    port = np.full(len(named), -1)
    port[best] = np.arange(len(best))
    keep("other_kind", port[kind[order]] >= 0)

    cell = slot * len(best) + port[kind]  # (slot, port) of each kept arrival
    if chosen.clip:
        first = np.zeros(len(order), dtype=bool)
        first[np.unique(cell[order], return_index=True)[1]] = True
        keep("clipped", first)
    if chosen.thinned:
        keep("thinned", draws.arrivals(rng, len(best), s).ravel()[cell[order]] > 0)
    cells, counts = np.unique(cell[order], return_counts=True)
    arrivals = draws.no_arrivals(s.horizon, len(best), np.min_scalar_type(counts.max()))
    arrivals.ravel()[cells] = counts
    return Window([named[i] for i in best], arrivals, start, per_slot)


def _sample(rng: Rng, machines: Sequence[Machine], chosen: Options, tally: Tally) -> list[Machine]:
    """Return nodes, drawn without replacement, in file order."""
    distinct: dict[str, Machine] = {}
    for machine in machines:
        tally.add("repeated", machine.row, count=distinct.setdefault(machine.name, machine) is not machine)
    wanted = chosen.settings.nodes
    if wanted > len(distinct) and "nodes" in chosen.given:
        raise InputError(
            f"expected at most {len(distinct)}, the number of machines in the files", path="nodes", value=wanted
        )
    taken = set(rng.permutation(len(distinct))[:wanted].tolist())
    for i, machine in enumerate(distinct.values()):
        tally.add("not_sampled", machine.row, count=i not in taken)
    return [machine for i, machine in enumerate(distinct.values()) if i in taken]


def _fits(request: Amounts, capacity: Amounts) -> bool:
    return all(n <= capacity[k] for k, n in request.items())


def _port(name: str, port: Port) -> Row:
    request = {k: str(number(n)) for k, n in port.request.items()}
    models = {"gpu_models": "|".join(port.models)} if port.models else {}
    return {"name": name, **request, **models, "nodes": len(port.nodes), "arrivals": port.tasks}


def _window(window: Window) -> Row:
    """Return the window in trace time (s), and each port's share of slots with tasks."""
    return {
        "start": window.start,
        "slots": len(window.arrivals),
        "seconds_per_slot": float(window.per_slot),
        "busy": round(float((window.arrivals > 0).mean()), 4),
    }


def _origins(requests: Sequence[str], devices: Sequence[str], chosen: Options, *, recorded: bool) -> dict[str, str]:
    """Return how each field was drawn or set that the trace lacks."""
    s = chosen.settings
    kinds = "one of the four kinds" if s.utilities == "mixed" else s.utilities
    result = {
        "utilities": f"not in the trace: {kinds} for each node and resource, alpha in {s.alpha}",
        "overhead": f"not in the trace: drawn in {s.beta} for each resource",
        "demand": f"a request times the contention level, {s.contention}",
        "ports[].nodes": "every node that can hold one request, on GPUs of an accepted model",
    }
    for name in devices:
        result[f"capacity of {name}"] = f"not in the trace: drawn in {getattr(s, f'node_{name}')}"
    for name in requests:
        result[f"request for {name}"] = f"not in the trace: drawn in {getattr(s, f'request_{name}')}"
    if not recorded:
        result["arrivals"] = f"no tasks among the files: Bernoulli, {s.arrival_probability}"
    elif chosen.thinned:
        result["arrivals"] = f"recorded; each port and slot keeps its arrivals with probability {s.arrival_probability}"
    return result
