"""The throughput of Algorithm 1 against the optimum of LP_I, with storage alone: claim theorem1.

A case has an instance without deadlines and ``rows``, an optimal x table of LP_I: (job, node, server, x). Only
instances count in which PRUNE finds nothing to remove. The repaired version is in `single_nodes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.builders import build, job, server
from schedproof.proofs_checks.jrp.enclosures import printed_factor
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.linear import lp_i
from schedproof.proofs_checks.jrp.load import Load, kept, most_here, read, row, whichever
from schedproof.proofs_checks.jrp.load import server as server_load
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Table, accepted, optimum, storage_only, value
from schedproof.proofs_checks.strategies import jrp as tiny
from schedproof.proofs_checks.strategies.jrp_loads import st
from schedproof.proofs_checks.writing import at, of_data, table

MOST_DRAWS = 4096
Eta = Callable[[Sequence[Load]], int]

# --- what the theorem speaks of --------------------------------------------------------------------------------------


def loads(instance: Instance, rows: Table) -> list[Load] | None:
    """The load of each server that has candidates; None where PRUNE would remove one or x asks for more than (7)."""
    chance = {(k, i, j): Fraction(x) for k, i, j, x in rows}
    y, found = accepted(instance, rows), []
    for j, box in enumerate(instance.servers):
        jobs = []
        for k, one in enumerate(instance.jobs):
            own = [(node.size, chance.get((k, i, j), ZERO)) for i, node in enumerate(one.nodes) if j in node.servers]
            jobs += [row(y[k], *own)] if own else []
        load = read(server_load(box.storage, *jobs)) if jobs else None
        if jobs and load is None:
            return None
        found += [load] if load is not None else []
    return found


def shown(case: Case) -> list[Load] | None:
    """The servers' loads, where the rows are an optimum of LP_I and storage is all that counts."""
    instance = case.instance
    if any(one.deadline is not None for one in instance.jobs):
        return None
    found = loads(instance, case.data["rows"])
    if not found or value(instance, case.data["rows"], storage_only) != lp_i(instance).value:
        return None
    return found


def most(servers: Sequence[Load]) -> int:
    """The most data nodes that fit together on one server."""
    return max(map(most_here, servers))


def least(servers: Sequence[Load]) -> int:
    """The most of which any fit together on every server."""
    return min(map(whichever, servers))


# --- the readings ----------------------------------------------------------------------------------------------------


def at_the_end(case: Case, eta: Eta, factor: Callable[[int], Fraction] = printed_factor) -> Finding | None:
    """The throughput at the end is at least the factor times OPT_I.

    Measured is the most jobs that can be accepted together, which no algorithm exceeds, whatever it draws.
    """
    servers = shown(case)
    if servers is None:
        return None
    number = eta(servers)
    claimed = factor(number) * lp_i(case.instance).value
    measured = Fraction(optimum(case.instance, storage_only))
    return Finding(measured, claimed, "at least", f"jobs accepted together, eta = {number}")


def number_accepted(instance: Instance, order: Sequence[tuple[int, int]], way: Sequence[int | None]) -> int:
    """How many jobs (21) leaves whole when the nodes, in order of priority, are drawn to such servers."""
    held, lost = [ZERO] * len(instance.servers), set()
    for (k, i), j in zip(order, way, strict=True):
        if j is None:
            lost.add(k)
            continue
        held[j] += instance.jobs[k].nodes[i].size  # the nodes that are not kept count, too: the prefix ends
        if held[j] > instance.servers[j].storage:
            lost.add(k)
    return len(instance.jobs) - len(lost)


def first_iteration(instance: Instance, rows: Table) -> Fraction | None:
    """How many jobs the first iteration accepts on average, over all draws; None where these are too many."""
    y = accepted(instance, rows)
    jobs = sorted(range(len(y)), key=lambda k: -y[k])
    order = [(k, i) for k in jobs for i in range(len(instance.jobs[k].nodes))]
    drawn: dict[tuple[int, int], list[tuple[int | None, Fraction]]] = {
        (k, i): [(None, 1 - y[k])] if y[k] < 1 else [] for k, i in order
    }
    for k, i, j, x in rows:
        drawn[k, i].append((j, Fraction(x)))
    if prod(map(len, drawn.values())) > MOST_DRAWS:
        return None
    mean = ZERO
    for way in product(*drawn.values()):
        mean += prod((x for _, x in way), start=ONE) * number_accepted(instance, order, [j for j, _ in way])
    return mean


