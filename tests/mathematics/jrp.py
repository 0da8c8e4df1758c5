"""The jrp family's letters."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.instances.jrp import DataNode, Instance, Job, Server
from schedproof.instances.jrp.instance import serves_alone
from schedproof.relaxations.jrp import conic
from tests.mathematics.dmlrs import by_arity
from tests.mathematics.evaluation import Setting, UndefinedError


def setting(program: Any, instance: Instance, model: Any) -> Setting:
    """Jobs k, data nodes i, servers j; a CVXPY model is its vectors' values."""
    nodes = [(k, node) for k in instance.jobs for node in k.nodes]
    entries = _vectors(instance, model) if isinstance(model, dict) else _entries(model)

    def may_go(k: Job) -> list[Server]:
        return [instance.servers[j] for j in dict.fromkeys(j for node in k.nodes for j in node.servers)]

    def known(k: Job, value: Any) -> Any:
        if k.deadline is None:
            raise UndefinedError
        return value

    def largest(name: str) -> Any:
        amounts = [getattr(j, name) for j in instance.servers]
        return lambda j: getattr(j, name) or max(amounts) or 1

    return Setting(
        ranges={
            "k": lambda _: instance.jobs,
            "i": lambda env: [(k, node) for k, node in nodes if "k" not in env or env["k"] is k],
            "j": lambda _: instance.servers,
        },
        symbols={
            "A": lambda of: may_go(of) if isinstance(of, Job) else [instance.servers[j] for j in of[1].servers],
            "B": lambda j: [i for i in nodes if j.index in i[1].servers],
            r"\hat B": lambda j: [i for i in nodes if j.index in i[1].servers and serves_alone(j, *i)],
            "C": lambda k: [(k, node) for node in k.nodes],
            "d": lambda i: i[1].size,
            "T": lambda k: k.epochs,
            "f": lambda k: k.minibatch_size,
            "g": lambda k: k.minibatch_work,
            "h": lambda k: k.parameter_size,
            r"\lambda": lambda k: k.sync_period,
            r"\tau": lambda k: known(k, k.deadline),
            r"\epsilon": instance.communication_share,
            "a": lambda k: k.compute_rate,
            "b": lambda k: k.bandwidth_rate,
            "r^s": lambda j: j.storage,
            r"\hat r^c": largest("compute"),
            r"\hat r^b": largest("bandwidth"),
        },
        entries=entries
        | {
            "r^c": by_arity(lambda j: j.compute, entries["r^c"]),
            "r^b": by_arity(lambda j: j.bandwidth, entries["r^b"]),
        },
    )


def _entries(model: Any) -> dict[str, Any]:
    place, left = model.component("allocate"), model.component("left")
    owner: Any = left or model.component("completion")

    def spare(name: str) -> Any:
        variable: Any = getattr(owner, name, {})
        if left:
            return lambda j: variable[j.name]
        return lambda j, k: variable._data.get((k.name, j.name))

    return {
        "y": lambda k: model.admit.accepted[k.name],
        "x": lambda i, j: model.assign.placed._data.get((i[0].name, i[1].name, j.name)),
        "D": lambda j, k: model.assign.data._data.get((k.name, j.name)),
        "r^c": lambda j, k: place.compute._data.get((k.name, j.name)),
        "r^b": lambda j, k: place.bandwidth._data.get((k.name, j.name)),
    } | {name: spare(name) for name in ("u", "v", "w")}


def _vectors(instance: Instance, values: dict[str, np.ndarray]) -> dict[str, Any]:
    edges = instance.edges
    first = np.cumsum([0, *(len(k.nodes) for k in instance.jobs)])
    number = {(k.index, id(n)): first[k.index] + m for k in instance.jobs for m, n in enumerate(k.nodes)}
    edge = {(n, j): e for e, (n, j) in enumerate(zip(edges.node.tolist(), edges.server.tolist(), strict=True))}
    jobs, servers, _ = conic.pairs(instance)
    pair = {(k, j): p for p, (k, j) in enumerate(zip(jobs.tolist(), servers.tolist(), strict=True))}
    unit = {"compute": conic.unit(edges.compute), "bandwidth": conic.unit(edges.bandwidth)}

    def placed(i: tuple[Job, DataNode], j: Server) -> Any:
        e = edge.get((number[i[0].index, id(i[1])], j.index))
        return None if e is None else values["assign"][:, e]

    def data(j: Server, k: Job) -> Any:
        found = [float(n.size) * x for n in k.nodes if (x := placed((k, n), j)) is not None]
        return sum(found) if found else None

    def given(name: str) -> Any:
        def amount(j: Server, k: Job) -> Any:
            p = pair.get((k.index, j.index))
            return None if p is None else values[name][:, p] * unit[name][j.index]

        return amount

    def spare(name: str) -> Any:
        def rest(j: Server, k: Job) -> Any:
            held = data(j, k)
            rate = float(getattr(k, f"{name}_rate"))
            return None if held is None else (given(name)(j, k) - rate * held) / unit[name][j.index]

        return rest

    return {
        "y": lambda k: values["admit"][:, k.index],
        "x": placed,
        "D": data,
        "r^c": given("compute"),
        "r^b": given("bandwidth"),
        "u": spare("compute"),
        "v": spare("bandwidth"),
    }
