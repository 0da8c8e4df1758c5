"""Potentials: they exist exactly for minimum-cost flows."""

from __future__ import annotations

import random

import numpy as np
import pytest

from schedproof.core.errors import SchedproofError
from schedproof.core.solvers import flow
from schedproof.core.solvers.potentials import potentials
from tests.support import size


def test_they_price_the_arcs_of_the_cheapest_flow_only() -> None:
    dearer = 0
    for seed in range(size(60, 200, 5000)):
        rng = random.Random(seed)
        nodes = rng.randrange(2, 7)
        arcs = [(*rng.sample(range(nodes), 2), rng.randrange(1, 4), rng.randrange(-2, 6)) for _ in range(12)]
        tails, heads, most, costs = np.array(arcs, dtype=np.int64).T
        supplies = np.zeros(nodes, dtype=np.int64)
        supplies[0], supplies[1] = 2, -2
        outcome, flows = flow.solve(tails, heads, most, costs, supplies)
        if outcome.exact is None:
            continue
        found = potentials(tails, heads, most, costs, flows, nodes)
        gain = found[heads] - found[tails] - costs
        assert np.all(gain[flows < most] <= 0) and np.all(gain[flows > 0] >= 0), seed
        assert outcome.exact == found @ -supplies - most @ np.maximum(gain, 0), seed  # the dual's value
        _, other_flows = flow.solve(tails, heads, most, np.zeros_like(costs), supplies)
        if other_flows @ costs > outcome.exact:
            dearer += 1
            with pytest.raises(SchedproofError, match="does not have minimum cost"):
                potentials(tails, heads, most, costs, other_flows, nodes)
    assert dearer
