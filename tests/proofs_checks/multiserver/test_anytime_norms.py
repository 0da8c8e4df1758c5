from __future__ import annotations

from math import asin, cos, sin, sqrt

import numpy as np

from schedproof.core.base.balls import enclose
from schedproof.proofs_checks.multiserver.anytime_norms import beats, by_norm_one, earned
from schedproof.proofs_checks.strategies.multiserver_norms import Rising


def played(case: Rising) -> tuple[float, float]:
    points, gradients, angle, squares = [np.array([1.0, 0.0])], list[np.ndarray](), 0.0, 0.0
    for t, norm in enumerate(map(float, case.norms)):
        squares += norm
        step, y = 1 / sqrt(2 * squares), points[-1]
        if t < case.first + case.unit:
            angle += (-1) ** t * 2 * asin(step * sqrt(norm) / 2)
            goal = np.array([cos(angle), sin(angle)])
        else:
            goal = y - step * y / np.linalg.norm(y)
        gradients.append((goal - y) / step)
        assert abs(gradients[-1] @ gradients[-1] - norm) < 1e-9 and norm <= 1
        points.append(goal)
    visited = np.array([*points[:-1], np.zeros(2)])
    apart = max(float(np.linalg.norm(visited - point, axis=1).max()) for point in visited)
    return -sum(float(g @ y) for g, y in zip(gradients, points, strict=False)), apart


def test_the_sum_of_roots_equals_the_reward_in_a_set_of_diameter_1() -> None:
    for case in (Rising(1, 1), Rising(2, 30), Rising(5, 200)):
        regret, apart = played(case)
        low, high = enclose(lambda ball, case=case: earned(ball, case), 40)
        assert abs(regret - float(low)) < 1e-7 and high - low < 1e-9 and apart <= 1 + 1e-12


def test_short_gradients_cost_more_than_gradients_of_norm_g() -> None:
    assert [beats(Rising(m, m**6)) for m in (8, 12, 16)] == [False, True, True]
    case = Rising(32, 32**6)
    regret = float(enclose(lambda ball: earned(ball, case), 40)[0])
    assert regret > sqrt(2 * case.slots) - sqrt(2) + 1  # which was called proven for all norms of at most G
    assert float(enclose(lambda ball: by_norm_one(ball, 2), 40)[1]) >= sqrt(2)
