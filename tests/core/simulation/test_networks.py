from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

import schedproof as sp
from schedproof.core.errors import SchedproofError
from tests.tiny.preemptive import instance_of, job

Edge = tuple[Any, str]


def preemptive(file: dict[str, Any]) -> Iterator[Edge]:
    for row in file["jobs"]:
        for server in file["servers"]:
            delay = row["upload_delay"]
            if server["name"] in delay or ("*" in delay and not server.get("cloud")):
                yield row["name"], server["name"]


def jrp(file: dict[str, Any]) -> Iterator[Edge]:
    for row in file["jobs"]:
        for node in row["data_nodes"]:
            yield from (((row["name"], node["name"]), server) for server in node["servers"])


def multiserver(file: dict[str, Any]) -> Iterator[Edge]:
    yield from ((port["name"], node) for port in file["ports"] for node in port["nodes"])


def placement(file: dict[str, Any]) -> Iterator[Edge]:
    yield from ((task["name"], cluster) for task in file["tasks"] for cluster in task["clusters"])


def instances(family: str, name: str) -> list[sp.Instance]:
    return [sp.embedded(name), *(sp.generate(family, seed=seed) for seed in range(3))]


@pytest.mark.parametrize(
    ("name", "edges"), [("day", preemptive), ("cells", jrp), ("ports", multiserver), ("clusters", placement)]
)
def test_the_edges_are_those_of_the_file(name: str, edges: Callable[[dict[str, Any]], Iterator[Edge]]) -> None:
    for instance in instances(edges.__name__, name):
        graph = instance.to_networkx()
        assert nx.is_bipartite(graph)
        assert {frozenset(edge) for edge in graph.edges} == {frozenset(edge) for edge in edges(instance.to_json())}


def test_numbers_are_exact() -> None:
    graph = sp.embedded("cells").to_networkx()
    assert graph.nodes["s1"]["capacity"] == {"storage": 9, "compute": 2, "bandwidth": Fraction(1, 10)}
    demand = graph.nodes["k1", "d2"]["demand"]
    batches = Fraction(3) / (Fraction(6, 1000) * 4538)  # of 3 GB in a second
    assert demand == {
        "storage": 3,
        "compute": batches * Fraction(19296, 1000),
        "bandwidth": batches * Fraction(384, 100) / 5,
    }
    assert sp.embedded("day").to_networkx().edges["resnet", "edge-1"] == {"delay": 1, "chunk_time": 5}
    assert sp.embedded("ports").to_networkx().edges["queries", "large"]["demand"]["gpu"] == Fraction(1, 2)
    assert sp.embedded("clusters").to_networkx().edges["t1", "c1"] == {"slots": 5}


def test_equal_names_of_a_job_and_a_server_carry_their_kind() -> None:
    graph = instance_of(job("e"), job("a")).to_networkx()
    assert set(graph) == {("job", "e"), ("server", "e"), "a", "sky"}
    assert graph.has_edge(("job", "e"), ("server", "e")) and graph.has_edge("a", ("server", "e"))


def test_dmlrs_has_no_graph_and_gives_the_reason() -> None:
    with pytest.raises(SchedproofError, match="each job may run on each machine at the same rates"):
        sp.embedded("cluster").plot()


def test_a_sparse_graph_is_drawn_in_columns_with_the_edges_numbers() -> None:
    ax = sp.embedded("day").plot()
    words = [text.get_text() for text in ax.texts]
    assert len(ax.lines) == 14 and words.count("9") == 2 and "edge-1: gpu 2, cpu 1" in words


def test_a_dense_graph_is_drawn_as_a_matrix() -> None:
    instance = sp.generate("preemptive", preset="testbed", seed=1)
    (image,) = instance.plot().images
    matrix = nx.bipartite.biadjacency_matrix(
        instance.to_networkx(),
        [row.name for row in instance.jobs],
        [server.name for server in instance.servers],
        weight="delay",
    )
    assert (image.get_array() == matrix.toarray()).all()


def test_cells_are_drawn_on_their_map() -> None:
    ax = sp.embedded("cells").plot()
    assert len(ax.patches) == 7 and "s1\n20" in [text.get_text() for text in ax.texts]


def test_equal_users_share_a_row() -> None:
    words = [text.get_text() for text in sp.embedded("clusters").plot().texts]
    assert "t1 and 2 alike: cpu 2, gpu 1" in words
