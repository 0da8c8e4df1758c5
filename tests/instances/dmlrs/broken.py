"""The dmlrs file format: a valid file, its variations, and the error messages."""

from __future__ import annotations

from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.extremes import extremes
from schedproof.instances.dmlrs.instance import LONGEST_HORIZON, MOST_PS
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from tests.instances.broken import ABOVE_ZERO, AMOUNT, COUNT, POSITIVE, VERSION, Format, drop, integers
from tests.tiny.dmlrs import tiny_dmlrs

VALID = b"""{"version": 1, "family": "dmlrs", "horizon": 3, "resources": ["gpu", "cpu"],
 "machines": [
   {"name": "m1", "capacity": {"gpu": 4, "cpu": 16.5}},
   {"name": "m2", "capacity": {"cpu": 8}}],
 "jobs": [
   {"name": "j1", "arrival": 0, "epochs": 2, "samples": 5, "batch_size": 4, "workers_per_ps": 2,
    "sample_time": 0.1, "model_size": 6.0, "bandwidth_internal": 60.0, "bandwidth_external": 20.0,
    "worker": {"gpu": 1, "cpu": 2}, "ps": {"cpu": 1.5},
    "utility": {"kind": "sigmoid", "theta1": 50, "theta2": 0.5, "theta3": 6}},
   {"name": "j2", "arrival": 1, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1.5,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 1, "bandwidth_external": 1,
    "worker": {"cpu": 1}, "ps": {}, "utility": {"kind": "linear", "value": 7, "slope": 0.25}},
   {"name": "j3", "arrival": 2, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 2, "bandwidth_external": 1,
    "worker": {"gpu": 1}, "ps": {"cpu": 1}, "utility": {"kind": "table", "values": [3, 2.5]}},
   {"name": "j4", "arrival": 0, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 2, "bandwidth_external": 1,
    "worker": {}, "ps": {"cpu": 1}, "utility": {"kind": "constant", "value": 1}}],
 "reserved": [[{"gpu": 1}, {}], [{}, {"cpu": 8}], [{"cpu": 0}, {"cpu": 0.5}]]}"""

DISTINCT, RESOURCE = "expected distinct names, at least one", "expected the name of a resource"
LENGTH, CAPACITY = "expected 1 to 3 values", "expected at most the capacity"


def ask(instance: Instance) -> None:
    """Compute every property of an instance that needs no solver."""
    assert len(instance.notes()) == bool(instance.unservable_jobs)
    for variant in ("printed", "repaired"):
        extremes(instance, variant)
    for job in instance.jobs:
        for time in (1, instance.horizon):
            assert 0 <= job.utility.lower(time) <= job.utility.upper(time)


FORMAT = Format(
    valid=VALID,
    numbers={
        "version": VERSION,
        "horizon": integers(1, LONGEST_HORIZON),
        "arrival": COUNT,
        "epochs": POSITIVE,
        "samples": POSITIVE,
        "batch_size": integers(1, LARGEST_BATCH),
        **dict.fromkeys(("workers_per_ps", "sample_time", "bandwidth_internal", "bandwidth_external"), ABOVE_ZERO),
        **dict.fromkeys(("capacity", "worker", "ps", "reserved", "model_size"), AMOUNT),
        **dict.fromkeys(("theta1", "theta2", "theta3", "slope", "value", "values"), AMOUNT),
    },
    maps={"capacity": 1, "worker": 1, "ps": 1, "reserved": 1},
    optional=frozenset({"reserved"}),
    refused=[
        *(
            (f"{path}.tpu", 1, f"{path}.tpu = 'tpu': {RESOURCE}")
            for path in ("machines[0].capacity", "jobs[0].worker", "jobs[3].ps", "reserved[0][0]")
        ),
        ("reserved[0][0].cpu", -1, "expected a number >= 0"),
        ("jobs[1].utility.theta1", 3, "jobs[1].utility: the object contains unknown field theta1"),
        ("resources", [], f"resources = '[]': {DISTINCT}"),
        ("resources", ["gpu", "gpu"], f"resources = \"['gpu', 'gpu']\": {DISTINCT}"),
        ("resources[1]", "", "expected a string of length >= 1"),
        ("machines", [], "expected at least one machine"),
        ("machines[1].name", "m1", "expected a unique name, but machines[0] has the same name"),
        ("jobs[1].name", "j1", "expected a unique name, but jobs[0] has the same name"),
        ("jobs[0].name", "", "expected a string of length >= 1"),
        ("jobs[0].arrival", 3, "expected a slot before the horizon, 3"),
        (
            "jobs[0].workers_per_ps",
            "@0.0000039",
            "jobs[0].workers_per_ps = 3.9e-06: "
            f"expected a value with which 4 workers need at most {MOST_PS} parameter servers",
        ),
        (
            "jobs[0].bandwidth_external",
            61,
            "jobs[0].bandwidth_internal = 60.0: "
            "expected at least bandwidth_external, 61.0: a machine is no slower than a link",
        ),
        ("jobs[0].utility.kind", "cubic", "jobs[0].utility.kind = 'cubic': Invalid value 'cubic'"),
        ("jobs[2].utility.values", [], f"jobs[2].utility.values = 0: {LENGTH}"),
        ("jobs[2].utility.values", [4, 3, 2, 1], f"jobs[2].utility.values = 4: {LENGTH}"),
        (
            "jobs[2].utility.values",
            [3, 2, 4],
            "jobs[2].utility.values[2] = 4.0: expected at most the previous value: a utility does not increase",
        ),
        ("reserved = 2", drop("reserved[2]"), "expected one row for each of the 3 slots"),
        ("reserved[1]", drop("reserved[1][0]"), "expected one object for each of the 2 machines"),
        ("reserved[1][1].cpu", "@8.5", CAPACITY),
        ("reserved[0][1].gpu", 1, f"reserved[0][1].gpu = 1.0: {CAPACITY}"),
        (
            "machines[0].capacity.cpu",
            "@1000000.0000001",
            "resources: expected amounts of 'cpu' with fewer digits: "
            "in their common unit, 1/10000000, they exceed 1099511627776",
        ),
    ],
    number=("0.1", "jobs[0].sample_time"),
    name="m1",
    line_break=('{"cpu": 8}}', '{"a\\nb": 8}}', "machines[1].capacity.a\\nb = 'a\\nb'"),
    others=[("0.25", "0.26"), ('"cpu": 0.5', '"cpu": 0.75'), ("0.1", "0.11")],
    tiny=lambda seed: tiny_dmlrs(seed, exact_utilities=seed % 2 == 0, jobs=1 + seed % 5),
    words=[10**5, "gpu", "cpu", "sigmoid"],
    ask=ask,
)
