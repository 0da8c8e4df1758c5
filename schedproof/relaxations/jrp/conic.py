"""The conic relaxation (5)-(10), (14), (15) in CVXPY, with (10) as a cone.

The variables are vectors: y over jobs, x over the edges of `instances.jrp.edges`, r^c and r^b over the pairs of a job
and an allowed server of its data, as fractions of the server's capacity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.base.lazy import cvxpy, sparse
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.jrp import groups
from schedproof.instances.jrp import Instance


@group("variables", "(14)", r"y_k \in [0, 1]")
def admit(parts: Any, instance: Instance) -> None:
    """A job may be accepted in part: y_k is from 0 to 1 (14)."""
    y = parts.variables["admit"] = cvxpy.Variable(len(instance.jobs), nonneg=True, name="accepted")
    parts.constraints["admit"] = [y <= 1]


@group("variables", "(15)", r"x_i^j \ge 0 \quad \forall j \in A_i; \; D_j^k = \textstyle\sum_{i \in C_k} x_i^j d_i")
def assign(parts: Any, instance: Instance) -> None:
    """A data node may be split: x_i^j >= 0 (15); (6) implies x_i^j <= 1."""
    parts.variables["assign"] = cvxpy.Variable(len(instance.edges.node), nonneg=True, name="placed")


@group("variables", "(13)", groups.allocate.latex)
def allocate(parts: Any, instance: Instance) -> None:
    """A job gets parts of its allowed servers' compute and bandwidth, >= 0 (13)."""
    count = len(pairs(instance)[0])
    for name in ("compute", "bandwidth"):
        parts.variables[name] = cvxpy.Variable(count, nonneg=True, name=name)


@group("objective", "(5)", r"\max \textstyle\sum_k y_k", needs=("admit",))
def accepted(parts: Any, instance: Instance) -> None:
    """The throughput, the number of accepted jobs: sum of y_k (5)."""
    parts.objective.append(cvxpy.sum(parts.variables["admit"]))


@group("constraints", "(6)", groups.assignment.latex, needs=("admit", "assign"))
def assignment(parts: Any, instance: Instance) -> None:
    """An accepted job's data nodes go to allowed servers: sum of x_i^j = y_k (6)."""
    edges = instance.edges
    placed = sums(edges.node, len(edges.size)) @ parts.variables["assign"]
    parts.constraints["assignment"] = [placed == sums(edges.job, len(instance.jobs)).T @ parts.variables["admit"]]


@group("constraints", "(7)", groups.storage.latex, needs=("assign",))
def storage(parts: Any, instance: Instance) -> None:
    """The data on a server fit its storage: sum of x_i^j d_i <= r^s (7)."""
    edges, count = instance.edges, len(instance.servers)
    stored = sums(edges.server, count, (edges.size[edges.node] / unit(edges.storage)[edges.server]))
    parts.constraints["storage"] = [stored @ parts.variables["assign"] <= share(edges.storage)]


@group("constraints", "(8)", groups.compute.latex, needs=("allocate",))
def compute(parts: Any, instance: Instance) -> None:
    """All jobs on a server get at most its compute: sum of r_jk^c <= r_j^c (8)."""
    given = sums(pairs(instance)[1], len(instance.servers)) @ parts.variables["compute"]
    parts.constraints["compute"] = [given <= share(instance.edges.compute)]


@group("constraints", "(9)", groups.bandwidth.latex, needs=("allocate",))
def bandwidth(parts: Any, instance: Instance) -> None:
    """All jobs on a server get at most its bandwidth: sum of r_jk^b <= r_j^b (9)."""
    given = sums(pairs(instance)[1], len(instance.servers)) @ parts.variables["bandwidth"]
    parts.constraints["bandwidth"] = [given <= share(instance.edges.bandwidth)]


@group(
    "constraints",
    "(10)",
    r"\sqrt{4 a_k b_k (D_j^k)^2 / (\hat r_j^{\mathrm{c}} \hat r_j^{\mathrm{b}}) + (u_{j,k} - v_{j,k})^2}"
    r" \le u_{j,k} + v_{j,k} \quad \forall a_k b_k r_j^{\mathrm{c}} r_j^{\mathrm{b}} > 0;"
    r" \; u_{j,k}, v_{j,k} \ge 0 \quad \forall a_k b_k r_j^{\mathrm{c}} r_j^{\mathrm{b}} = 0;"
    r" \; u_{j,k} = (r_{j,k}^{\mathrm{c}} - a_k D_j^k) / \hat r_j^{\mathrm{c}},"
    r" v_{j,k} = (r_{j,k}^{\mathrm{b}} - b_k D_j^k) / \hat r_j^{\mathrm{b}}",
    needs=("assign", "allocate"),
)
def completion(parts: Any, instance: Instance) -> None:
    """Training meets the deadline (10): u v >= a b D^2, u = r^c - a D, v = r^b - b D.

    u and v are fractions of the server's capacity. If the job needs or the server has only one of the resources, u >= 0
    and v >= 0 replace the cone, because solvers fail on a cone without interior.
    """
    edges = instance.edges
    job, server, pair = pairs(instance)
    a = edges.compute_rate[job] / unit(edges.compute)[server]
    b = edges.bandwidth_rate[job] / unit(edges.bandwidth)[server]
    cone = (a * b > 0) & (edges.compute * edges.bandwidth > 0)[server]
    sizes, x = edges.size[edges.node], parts.variables["assign"]

    def rest(name: str, rate: np.ndarray, rows: np.ndarray) -> Any:
        return parts.variables[name][rows] - sums(pair, len(job), sizes * rate[pair])[rows] @ x

    flat, curved = np.flatnonzero(~cone), np.flatnonzero(cone)
    rows = parts.constraints["completion"] = []
    if len(flat):
        rows += [rest("compute", a, flat) >= 0, rest("bandwidth", b, flat) >= 0]
    if len(curved):
        u, v = rest("compute", a, curved), rest("bandwidth", b, curved)
        root = sums(pair, len(job), sizes * 2 * np.sqrt(a * b)[pair])[curved] @ x
        rows += [cvxpy.SOC(u + v, cvxpy.vstack([root, u - v]))]


def share(amounts: np.ndarray) -> np.ndarray:
    """Return amounts in the units of `unit`: 1, or 0 where the amount is 0."""
    return (amounts > 0).astype(float)


def unit(amounts: np.ndarray) -> np.ndarray:
    """Return each server's capacity; where it is 0, the largest capacity."""
    return np.where(amounts > 0, amounts, amounts.max() or 1.0)


def pairs(instance: Instance) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the jobs and servers (P,) of pairs with an edge; the pair of each edge."""
    edges, servers = instance.edges, len(instance.servers)
    pair, of_edge = np.unique(edges.job[edges.node] * servers + edges.server, return_inverse=True)
    return pair // servers, pair % servers, of_edge


def sums(place: np.ndarray, count: int, weights: np.ndarray | None = None) -> Any:
    """The (count, n) matrix that adds entry i of an n-vector to component place[i]."""
    values = np.ones(len(place)) if weights is None else weights
    return sparse.csr_array((values, (place, np.arange(len(place)))), shape=(count, len(place)))


def conic() -> Program:
    return Program(
        id="jrp.conic",
        sense="maximize",
        groups=(accepted, assignment, storage, compute, bandwidth, completion, admit, assign, allocate),
        backend="cvxpy",
        integer=False,
        default_solver="clarabel",
    )
