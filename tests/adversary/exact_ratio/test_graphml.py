from __future__ import annotations

from fractions import Fraction
from math import inf
from pathlib import Path

import networkx as nx
import pytest

import schedproof as sp
from tests.command_line import Cli


def worst_cycle(graph: nx.MultiDiGraph) -> tuple[int, int]:
    marked = nx.DiGraph((tail, head, facts) for tail, head, facts in graph.edges(data=True) if facts["worst"])
    assert marked.number_of_edges() == marked.number_of_nodes() and nx.is_strongly_connected(marked)
    return tuple(sum(facts[name] for *_, facts in marked.edges(data=True)) for name in ("cost", "other"))


def exceeds(graph: nx.MultiDiGraph, ratio: Fraction) -> bool:
    for *_, facts in graph.edges(data=True):
        facts["weight"] = ratio.numerator * facts["other"] - ratio.denominator * facts["cost"]
    return nx.negative_edge_cycle(graph)


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("srtf", {"machines": 2, "sizes": 2, "present": 3}),
        ("a_online", {"machines": 2, "sizes": 2, "present": 3, "order": "residual"}),
        ("srtf:chunks=floating", {"machines": 2, "sizes": 1, "present": 2, "chunks": 2}),
    ],
)
def test_the_worst_cycle_has_the_proven_ratio_and_no_cycle_a_larger_one(
    policy: str, options: dict[str, object], tmp_path: Path
) -> None:
    proof = sp.prove(policy, **options)
    proof.write_graph(tmp_path / "states.graphml")
    graph = nx.read_graphml(tmp_path / "states.graphml", node_type=int)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == proof.graph.size
    assert proof.exact is not None and Fraction(graph.graph["at_least"]) == proof.exact
    assert Fraction(*worst_cycle(graph)) == proof.exact
    assert not exceeds(graph, proof.exact) and exceeds(graph, proof.exact - Fraction(1, 1000))


def test_an_infinite_ratio_has_a_cycle_that_changes_no_state(tmp_path: Path) -> None:
    rule = tmp_path / "idle.py"
    rule.write_text("def run(jobs):\n    return []\n")
    proof = sp.prove(rule, machines=1, sizes=1, present=2)
    cost, other = worst_cycle(proof.to_networkx())
    assert proof.least == inf and cost > 0 == other


def test_the_command_writes_both_files(cli: Cli, tmp_path: Path) -> None:
    states, certificate = tmp_path / "states.graphml", tmp_path / "proof.json"
    words = ("prove", "srtf", "--option", "present=2", "--graph", states, "--certificate", certificate)
    code, told, error = cli(*words)
    assert (code, error) == (0, "") and "competitive ratio" in told and certificate.exists()
    labels = dict(nx.read_graphml(states).nodes(data="label"))
    assert labels["0"] == "() | ((), ())"
    code, _, error = cli("prove", "srtf", "--option", "present=2", "--graph", tmp_path / "no" / "states.graphml")
    assert code == 2 and "expected an existing folder" in error
