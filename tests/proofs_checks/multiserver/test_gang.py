from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F
from itertools import product
from math import log

from schedproof.instances.multiserver import from_json, to_json
from schedproof.proofs_checks.multiserver.gang import (
    LN2,
    any_rule,
    as_ports,
    by_port,
    contend,
    earnings,
    game,
    launches,
    printed_sets,
    reward_range,
    weights,
)
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_gangs import Game, gangs


def test_tasks_that_may_start():
    one = gangs([[1, 1], [2]], [1, 1], 2)
    assert [by_port(one, s) for s in printed_sets(one)] == [
        [(False, True), (True,)],
        [(True, False), (True,)],
        [(True, True), (True,)],
    ]
    sizes = [earnings(one, s) for s in launches(one)]
    assert sorted(sizes) == [(0, 0), (0, 2), (1, 0), (1, 0), (2, 0)]
    assert contend(OfInstance(one)) and not contend(OfInstance(gangs([[1], [1]], [1, 1], 2)))


def brute_force(options, ports, slots, counts, earned):
    if not slots:
        return max(sum(w * n for w, n in zip(row, counts, strict=True)) for row in options) - earned
    return min(
        max(
            brute_force(
                options,
                ports,
                slots - 1,
                [n + b for n, b in zip(counts, x, strict=True)],
                earned + sum(w * b for w, b in zip(row, x, strict=True)),
            )
            for x in product((0, 1), repeat=ports)
        )
        for row in options
    )


def test_the_value_of_the_game():
    for instance in (gangs([[1], [1]], [1, 1], 1), gangs([[1], [2]], [1, 1], 2), gangs([[1, 1], [1]], [2, 1], 2)):
        options = [earnings(instance, launch) for launch in launches(instance)]
        for slots in (1, 2):
            assert game(instance, slots) == brute_force(options, 2, slots, [0, 0], F(0))
    assert [game(gangs([[1], [1]], [1, 1], 1), n) for n in (1, 2, 4, 8)] == [1, 1, 2, 4]
    assert game(gangs([[1], [1]], [1, 1], 2), 4) == 0


def test_tasks_as_ports():
    instance = as_ports(gangs([[1, 2], [1]], [1, 1], 2, [[1, 0], [0, 1]]))
    assert instance.arrivals.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert [p.demand["gpu"] for p in instance.ports] == [1, 2, 1]


def test_the_expected_regret_of_weights():
    # launches: none, p1, p0; p0 comes twice: it is drawn with 1/3 and then with 3/2 of 7/2
    instance = gangs([[1], [1]], [1, 1], 1, [[1, 0], [1, 0]])
    finding = weights(Game(instance, rate=F(1, 2)))
    assert finding.measured == 2 - F(1, 3) - F(3, 7)
    assert finding.claimed == F(1, 2) + LN2 * 2 * 2 and float(LN2) > log(2)


def test_weights_stay_positive_with_negative_rewards():
    # rewards y/2 - y, from -1 to 0: both ports come in the only slot, and 2 ln 4 > 1
    value = to_json(gangs([[1], [1]], [1, 1], 2, [[1, 1]])) | {"overhead": {"gpu": 1}}
    instance = from_json(value | {"utilities": {"gpu": {"kind": "linear", "alpha": Decimal("0.5")}}})
    options = [earnings(instance, launch) for launch in launches(instance)]
    assert sorted(options) == [(-F(1, 2), -F(1, 2)), (-F(1, 2), 0), (0, -F(1, 2)), (0, 0)]
    assert reward_range(options) == (-1, 0)
    assert weights(Game(instance, rate=F(2))).measured == F(1, 2)


def test_a_deterministic_rule_by_hand():
    # tasks of 1 and 2 gpus on two: v = 1, w = 2, and T v w/(v + w) = 2 for T = 3; the game's value is at least that
    finding = any_rule(Game(gangs([[1], [2]], [1, 1], 2), slots=3))
    assert finding.claimed == 2 <= finding.measured
    assert any_rule(Game(gangs([[1], [1]], [1, 1], 1), slots=4)).excess == 0
    value = to_json(gangs([[1], [1]], [1, 1], 1)) | {"overhead": {"gpu": 1}}  # nobody earns anything: v = w = 0
    assert any_rule(Game(from_json(value), slots=4)).claimed == 0
