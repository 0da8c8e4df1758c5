"""Hypothesis strategies for iterations of Algorithm 1 (jrp): crowded servers, with an optimal vertex of LP_I.

Each server has about as much of everything as the most demanding job could ask of it, so that PRUNE leaves most jobs in
place and LP_I cannot serve them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claim import Case
from schedproof.instances.jrp import Instance, from_json

Job = tuple[int, int, Sequence[tuple[int, Sequence[int]]]]  # a, b, and for each data node its size and servers
SPARE = (4, 4, 4, 5, 6, 8, 3, 3, 2)  # quarters of the most that one job could ask of a server
AMPLE = 100


def build(jobs: Sequence[Job], servers: Sequence[tuple[Any, Any, Any]], share: Any = Decimal("0.5")) -> Instance:
    """An instance of jobs with given rates (without a deadline where both are 0) and servers."""
    return from_json(
        {
            "version": 1,
            "family": "jrp",
            "communication_share": share,
            "servers": [
                {"name": f"s{j}", "storage": s, "compute": c, "bandwidth": b} for j, (s, c, b) in enumerate(servers)
            ],
            "jobs": [_job(k, *job) for k, job in enumerate(jobs)],
        }
    )


def _job(k: int, a: int, b: int, nodes: Sequence[tuple[int, Sequence[int]]]) -> dict[str, Any]:
    return {
        "name": f"k{k}",
        "epochs": 1,
        "minibatch_size": 1,
        "minibatch_work": a,
        "parameter_size": b,
        "sync_period": 1,
        "data_nodes": [
            {"name": f"d{i}", "size": size, "servers": [f"s{j}" for j in places]}
            for i, (size, places) in enumerate(nodes)
        ],
    } | ({"deadline": 1} if a or b else {})


def solved(instance: Instance) -> Case:
    """The case of an instance, with an optimal vertex of its LP_I after PRUNE and its prices."""
    from schedproof.proofs_checks.jrp.linear import lp_i  # the claims there draw from here
    from schedproof.proofs_checks.jrp.literal import prune

    found = lp_i(prune(instance))
    return Case(instance, {"x": [list(row) for row in found.rows], "prices": [list(row) for row in found.prices]})


@st.composite
def crowded(draw: Any, jobs: int = 3, servers: int = 2, nodes: int = 2) -> Instance:
    """An instance in which jobs contend for storage or for compute and bandwidth, or for all three.

    Parameters
    ----------
    jobs, servers, nodes
        How many there are at most; of data nodes of a job.
    """
    places = range(draw(st.integers(1, servers)))
    timed, stored = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
    reach = st.lists(st.sampled_from(places), min_size=1, unique=True).map(sorted)
    node = st.tuples(st.sampled_from([1, 2, 2, 3, 0]), reach)
    rate = st.sampled_from([1, 2, 3, 0]) if timed else st.just(0)
    job = st.tuples(rate, rate, st.lists(node, min_size=1, max_size=nodes))
    rows = draw(st.lists(job, min_size=2, max_size=jobs))
    if draw(st.booleans()):  # a second job like the first, with its two rates the other way round
        a, b, own = rows[0]
        rows[1] = (b, a, own)
    boxes = []
    for j in places:
        loads = [(a, b, sum(size for size, servers in own if j in servers)) for a, b, own in rows]
        most = max(d for *_, d in loads), 2 * max(a * d for a, _, d in loads), 2 * max(b * d for _, b, d in loads)
        amounts = [Decimal(amount * draw(st.sampled_from(SPARE))) / 4 for amount in most]
        boxes.append((amounts[0] if stored else AMPLE, amounts[1] if timed else 0, amounts[2] if timed else 0))
    return build(rows, boxes)


@st.composite
def mirrored(draw: Any) -> Instance:
    """Two jobs with the same data nodes and rates the other way round: one server can serve one of them alone."""
    a, b = draw(st.sampled_from([(1, 2), (1, 3), (2, 3), (0, 1), (2, 2)]))
    nodes = [(size, (0,)) for size in draw(st.lists(st.sampled_from([1, 1, 2]), min_size=1, max_size=2))]
    load = sum(size for size, _ in nodes)
    amount = 2 * max(a, b) * load
    return build([(a, b, nodes), (b, a, nodes)], [(draw(st.sampled_from([load, 2 * load])), amount, amount)])


@st.composite
def wide(draw: Any) -> Instance:
    """Jobs of one large data node each that may go to any of two servers, with storage alone."""
    sizes = draw(st.lists(st.sampled_from([2, 2, 3]), min_size=2, max_size=3))
    return build([(0, 0, [(size, (0, 1))]) for size in sizes], [(draw(st.sampled_from([2, 3, 3])), 0, 0), (3, 0, 0)])


def rounds(**settings: Any) -> Any:
    """Iterations in which a job is left after PRUNE: of crowded instances, and of the two special sorts."""
    drawn = st.one_of(crowded(**settings), mirrored(), wide())
    from schedproof.proofs_checks.jrp.literal import present, prune

    return drawn.filter(lambda instance: present(prune(instance))).map(solved)


def grouped(jobs: int = 2, servers: int = 3, nodes: int = 3) -> Any:
    """Crowded instances alone, for PRUNE: fewer jobs, with more data nodes; among them those of `alike`."""
    return st.one_of(crowded(jobs=jobs, servers=servers, nodes=nodes), alike(servers)).map(Case)


@st.composite
def alike(draw: Any, servers: int = 3) -> Instance:
    """One job of up to as many data nodes as there are servers, of 1 GB each; some nodes are too large for them all."""
    places = range(draw(st.integers(1, servers)))
    reach = st.one_of(st.just(places), st.lists(st.sampled_from(places), min_size=1, unique=True).map(sorted))
    nodes = draw(st.lists(st.tuples(st.sampled_from([1] * 7 + [2]), reach), min_size=1, max_size=len(places)))
    return build([(0, 0, nodes)], [(1, 0, 0)] * len(places))
