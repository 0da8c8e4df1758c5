from __future__ import annotations

from schedproof.instances.jrp import from_json, to_json
from schedproof.proofs_checks.jrp.shared.iterations import DRAWN
from schedproof.proofs_checks.jrp.shared.prune_regimes import GROUPS, PRUNED
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from tests.tiny.jrp import drawn_cases


def test_every_regime_is_reached():
    for regimes, strategy in (((*DRAWN.regimes, *GROUPS), DRAWN.strategy), (GROUPS, PRUNED.strategy)):
        drawn = drawn_cases(strategy, 100, 4)
        assert [regime.name for regime in regimes if not any(map(regime.reached, drawn))] == []


def test_drawn_instances_are_valid_files():
    for strategy in (strategies.contention(), strategies.mirror_images(), strategies.wide(), strategies.alike()):
        for instance in drawn_cases(strategy, 40, 1):
            assert from_json(to_json(instance)).sha256 == instance.sha256
            assert len(instance.jobs) <= 3 and len(instance.servers) <= 3


def test_mirrored_jobs_share_a_priority():
    for case in map(strategies.vertex_iteration, drawn_cases(strategies.mirror_images(), 30, 2)):
        assert case.present == [0, 1]
        assert case.y[0] == case.y[1] or 1 in case.y
