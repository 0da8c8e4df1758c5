from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.results.run import Run
from tests.certificates import instance_of
from tests.gaps import adds_up, ratios, refused
from tests.support import size


def splits(run: Run) -> bool:
    """Whether every grant meets (16) and (17)."""
    instance, held = run.instance, dict[tuple[int, int], Fraction]()
    for k, i, j in run.schedule.placements:
        held[k, j] = held.get((k, j), Fraction(0)) + instance.jobs[k].nodes[i].size
    share, got = instance.communication_share, {(g.job, g.server): g for g in run.schedule.grants}
    for (k, j), data in held.items():
        compute, bandwidth = instance.jobs[k].need(data)
        grant = got.get((k, j))
        given_ = (Fraction(0), Fraction(0)) if grant is None else (grant.compute, grant.bandwidth)
        if (1 - share) * given_[0] < compute or share * given_[1] < bandwidth:
            return False
    return True


@settings(max_examples=size(6, 6, 1000))
@given(st.integers(0, 10**6))
def test_the_parts_are_nonnegative_and_add_up(seed: int) -> None:
    for ratio in ratios("jrp", seed):
        gap, why_not = ratio.gap_or_why_not()
        if gap is None:
            assert ratio.bound.program == "jrp.lp_i" and not splits(ratio.run), why_not
            assert "jrp.lp_i covers only schedules that split their time at communication_share" in why_not
        else:
            adds_up(gap)
            assert gap["rounding"].amount <= Fraction(
                len(ratio.run.instance.jobs) + len(ratio.run.instance.servers), 2**64
            )


def test_the_embedded_cells() -> None:
    cells = sp.embedded("cells")
    run = sp.policy("jrp.greedy").run(cells)
    accepted = [cells.jobs[k].name for k in run.schedule.accepted_jobs(cells)]
    for program in ("jrp.conic", "jrp.split_free_lp", "jrp.lp_i"):
        gap = run.ratio(sp.bound(program, cells)).gap
        adds_up(gap)
        table = gap.by_job()
        assert (table.loc[accepted, "turned_away"] == 0).all()
        assert (table.drop(index=accepted)["placed_dearer"] == 0).all()
        assert table["gap"].sum() <= float(gap.total) * (1 + 1e-9)


def test_another_schedule_or_other_prices_are_rejected() -> None:
    broken = 0
    for seed in range(12):
        instance = instance_of("jrp", seed)
        run, bound = sp.policy("jrp.greedy").run(instance), sp.bound("jrp.conic", instance)
        schedule = run.schedule
        if not schedule.grants or not run.objective:
            continue
        first = next((g for g in schedule.grants if g.compute and instance.jobs[g.job].compute_rate), None)
        if first is not None:
            less = tuple(g._replace(compute=Fraction(0)) if g == first else g for g in schedule.grants)
            refused(run, bound, schedule=replace(schedule, grants=less))
            job = schedule.placements[0].job
            fewer = tuple(row for row in schedule.placements if row.job != job)
            refused(run, bound, schedule=replace(schedule, placements=fewer))
        for factor in (Fraction(1001, 1000), Fraction(999, 1000)):
            changed = replace(bound.witness, storage=tuple(price * factor for price in bound.witness.storage))
            if changed.value(instance) != bound.exact:
                refused(run, bound, witness=changed)
                broken += 1
    assert broken >= 3
