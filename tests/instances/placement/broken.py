"""The placement file format: a valid file, its variations, and the error messages."""

from __future__ import annotations

from schedproof.instances.placement import Instance
from schedproof.instances.placement.instance import LONGEST_HORIZON, MOST_DURATIONS
from tests.instances.broken import COUNT, POSITIVE, VERSION, Format, integers
from tests.tiny.placement import tiny_placement

VALID = b"""{"version": 1, "family": "placement", "horizon": 60, "resources": ["cpu", "gpu"],
 "clusters": [
   {"name": "c1", "capacity": {"cpu": 16, "gpu": 8}},
   {"name": "c2", "capacity": {"gpu": 3}}],
 "tasks": [
   {"name": "t1", "arrival": 0, "clusters": ["c2", "c1"], "minimum": {"cpu": 2, "gpu": 1}, "kind": "training",
    "durations": [{"allocation": {"gpu": 1, "cpu": 2}, "slots": 19}, {"allocation": {"cpu": 4, "gpu": 2}, "slots": 5}]},
   {"name": "t2", "arrival": 7, "clusters": [], "minimum": {}, "kind": "inference",
    "durations": [{"allocation": {}, "slots": 1}]}]}"""

RESOURCE = "expected the name of a resource"


def ask(instance: Instance) -> None:
    """Compute every property of an instance that needs no solver."""
    assert len(instance.notes()) == bool(instance.unschedulable_tasks)
    assert instance.enough >= 0


FORMAT = Format(
    valid=VALID,
    numbers={
        "version": VERSION,
        "horizon": integers(1, LONGEST_HORIZON),
        **dict.fromkeys(("capacity", "arrival", "minimum", "allocation"), COUNT),
        "slots": POSITIVE,
    },
    maps={"capacity": 1, "minimum": 1, "allocation": 1},
    refused=[
        ("resources", [], "resources = '[]': expected distinct names, at least one"),
        ("resources", ["cpu", "cpu"], "resources = \"['cpu', 'cpu']\": expected distinct names, at least one"),
        ("resources[1]", "", "expected a string of length >= 1"),
        ("clusters", [], "expected at least one cluster"),
        ("clusters[1].name", "c1", "expected a unique name, but clusters[0] has the same name"),
        ("clusters[1].capacity", {"tpu": 1}, f"clusters[1].capacity.tpu = 'tpu': {RESOURCE}"),
        ("tasks[1].name", "t1", "expected a unique name, but tasks[0] has the same name"),
        ("tasks[1].arrival", 60, "expected a slot before the horizon, 60"),
        ("tasks[0].clusters", ["c1", "c3"], "tasks[0].clusters[1] = 'c3': expected the name of a cluster"),
        ("tasks[0].clusters", ["c1", "c1"], "tasks[0].clusters[1] = 'c1': expected each cluster once"),
        ("tasks[0].minimum", {"tpu": 1}, f"tasks[0].minimum.tpu = 'tpu': {RESOURCE}"),
        ("tasks[0].durations", [], "tasks[0].durations: expected at least one"),
        (
            "tasks[0].durations",
            [{"allocation": {}, "slots": 1}] * (MOST_DURATIONS + 1),
            f"tasks[0].durations = {MOST_DURATIONS + 1}: expected at most {MOST_DURATIONS}",
        ),
        ("tasks[0].durations[1].allocation", {"tpu": 1}, f"tasks[0].durations[1].allocation.tpu = 'tpu': {RESOURCE}"),
        ("tasks[0].durations[1].allocation.cpu", 1, "expected at least the task's minimum, 2"),
        (
            "tasks[0].durations[1].allocation",
            {"cpu": 2},
            "tasks[0].durations[1].allocation.gpu = 0: expected at least the task's minimum, 1",
        ),
        (
            "tasks[0].durations[1].allocation",
            {"cpu": 2, "gpu": 1},
            "tasks[0].durations[1].allocation: expected each allocation once",
        ),
    ],
    number=("19", "tasks[0].durations[0].slots"),
    name="t1",
    line_break=('["c2", "c1"]', '["a\\nb"]', "tasks[0].clusters[0] = 'a\\nb'"),
    others=[("19", "18"), ('"c2", "c1"', '"c1", "c2"'), ('"cpu": 4', '"cpu": 5'), ('"arrival": 7', '"arrival": 8')],
    tiny=lambda seed: tiny_placement(seed, tasks=1 + seed % 5, clusters=1 + seed % 3),
    words=[10**5, "c1", "c2", "cpu", "t1", ["c1"], [], {}],
    ask=ask,
    decimals=False,
)
