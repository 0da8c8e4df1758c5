"""The claims about PRUNE and the iterations: numbers worked by hand, a simulation, exhaustive searches, verdicts."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement

import pytest

from schedproof.core.claim import Case, Claim
from schedproof.core.verdict import Kind
from schedproof.proofs_checks.jrp import (
    copes,
    iterations,
    kept_nodes,
    line19,
    prune,
    repaired,
    storage_test,
    top_job,
    trivial,
)
from schedproof.proofs_checks.jrp.iterations import nobody
from schedproof.proofs_checks.jrp.literal import accepted, kept
from schedproof.proofs_checks.jrp.model import shown
from schedproof.proofs_checks.jrp.repaired import drawn_surely, longest
from schedproof.proofs_checks.jrp.rounds import Round, read, unique
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.strategies.jrp_rounds import build, solved
from schedproof.proofs_checks.trials import draw
from schedproof.proofs_checks.verify import judge
from tests.support import size

MODULES = (prune, copes, trivial, iterations, top_job, storage_test, line19, kept_nodes)
CLAIMS: dict[str, Claim] = {id: claim for module in MODULES for id, claim in module.CLAIMS.items()}
VERDICTS: dict[str, Kind] = {
    "prune_safe": "refuted",
    "prune_copes": "refuted_as_printed",
    "trivial_definition": "refuted_as_printed",
    "proposition1_accepts": "refuted",
    "proposition1_iterations": "refuted",
    "top_job_kept": "refuted_as_printed",
    "storage_test_feasible": "refuted",
    "line19_proportional": "refuted",
    "kept_nodes_released": "refuted_as_printed",
}
STORED = {witness.name: witness.case for claim in CLAIMS.values() for witness in claim.stored()}


JUDGED = [id for id in CLAIMS if size(0, 0, 1) or not id.endswith("repaired")]


@pytest.mark.parametrize("id", JUDGED)
def test_a_verdict_follows_at_another_seed_too(id):
    result = judge(CLAIMS[id], seed=1, repair_holds=CLAIMS[id].small_repair)
    assert not result.blocks
    assert result.verdict == VERDICTS.get(id.partition(".")[2], "holds")


@pytest.mark.parametrize("name", [name for name, case in STORED.items() if "x" in case.data])
def test_witnesses_have_one_optimum(name):
    assert unique(STORED[name])


# --- PRUNE -----------------------------------------------------------------------------------------------------------


def test_the_removed_job_is_served_by_a_schedule():
    rows = [*[(0, j, 3, F(1)) for j in range(3)], *[(0, 3 + j, j, F(1)) for j in range(3)]]
    assert shown(STORED["prune_safe"].instance, rows, []) == 1
    assert shown(STORED["prune_safe-degrees"].instance, [(0, i, i, F(1)) for i in range(3)], []) == 1


def test_no_smaller_job_is_removed_in_every_order():
    """Unit data nodes, all sets of servers, all small storages; exhaustively."""
    sizes = [(nodes, servers) for nodes in range(1, size(3, 4, 5)) for servers in range(1, size(3, 4, 4))]
    for nodes, servers in sizes:
        reaches = [r for many in range(1, servers + 1) for r in combinations(range(servers), many)]
        for storages in combinations_with_replacement((1, 2), servers):
            boxes = [(storage, 0, 0) for storage in storages]
            for chosen in combinations_with_replacement(reaches, nodes):
                case = Case(build([(0, 0, [(1, own) for own in chosen])], boxes))
                assert not prune.safe(case, prune.STANDING_FREE).violated


def test_the_smallest_for_degrees_at_the_start_has_three_data_nodes():
    found = set()
    for nodes in (1, 2, 3):
        for servers in (1, 2, 3):
            reaches = [r for many in range(1, servers + 1) for r in combinations(range(servers), many)]
            for chosen in combinations_with_replacement(reaches, nodes):
                case = Case(build([(0, 0, [(1, own) for own in chosen])], [(1, 0, 0)] * servers))
                if prune.safe(case, prune.AT_THE_START).violated:
                    found.add((nodes, servers))
    assert found == {(3, 3)}


def test_a_job_that_no_line_rejects_is_never_accepted():
    case = STORED["trivial_definition"]
    (left,) = trivial.outcomes(case.instance, 0)
    assert left == ((0,), ())  # sum of x over no server is y: 0 in each LP_I
    assert trivial.as_given(case).violated and not trivial.as_left(case).violated


# --- Proposition 1 ---------------------------------------------------------------------------------------------------


def test_proposition_1_by_hand():
    one, storage = (read(STORED[f"proposition1_accepts{what}"]) for what in ("", "-storage"))
    assert one.y == storage.y == [F(2, 3)] * 2
    assert nobody(one) == nobody(one, best=True) == F(1, 9)
    # k0 all drawn, or k1 all drawn and nothing of k0: 4/9 + 4/9 * 1/9
    assert nobody(storage) == 1 - F(4, 9) - F(4, 81)
    assert nobody(storage, best=True) == (1 - F(4, 9)) ** 2
    average = STORED["proposition1_iterations-average"]
    assert read(average).y == [F(7, 13)] * 2
    assert iterations.expected(average).measured == 1 / (1 - F(120, 169) ** 2) > 2
    assert iterations.more_than_p(STORED["proposition1_iterations"]).measured == F(1, 81)


def test_nobody_is_accepted_as_often_as_the_dice_say():
    """A second route: draws by a random generator, line by line."""
    rng, rounds, tried = random.Random(5), size(2000, 4000, 100_000), 0
    found: list[Case] = []
    draw(strategies.rounds(), 40, 7, found.append)
    for case in found:
        one = read(case)
        chance = float(nobody(one))
        if not 0.02 < chance < 0.98:
            continue
        law: dict = {}
        for k, i, j, x in one.rows:
            law.setdefault((k, i), []).append((j, float(x)))
        empty = 0
        for _ in range(rounds):
            drawn = {}
            for node, row in law.items():
                u = rng.random()
                for j, x in row:
                    if 0 <= u < x:
                        drawn[node] = j
                    u -= x
            empty += not accepted(one.instance, kept(one.instance, drawn, one.y))
        assert empty / rounds == pytest.approx(chance, abs=5 * (chance * (1 - chance) / rounds) ** 0.5)
        tried += 1
        if tried == size(2, 3, 10):
            break
    assert tried


def test_one_job_alone_is_always_accepted():
    cases: list[Case] = []
    draw(strategies.grouped(jobs=2), size(30, 60, 2000), 3, cases.append)
    alone = [
        solved(c.instance.part([0], [(s.storage, s.compute, s.bandwidth) for s in c.instance.servers])) for c in cases
    ]
    found = [one for one in map(read, alone) if one is not None]
    assert len(found) > 10 and all(one.y == [1] and nobody(one) == 0 for one in found)


def test_surely_drawn():
    found = read(STORED["proposition1_accepts-storage"])
    assert {row[0]: row[3] for row in drawn_surely(found, [1])} == {0: F(2, 3), 1: F(1)}


def test_the_repaired_algorithm_by_hand():
    # the top job takes the one server, the other no longer fits
    assert longest(STORED["proposition1_accepts"].instance) == 1
    # k2 has y = 1; where neither k0 nor k1 is drawn, one of them is accepted in the next iteration
    room = build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))]), (0, 0, [(1, (0,))])], [(3, 4, 4)])
    assert longest(room) == 2
    assert longest(build([(0, 0, [(2, (0,))]), (0, 0, [(2, (1,))])], [(1, 0, 0)] * 2)) == 0
    assert longest(build([(0, 0, [(1, (0,))]), (0, 0, [(1, (0,)), (1, (1,))])], [(2, 0, 0), (1, 0, 0)])) == 1


def test_an_iteration_without_an_accepted_job_is_one_too_many(monkeypatch):
    monkeypatch.setattr(repaired, "all_three", lambda *_: False)
    assert longest(STORED["proposition1_accepts"].instance) == 3


def test_on_average_counts_the_order_that_helps():
    case = STORED["proposition1_accepts-storage"]
    assert iterations.expected(case).measured == F(81, 56) < 1 / (1 - nobody(read(case)))


def test_x_that_the_last_lp_did_not_use_is_0():
    instance = build([(1, 0, [(1, (0,))]), (1, 0, [(2, (0, 1))])], [(9, 4, 0), (9, 4, 0)])
    rows = ((0, 0, 0, F(1)), (1, 0, 1, F(1)))
    found = Round(instance, rows, [F(1), F(1)])
    assert copes._overtaxed_next(found, {(0, 0): 0})  # (20) lets k1 stay at s0, which has half of what it needs
    assert not copes._overtaxed_next(found, {(1, 0): 1})


def test_node_by_node_loses_all():
    case = STORED["top_job_kept"]
    assert top_job.if_drawn(case, ties=top_job.node_by_node).measured == 1


# --- the storage test and line 19 ------------------------------------------------------------------------------------


def test_both_are_kept_and_neither_is_in_time():
    case = STORED["storage_test_feasible"]
    assert all(
        storage_test.STORAGE_TEST.reading(r.name).check(case).measured == F(4, 9)
        for r in storage_test.STORAGE_TEST.readings
    )
    before = [{0: F(2, 3), 1: F(2, 3)}]
    solved_ = line19.least(case.instance, before)
    assert solved_ == {(0, 0): (F(8, 3), F(4, 3)), (1, 0): (F(4, 3), F(8, 3))}
    now = [{0: F(1), 1: F(1)}]
    assert line19.with_data(case.instance, solved_, before, now) == {(0, 0): (4, 2), (1, 0): (2, 4)}
    assert line19.of_everything(case.instance, solved_, before, now) == solved_


def test_a_whole_server_shared_out():
    instance = build([(1, 0, [(1, (0,))]), (1, 0, [(3, (0,))])], [(4, 8, 0)])
    solved_ = {(0, 0): (F(2), F(0)), (1, 0): (F(2), F(0))}
    shares = line19.of_everything(instance, solved_, [], [{0: F(1), 1: F(3)}])
    assert shares == {(0, 0): (4, 0), (1, 0): (4, 0)}


def test_data_nodes_left_over():
    found = read(STORED["kept_nodes_released"])
    assert found.y == [1, F(1, 2)]
    assert kept_nodes.left_over(found, {(0, 0): 0, (1, 0): 0, (1, 1): 0}) == {1}
    assert kept_nodes.left_over(found, {(0, 0): 0}) == set()
