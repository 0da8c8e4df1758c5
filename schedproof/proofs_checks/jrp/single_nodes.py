"""Theorem 1 for jobs of one data node each, all of one size, with storage alone: claim theorem1_repaired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.builders import build, job, server
from schedproof.proofs_checks.jrp.enclosures import below, normal_loss, poisson_factor
from schedproof.proofs_checks.jrp.load import ONE, ZERO, Load, kept, whichever
from schedproof.proofs_checks.jrp.model import storage_only, value
from schedproof.proofs_checks.jrp.theorem1 import loads
from schedproof.proofs_checks.strategies.jrp_loads import st
from schedproof.proofs_checks.writing import at, table


def read(case: Case) -> list[Load] | None:
    """The servers' loads in a case of equal data nodes, one in a job; any feasible point of LP_I, optimal or not."""
    instance = case.instance
    nodes = [node for one in instance.jobs for node in one.nodes]
    alone = all(len(one.nodes) == 1 and one.deadline is None for one in instance.jobs)
    if not nodes or not alone or {node.size for node in nodes} != {nodes[0].size} or not nodes[0].size:
        return None
    value(instance, case.data["rows"], storage_only)
    return loads(instance, case.data["rows"]) or None


def eta_of(load: Load) -> int:
    """floor(r/d): how many data nodes the server's storage holds, whether or not there are so many."""
    return load.storage // load.largest


def whole(load: Load) -> bool:
    """Whether the storage holds a whole number of data nodes."""
    return load.storage % load.largest == 0


def rate(load: Load, more: int = 0) -> Fraction:
    """(1 - e^(-eta) eta^eta/eta!) eta d/r, with eta = floor(r/d)."""
    return poisson_factor(eta_of(load) + more) * eta_of(load) * load.largest / load.storage


def stirling(load: Load) -> Fraction:
    """1 - 1/sqrt(2 pi eta), from below."""
    return below(lambda ball: ball(ONE) - normal_loss(ball, eta_of(load)))


def first_accepts(case: Case, share: Callable[[Load], Fraction] = rate, whole_only: bool = False) -> Finding | None:
    """The first iteration accepts on average at least the least rate of a server times sum y.

    Measured is the mean number of data nodes that are kept.

    Parameters
    ----------
    whole_only
        Only cases in which each server's storage holds a whole number of data nodes.

    Proof
    -----
    A job is accepted exactly when its data node is kept, on the one server to which it is drawn. Server j is drawn N_j
    data nodes, a sum of independent indicators with mean m_j = sum_i x_i^j <= r_j/d by (7), and keeps min(N_j, eta_j),
    eta_j = floor(r_j/d), whatever the priorities. h(n) = min(n, eta) is concave: h(c + n) <= h(c) + n (h(c + 1) - h(c))
    for n = 0, 1, 2, .... So E h does not grow when one indicator after the other is replaced by a Poisson variable of
    the same mean: E min(N_j, eta) >= f(m_j), f(m) = E min(Poisson(m), eta). f'(m) = Pr(Poisson(m) < eta) falls in m, so
    f is concave with f(0) = 0: f(m)/m falls, and f grows. With s = r_j/d >= eta this gives f(m_j) >= m_j f(s)/s >= m_j
    f(eta)/s. And f(eta) = eta - sum_(k > eta) (k - eta) p_k with p_k = e^(-eta) eta^k/k!, k p_k = eta p_(k-1), so the
    sum telescopes to eta p_eta: f(eta) = eta (1 - p_eta). So server j keeps at least m_j (1 - p_eta) eta d/r_j. Sum
    over j; sum_j m_j = sum y, which is OPT_I for an optimal point. Where r_j/d is whole, eta d/r_j = 1. By Stirling's
    eta! >= sqrt(2 pi eta) (eta/e)^eta, p_eta <= 1/sqrt(2 pi eta); p_eta falls in eta, so that the least eta counts.
    """
    servers = read(case)
    if servers is None or (whole_only and not all(map(whole, servers))):
        return None
    mean = sum((kept(load).mean / load.largest for load in servers), ZERO)
    points = sum((load.mean / load.largest for load in servers), ZERO)
    return Finding(mean, min(map(share, servers)) * points, "at least", f"jobs accepted, eta = {eta_of(servers[0])}")


