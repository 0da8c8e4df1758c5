"""The multiserver file format: a valid file, its variations, and error messages."""

from __future__ import annotations

from fractions import Fraction

from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.instance import MOST_ENTRIES
from tests.instances.broken import ABOVE_ZERO, AMOUNT, COUNT, VERSION, Format, drop
from tests.tiny.multiserver import tiny_multiserver

VALID = b"""{"version": 1, "family": "multiserver", "resources": ["cpu", "gpu"],
 "nodes": [
   {"name": "n1", "capacity": {"cpu": 32, "gpu": 4.5}},
   {"name": "n2", "capacity": {"cpu": 8}},
   {"name": "n3", "capacity": {}}],
 "ports": [
   {"name": "p1", "demand": {"cpu": 8, "gpu": 0.1}, "nodes": ["n2", "n1"]},
   {"name": "p2", "demand": {"cpu": 2.5}, "nodes": ["n1"],
    "tasks": [{"demand": {"cpu": 1}, "minimum": {"cpu": 0.5}}, {"demand": {"gpu": 1}, "minimum": {"gpu": 1}}],
    "minimum_tasks": 1},
   {"name": "p3", "demand": {}, "nodes": []}],
 "utilities": {"cpu": {"kind": "log", "alpha": 1.2}, "gpu": {"kind": "linear", "alpha": 1.0}},
 "node_utilities": {"n1": {"gpu": {"kind": "poly", "alpha": 1.1}}, "n2": {"cpu": {"kind": "reciprocal", "alpha": 2}}},
 "overhead": {"cpu": 0.3, "gpu": 1},
 "arrivals": [[1, 0, 2], [0, 1, 0], [3, 1, 0], [0, 0, 0]]}"""

RESOURCE, NODE, DISTINCT = (
    "expected the name of a resource",
    "expected the name of a node",
    "expected distinct names, at least one",
)
KINDS = "expected one of linear, log, reciprocal, poly"
LOG = {"kind": "log", "alpha": 1}


def ask(instance: Instance) -> None:
    """Compute every property of an instance that needs no solver."""
    assert all(isinstance(note, str) for note in instance.notes())
    if sum(instance.copies) > 10_000:
        return
    graph = instance.graph
    assert graph.shape == (len(graph.edge_node), len(instance.resources))
    assert instance.counts().sum() == instance.arrivals.sum()
    for utility in (*instance.utilities.values(), *instance.node_utilities.values()):
        for amount in (Fraction(0), Fraction(1), *instance.overhead.values()):
            assert utility.value(amount)[0] <= utility.value(amount)[1]
            assert 0 <= utility.slope(amount)[0] <= utility.slope(amount)[1]


FORMAT = Format(
    valid=VALID,
    numbers={
        "version": VERSION,
        "minimum_tasks": COUNT,
        "arrivals": COUNT,
        **dict.fromkeys(("capacity", "demand", "minimum", "overhead"), AMOUNT),
        "alpha": ABOVE_ZERO,
    },
    maps={"capacity": 1, "demand": 1, "minimum": 1, "overhead": 1, "utilities": 1, "node_utilities": 2},
    optional=frozenset({"tasks", "minimum_tasks", "node_utilities"}),
    together=frozenset({"tasks"}),
    either={"arrivals": "an object or an array"},
    refused=[
        ("arrivals", {"file": "x.npy", "offset": 3}, "arrivals: the object contains unknown field offset"),
        *(
            (f"{path}.tpu", value, f"{path} = 'tpu': {RESOURCE}")
            for path, value in (
                *((path, 1) for path in ("nodes[0].capacity", "ports[2].demand", "ports[1].tasks[1].minimum")),
                *((path, LOG) for path in ("utilities", "node_utilities.n1")),
                ("overhead", 0),
            )
        ),
        ("utilities", drop("utilities.gpu"), "expected an entry for the resource 'gpu'"),
        ("overhead", drop("overhead.cpu"), "expected an entry for the resource 'cpu'"),
        ("ports[0].name", "", "expected a string of length >= 1"),
        ("resources", [], f"resources = '[]': {DISTINCT}"),
        ("resources", ["cpu", "cpu"], f"resources = \"['cpu', 'cpu']\": {DISTINCT}"),
        ("nodes[1].name", "n1", "expected a unique name, but nodes[0] has the same name"),
        ("ports[2].name", "p1", "expected a unique name, but ports[0] has the same name"),
        ("ports[0].nodes[1]", "n9", NODE),
        ("ports[0].nodes[1]", "n2", "expected each node once"),
        ("utilities.cpu.kind", "cubic", KINDS),
        ("node_utilities.n1.gpu.kind", "cubic", KINDS),
        ("node_utilities.n9", {"cpu": LOG}, f"node_utilities = 'n9': {NODE}"),
        ("overhead.cpu", "@1.01", "expected a number in [0, 1]"),
        ("ports[1].minimum_tasks", 3, "expected at most 2, the number of tasks"),
        ("ports[0].minimum_tasks", 1, "expected at most 0, the number of tasks"),
        (
            "ports[1].tasks[0].minimum",
            {"cpu": 0},
            "expected an amount > 0: a started task needs a share",
        ),
        ("arrivals", [], "expected at least one slot"),
        ("arrivals[2]", [1, 0], "arrivals[2] = 2: expected 3 counts, one per port"),
        *(
            (
                f"arrivals[1][{port}]",
                10**9,
                f"arrivals: expected at most {MOST_ENTRIES} numbers in a slot's allocation, but these counts need ",
            )
            for port in (1, 2)  # the last has no nodes
        ),
        ("arrivals", {"file": "x.npy"}, "arrivals.file = 'x.npy': expected an array: the file does not exist"),
        ("nodes", {"file": "x.npy"}, "nodes: expected an array, got an object"),
        ("overhead", {"file": "x.npy"}, "overhead.file = 'x.npy': expected a number, got a string"),
        (
            "arrivals",
            {"file": "../x.npy"},
            "arrivals.file = \"'../x.npy'\": expected the name of an .npy file in the same folder",
        ),
    ],
    number=("4.5", "nodes[0].capacity.gpu"),
    name="n1",
    line_break=('{"cpu": 8}}', '{"a\\nb": 8}}', "nodes[1].capacity = 'a\\nb'"),
    others=[
        ("4.5", "4.6"),
        ("[3, 1, 0]", "[2, 1, 0]"),
        ('"n2", "n1"', '"n1", "n2"'),
        ("poly", "log"),
        ('"minimum_tasks": 1', '"minimum_tasks": 2'),
        (", [0, 0, 0]]", "]"),
        ("[0, 1, 0]", "[1, 0, 0]"),
    ],
    tiny=lambda seed: tiny_multiserver(seed, copies=1 + seed % 3, ports=seed % 5, nodes=seed % 4),
    words=[0.5, "cpu", "gpu", "n1", "p1", "log", [[1, 0, 1]]],
    ask=ask,
)
