"""Theorem 1: the throughput of Algorithm 1 against the optimum of LP_I, with storage alone.

The repaired version speaks of jobs of one data node each, all of one size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.enclosures import below, normal_loss, poisson_factor, printed_factor
from schedproof.proofs_checks.readings import readings
from schedproof.proofs_checks.strategies import jrp_points as draw
from schedproof.proofs_checks.strategies.jrp_points import EqualNodes, OptimalPoint, loads
from schedproof.reference.jrp import ONE, ZERO, Table, accepted, draws, storage_only
from schedproof.reference.jrp import kept as kept_nodes
from schedproof.reference.jrp_load import Load, kept, most_here, whichever
from schedproof.reference.jrp_model import levels, optimum

MOST_DRAWS = 4096
Eta = Callable[[Sequence[Load]], int]
Factor = Callable[[int], Fraction]


def at_the_end(case: OptimalPoint, eta: Eta, factor: Factor = printed_factor) -> Answer:
    """The throughput at the end is at least the factor times OPT_I.

    Measured is the most jobs that can be accepted together, which no algorithm exceeds, whatever it draws.
    """
    servers = unpruned(case)
    if servers is None:
        return Outside("TODO")
    number = eta(servers)
    measured = Fraction(optimum(case.instance, storage_only))
    return Finding(measured, factor(number) * case.optimum, "at least", f"jobs accepted together, eta = {number}")


def at_first(case: OptimalPoint, factor: Factor = printed_factor) -> Answer:
    """The first iteration accepts on average at least the factor times OPT_I, with the least eta."""
    servers = unpruned(case)
    mean = None if servers is None else first_iteration(case.instance, case.rows)
    if servers is None or mean is None:
        return Outside("TODO")
    claimed = factor(least(servers)) * case.optimum
    return Finding(mean, claimed, "at least", f"jobs of the first iteration, eta = {least(servers)}")


def data_kept(case: OptimalPoint) -> Answer:
    """sum_j E(D'_j) is at least the factor times sum_j mu_j, with the least eta."""
    servers = unpruned(case)
    if servers is None:
        return Outside("TODO")
    mean, wanted = (sum(amounts, ZERO) for amounts in ((kept(s).mean for s in servers), (s.mean for s in servers)))
    return Finding(mean, printed_factor(least(servers)) * wanted, "at least", f"data kept, eta = {least(servers)}")


def unpruned(case: OptimalPoint) -> list[Load] | None:
    """The servers' loads, where PRUNE finds nothing to remove."""
    try:
        return loads(case.instance, case.rows)
    except ValueError:
        return None


def most(servers: Sequence[Load]) -> int:
    """The most data nodes that fit together on one server."""
    return max(map(most_here, servers))


def least(servers: Sequence[Load]) -> int:
    """The most of which any fit together on every server."""
    return min(map(whichever, servers))


def first_iteration(instance: Instance, rows: Table) -> Fraction | None:
    """How many jobs the first iteration accepts on average, over all draws; None where these are too many."""
    y = levels(instance, rows)
    ways = Counter((k, i) for k, i, *_ in rows)
    if prod(count + (y[k] < 1) for (k, _), count in ways.items()) > MOST_DRAWS:
        return None
    return sum((p * len(accepted(instance, kept_nodes(instance, drawn, y))) for p, drawn in draws(rows)), ZERO)


def _of_servers(name: str, reached: Callable[[Sequence[Load]], bool]) -> Regime[OptimalPoint]:
    def met(case: OptimalPoint) -> bool:
        servers = unpruned(case)
        return servers is not None and reached(servers)

    return Regime(name, met)


# --- repaired --------------------------------------------------------------------------------------------------------


def rate(load: Load, more: int = 0) -> Fraction:
    """(1 - e^(-eta) eta^eta/eta!) eta d/r, with eta = floor(r/d)."""
    return poisson_factor(eta_of(load) + more) * eta_of(load) * load.largest / load.storage


def first_accepts(case: EqualNodes, share: Callable[[Load], Fraction] = rate, whole_only: bool = False) -> Answer:
    """The first iteration accepts on average at least the least rate of a server times sum y.

    Measured is the mean number of data nodes that are kept.

    Parameters
    ----------
    whole_only
        Only cases in which each server's storage holds a whole number of data nodes.
    """
    servers = case.loads
    if whole_only and not all(map(whole_number, servers)):
        return Outside("TODO")
    mean = sum((kept(load).mean / load.largest for load in servers), ZERO)
    points = sum((load.mean / load.largest for load in servers), ZERO)
    return Finding(mean, min(map(share, servers)) * points, "at least", f"jobs accepted, eta = {eta_of(servers[0])}")


FIRST_ACCEPTS_PROOF = Proof(
    """
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
    """,
    answers={"TODO": "TODO"},
)


def eta_of(load: Load) -> int:
    """floor(r/d): how many data nodes the server's storage holds, whether or not there are so many."""
    return load.storage // load.largest


def whole_number(load: Load) -> bool:
    """Whether the storage holds a whole number of data nodes."""
    return load.storage % load.largest == 0


def stirling(load: Load) -> Fraction:
    """1 - 1/sqrt(2 pi eta), from below."""
    return below(lambda ball: ball(ONE) - normal_loss(ball, eta_of(load)))


EQUAL_NODES = Domain(
    EqualNodes,
    draw.spreads(),
    (
        Regime("several servers", lambda case: len(case.loads) > 1),
        Regime("whole numbers of data nodes", lambda case: all(map(whole_number, case.loads))),
        Regime("storage that no data node can use", lambda case: not all(map(whole_number, case.loads))),
        Regime("a full server", lambda case: any(load.full for load in case.loads)),
        Regime("an overfull draw", lambda case: any(kept(load).overfull for load in case.loads)),
        Regime("fewer data nodes than fit", lambda case: any(whichever(load) < eta_of(load) for load in case.loads)),
    ),
)

THEOREM1 = Claim(
    id="jrp.theorem1",
    source=WANG19.at("Theorem 1"),
    statement="The algorithm's throughput is at least (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) OPT_I.",
    readings=(
        *readings(
            at_the_end,
            ("at the end, most", "eta: the most data nodes that fit on one server.", {"eta": most}),
            ("at the end, least", "eta: the most of which any fit on every server.", {"eta": least}),
        ),
        Reading("the first iteration", "What it accepts on average; the same, least eta.", at_first),
        Reading("data kept", "sum_j E(D'_j) against sum_j mu_j, as the proof has it; the least eta.", data_kept),
    ),
    domain=Domain(
        OptimalPoint,
        draw.points(),
        (
            _of_servers("several servers", lambda servers: len(servers) > 1),
            _of_servers("a job with several data nodes", lambda servers: any(s.heaviest > s.largest for s in servers)),
            _of_servers(
                "an overfull draw", lambda servers: any(kept(s).overfull for s in servers if len(s.nodes) < 10)
            ),
            _of_servers("eta at least 3", lambda servers: least(servers) >= 3),
            Regime("an x between 0 and 1", lambda case: any(0 < x < 1 for *_, x in case.rows)),
        ),
    ),
    false_variants=(
        FalseVariant("all of OPT_I", with_settings(at_the_end, eta=least, factor=lambda _: ONE)),
        FalseVariant("all of OPT_I at once", with_settings(at_first, factor=lambda _: ONE)),
    ),
    repair=Repair(
        statement="For jobs of one data node each, all of size d, and storage alone, the first iteration accepts on "
        "average at least (1 - e^(-eta) eta^eta/eta!) OPT_I >= (1 - 1/sqrt(2 pi eta)) OPT_I, where eta = min r_j^s/d, "
        "if all r_j^s/d are whole; otherwise eta_j = floor(r_j^s/d), and server j keeps eta_j d/r_j^s of that.",
        readings=readings(
            first_accepts,
            ("Poisson", "The storages hold whole numbers of data nodes.", {"whole_only": True}),
            ("Stirling", "The same with 1 - 1/sqrt(2 pi eta).", {"share": stirling, "whole_only": True}),
            ("any storage", "With the factor eta_j d/r_j.", {}),
            proof=FIRST_ACCEPTS_PROOF,
        ),
        domain=EQUAL_NODES,
        false_variants=(
            FalseVariant("eta one larger", with_settings(first_accepts, share=lambda load: rate(load, 1))),
            FalseVariant(
                "no factor eta d/r", with_settings(first_accepts, share=lambda load: poisson_factor(eta_of(load)))
            ),
        ),
    ),
)
