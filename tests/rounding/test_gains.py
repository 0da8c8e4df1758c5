from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.proofs_checks.dmlrs.shared.rounding import proven_gain
from schedproof.rounding.gains import printed_above, printed_below
from tests.rounding.probability import overfull, uncovered_probabilities
from tests.rounding.test_covering import some_program
from tests.support import size

CASES = [(Fraction(w), rows, Fraction(1, d)) for w in (1, 2, 15, 400) for rows in (1, 401) for d in (1, 20, 10**6)]


@pytest.mark.parametrize(("width", "rows", "delta"), CASES, ids=str)
def test_each_gain_solves_its_equation(width, rows, delta):
    q = log(3 * rows / delta) / float(width)
    below, above = (float(gain(width, rows, delta)) for gain in (printed_below, printed_above))
    assert below == pytest.approx(1 + 1.5 * q - sqrt((1.5 * q) ** 2 + 3 * q), abs=1e-11)
    assert (1 / below - 1) ** 2 * below / 3 == pytest.approx(q, rel=1e-6)
    assert above == pytest.approx(1 + q + sqrt(q * q + 2 * q), abs=1e-11)
    assert (1 - 1 / above) ** 2 * above / 2 == pytest.approx(q, rel=1e-6)


def test_a_chernoff_bound_that_is_right_and_one_that_is_not():
    delta = Fraction(1, 2000)
    program = some_program(np.random.default_rng(0), 1)
    program = type(program).of([1, 1], [[1, 1]], [1], [[1, 1]], [1])
    half = [Fraction(1, 2)] * 2
    (wrong,) = overfull(program, half, printed_below(program.packing_width, 1, delta))
    (right,) = overfull(program, half, proven_gain(program.packing_width, 1, delta))
    assert right <= delta / 3 < wrong


def test_proven_gains_keep_their_promise():
    rng = np.random.default_rng(3)
    for _ in range(size(30, 36, 1000)):
        program = some_program(rng)
        point = [Fraction(int(n), 12) for n in rng.integers(0, 30, 4)]
        delta = Fraction(1, int(rng.choice([1, 10, 1000])))
        filled = [sum(int(e) * x for e, x in zip(row, point, strict=True)) for row in program.packing]
        reached = [sum(int(e) * x for e, x in zip(row, point, strict=True)) for row in program.cover]
        if min(filled + reached) <= 0:
            continue
        tight = type(program).of(program.costs, program.cover, reached, program.packing, filled)
        low = proven_gain(tight.packing_width, len(filled), delta)
        high = printed_above(tight.cover_width, len(reached), delta)
        assert max(overfull(tight, point, low)) <= delta / (3 * len(filled))
        assert max(uncovered_probabilities(tight, point, high)) <= delta / (3 * len(reached))


def test_without_rows_the_gain_is_1_and_invalid_input_is_rejected():
    for gain in (printed_below, printed_above):
        assert gain(None, 1, Fraction(1)) == 1
        for width, rows, delta in ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 2)):
            with pytest.raises(InputError, match="expected"):
                gain(Fraction(width), rows, Fraction(delta))
