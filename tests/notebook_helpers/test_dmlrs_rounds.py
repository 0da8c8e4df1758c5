"""Lower and upper bounds converge to the LP's optimum."""

from __future__ import annotations

from dmlrs_rounds import draw_rounds

import schedproof as sp
from schedproof.relaxations.dmlrs.column_generation import Round, column_generation


def test_each_round_encloses_the_optimum() -> None:
    rounds: list[Round] = []
    cluster = sp.embedded("cluster")
    column_generation(cluster, gap=1e-4, progress=rounds.append)
    bound, value = (line.get_xydata() for line in draw_rounds(rounds).lines)
    assert bound[:, 0].tolist() == value[:, 0].tolist() == [r.number for r in rounds]
    assert (bound[:, 1] >= sp.bound("dmlrs.rdmlrs_lp", cluster).value * (1 - 1e-3)).all()
    assert value[-1, 1] <= bound[-1, 1] <= value[-1, 1] * (1 + 1e-3)
