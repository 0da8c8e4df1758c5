from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import PolicyError
from schedproof.core.simulation.policy import drive_commits
from schedproof.instances.multiserver import Instance, Schedule, drive, from_json
from schedproof.instances.multiserver.reward import slot_rewards
from schedproof.online.multiserver.oga_sched import oga_sched
from tests.online.multiserver.literal import played, started
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_multiserver, tiny_ports

STEPS = ("constant", "decayed", "printed53", "anytime")
CHOICES = [
    *({"step": step, "gain": gain} for step in STEPS for gain in ("node", "total")),
    {"step": "constant", "initial": Fraction(1, 2)},
    {"step": "decayed", "initial": Fraction(3), "decay": Fraction(9, 10)},
    {"step": "constant", "constants": "printed"},
]


def start(instance: Instance, **options: Any) -> Any:
    return started(oga_sched(**options), instance)


def present(instance: Instance) -> np.ndarray:
    return instance.present(0, instance.horizon)


@pytest.mark.parametrize("options", CHOICES, ids=str)
@pytest.mark.parametrize("seed", range(size(1, 4, 60)))
def test_protocol(seed: int, options: dict[str, Any]) -> None:
    instance = tiny_ports(seed, horizon=12, copies=1 + seed % 3)
    seen = present(instance)
    slow = np.array(list(drive_commits(start(instance, **options), seen)))
    fast = start(instance, **options)
    pieces = np.concatenate([fast.play(seen[a:b]) for a, b in itertools.pairwise((0, 1, 1, 6, 12))])
    assert (slow == pieces).all()
    assert (slow == start(instance, **options).play(seen)).all()
    assert not slow[0].any()
    assert not Schedule.of(slow, instance, "test").violations(instance)
    gain = options.get("gain", "node")
    earned = start(instance, **options).earn(seen)
    assert np.allclose(earned, slot_rewards(instance.graph, slow, seen, gain), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_past_only(options: dict[str, Any]) -> None:
    instance = tiny_ports(3, horizon=12, copies=2)
    seen = present(instance)
    one = start(instance, **options).play(seen)
    differs = False
    for slot in range(len(seen)):
        changed = seen.copy()
        changed[slot:] = 1 - changed[slot:]
        other = start(instance, **options).play(changed)
        assert (one[: slot + 1] == other[: slot + 1]).all()
        differs = differs or bool((one[slot + 1 :] != other[slot + 1 :]).any())
    assert differs


def test_hidden() -> None:
    instance = tiny_ports(3, horizon=12, copies=2)
    with pytest.raises(PolicyError, match="future"):
        drive.system(instance).arrivals  # noqa: B018
    policy = start(instance)
    held = (value for value in vars(policy).values() if isinstance(value, np.ndarray))
    assert all(value.shape[0] != instance.horizon for value in held)


def test_a_second_run_equals_the_first() -> None:
    instance = tiny_ports(5, horizon=9)
    policy = start(instance, step="anytime")
    first = policy.play(present(instance))
    assert (started(policy, instance).play(present(instance)) == first).all()


def test_printed() -> None:
    instance = from_json(by_hand([[4]], [([1], [0])] * 2, [[1, 1]] * 4))
    runs = {name: played(oga_sched(projection=name), instance) for name in ("exact", "printed")}
    assert not runs["exact"].violations(instance)
    assert {v.constraint for v in runs["printed"].violations(instance)} == {"demand"}
    first, *later = next(runs["printed"].blocks())
    assert not first.any()
    assert all(sorted(row[:, 0].tolist()) == [1, 3] for row in later)  # only one of the two is held to its demand


def test_edges_of_the_graph() -> None:
    for nodes in (["n0"], []):
        value = tiny_multiserver(2, ports=2, nodes=2, horizon=5)
        value["ports"][0]["nodes"], value["ports"][1]["nodes"] = nodes, []
        instance = from_json(value)
        for options in CHOICES:
            y = start(instance, **options).play(present(instance))
            assert y.shape == (5, *instance.graph.shape)
            assert np.isfinite(y).all()


def test_guarantee() -> None:
    instance = tiny_ports(1)

    def unmet(**options: Any) -> set[str]:
        promised = oga_sched(**options).guarantee(instance)  # type: ignore[attr-defined]
        assert promised.value is None
        return {premise for premise, answer in promised.premises.items() if answer != "yes"}

    assert unmet() == set()
    assert unmet(constants="printed") == set()
    assert unmet(step="anytime") == unmet(initial=Fraction(1)) == {"constant step D/(G sqrt T)"}
    assert unmet(gain="total") == {"gain separable over nodes (12)"}
    assert unmet(projection="printed") == {"exact projection"}


def test_threads() -> None:
    instance = tiny_ports(4, horizon=9)
    one, *others = (start(instance, threads=n).play(present(instance)) for n in (None, 1, 2))
    assert all((one == other).all() for other in others)


@pytest.mark.parametrize("options", CHOICES[::3], ids=str)
def test_one_thread_and_two_in_turn(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_ports(4, horizon=40)
    alone = start(instance, threads=1, **options)
    expected, rewards = alone.play(present(instance)), start(instance, threads=1, **options).earn(present(instance))
    monkeypatch.setattr("schedproof.online.multiserver.oga_sched.ENTRIES_AT_ONCE", 1)
    earning, playing = (start(instance, threads=2, **options) for _ in range(2))
    earning.pace.way, playing.pace.way = (itertools.cycle(ways).__next__ for ways in ((0, 1), (1, 1, 0)))
    assert np.array_equal(earning.earn(present(instance)), rewards)
    assert np.array_equal(playing.play(present(instance)), expected)
    assert earning.pace.way() == 0 and playing.pace.way() == 1  # after 40 slots, each by its own clock
