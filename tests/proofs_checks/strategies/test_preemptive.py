"""The strategies draw valid instances and reach every situation that the claims name."""

from __future__ import annotations

import pytest
from schedproof.proofs_checks.preemptive.literal import in_order

from schedproof.core.claim import Case
from schedproof.instances.preemptive import from_json, to_json
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.strategies import preemptive as strategies
from schedproof.proofs_checks.trials import draw

SIZE = 150


def cases(strategy) -> list[Case]:
    found: list[Case] = []
    draw(strategy, SIZE, 0, found.append)
    return found


ONLINE = (
    regimes.PREEMPTION,
    regimes.TRANSIT,
    regimes.DELAYS,
    regimes.BROKEN,
    regimes.SCARCE,
    regimes.ZERO_DELAY,
    regimes.SINGLE_CHUNK,
    regimes.SEVERAL_CHUNKS,
    regimes.MIXED,
    regimes.CLOUD_FREE,
    regimes.CLOUD,
    regimes.TIE,
    regimes.QUEUE,
)


def test_every_regime_is_reached():
    drawn = cases(strategies.online())
    assert {r.name: sum(map(r.reached, drawn)) for r in ONLINE if not any(map(r.reached, drawn))} == {}
    stored = cases(strategies.instances(storage=True).map(Case))
    assert sum(map(regimes.STORAGE.reached, stored)) > 5


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"cloud": "none"},
        {"cloud": "unmixed", "in_order": True},
        {"storage": True},
        {"storage": True, "roomy": True},
        {"typed": True},
        {"scarce": True},
        {"even": True, "cloud": "none"},
    ],
    ids=str,
)
def test_every_drawn_object_is_a_valid_instance(settings):
    found = []
    draw(strategies.objects(**settings), SIZE, 1, found.append)
    for value in found:
        instance = from_json(value)
        assert from_json(to_json(instance)).sha256 == instance.sha256


def test_settings_do_what_they_say():
    assert all(case.instance.cloud is None for case in cases(strategies.online(cloud="none")))
    assert all(in_order(case.instance) for case in cases(strategies.online(in_order=True)))
    assert not all(in_order(case.instance) for case in cases(strategies.online()))
    for case in cases(strategies.online(even=True, in_order=True, cloud="none")):
        assert all(job.chunk_time % 2 == 0 for job in case.instance.jobs)
    for case in cases(strategies.alone()):
        assert len(case.instance.jobs) == 1 and case.instance.cloud is None
    for case in cases(strategies.priced()):
        workers = sum(q.count for q in case.instance.classes)
        assert len(case.data["beta"]) == workers and 0 <= case.data["share"] <= 1
    for case in cases(strategies.worker_counts()):
        assert case.data["time"] > 0 and case.data["workers"]
