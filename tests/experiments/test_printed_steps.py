"""What the printed lines make of the points of a run: by hand, and by another reading of the paper."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from schedproof.experiments.arrival_trends import DUEL
from schedproof.experiments.printed_steps import fates
from schedproof.experiments.worst_arrivals import with_arrivals
from schedproof.instances import from_json
from schedproof.online.multiserver.picture import JUDGEMENTS, judge
from schedproof.online.multiserver.projection import project_row

IN_TURN = with_arrivals(from_json(DUEL), np.eye(2, dtype=np.uint8)[np.arange(16) % 2])


def test_the_printed_lines_fill_a_node_while_less_is_asked_for_than_it_has() -> None:
    # 1/4 more of 1 is asked for in each slot: too little three times, then as much as there is, then more
    assert fates(IN_TURN, 0.25, 5) == {"feasible, not the nearest": 3, "the nearest point": 2, "more than a demand": 0}


@pytest.mark.parametrize("step", [0.3, 2.0])
def test_the_fates_of_two_ports_are_those_that_another_reading_of_the_paper_judges(step: float) -> None:
    ports = [{"name": name, "demand": {"gpu": most}, "nodes": ["node"]} for name, most in (("one", 3), ("other", 1))]
    cluster = from_json(DUEL | {"ports": ports, "nodes": [{"name": "node", "capacity": {"gpu": 3}}]})
    instance = with_arrivals(cluster, np.array([[1, 1], [1, 0], [0, 1]] * 3, dtype=np.uint8))
    y, judged = np.zeros(2), []
    for present in instance.arrivals:
        z = y + step * present
        judged.append(list(JUDGEMENTS)[judge((z[0], z[1]), (3.0, 1.0), 3.0)])
        y = project_row(z, np.array([3.0, 1.0]), 3.0)
    assert +fates(instance, step, 9) == Counter(judged)
    assert "more than a demand" in judged
