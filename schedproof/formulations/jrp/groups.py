"""JRP (5)-(13) in groups, with (10) as a cone or as the split of time (16)-(17).

With a_k and b_k of the instance and D_j^k of (1), (10) reads a D/r^c + b D/r^b <= 1. For u = r^c - a D and
v = r^b - b D that is u v >= a b D^2, u, v >= 0: a rotated cone, convex, without a division, and defined for D = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import root, scalar
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import group
from schedproof.instances.jrp import DataNode, Instance, Job, Server

Edge = tuple[Job, DataNode, Server]
Pair = tuple[str, str]  # names of a job and of an allowed server of its data

# Solvers satisfy rows to about 1e-7, and HiGHS drops rows with a number of 1e15.
SMALLEST_AMOUNT, LARGEST_NUMBER = 1e-6, 1e15


def edges(instance: Instance) -> Iterator[Edge]:
    """Yield every data node with each of its allowed servers."""
    for job in instance.jobs:
        for node in job.nodes:
            for j in node.servers:
                yield job, node, instance.servers[j]


@group("variables", "(11)", r"y_k \in \{0,1\}")
def admit(block: Model, instance: Instance) -> None:
    """A job is accepted or not: y_k is 0 or 1 (11)."""
    block.accepted = pyo.Var([job.name for job in instance.jobs], domain=pyo.Binary)


@group(
    "variables", "(12)", r"x_i^j \in \{0,1\} \quad \forall j \in A_i; \; D_j^k = \textstyle\sum_{i \in C_k} x_i^j d_i"
)
def assign(block: Model, instance: Instance) -> None:
    """A data node goes to an allowed server or not (12); D_j^k = sum of x_i^j d_i (1)."""
    sizes = {(job.name, node.name, server.name): scalar(node.size) for job, node, server in edges(instance)}
    block.placed = pyo.Var(list(sizes), domain=pyo.Binary)
    held: dict[Pair, list[tuple[str, str, str]]] = {}
    for key in sizes:
        held.setdefault((key[0], key[2]), []).append(key)
    block.data = pyo.Expression(
        list(held), rule=lambda _, *pair: pyo.quicksum(sizes[key] * block.placed[key] for key in held[pair])
    )


@group("variables", "(13)", r"r_{j,k}^{\mathrm{c}}, r_{j,k}^{\mathrm{b}} \ge 0 \quad \forall j \in A_k")
def allocate(block: Model, instance: Instance, assign: Model) -> None:
    """A job gets compute and bandwidth of each allowed server: r^c, r^b >= 0 (13)."""
    block.compute = pyo.Var(list(assign.data), domain=pyo.NonNegativeReals)
    block.bandwidth = pyo.Var(list(assign.data), domain=pyo.NonNegativeReals)


def require_solvable(instance: Instance) -> None:
    """Raise if the instance has numbers that a solver would drop or read as 0."""
    for server in instance.servers:
        for what, amount in (("storage", server.storage), ("compute", server.compute), ("bandwidth", server.bandwidth)):
            if amount and not SMALLEST_AMOUNT <= amount < LARGEST_NUMBER:
                raise ProgramError(_beyond(f"the {what} of {server.name}", amount))
    for job in instance.jobs:
        for node in job.nodes:
            need = max(node.size, *job.need(node.size), job.compute_rate, job.bandwidth_rate)
            if need >= LARGEST_NUMBER:
                raise ProgramError(_beyond(f"the need of {node.name} of {job.name}", need))


def _beyond(what: str, amount: Fraction) -> str:
    bounds = f"{SMALLEST_AMOUNT:g} to {LARGEST_NUMBER:g}"
    return f"{what} is {float(amount):.6g}: expected a number in the solvers' range, {bounds}"


@group("objective", "(5)", r"\max \textstyle\sum_k y_k")
def accepted(block: Model, instance: Instance, admit: Model) -> Model:
    """The throughput, the number of accepted jobs: sum of y_k (5)."""
    return pyo.quicksum(admit.accepted.values())


@group("constraints", "(6)", r"\textstyle\sum_{j \in A_i} x_i^j = y_k \quad \forall i \in C_k")
def assignment(block: Model, instance: Instance, admit: Model, assign: Model) -> Model:
    """An accepted job's data nodes go to one server each: sum of x_i^j = y_k (6)."""
    placed, servers = assign.placed, [server.name for server in instance.servers]
    return {
        (k.name, i.name): pyo.quicksum(placed[k.name, i.name, servers[j]] for j in i.servers) == admit.accepted[k.name]
        for k in instance.jobs
        for i in k.nodes
    }


@group("constraints", "(7)", r"\textstyle\sum_{i \in B_j} x_i^j d_i \le r_j^{\mathrm{s}}")
def storage(block: Model, instance: Instance, assign: Model) -> Model:
    """The data on a server fit its storage: sum of x_i^j d_i <= r^s (7)."""
    return _within(instance, "storage", assign.data)


@group("constraints", "(8)", r"\textstyle\sum_k r_{j,k}^{\mathrm{c}} \le r_j^{\mathrm{c}}")
def compute(block: Model, instance: Instance, allocate: Model) -> Model:
    """All jobs on a server get at most its compute: sum of r_jk^c <= r_j^c (8)."""
    return _within(instance, "compute", allocate.compute)


@group("constraints", "(9)", r"\textstyle\sum_k r_{j,k}^{\mathrm{b}} \le r_j^{\mathrm{b}}")
def bandwidth(block: Model, instance: Instance, allocate: Model) -> Model:
    """All jobs on a server get at most its bandwidth: sum of r_jk^b <= r_j^b (9)."""
    return _within(instance, "bandwidth", allocate.bandwidth)


