from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Finding
from schedproof.instances.preemptive import from_json, to_json
from schedproof.instances.preemptive.premises import lands_in_order
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as strategies
from schedproof.proofs_checks.strategies import preemptive_traps
from schedproof.proofs_checks.trials import draw
from tests.support import size

SIZE = size(75, 75, 150)


def cases(strategy: Any) -> list[Any]:
    found: list[Any] = []
    draw(strategy, SIZE, 0, found.append)
    return found


def test_every_regime_is_reached() -> None:
    drawn = cases(strategies.online())
    wanted = (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED, regimes.SCARCE)
    assert [r.name for r in wanted if not any(map(r.reached, drawn))] == []
    assert sum(map(regimes.STORAGE.reached, cases(strategies.at_speed_1(storage=True)))) > 5


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"cloud": "none"},
        {"cloud": "unmixed", "in_order": True},
        {"storage": True},
        {"storage": True, "ample": True},
        {"typed": True},
        {"even": True, "cloud": "none"},
    ],
    ids=str,
)
def test_every_drawn_instance_round_trips(settings: dict[str, Any]) -> None:
    for instance in cases(strategies.instances(**settings)):
        assert from_json(to_json(instance)).sha256 == instance.sha256


def test_settings_have_their_effect() -> None:
    assert all(case.instance.cloud is None for case in cases(strategies.online(cloud="none")))
    assert all(lands_in_order(case.instance) for case in cases(strategies.online(in_order=True)))
    assert not all(lands_in_order(case.instance) for case in cases(strategies.online()))
    for case in cases(strategies.online(even=True, in_order=True, cloud="none")):
        assert all(job.chunk_time % 2 == 0 for job in case.instance.jobs)
    for case in cases(strategies.alone()):
        assert len(case.instance.jobs) == 1 and case.instance.cloud is None
    for case in cases(strategies.priced_cases()):
        workers = sum(q.count for q in case.instance.classes)
        assert len(case.beta) == workers and 0 <= case.share <= 1
    for case in cases(strategies.worker_counts()):
        assert case.time > 0 and case.workers


def test_the_knockout_approaches_theorem_3_with_each_round() -> None:
    claim, shares = claims.claim("preemptive.theorem3_minlp_repaired"), []
    for rounds in (((1, 2),), ((1, 0), (1, 2)), ((1, 0), (1, 0), (3, 4)), ((1, 0), (1, 0), (1, 0), (3, 4))):
        case = preemptive_traps.knockout(rounds)
        waiting = dict.fromkeys(range(2 ** len(rounds)), 0)
        for job in case.instance.jobs:  # to the emptiest server, the first of equals
            chosen = min((q.index for q, _ in case.instance.qualified(job)), key=lambda index: (waiting[index], index))
            waiting[chosen] += 1
        run = sp.policy("a_online", order="residual", speed=2).run(case.instance)
        assert not run.violations and run.objective == sum(n * (n + 1) // 2 for n in waiting.values())
        assert run.guarantee.value == 2 and set(run.guarantee.premises.values()) == {"yes"}
        assert case.plan is not None
        shown = sum(start + 2 for _, _, start in case.plan)
        finding = claim.read_as("whole slots").check(case)
        assert isinstance(finding, Finding) and finding.measured == Fraction(run.objective) / shown < finding.claimed
        shares.append(finding.measured / 2)
    assert shares == sorted(set(shares)) and shares[-1] > Fraction(1, 2)
    small = preemptive_traps.knockout(((1, 0), (1, 2)))
    best = sp.program("preemptive.minlp2").solve(small.instance).schedule().objective(small.instance)
    assert best == sum(start + 2 for _, _, start in small.plan or ())
