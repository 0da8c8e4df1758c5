"""From what a trace records to an instance: sampled machines as nodes, kinds of tasks as ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Rng, Row, number, random_numbers
from schedproof.workloads.multiserver import draws
from schedproof.workloads.multiserver.options import Options, devices_of
from schedproof.workloads.multiserver.recorded import SAMPLE, WINDOW, Kind, Machine, Tasks
from schedproof.workloads.multiserver.report import origins
from schedproof.workloads.multiserver.window import Window, cut
from schedproof.workloads.tally import Tally

Amounts = Mapping[str, Decimal]
ABSENT = Decimal(0)  # of a resource that a machine's table does not have: v2018 has no GPUs


class Port(NamedTuple):
    """A port: its request at contention level 1, the GPU models that will do (empty: any), its nodes, its tasks."""

    request: Amounts
    models: tuple[str, ...]
    nodes: list[int]
    tasks: int


def build(
    seed: int, machines: Sequence[Machine], tasks: Tasks | None, resources: tuple[str, ...], chosen: Options
) -> tuple[Row, Row]:
    """The JSON object of an instance, and what a report says of its nodes, ports, arrivals and draws.

    Parameters
    ----------
    machines, tasks
        What was read, at least one of each; tasks None: ports and arrivals are drawn as the generator does.

    Raises
    ------
    InputError
        For a window without tasks, more nodes than there are machines, or an option without an effect.
    """
    s, devices = chosen.settings, devices_of(resources)
    drawn = [k for k in resources if tasks is None or k not in tasks.resources]
    chosen.check_drawn(resources, drawn)
    of_nodes, of_devices, of_requests, of_rewards, of_arrivals = random_numbers(seed).spawn(5)
    of_sample, of_tasks = Tally(SAMPLE), Tally(WINDOW)
    nodes = _sample(of_nodes, machines, chosen, of_sample)
    columns = dict(zip(devices, draws.devices(of_devices, devices, len(nodes), s), strict=True))
    capacities = [
        {k: columns[k][r] if k in columns else node.capacity.get(k, ABSENT) for k in resources}
        for r, node in enumerate(nodes)
    ]
    window = None if tasks is None else cut(of_arrivals, tasks, chosen, of_tasks)
    arrivals = draws.arrivals(of_arrivals, s.ports, s) if window is None else window.arrivals
    asked = draws.by_resource(drawn, draws.requests(of_requests, drawn, arrivals.shape[1], s))
    ports = []
    for i, total in enumerate(arrivals.sum(axis=0).tolist()):
        kind = Kind(()) if window is None else window.kinds[i]
        known = {} if tasks is None else dict(zip(tasks.resources, kind.request, strict=True))
        request = {k: known[k] if k in known else asked[i][k] for k in resources}
        ports.append(Port(request, kind.models, _fitting(request, kind.models, nodes, capacities), total))
    names = [node.name for node in nodes]
    instance = {
        "version": 1,
        "family": "multiserver",
        "resources": list(resources),
        "nodes": [{"name": name, "capacity": draws.numbers(row)} for name, row in zip(names, capacities, strict=True)],
        "ports": [
            {"name": f"p{i}", "demand": draws.demand(port.request, s), "nodes": [names[r] for r in port.nodes]}
            for i, port in enumerate(ports, start=1)
        ],
        **draws.rewards(of_rewards, resources, names, s),
        "arrivals": arrivals,
    }
    report: Row = {"nodes": _part(len(machines), len(nodes), of_sample)}
    if tasks is not None and window is not None:
        report["jobs"] = _part(len(tasks.time), int(arrivals.sum()), of_tasks)
        report["window"] = _window(window)
    report["ports"] = [_port(f"p{i}", port) for i, port in enumerate(ports, start=1)]
    report["density"] = round(sum(len(port.nodes) for port in ports) / len(nodes), 4)
    report["drawn"] = origins(drawn, devices, chosen, recorded=tasks is not None)
    return instance, report


def _sample(rng: Rng, machines: Sequence[Machine], chosen: Options, tally: Tally) -> list[Machine]:
    """Nodes drawn without replacement, in the order of the files; all, where there are fewer than go by default."""
    found: dict[str, Machine] = {}
    for machine in machines:
        tally.add("repeated", machine.row, count=found.setdefault(machine.name, machine) is not machine)
    wanted = chosen.settings.nodes
    if wanted > len(found) and "nodes" in chosen.given:
        raise InputError(f"expected at most {len(found)}, the machines of the files", path="nodes", value=wanted)
    taken = set(rng.permutation(len(found))[:wanted].tolist())
    for i, machine in enumerate(found.values()):
        tally.add("not_sampled", machine.row, count=i not in taken)
    return [machine for i, machine in enumerate(found.values()) if i in taken]


def _fitting(
    request: Amounts, models: Sequence[str], nodes: Sequence[Machine], capacities: Sequence[Amounts]
) -> list[int]:
    """The nodes that can hold one request at contention level 1, on GPUs of a model that will do."""
    return [
        r
        for r, (node, capacity) in enumerate(zip(nodes, capacities, strict=True))
        if (not models or node.model in models) and all(n <= capacity[k] for k, n in request.items())
    ]


def _part(seen: int, kept: int, tally: Tally) -> Row:
    return {"seen": seen, "kept": kept, "dropped": tally.dropped(), "reasons": tally.report()}


def _port(name: str, port: Port) -> Row:
    request = {k: str(number(n)) for k, n in port.request.items()}
    models = {"gpu_models": "|".join(port.models)} if port.models else {}
    return {"name": name, **request, **models, "nodes": len(port.nodes), "arrivals": port.tasks}


def _window(window: Window) -> Row:
    """Where the window lies, in seconds of trace time, and the share of slots in which a port has tasks."""
    return {
        "start": window.start,
        "slots": len(window.arrivals),
        "seconds_per_slot": float(window.per_slot),
        "busy": round(float((window.arrivals > 0).mean()), 4),
    }
