"""The claims' own arithmetic of rounding: against the convolution, against an LP solver, and on wrong cases."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log, sqrt

import pytest

from schedproof.core.claim import Case
from schedproof.proofs_checks.dmlrs import CLAIMS
from schedproof.proofs_checks.dmlrs import rounding_slots as slots
from schedproof.proofs_checks.dmlrs.rounding_lemma1 import share
from schedproof.proofs_checks.dmlrs.rounding_model import (
    Block,
    gain1,
    gain2,
    gain_above,
    gain_below,
    lower,
    neat,
    proven_gain,
    read,
)
from schedproof.proofs_checks.dmlrs.rounding_probability import infeasible
from schedproof.proofs_checks.dmlrs.rounding_theorems import solved
from schedproof.proofs_checks.strategies import covering as draws
from schedproof.proofs_checks.trials import draw
from schedproof.rounding import gains, probability
from schedproof.rounding.covering import Program, fractional_optimum
from tests.support import size


def cases(strategy, count: int) -> list[Case]:
    found: list[Case] = []
    draw(strategy, count, 0, found.append)
    return found


def program(block: Block) -> tuple[Program, list[Fraction]]:
    """The block with every column written out, and its point."""
    columns = [j for j, n in enumerate(block.times) for _ in range(n)]
    matrices = [[[row[j] for j in columns] for row in matrix] for matrix in (block.cover, block.packing)]
    costs = [block.costs[j] for j in columns]
    return Program.of(costs, matrices[0], block.demand, matrices[1], block.room), [block.point[j] for j in columns]


def test_enumeration_and_convolution_agree():
    seen = 0
    for case in cases(draws.programs(), size(30, 60, 1000)):
        block = read(case)
        if block is None:
            continue
        whole, point = program(block)
        for gain in (gain1(block)[0], Fraction(1), gain2(block)[1]):
            assert infeasible(block, gain) == 1 - probability.feasible(whole, point, gain)
            assert [block.chance(gain, e) for e in block.above()] == probability.overfull(whole, point, gain)
            bound = 2 * gain * block.cost
            dear = block.chance(gain, block.dear((gain, gain), Fraction(2)))
            assert dear == probability.cost_above(whole, point, gain, bound)
        seen += 1
    assert seen > 20


def test_gains_and_thresholds_are_enclosed():
    for width, rows, delta in ((1, 1, 1), (15, 401, Fraction(1, 20)), (Fraction(1, 3), 2, Fraction(1, 1000))):
        q = log(3 * rows / delta) / float(width)
        for (low, high), exact in (
            (gain_below(Fraction(width), rows, Fraction(delta)), 1 + 1.5 * q - sqrt((1.5 * q) ** 2 + 3 * q)),
            (gain_above(Fraction(width), rows, Fraction(delta)), 1 + q + sqrt(q * q + 2 * q)),
        ):
            assert low - 1e-12 <= exact <= high + 1e-12 and high - low <= Fraction(1, 10_000)
        fine = gains.proven_below(Fraction(width), rows, Fraction(delta))
        assert 0 <= fine - proven_gain(Fraction(width), rows, Fraction(delta)) <= Fraction(1, 10_000)


def test_numbers_are_rounded_to_the_safe_side():
    assert neat((Fraction(1, 3), Fraction(2, 3))) == (Fraction(3333, 10_000), Fraction(6667, 10_000))
    assert lower(Fraction(2, 3)) == Fraction(666666666666, 10**12) and lower(Fraction(7, 100)) == Fraction(7, 100)


GOOD = {
    "cover": [[1, 1]],
    "demand": [1],
    "packing": [[1, 0]],
    "room": [Fraction(1, 4)],
    "costs": [1, 2],
    "point": [Fraction(1, 4), Fraction(3, 4)],
    "times": [1, 1],
    "copies": 1,
    "cover_prices": [2],
    "packing_prices": [1],
    "delta": Fraction(1, 10),
}


@pytest.mark.parametrize(
    "change",
    [
        {"point": [Fraction(1, 4), Fraction(1, 2)]},
        {"point": [Fraction(1, 2), Fraction(1, 2)]},
        {"point": [Fraction(1, 8), Fraction(7, 8)]},
        {"point": [Fraction(1, 4), 1]},
        {"cover_prices": [1]},
        {"cover_prices": [3], "packing_prices": [2]},
        {"packing_prices": [-1], "cover_prices": [0]},
        {"demand": [0], "point": [0, 0], "cover_prices": [0], "packing_prices": [0]},
        {"delta": 0},
    ],
    ids=["short", "overfull", "dear", "too much", "prices", "dual", "sign", "no demand", "delta"],
)
def test_the_lemmas_do_not_speak_of_points_that_are_not_optimal(change):
    assert read(Case(None, GOOD)) is not None
    assert read(Case(None, GOOD | change)) is None


def test_the_knapsack_optimum_is_that_of_the_linear_program():
    seen = 0
    for case in cases(draws.slots(), size(30, 60, 1000)):
        slot = slots.printed(case)
        if slot is None:
            continue
        block, machines = slot.block(), len(slot.free)
        whole = Program.of(block.costs, block.cover[:1], block.demand[:1], block.packing, block.room)
        point = fractional_optimum(whole)
        assert float(block.cost) == pytest.approx(point @ [float(c) for c in block.costs], abs=1e-7)
        dearer = max(slot.bill(slot.worker))
        if dearer > min(slot.bill(slot.worker)) and slot.point[slot.bill(slot.worker).index(dearer)] == 0:
            swapped = [0] * machines
            swapped[slot.bill(slot.worker).index(dearer)] = slot.workload
            assert slots.printed(Case(None, case.data | {"point": swapped})) is None
        seen += 1
    assert seen > 20


def test_an_upper_bound_on_success_is_one():
    for case in cases(draws.slots(whole=True), size(20, 40, 500)):
        slot = slots.printed(case)
        if slot is None:
            continue
        block = slot.block()
        whole = Program.of(block.costs, block.cover[:1], block.demand[:1], block.packing, block.room)
        for gain in (Fraction(9, 10), Fraction(1), Fraction(5, 4)):
            once = probability.feasible(whole, block.point, gain)
            assert solved(slot, (gain, gain)) >= 1 - (1 - once) ** slot.draws


def test_an_internal_job_needs_its_parameter_servers_on_the_machine():
    data = {"workload": 2, "batch": 4, "workers_per_ps": 1, "worker": [1], "ps": [1], "prices": [[1]], "point": [2]}
    data |= {"delta": 1, "draws": 1}
    assert slots.read(Case(None, data | {"free": [[4]]})).inside
    assert not slots.read(Case(None, data | {"free": [[3]]})).inside


def test_the_numbers_of_the_pages():
    """What docs/refutations/dmlrs works out by hand."""
    (packing,) = CLAIMS["dmlrs.lemma1_packing"].stored()
    assert gain1(read(packing.case)) == (Fraction(356, 10_000), Fraction(357, 10_000))
    assert packing.expected["each row"] == (Fraction(178, 10_000) ** 2, Fraction(1, 6000))
    (cover,) = CLAIMS["dmlrs.lemma1_cover_any"].stored()
    block = read(cover.case)
    assert gain1(block)[1] == Fraction(6938, 10_000) and share(block) * 71 > 24
    p = 0.6938 * 71 / 500
    tail = sum(comb(500, k) * p**k * (1 - p) ** (500 - k) for k in range(25))
    assert float(cover.expected["some row"][0]) == pytest.approx(1 - (1 - tail) ** 100, rel=1e-6)
    sliver, wide = CLAIMS["dmlrs.lemma2_packing_any"].stored()  # by name
    low = gain2(read(wide.case))[0] / 100
    tail = sum(comb(100, k) * low**k * (1 - low) ** (100 - k) for k in range(7, 101))
    assert wide.expected["each row"][0] == lower(tail)
    assert gain2(read(sliver.case)) == (Fraction(119375, 10_000), Fraction(119376, 10_000))