def at_first(case: Case, factor: Callable[[int], Fraction] = printed_factor) -> Finding | None:
    """The first iteration accepts on average at least the factor times OPT_I, with the least eta."""
    servers = shown(case)
    mean = None if servers is None else first_iteration(case.instance, case.data["rows"])
    if servers is None or mean is None:
        return None
    claimed = factor(least(servers)) * lp_i(case.instance).value
    return Finding(mean, claimed, "at least", f"jobs of the first iteration, eta = {least(servers)}")


def data_kept(case: Case) -> Finding | None:
    """sum_j E(D'_j) is at least the factor times sum_j mu_j, with the least eta."""
    servers = shown(case)
    if servers is None:
        return None
    mean, wanted = (sum(amounts, ZERO) for amounts in ((kept(s).mean for s in servers), (s.mean for s in servers)))
    return Finding(mean, printed_factor(least(servers)) * wanted, "at least", f"data kept, eta = {least(servers)}")


# --- cases -----------------------------------------------------------------------------------------------------------


def with_optimum(instance: Instance) -> Case:
    """A case of an instance, with an optimal vertex of LP_I."""
    return Case(instance, {"rows": [list(row) for row in lp_i(instance).rows]})


def knapsack(storage: int, *jobs: Sequence[int]) -> Case:
    """One server, and jobs of data nodes of such sizes."""
    return with_optimum(build([server(storage)], [job(sizes, deadline=None) for sizes in jobs]))


def pairs(jobs: int, nodes: int) -> Case:
    """Any two of the jobs share one server of their own, which each of them fills with so many data nodes of 1 GB."""
    shared = [(a, b) for a in range(jobs) for b in range(a + 1, jobs)]
    reach = [[[j] for j, pair in enumerate(shared) if k in pair for _ in range(nodes)] for k in range(jobs)]
    rows = [job([1] * len(own), deadline=None, servers=own) for own in reach]
    return with_optimum(build([server(nodes)] * len(shared), rows))


@st.composite
def knapsacks(draw: Any) -> Case:
    """One server and two or three jobs of equal data nodes each, of which it holds at least the largest."""
    jobs = [[draw(st.sampled_from((1, 1, 2, 3)))] * draw(st.integers(1, 4)) for _ in range(draw(st.integers(2, 3)))]
    return knapsack(max(map(sum, jobs)) + draw(st.integers(0, 2)), *jobs)


def _drawn() -> Any:
    several = st.builds(pairs, st.integers(2, 3), st.integers(1, 4))
    return st.one_of(
        knapsacks(), knapsacks(), tiny.stored(odd=False).map(lambda case: with_optimum(case.instance)), several
    )


def _of_servers(name: str, reached: Callable[[Sequence[Load]], bool]) -> Regime:
    def look(case: Case) -> bool:
        servers = shown(case)
        return servers is not None and reached(servers)

    return Regime(name, look)


THEOREM1 = Claim(
    id="jrp.theorem1",
    source="paper 003, Theorem 1",
    statement="The algorithm's throughput is at least (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) OPT_I.",
    readings=(
        Reading("at the end, most", "eta: the most data nodes that fit on one server.", at(at_the_end, eta=most)),
        Reading("at the end, least", "eta: the most of which any fit on every server.", at(at_the_end, eta=least)),
        Reading("the first iteration", "What it accepts on average; the same, least eta.", at_first),
        Reading("data kept", "sum_j E(D'_j) against sum_j mu_j, as the proof has it; the least eta.", data_kept),
    ),
    regimes=(
        _of_servers("several servers", lambda servers: len(servers) > 1),
        _of_servers("a job with several data nodes", lambda servers: any(s.heaviest > s.largest for s in servers)),
        _of_servers("an overfull draw", lambda servers: any(kept(s).overfull for s in servers if len(s.nodes) < 10)),
        _of_servers("eta at least 3", lambda servers: least(servers) >= 3),
        of_data("an x between 0 and 1", lambda d: any(0 < x < 1 for *_, x in d["rows"])),
    ),
    strategy=_drawn(),
    planted=(
        Planted("all of OPT_I", at(at_the_end, eta=least, factor=lambda _: ONE)),
        Planted("all of OPT_I at once", at(at_first, factor=lambda _: ONE)),
    ),
    witnesses=WITNESSES,
    repaired_by="jrp.theorem1_repaired",
)

CLAIMS = table(THEOREM1)