def _of_servers(name: str, reached: Callable[[Sequence[Load]], Any]) -> Regime:
    def look(case: Case) -> bool:
        servers = read(case)
        return servers is not None and bool(reached(servers))

    return Regime(name, look)


def spread(storages: Sequence[int], size: int, reaches: Sequence[Sequence[int]]) -> Case:
    """Jobs of one data node of that size, with such servers; each x as large as the storages allow, all alike."""
    instance = build(
        [server(storage) for storage in storages], [job((size,), deadline=None, servers=[own]) for own in reaches]
    )
    return Case(instance, {"rows": [[k, 0, j, _chance(instance, k, j)] for k, own in enumerate(reaches) for j in own]})


def _chance(instance: Instance, k: int, j: int) -> Fraction:
    """1 over how many servers the data node has, and the server's storage over the mean that it would be drawn so."""
    nodes = [one.nodes[0] for one in instance.jobs]
    wanted = sum(node.size / len(node.servers) for node in nodes if j in node.servers)
    return min(ONE, instance.servers[j].storage / wanted) / len(nodes[k].servers)


@st.composite
def spreads(draw: Any) -> Case:
    """Up to three servers that hold one to four data nodes, now and then and a half, and up to a dozen jobs."""
    count, size = draw(st.integers(1, 3)), 2
    half = draw(st.sampled_from((0, 0, 1)))
    storages = [size * draw(st.integers(1, 4)) + half * draw(st.integers(0, 1)) for _ in range(count)]
    reach = st.lists(st.integers(0, count - 1), min_size=1, max_size=count, unique=True)
    return spread(storages, size, draw(st.lists(reach, min_size=1, max_size=12)))


REPAIRED = Claim(
    id="jrp.theorem1_repaired",
    source="paper 003, Theorem 1, repaired",
    statement="For jobs of one data node each, all of size d, and storage alone, the first iteration accepts on "
    "average at least (1 - e^(-eta) eta^eta/eta!) OPT_I >= (1 - 1/sqrt(2 pi eta)) OPT_I, where eta = min r_j^s/d, if "
    "all r_j^s/d are whole; otherwise eta_j = floor(r_j^s/d), and server j keeps eta_j d/r_j^s of that.",
    readings=(
        Reading("Poisson", "The storages hold whole numbers of data nodes.", at(first_accepts, whole_only=True)),
        Reading("Stirling", "The same with 1 - 1/sqrt(2 pi eta).", at(first_accepts, share=stirling, whole_only=True)),
        Reading("any storage", "With the factor eta_j d/r_j.", first_accepts),
    ),
    regimes=(
        _of_servers("several servers", lambda servers: len(servers) > 1),
        _of_servers("whole numbers of data nodes", lambda servers: all(map(whole, servers))),
        _of_servers("storage that no data node can use", lambda servers: not all(map(whole, servers))),
        _of_servers("a full server", lambda servers: any(s.mean == s.storage for s in servers)),
        _of_servers("an overfull draw", lambda servers: any(kept(s).overfull for s in servers)),
        _of_servers("fewer data nodes than fit", lambda servers: any(whichever(s) < eta_of(s) for s in servers)),
    ),
    strategy=spreads(),
    planted=(
        Planted("eta one larger", at(first_accepts, share=lambda load: rate(load, 1))),
        Planted("no factor eta d/r", at(first_accepts, share=lambda load: poisson_factor(eta_of(load)))),
    ),
)

CLAIMS = table(REPAIRED)
