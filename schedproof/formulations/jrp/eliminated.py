"""JRP with the resources eliminated: three numbers per server and a closed test.

The data of server j leave the fractions u = 1 - A/r^c and v = 1 - B/r^b, and w = K / sqrt(r^c r^b), with
A = sum a_k d_i x_i^j, B = sum b_k d_i x_i^j, K = sum sqrt(a_k b_k) d_i x_i^j. By `instances.jrp.server_feasibility`,
deadlines can be met if and only if u, v >= 0 and u v >= w^2: a cone, whose tangents are p u + q v >= 2 sqrt(p q) w for
p, q > 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.jrp.groups import Edge, accepted, admit, assign, assignment, edges
from schedproof.instances.jrp import DataNode, Instance, Job, Server
from schedproof.instances.jrp.edges import units
from schedproof.instances.jrp.instance import serves_alone


@group("variables", "(13)", r"u_j, v_j \in [0, 1], \; w_j \ge 0")
def left(block: Model, instance: Instance) -> None:
    """A server's free compute u and bandwidth v, and w of the cone u v >= w^2 (13)."""
    names = [server.name for server in instance.servers]
    block.u = pyo.Var(names, bounds=(0, 1))
    block.v = pyo.Var(names, bounds=(0, 1))
    block.w = pyo.Var(names, domain=pyo.NonNegativeReals)


@group("constraints", "(7)-(10)", r"x_i^j = 0 \quad \forall i \in B_j, i \notin \hat B_j")
def servable(block: Model, instance: Instance, assign: Model) -> Model:
    """A server gets only data nodes of B^_j, which it can serve alone (7)-(10)."""
    never = [(job.name, node.name, s.name) for job, node, s in edges(instance) if not serves_alone(s, job, node)]
    return {edge: assign.placed[edge] == 0 for edge in never}


@group("constraints", "(7)", r"\textstyle\sum_{i \in \hat B_j} x_i^j d_i \le r_j^{\mathrm{s}}")
def storage(block: Model, instance: Instance, assign: Model) -> Model:
    """The servable data on a server fit its storage: sum of x_i^j d_i <= r^s (7)."""
    unit = units(instance.edges.storage).tolist()
    stored: dict[int, list[Model]] = {}
    for job, node, s in servable_edges(instance):
        size = float(node.size) / unit[s.index]
        stored.setdefault(s.index, []).append(size * assign.placed[job.name, node.name, s.name])
    return {j: pyo.quicksum(here) <= float(instance.servers[j].storage) / unit[j] for j, here in stored.items()}


@group(
    "constraints",
    "(8)-(10)",
    r"u_j = 1 - \textstyle\sum_k \sum_{i \in C_k: i \in \hat B_j} a_k d_i x_i^j / r_j^{\mathrm{c}},"
    r" \; v_j = 1 - \sum_k \sum_{i \in C_k: i \in \hat B_j} b_k d_i x_i^j / r_j^{\mathrm{b}},"
    r" \; w_j = \sum_k \sum_{i \in C_k: i \in \hat B_j}"
    r" \sqrt{a_k b_k} d_i x_i^j / \sqrt{r_j^{\mathrm{c}} r_j^{\mathrm{b}}}",
)
def loads(block: Model, instance: Instance, assign: Model, left: Model) -> Model:
    """A server's free compute and bandwidth: u = 1 - A/r^c, v = 1 - B/r^b."""
    terms: dict[str, list[list[Model]]] = {server.name: [[], [], []] for server in instance.servers}
    for job, node, s in servable_edges(instance):
        x = assign.placed[job.name, node.name, s.name]
        for sum_of, part in zip(terms[s.name], shares(job, node, s), strict=True):
            sum_of += [part * x] if part else []
    taken = {j: [pyo.quicksum(sum_of) for sum_of in sums] for j, sums in terms.items()}
    return {
        "u": {j: left.u[j] + part == 1 for j, (part, _, _) in taken.items()},
        "v": {j: left.v[j] + part == 1 for j, (_, part, _) in taken.items()},
        "w": {j: left.w[j] == part for j, (_, _, part) in taken.items()},
    }


def servable_edges(instance: Instance) -> Iterator[Edge]:
    return (edge for edge in edges(instance) if serves_alone(edge[2], edge[0], edge[1]))


def shares(job: Job, node: DataNode, server: Server) -> tuple[float, float, float]:
    """Return a servable data node's terms in A/r^c, B/r^b and K/sqrt(r^c r^b)."""
    c, b = job.need(node.size)
    part, other = c / server.compute if c else Fraction(0), b / server.bandwidth if b else Fraction(0)
    return float(part), float(other), sqrt(part * other)


ELIMINATED = Program("jrp.exact", "maximize", (accepted, assignment, storage, servable, loads, admit, assign, left))
