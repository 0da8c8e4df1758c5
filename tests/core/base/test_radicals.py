from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from schedproof.core.base import radicals
from tests.support import size


def test_signs_of_sums_of_roots():
    rng = random.Random(0)
    for _ in range(size(300, 300, 5000)):
        terms = [(Fraction(rng.randrange(-6, 7), 2), Fraction(rng.randrange(20), 3)) for _ in range(4)]
        value = sum(float(c) * sqrt(v) for c, v in terms)
        assert radicals.sign(terms) == (0 if abs(value) < 1e-12 else np.sign(value))


@pytest.mark.parametrize(
    ("terms", "sign"),
    [
        ([], 0),
        ([(1, 0)], 0),
        ([(1, 8), (-2, 2)], 0),
        ([(1, 12), (-2, 3), (1, 5), (-1, Fraction(20, 4))], 0),
        ([(1, 2), (1, 3), (-1, 10)], -1),  # 3.146 and 3.162
        ([(1, 10**40 + 1), (-1, 10**40)], 1),
        ([(-1, 10**40 + 1), (1, 10**40)], -1),
    ],
)
def test_signs_by_hand(terms, sign):
    assert radicals.sign([(Fraction(c), Fraction(v)) for c, v in terms]) == sign