def _within(instance: Instance, resource: str, amounts: Model) -> Model:
    limit = {server.name: scalar(getattr(server, resource)) for server in instance.servers}
    on: dict[str, list[Model]] = {}
    for (_, j), amount in amounts.items():
        on.setdefault(j, []).append(amount)
    return {j: pyo.quicksum(given) <= limit[j] for j, given in on.items()}


@group(
    "constraints",
    "(10)",
    r"u_{j,k} v_{j,k} \ge w_{j,k}^2, \; w_{j,k} = \sqrt{a_k b_k} D_j^k \quad \forall a_k b_k > 0;"
    r" \; u_{j,k} = r_{j,k}^{\mathrm{c}} - a_k D_j^k, \; v_{j,k} = r_{j,k}^{\mathrm{b}} - b_k D_j^k"
    r" \quad \forall a_k + b_k > 0; \; w_{j,k} \ge 0 \quad \forall a_k b_k > 0, j \in A_k;"
    r" \; u_{j,k}, v_{j,k} \ge 0 \quad \forall a_k + b_k > 0, j \in A_k",
)
def completion(block: Model, instance: Instance, assign: Model, allocate: Model) -> Model:
    """Training meets the deadline (10): u v >= a b D^2, u = r^c - a D, v = r^b - b D."""
    data = assign.data
    rates = {job.name: (scalar(job.compute_rate), scalar(job.bandwidth_rate)) for job in instance.jobs}
    pairs = {(k, j): rates[k] for k, j in data if any(rates[k])}
    both = {pair: root(a * b) for pair, (a, b) in pairs.items() if a and b}
    u = block.u = pyo.Var(list(pairs), domain=pyo.NonNegativeReals)
    v = block.v = pyo.Var(list(pairs), domain=pyo.NonNegativeReals)
    w = block.w = pyo.Var(list(both), domain=pyo.NonNegativeReals)
    return {
        "of_u": {pair: u[pair] == allocate.compute[pair] - rate * data[pair] for pair, (rate, _) in pairs.items()},
        "of_v": {pair: v[pair] == allocate.bandwidth[pair] - rate * data[pair] for pair, (_, rate) in pairs.items()},
        "root": {pair: w[pair] == rate * data[pair] for pair, rate in both.items()},
        "cone": {pair: w[pair] ** 2 <= u[pair] * v[pair] for pair in both},
    }


@group(
    "constraints",
    "(10)",
    r"T_k \Bigl(\frac{D_j^k}{f_k} \frac{g_k}{r_{j,k}^{\mathrm{c}}} + \frac{1}{\lambda_k} \frac{D_j^k}{f_k}"
    r" \frac{h_k}{r_{j,k}^{\mathrm{b}}}\Bigr) \le \tau_k",
)
def completion_as_printed(block: Model, instance: Instance, assign: Model, allocate: Model) -> Model:
    """Deadlines (10) by (2)-(4): T (D/f g/r^c + D/(lambda f) h/r^b) <= tau.

    It replaces `completion`, for SCIP. Its divisions are undefined without compute or bandwidth, even on a server
    without the job's data (D = 0), so every pair of job and server needs a little of both. Its result is not reliable:
    within a solver's tolerance a rate of -1e-9 makes the time negative and meets any deadline.
    """
    jobs = {job.name: job for job in instance.jobs}

    def row(k: str, j: str) -> Model:
        job, data = jobs[k], assign.data[k, j]
        work = float(job.epochs * job.minibatch_work / job.minibatch_size)
        sent = float(job.epochs * job.parameter_size / (job.sync_period * job.minibatch_size))
        times = [(work, allocate.compute[k, j]), (sent, allocate.bandwidth[k, j])]
        return sum(amount * data / rate for amount, rate in times if amount) <= float(job.deadline or 0)

    return {(k, j): row(k, j) for k, j in assign.data if jobs[k].compute_rate or jobs[k].bandwidth_rate}


@group(
    "constraints",
    "(16)",
    r"\tfrac{T_k h_k}{\tau_k \lambda_k f_k} D_j^k - \epsilon r_{j,k}^{\mathrm{b}} \le 0 \quad \forall b_k > 0",
)
def communication_time(block: Model, instance: Instance, assign: Model, allocate: Model) -> Model:
    """Communication takes epsilon of the time (16), lambda = eta: b D <= epsilon r^b."""
    return in_share(instance, "bandwidth", instance.communication_share, assign, allocate)


@group(
    "constraints",
    "(17)",
    r"\tfrac{T_k g_k}{\tau_k f_k} D_j^k - (1 - \epsilon) r_{j,k}^{\mathrm{c}} \le 0 \quad \forall a_k > 0",
)
def computing_time(block: Model, instance: Instance, assign: Model, allocate: Model) -> Model:
    """Computing takes 1 - epsilon of the time (17): a D <= (1 - epsilon) r^c."""
    return in_share(instance, "compute", 1 - instance.communication_share, assign, allocate)


def in_share(instance: Instance, resource: str, share: Fraction, assign: Model, allocate: Model) -> Model:
    """Rows: a job's resource suffices for its data in this share of its time."""
    rate = {job.name: scalar(getattr(job, f"{resource}_rate")) for job in instance.jobs}
    given, limit = getattr(allocate, resource), scalar(share)
    return {(k, j): rate[k] * data <= limit * given[k, j] for (k, j), data in assign.data.items() if rate[k]}


OFFLOADING = (accepted, assignment, storage)
ALLOCATION = (compute, bandwidth)
VARIABLES = (admit, assign, allocate)
