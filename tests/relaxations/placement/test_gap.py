from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from tests.gaps import adds_up, ratios, refused


@given(st.integers(0, 10**6))
def test_the_parts_are_nonnegative_and_add_up(seed: int) -> None:
    for ratio in ratios("placement", seed):
        adds_up(ratio.gap)
        assert ratio.gap.by_job()["started_worse"].sum() == ratio.gap["started_worse"].amount


def test_changed_data_has_no_gap_breakdown() -> None:
    instance = sp.embedded("clusters")
    run, bound = sp.policy("placement.minimum").run(instance), sp.bound("placement.lp", instance)
    starts = run.schedule.starts
    assert bound.witness.resources.any()
    refused(run, bound, witness=replace(bound.witness, resources=bound.witness.resources + 1))
    refused(run, bound, schedule=replace(run.schedule, starts=starts[1:]))
    refused(run, bound, schedule=replace(run.schedule, starts=(starts[0]._replace(until=99), *starts[1:])))
