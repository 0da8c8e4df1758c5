"""The picture of a job's remaining candidate servers."""

from __future__ import annotations

from jrp_candidates import draw_candidates
from matplotlib.colors import to_hex

import schedproof as sp
from schedproof.core.simulation.pictures import COLOURS
from tests.instances.jrp.greedy import greedy


def test_kept_candidates_are_blue_and_placements_are_dots() -> None:
    instance = sp.embedded("cells")
    schedule = greedy(instance, 1)
    job = instance.jobs[schedule.placements[0].job]
    kept = [[] if node.index == 0 else node.servers[:1] for node in job.nodes]
    ax = draw_candidates(job, kept, instance, schedule.placements)
    bars = {(round(p.get_x() + 0.45), round(p.get_y() + 0.45)): to_hex(p.get_facecolor()) for p in ax.patches}
    assert set(bars) == {(j, node.index) for node in job.nodes for j in node.servers}
    assert {at for at, colour in bars.items() if colour == COLOURS[0]} == {
        (j, i) for i, servers in enumerate(kept) for j in servers
    }
    (dots,) = ax.lines
    assert sorted(map(tuple, dots.get_xydata())) == sorted((j, i) for k, i, j in schedule.placements if k == job.index)
    assert ax.get_yticklabels()[0].get_text() == f"{job.nodes[0].name}, no server left"
