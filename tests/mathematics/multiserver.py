"""The multiserver family's letters."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.base.numbers import below
from schedproof.formulations.multiserver.gang_groups import tasks
from schedproof.instances.multiserver import Instance, Utility
from tests.mathematics.dmlrs import by_arity
from tests.mathematics.evaluation import Setting

RULES = (
    lambda a, y: a * y,
    lambda a, y: a * np.log(y + 1),
    lambda a, y: 1 / a - 1 / (y + a),
    lambda a, y: a * np.sqrt(y + 1) - a,
)


def gain(utility: Utility, amount: Any) -> Any:
    """f(y) of (54)."""
    return RULES[utility.code](float(utility.alpha), np.asarray(amount, dtype=float))


def setting(program: Any, instance: Instance, model: Any) -> Setting:
    """Jobs l (copies of ports), nodes r, resources k, tasks q, slots t."""
    if program.id == "multiserver.worst_arrivals":
        return _arrivals(program, instance, model)
    slot = program.parameters.get("slot")
    shared = {
        r"\beta": lambda k: instance.overhead[k],
        "f": by_arity(
            lambda k, y: gain(instance.utilities[k], y), lambda r, k, y: gain(instance.utility(r.index, k), y)
        ),
    }
    ranges = {
        "r": lambda _: instance.nodes,
        "k": lambda _: instance.resources,
        "t": lambda _: range(instance.horizon) if slot is None else [slot],
    }
    rest = _allocation(program, instance, model) if isinstance(model, dict) else _gangs(program, instance, model)
    return Setting(rest.ranges | ranges, shared | rest.symbols, rest.entries)


def _allocation(program: Any, instance: Instance, values: dict[str, np.ndarray]) -> Setting:
    graph = instance.graph
    copies = [(port, n) for port, most in zip(instance.ports, instance.copies, strict=True) for n in range(most)]
    edge = {(int(c), int(r)): e for e, (c, r) in enumerate(zip(graph.edge_copy, graph.edge_node, strict=True))}
    resource = {k: n for n, k in enumerate(instance.resources)}

    def entry(name: str) -> Any:
        def found(job: Any, r: Any, k: str) -> Any:
            e = edge.get((copies.index(job), r.index))
            return None if e is None else values[name][:, e, resource[k]]

        return found

    return Setting(
        ranges={"l": lambda _: copies},
        symbols={
            "a": lambda job, k: below(job[0].demand.get(k, 0)),
            "c": lambda r, k: below(r.capacity.get(k, 0)),
            r"\mathcal{L}": lambda r: [job for job in copies if r.index in job[0].nodes],
            r"\mathcal{R}": lambda job: [instance.nodes[r] for r in job[0].nodes],
            "x": lambda job, t: int(instance.arrivals[t][job[0].index] > job[1]),
        },
        entries={
            "y": entry("allocation"),
            "z": entry("point"),
            "n": lambda job: values["presence"][:, copies.index(job)],
        },
    )


def _gangs(program: Any, instance: Instance, model: Any) -> Setting:
    slot = program.parameters["slot"]
    present = instance.arrivals[slot].tolist()
    jobs = [(port, n + 1) for port, count in zip(instance.ports, present, strict=True) for n in range(count)]

    def name(job: Any) -> tuple[str, int]:
        return job[0].name, job[1]

    return Setting(
        ranges={"l": lambda _: jobs, "q": lambda env: list(enumerate(tasks(env["l"][0]))) if "l" in env else []},
        symbols={
            "a": lambda job, q, k: below(q[1].demand.get(k, 0)),
            "b": lambda job, q, k: q[1].minimum.get(k, 0),
            "c": lambda r, k: below(r.capacity.get(k, 0)),
            "m": lambda job: job[0].minimum_tasks,
            r"\mathcal{R}": lambda job: [instance.nodes[r] for r in job[0].nodes],
            r"\mathcal{K}": lambda job: {k for q in tasks(job[0]) for k, a in q.demand.items() if a and job[0].nodes},
        },
        entries={
            "u": lambda job: model.launch.launched[name(job)],
            "s": lambda job, q: model.start.started[(*name(job), q[0])],
            "o": lambda job: model.overheads.overhead[name(job)],
            "y": lambda job, r, q, k: model.task_allocation.amount._data.get((*name(job), q[0], r.name, k)),
        },
    )


def _arrivals(program: Any, instance: Instance, model: Any) -> Setting:
    graph, steps = instance.graph, np.asarray(program.parameters["steps"])
    demand = graph.demand[graph.edge_copy]
    edges = {(int(c), int(r)): e for e, (c, r) in enumerate(zip(graph.edge_copy, graph.edge_node, strict=True))}

    def most(port: int, r: int, k: int) -> float:
        return float(min(demand[edges[port, r], k], graph.capacity[r, k])) if (port, r) in edges else 0.0

    def slope(r: int, k: int) -> float:
        utility = instance.utility(r, instance.resources[k])
        return float(utility.alpha) - float(instance.overhead[instance.resources[k]])

    def reach(port: int, r: int, k: int, t: int) -> float:
        return min(most(port, r, k), float(steps[:t].sum()) * slope(r, k))

    def at_place(part: Any) -> Any:
        return lambda r, k, t: part._data.get((t, r, k))

    def at_entry(part: Any) -> Any:
        return lambda port, r, k, t: part._data.get((t, port, r, k))

    by, has, binds = model.multipliers, model.received, model.binding
    return Setting(
        ranges={
            "l": lambda _: range(len(instance.ports)),
            "r": lambda _: range(len(instance.nodes)),
            "k": lambda _: range(len(instance.resources)),
            "t": lambda _: range(instance.horizon),
        },
        symbols={
            "m": most,
            "M": reach,
            "c": lambda r, k: float(graph.capacity[r, k]),
            "s": slope,
            "d": lambda r, k, t: float(steps[t]) * slope(r, k),
            "T": lambda: instance.horizon,
        },
        entries={
            "x": lambda port, t: model.arrivals.comes._data.get((t, port)),
            "y": at_entry(model.iterates.amount),
            "z": lambda port, r, k: model.comparator.amount._data.get((port, r, k)),
            "e": at_entry(has.earned),
            "h": at_entry(has.forgone),
            r"\theta": at_place(by.price),
            r"\mu": at_entry(by.at_nothing),
            r"\nu": at_entry(by.at_most),
            "w": at_place(binds.full),
            "u": at_entry(binds.nothing),
            "v": at_entry(binds.most),
        },
    )
