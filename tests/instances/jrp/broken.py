"""The jrp file format: a valid file, its variations, and the error messages."""

from __future__ import annotations

from schedproof.instances.jrp import Instance
from tests.instances.broken import ABOVE_ZERO, AMOUNT, POSITIVE, VERSION, Format
from tests.tiny.jrp import tiny_jrp

VALID = b"""{"version": 1, "family": "jrp", "communication_share": 0.3,
 "servers": [
   {"name": "s1", "storage": 150.5, "compute": 150, "bandwidth": 10},
   {"name": "s2", "storage": 100, "compute": 0, "bandwidth": 0}],
 "jobs": [
   {"name": "k1", "deadline": 5400, "epochs": 10, "minibatch_size": 0.006, "minibatch_work": 40,
    "parameter_size": 2, "sync_period": 5,
    "data_nodes": [{"name": "d1", "size": 0.25, "servers": ["s2", "s1"]}, {"name": "d2", "size": 0, "servers": []}]},
   {"name": "k2", "epochs": 1, "minibatch_size": 1, "minibatch_work": 0, "parameter_size": 0, "sync_period": 1,
    "data_nodes": []},
   {"name": "k3", "deadline": 0.5, "epochs": 1, "minibatch_size": 1, "minibatch_work": 1, "parameter_size": 1,
    "sync_period": 1, "data_nodes": [{"name": "d1", "size": 3, "servers": ["s1"]}]}]}"""

BETWEEN = "expected a number strictly between 0 and 1"


def ask(instance: Instance) -> None:
    """Compute every property of an instance that needs no solver."""
    assert len(instance.notes()) == bool(instance.unservable_jobs)
    assert len(instance.edges.node) == sum(len(node.servers) for job in instance.jobs for node in job.nodes)


FORMAT = Format(
    valid=VALID,
    numbers={
        "version": VERSION,
        **dict.fromkeys(("storage", "compute", "bandwidth", "minibatch_work", "parameter_size", "size"), AMOUNT),
        **dict.fromkeys(("communication_share", "minibatch_size", "deadline"), ABOVE_ZERO),
        **dict.fromkeys(("epochs", "sync_period"), POSITIVE),
    },
    maps={},
    optional=frozenset({"deadline"}),
    refused=[
        ("communication_share", 1, f"communication_share = 1.0: {BETWEEN}"),
        ("communication_share", "@1.5", BETWEEN),
        ("servers", [], "expected at least one server"),
        ("servers[1].name", "s1", "expected a unique name, but servers[0] has the same name"),
        ("jobs[2].name", "k1", "expected a unique name, but jobs[0] has the same name"),
        ("jobs[0].data_nodes[1].name", "d1", "expected a unique name, but jobs[0].data_nodes[0] has the same name"),
        ("jobs[0].data_nodes[0].name", "", "expected a string of length >= 1"),
        (
            "jobs[0].data_nodes[0].servers",
            ["s1", "s3"],
            "jobs[0].data_nodes[0].servers[1] = 's3': expected the name of a server",
        ),
        (
            "jobs[0].data_nodes[0].servers",
            ["s2", "s1", "s2"],
            "jobs[0].data_nodes[0].servers[2] = 's2': expected each server once",
        ),
    ],
    number=("0.006", "jobs[0].minibatch_size"),
    name="k1",
    line_break=('["s1"]', '["a\\nb"]', "jobs[2].data_nodes[0].servers[0] = 'a\\nb'"),
    others=[("0.25", "0.26"), ("0.3", "0.4"), ('"s2", "s1"', '"s1", "s2"'), ("0.006", "0.007")],
    tiny=lambda seed: tiny_jrp(seed, jobs=1 + seed % 5, servers=1 + seed % 4),
    words=[10**5, "s1", "s2", "d1", ["s1"], []],
    ask=ask,
)
