from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.solvers.exact_check import constant, rational


@pytest.mark.parametrize("kind", [int, np.int64, np.uint64])
def test_integers_of_numpy_do_not_overflow(kind: type) -> None:
    for read in (rational, constant):
        for number in (read(kind(2**61)), read(Fraction(kind(2**61)))):
            assert number * 8 == 2**64 and type(number.numerator) is int
