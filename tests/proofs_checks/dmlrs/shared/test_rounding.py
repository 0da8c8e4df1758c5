from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, log, sqrt
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core.claims import claims
from schedproof.proofs_checks.dmlrs.lemma1 import share
from schedproof.proofs_checks.dmlrs.shared.rounding import (
    above,
    chance,
    dear,
    gain1,
    gain2,
    lower,
    neat,
    printed_above,
    printed_below,
    proven_gain,
)
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import hit_chance
from schedproof.proofs_checks.dmlrs.shared.states import infeasible
from schedproof.proofs_checks.strategies import covering as draws
from schedproof.proofs_checks.strategies import dmlrs_slots
from schedproof.proofs_checks.strategies.covering import Block, fractions
from schedproof.proofs_checks.strategies.dmlrs_slots import Slot, machine_costs
from schedproof.proofs_checks.trials import draw
from schedproof.rounding.covering import Program, fractional_optimum
from tests.rounding import probability
from tests.support import size


def cases(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    found: list[Any] = []
    draw(strategy, count, 0, found.append)
    return found


def written_out(block: Block) -> tuple[Program, list[Fraction]]:
    columns = [j for j, n in enumerate(block.times) for _ in range(n)]
    cover, packing = ([[row[j] for j in columns] for row in matrix] for matrix in (block.cover, block.packing))
    costs, point = [block.costs[j] for j in columns], [block.point[j] for j in columns]
    return Program.of(costs, cover, block.demand, packing, block.room), point


def linear(slot: Slot) -> tuple[Program, tuple[Fraction, ...]]:
    """(23) as printed, without a row for parameter servers, and the slot's point."""
    program = slot.program()
    rows = program.cover[:1], program.demand[:1], program.packing, program.room
    return Program.of(program.costs, *rows), program.point


def test_enumeration_and_convolution_agree():
    for block in cases(draws.programs(), size(30, 36, 1000)):
        program, point = written_out(block)
        for gain in (gain1(block)[0], Fraction(1), gain2(block)[1]):
            assert infeasible(block, gain) == 1 - probability.feasible(program, point, gain)
            assert [chance(block, gain, row) for row in above(block)] == probability.overfull(program, point, gain)
            dearer = chance(block, gain, dear(block, (gain, gain), Fraction(2)))
            assert dearer == probability.cost_above(program, point, gain, 2 * gain * block.cost)


def test_gains_are_enclosed():
    for width, rows, delta in ((1, 1, 1), (15, 401, Fraction(1, 20)), (Fraction(1, 3), 2, Fraction(1, 1000))):
        data = Fraction(width), rows, Fraction(delta)
        q = log(3 * rows / delta) / float(width)
        for (low, high), exact in (
            (neat(printed_below(*data)), 1 + 1.5 * q - sqrt((1.5 * q) ** 2 + 3 * q)),
            (neat(printed_above(*data)), 1 + q + sqrt(q * q + 2 * q)),
        ):
            assert low - 1e-12 <= exact <= high + 1e-12 and high - low <= Fraction(1, 10_000)
        gain = float(proven_gain(*data))
        assert gain == 0 or gain - 1 - log(gain) >= q
        assert q > gain + 1e-4 - 1 - log(gain + 1e-4)


def test_numbers_are_rounded_to_the_safe_side():
    assert neat((Fraction(1, 3), Fraction(2, 3))) == (Fraction(3333, 10_000), Fraction(6667, 10_000))
    assert lower(Fraction(2, 3)) == Fraction(666666666666, 10**12) and lower(Fraction(7, 100)) == Fraction(7, 100)


ONE, TWO = fractions("1"), fractions("2")
GOOD = Block(
    cover=(fractions("1 1"),),
    demand=ONE,
    packing=(fractions("1 0"),),
    room=fractions("1/4"),
    costs=fractions("1 2"),
    point=fractions("1/4 3/4"),
    times=(1, 1),
    copies=1,
    cover_prices=TWO,
    packing_prices=ONE,
    delta=Fraction(1, 10),
)


@pytest.mark.parametrize(
    "change",
    [
        {"point": fractions("1/4 1/2")},
        {"point": fractions("1/2 1/2")},
        {"point": fractions("1/8 7/8")},
        {"point": fractions("1/4 1")},
        {"cover_prices": ONE},
        {"cover_prices": fractions("3"), "packing_prices": TWO},
        {"packing_prices": fractions("-1"), "cover_prices": fractions("0")},
        {
            "demand": fractions("0"),
            "point": fractions("0 0"),
            "cover_prices": fractions("0"),
            "packing_prices": fractions("0"),
        },
        {"delta": Fraction(0)},
    ],
    ids=["short", "overfull", "dear", "too much", "prices", "dual", "sign", "no demand", "delta"],
)
def test_a_point_that_is_not_optimal_is_no_case(change):
    with pytest.raises(ValueError, match="expected"):
        replace(GOOD, **change)


def test_the_knapsack_optimum_is_that_of_the_linear_program():
    dearer = 0
    for slot in cases(dmlrs_slots.slots(), size(30, 36, 1000)):
        point = fractional_optimum(linear(slot)[0])
        program = slot.program()
        assert float(program.cost) == pytest.approx(point @ [float(c) for c in program.costs], abs=1e-7)
        costs = machine_costs(slot.worker, slot.prices)
        most = costs.index(max(costs))
        if max(costs) > min(costs) and slot.point[most] == 0:
            dearer += 1
            with pytest.raises(ValueError, match="expected an optimal point"):
                replace(slot, point=tuple(slot.workload * (h == most) for h in range(len(costs))))
    assert dearer


def test_an_upper_bound_on_success_is_one():
    for slot in cases(dmlrs_slots.slots(whole=True), size(20, 24, 500)):
        program, point = linear(slot)
        for gain in (Fraction(9, 10), Fraction(1), Fraction(5, 4)):
            once = probability.feasible(program, point, gain)
            assert hit_chance(slot, (gain, gain)) >= 1 - (1 - once) ** slot.draws


def test_an_internal_job_needs_its_parameter_servers_on_the_machine():
    one, two = Fraction(1), Fraction(2)
    slot = Slot(two, 4, one, (one,), (one,), ((2 * two,),), ((one,),), (two,), delta=one, draws=1)
    assert slot.inside
    assert not replace(slot, free=((Fraction(3),),)).inside


def test_the_numbers_of_the_pages():
    (packing,) = claims.find("dmlrs.lemma1_packing").witnesses()
    assert gain1(packing.case) == (Fraction(356, 10_000), Fraction(357, 10_000))
    assert packing.expected["each row"] == (Fraction(178, 10_000) ** 2, Fraction(1, 6000))
    (cover,) = claims.find("dmlrs.lemma1_cover_any").witnesses()
    assert gain1(cover.case)[1] == Fraction(6938, 10_000) and share(cover.case) * 71 > 24
    p = 0.6938 * 71 / 500
    tail = sum(comb(500, k) * p**k * (1 - p) ** (500 - k) for k in range(25))
    assert float(cover.expected["some row"][0]) == pytest.approx(1 - (1 - tail) ** 100, rel=1e-6)
    sliver, wide = claims.find("dmlrs.lemma2_packing_any").witnesses()  # by name
    low = gain2(wide.case)[0] / 100
    tail = sum(comb(100, k) * low**k * (1 - low) ** (100 - k) for k in range(7, 101))
    assert wide.expected["each row"][0] == lower(tail)
    assert gain2(sliver.case) == (Fraction(119375, 10_000), Fraction(119376, 10_000))
