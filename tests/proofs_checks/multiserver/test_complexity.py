from __future__ import annotations

from fractions import Fraction as F

from hypothesis import given, settings

from schedproof.proofs_checks.multiserver.shared.slot_steps import (
    FAMILIES,
    breakpoints,
    in_parallel,
    log2,
    prefixes,
    repeats,
    stairs,
)
from schedproof.proofs_checks.strategies import multiserver as strategies
from schedproof.reference.multiserver_projection import shift
from tests.support import size


@given(strategies.rows(most=8))
@settings(max_examples=size(15, 24, 2000), deadline=None, database=None)
def test_sorted_breakpoints_find_tau(case):
    row = case.z, case.a, case.c
    assert breakpoints(*row)[0] == in_parallel(*row)[0] == shift(*row)


def test_prefixes_by_hand():
    assert prefixes((F(1), F(2), F(3), F(4), F(5))) == ([1, 3, 6, 10, 15], 3)
    assert prefixes((F(7),)) == ([7], 0)


def test_each_turn_cuts_one_port():
    for ports in (1, 2, 3, 5, 9):
        assert repeats(stairs(ports)) == list(range(ports, 0, -1))
    assert repeats((F(1),) * 4) == [4]
    assert [log2(n) for n in (1, 2, 3, 4, 5)] == [0, 1, 2, 2, 3]
    assert FAMILIES["nodes"](4).bound == 3
