from __future__ import annotations

from math import exp, isclose, log, sqrt

import schedproof as sp
from schedproof.experiments.compare import draws
from schedproof.experiments.figures import computed


def test_lp_i_fills_the_storage_with_enough_jobs() -> None:
    used = [
        computed.storage_of_lp_i(draws("figure4", family="jrp", seeds=1, rings=1, jobs=jobs)[0].instance(), str(jobs))
        for jobs in (2, 10, 40)
    ]
    assert 0 < used[0] < used[1] < used[2] <= 1 + 1e-9 and used[2] > 0.9


def test_the_right_hand_side_is_the_printed_formula() -> None:
    instance = sp.embedded("cluster")
    for delta in ("0.02", "0.05", "0.1"):
        q = log(3 * 401 / float(delta)) / 15
        gain = 1 + 1.5 * q - sqrt((1.5 * q) ** 2 + 3 * q)
        for cover, function in ((30, computed.rhs_30), (35, computed.rhs_35), (40, computed.rhs_40)):
            assert isclose(function(instance, delta), 3 * exp(-gain * cover / 2), rel_tol=1e-9)
        assert computed.left_hand_side(instance, delta) == float(delta)
