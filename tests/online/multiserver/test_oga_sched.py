"""The policy: its protocol, its two speeds, what it may know, and that the checker accepts what it decides."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError, PolicyError, SchedproofError, UnknownName
from schedproof.core.policy import drive_commits
from schedproof.instances.multiserver import Instance, Schedule, from_json
from schedproof.instances.multiserver.reward import slot_rewards
from schedproof.online.multiserver.oga_sched import STEPS, OgaSched, oga_sched
from tests.online.multiserver.literal import play
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports

CHOICES = [
    *({"step": step, "gain": gain} for step in STEPS for gain in ("node", "total")),
    {"step": "constant", "initial": "1/2"},
    {"step": "decayed", "initial": 3, "decay": "0.9"},
    {"step": "constant", "constants": "printed"},
]


def started(instance: Instance, **options: Any) -> Any:
    policy: Any = oga_sched(**options)
    policy.start(instance.system())
    return policy


def present(instance: Instance) -> np.ndarray:
    return instance.present(0, instance.horizon)


@pytest.mark.parametrize("options", CHOICES, ids=str)
@pytest.mark.parametrize("seed", range(size(1, 4, 60)))
def test_protocol(seed: int, options: dict[str, Any]) -> None:
    """Slot by slot, at once and in pieces it decides the same digits, all of it feasible, in place or kept."""
    instance = tiny_ports(seed, horizon=12, copies=1 + seed % 3)
    seen = present(instance)
    slow = np.array(list(drive_commits(started(instance, **options), seen)))
    fast = started(instance, **options)
    pieces = np.concatenate([fast.play(seen[a:b]) for a, b in itertools.pairwise((0, 1, 1, 6, 12))])
    assert (slow == pieces).all()
    assert (slow == started(instance, **options).play(seen)).all()
    assert not slow[0].any()
    assert not Schedule.of(slow, instance, "test").violations(instance)
    gain = options.get("gain", "node")
    earned = started(instance, **options).earn(seen)
    assert np.allclose(earned, slot_rewards(instance.graph, slow, seen, gain), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(size(2, 6, 100)))
def test_literal(seed: int) -> None:
    """With copies of ports, it is the plain loops."""
    instance = tiny_ports(seed, horizon=6, copies=2, kinds=("log", "reciprocal"))
    seen = present(instance)
    y = started(instance, step="decayed", initial="0.1", decay="0.9").play(seen)
    expected = [row for row, _, _ in play(instance.graph, seen, lambda t, squares: 0.1 * 0.9**t, "node")]
    assert np.allclose(y, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_past_only(options: dict[str, Any]) -> None:
    """Other arrivals from some slot on change nothing up to and including that slot."""
    instance = tiny_ports(3, horizon=12, copies=2)
    seen = present(instance)
    one = started(instance, **options).play(seen)
    differs = False
    for slot in range(len(seen)):
        changed = seen.copy()
        changed[slot:] = 1 - changed[slot:]
        other = started(instance, **options).play(changed)
        assert (one[: slot + 1] == other[: slot + 1]).all()
        differs = differs or bool((one[slot + 1 :] != other[slot + 1 :]).any())
    assert differs


def test_hidden() -> None:
    """What the policy is given has no arrivals in it, but for how many jobs of a port there can be."""
    instance = tiny_ports(3, horizon=12, copies=2)
    system = instance.system()
    with pytest.raises(PolicyError, match="future"):
        system.arrivals  # noqa: B018
    policy = started(instance)
    held = (value for value in vars(policy).values() if isinstance(value, np.ndarray))
    assert all(value.shape[0] != instance.horizon for value in held)


def test_again() -> None:
    """A run starts anew."""
    instance = tiny_ports(5, horizon=9)
    policy = started(instance, step="anytime")
    first = policy.play(present(instance))
    policy.start(instance.system())
    assert (policy.play(present(instance)) == first).all()


def test_printed() -> None:
    """With the printed projection it leaves the feasible set where the exact one does not; it starts the same."""
    value = tiny_multiserver(1, kinds=("linear",), horizon=4)
    value["ports"] = [{"name": name, "demand": {"cpu": 1}, "nodes": ["n"]} for name in "ab"]
    value["nodes"], value["resources"] = [{"name": "n", "capacity": {"cpu": 4}}], ["cpu"]
    value["utilities"], value["node_utilities"] = {"cpu": {"kind": "linear", "alpha": 1}}, {}
    value["overhead"], value["arrivals"] = {"cpu": 0}, [[1, 1]] * 4
    instance = from_json(value)
    runs = {
        name: instance.drive(oga_sched(projection=name), name, {}, 0, lambda slots: None)
        for name in ("exact", "printed")
    }
    assert not runs["exact"].violations(instance)
    assert {v.constraint for v in runs["printed"].violations(instance)} == {"demand"}
    first, *later = next(runs["printed"].blocks())
    assert not first.any()
    assert all(sorted(row[:, 0].tolist()) == [1, 3] for row in later)  # only one of the two is held to its demand


def test_edges_of_the_graph() -> None:
    """A port without nodes, a node without ports, and nobody connected at all."""
    for nodes in (["n0"], []):
        value = tiny_multiserver(2, ports=2, nodes=2, horizon=5)
        value["ports"][0]["nodes"], value["ports"][1]["nodes"] = nodes, []
        instance = from_json(value)
        for options in CHOICES:
            y = started(instance, **options).play(present(instance))
            assert y.shape == (5, *instance.graph.shape)
            assert np.isfinite(y).all()


def test_guarantee() -> None:
    """The theorem's premises: its own step, the gain that it is about, the projection that it needs."""
    instance = tiny_ports(1)

    def unmet(**options: Any) -> set[str]:
        promised = oga_sched(**options).guarantee(instance)  # type: ignore[attr-defined]
        assert promised.value is None
        return {premise for premise, answer in promised.premises.items() if answer != "yes"}

    assert unmet() == set()
    assert unmet(constants="printed") == set()
    assert unmet(step="anytime") == unmet(initial=1) == {"constant step D/(G sqrt T)"}
    assert unmet(gain="total") == {"gain separable over nodes (12)"}
    assert unmet(projection="printed") == {"exact projection"}


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (UnknownName, {"step": "wild"}),
        (UnknownName, {"gain": "both"}),
        (UnknownName, {"constants": "best"}),
        (UnknownName, {"projection": "rough"}),
        (InputError, {"initial": 1, "step": "anytime"}),
        (InputError, {"decay": "0.9"}),
        (InputError, {"decay": "3", "step": "decayed"}),
        (InputError, {"initial": "0"}),
        (InputError, {"threads": "none"}),
        (InputError, {"threads": 0}),
    ],
)
def test_options(error: type[SchedproofError], options: dict[str, Any]) -> None:
    with pytest.raises(error):
        oga_sched(**options)


def test_threads() -> None:
    """The digits do not depend on the number of threads."""
    instance = tiny_ports(4, horizon=9)
    decided: list[Callable[..., np.ndarray]] = [started(instance, threads=n).play for n in (None, 1, "2")]
    one, *others = (play(present(instance)) for play in decided)
    assert all((one == other).all() for other in others)
    assert isinstance(oga_sched(threads=2), OgaSched)
