from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product
from math import prod

import pytest

from schedproof.proofs_checks.strategies import jrp_loads
from schedproof.reference import jrp_load as loads
from schedproof.reference.jrp_load import Load, Node, kept_prefix, load_distribution
from tests.proofs_checks.jrp.servers import job, server
from tests.support import size
from tests.tiny.jrp import drawn_cases

HALF = F(1, 2)


def small(count: int) -> list[Load]:
    found = (case.load for case in drawn_cases(jrp_loads.any_loads(), count))
    return [load for load in found if len(load.nodes) <= 9]


def stays(load: Load, took: tuple[bool, ...]) -> F:
    """Return D' of one draw by (21)."""
    held = F(0)
    for node, there in zip(load.nodes, took, strict=True):
        if there and held + node.size > load.storage:
            return held
        held += node.size * there
    return held


def test_every_draw_one_by_one():
    checked = 0
    for load in small(size(60, 60, 3000)):
        table: Counter[F] = Counter()
        mean, within, overfull, least = F(0), F(0), F(0), []
        for took in product((False, True), repeat=len(load.nodes)):
            chance = prod((x if there else 1 - x for (_, x), there in zip(load.nodes, took, strict=True)), start=F(1))
            if not chance:
                continue
            total = sum((d for (d, _), there in zip(load.nodes, took, strict=True) if there), F(0))
            table[total] += chance
            mean += chance * stays(load, took)
            within += chance * total * (total <= load.storage)
            overfull += chance * (total > load.storage)
            least += [stays(load, took)] if total > load.storage else []
        assert dict(load_distribution(load)) == dict(table)
        assert kept_prefix(load) == (mean, within, overfull, min(least, default=None))
        assert load.mean == sum(d * p for d, p in table.items())
        assert load.variance == sum((d - load.mean) ** 2 * p for d, p in table.items())
        checked += bool(overfull)
    assert checked > 5


def test_eta_equals_its_readings():
    apart = 0
    for load in small(size(60, 60, 3000)):
        sizes, numbers = [d for d, _ in load.nodes], range(1, len(load.nodes) + 1)
        together = {n: [sum(some) <= load.storage for some in combinations(sizes, n)] for n in numbers}
        most, sure = (max(n for n in numbers if rule(together[n])) for rule in (any, all))
        assert (loads.server_limit(load), loads.worst_order_limit(load)) == (most, sure)
        assert loads.largest_server_limit(load) == max(most, load.elsewhere) and loads.candidates(load) == len(sizes)
        apart += sure < most
    assert apart > 5


def test_a_load_by_hand():
    # (1, 1, 4) GB on 5 GB: the 4 GB come third, and do not fit behind 2
    load = server(5, job(F(3, 4), (4, F(3, 4))), job(1, (1, 1), times=2)).load
    assert load == Load(F(5), 0, (Node(F(1), F(1)), Node(F(1), F(1)), Node(F(4), F(3, 4))), F(4))
    assert load_distribution(load) == {2: F(1, 4), 6: F(3, 4)}
    assert kept_prefix(load) == (2, HALF, F(3, 4), 2)
    assert (load.mean, load.variance, load.largest) == (5, 3, 4)
    assert (loads.server_limit(load), loads.worst_order_limit(load), loads.candidates(load)) == (2, 2, 3)


def test_ties_stay_as_in_the_case_and_a_blocked_node_ends_the_prefix():
    load = server(2, job(HALF, (2, HALF)), job(HALF, (1, HALF)), job(HALF, (0, HALF))).load
    assert [d for d, _ in load.nodes] == [2, 1, 0]
    assert kept_prefix(load).mean == HALF * 2 + F(1, 4) * 1 and kept_prefix(load).least == 2


@pytest.mark.parametrize(
    ("storage", "jobs"),
    [
        (5, []),
        (0, [job(1, (0, 1))]),
        (5, [job(HALF, (1, F(3, 4)))]),
        (5, [job(2, (1, 1))]),
        (5, [job(1, (-1, 1))]),
        (5, [job(1, (3, 0), (3, 0))]),
        (5, [job(1, (3, 1), times=2)]),
    ],
    ids=["empty", "no storage", "x above y", "y above 1", "negative", "(18)", "(7)"],
)
def test_loads_outside_the_papers_model_are_rejected(storage, jobs):
    with pytest.raises(ValueError, match=r"expected data nodes|expected no candidate that PRUNE removes"):
        server(storage, *jobs)


def test_a_load_of_too_many_data_nodes_is_not_enumerated():
    assert server(200, job(1, (1, HALF), times=200)).load.enumerable
    assert not server(200, job(1, (1, HALF), times=201)).load.enumerable
