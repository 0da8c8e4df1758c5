"""The preemptive file format: a valid file, its variations, and error messages."""

from __future__ import annotations

from schedproof.instances.preemptive.instance import MOST_CHUNKS, MOST_WORKERS
from tests.instances.broken import ABOVE_ZERO, AMOUNT, COUNT, POSITIVE, VERSION, Format, all_of, drop, put
from tests.tiny.preemptive import tiny_preemptive

VALID = b"""{"version": 1, "family": "preemptive", "horizon": 1000000000,
 "servers": [
   {"name": "edge-1", "workers": {"gpu": 2, "cpu": 1}, "parameter_servers": 3, "storage": 200.0},
   {"name": "edge-2", "workers": {"tpu": 1}, "parameter_servers": {"a": 1, "b": 0}, "storage": 2.0},
   {"name": "cloud", "cloud": true}],
 "jobs": [
   {"name": "j1", "arrival": 0, "chunks": 3, "epochs": 2, "minibatches": 4, "worker_types": ["gpu"],
    "minibatch_time": 0.2, "update_time": 0.01, "gradient_size": 60.0, "bandwidth": 3000.0,
    "upload_delay": {"edge-1": 1, "cloud": 5}, "chunk_size": 1.5},
   {"name": "j2", "arrival": 3, "chunks": 1, "epochs": 1, "minibatches": 1, "worker_types": ["gpu", "tpu"],
    "minibatch_time": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1, "upload_delay": {"*": 2},
    "ps_types": ["a"]}]}"""

TYPES = "expected a list of at least one type, without repetitions"
FITS = "expected a chunk size within the storage of some server that can train the job"
NO_WORKERS = "jobs[1] = 'j2': expected a server in upload_delay with workers of the job's worker_types"
UNLIMITED = "expected no such key: the cloud is unlimited"
NAME_OR_ANY = "expected the name of a server, or '*'"

FORMAT = Format(
    valid=VALID,
    numbers={
        "version": VERSION,
        **dict.fromkeys(("horizon", "chunks", "epochs", "minibatches"), POSITIVE),
        **dict.fromkeys(("workers", "parameter_servers", "arrival", "upload_delay"), COUNT),
        **dict.fromkeys(("storage", "minibatch_time", "update_time", "gradient_size", "chunk_size"), AMOUNT),
        "bandwidth": ABOVE_ZERO,
    },
    maps={"workers": 1, "parameter_servers": 1, "upload_delay": 1},
    optional=frozenset({"storage", "chunk_size", "ps_types", "cloud"}),
    together=frozenset({"cloud"}),
    either={"parameter_servers": "an integer or an object"},
    not_in_schema=("field workers", "field parameter_servers"),
    refused=[
        ("servers[2].storage", 9, f"servers[2].storage: {UNLIMITED}"),
        ("servers[2].workers", {"gpu": 1}, f"servers[2].workers: {UNLIMITED}"),
        ("servers[2].parameter_servers", 1, f"servers[2].parameter_servers: {UNLIMITED}"),
        ("servers[2].cloud", drop("servers[2].cloud"), "servers[2]: the object is missing the required field workers"),
        (
            "jobs[0].minibatch_time = 0.0",
            all_of(put("jobs[0].minibatch_time", 0), put("jobs[0].update_time", 0)),
            "expected minibatch_time + update_time > 0",
        ),
        (
            "jobs[0] = 'j1'",
            all_of(put("jobs[0].epochs", 10**9), put("jobs[0].minibatches", 10**9)),
            "expected a chunk time E B (m + G + 2 q/b) of at most 1000000000000 slots",
        ),
        ("jobs[0].upload_delay.edge-3", 1, f"jobs[0].upload_delay.edge-3 = 'edge-3': {NAME_OR_ANY}"),
        ("servers[1].name", "edge-1", "expected a unique name, but servers[0] has the same name"),
        ("jobs[1].name", "j1", "expected a unique name, but jobs[0] has the same name"),
        ("jobs[0].name", "", "expected a string of length >= 1"),
        ("servers[1].name", "*", "servers[1].name = '*': '*' stands for every other server and cannot be a name"),
        (
            "servers[0].parameter_servers",
            {"*": 2},
            "servers[0].parameter_servers.*: expected a type of parameter servers; "
            "a plain count instead of the object serves every type",
        ),
        ("servers", [], "expected at least one server"),
        ("servers[1]", {"name": "c2", "cloud": True}, "servers[2].cloud = True: expected at most one cloud"),
        ("jobs[0].worker_types", [], f"jobs[0].worker_types = '[]': {TYPES}"),
        ("jobs[0].worker_types", ["gpu", "gpu"], f"jobs[0].worker_types = \"['gpu', 'gpu']\": {TYPES}"),
        ("jobs[1].ps_types", [], f"jobs[1].ps_types = '[]': {TYPES}"),
        ("jobs[1].chunk_size", 201, f"jobs[1].chunk_size = 201.0: {FITS}"),
        (
            "jobs[1].chunk_size = 3.0",
            all_of(put("jobs[1].chunk_size", 3), put("jobs[1].worker_types", ["tpu"])),
            FITS,
        ),
        ("jobs", put("jobs[0].chunks", 10**9), f"expected at most {MOST_CHUNKS} chunks of all jobs together"),
        ("servers", put("servers[0].workers.gpu", 10**9), f"expected at most {MOST_WORKERS} workers on all servers"),
        ("jobs[1].worker_types", ["fpga"], NO_WORKERS),
        ("jobs[1].upload_delay", {}, NO_WORKERS),
        ("", all_of(put("servers[1].workers.tpu", 0), put("jobs[1].worker_types", ["tpu"])), NO_WORKERS),
        (
            "jobs[1] = 'j2'",
            all_of(put("servers[0].parameter_servers", 0), put("jobs[1].ps_types", ["b"])),
            "expected a server in upload_delay with a parameter server that may serve the job",
        ),
        ("horizon", 5, "expected a horizon of at least 6: jobs[1] (j2) cannot complete earlier"),
    ],
    number=("0.01", "jobs[0].update_time"),
    name="j1",
    line_break=('"cloud": 5', '"a\\nb": 5', "jobs[0].upload_delay.a\\nb = 'a\\nb': expected the name of a server"),
    others=[("0.2,", "0.21,"), ("0.01", "0.011")],
    tiny=tiny_preemptive,
    words=["*", "gpu", "cpu", "edge-1", "cloud"],
)
