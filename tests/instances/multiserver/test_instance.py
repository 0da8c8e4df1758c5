from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import PolicyError
from schedproof.instances.multiserver import from_json
from schedproof.instances.multiserver.drive import system
from schedproof.instances.multiserver.utility import KINDS
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports

NOTHING = Fraction(0)


def test_copies_and_presence() -> None:
    instance = from_json(tiny_multiserver(1, ports=3) | {"arrivals": [[1, 0, 2], [0, 0, 0], [3, 0, 1]]})
    assert instance.copies == (3, 1, 2), "at least one of each"
    assert instance.present(0, 3).tolist() == [[1, 0, 0, 0, 1, 1], [0] * 6, [1, 1, 1, 0, 1, 0]]
    assert instance.present(1, 2).tolist() == [[0] * 6] and instance.present(2, 9).shape == (1, 6)
    assert instance.counts().tolist() == [2, 1, 1, 0, 2, 1] and instance.counts(2).tolist() == [1, 0, 0, 0, 1, 1]
    assert instance.present(0, 3).dtype == np.uint8
    assert (instance.horizon, instance.extent) == (3, (3, "slot"))


def test_copies_add_up_to_arrivals_in_blocks_of_any_size() -> None:
    for seed in range(size(20, 60, 1000)):
        instance = tiny_ports(seed, copies=seed % 4, ports=seed % 5, horizon=1 + seed % 9)
        whole = instance.present(0, instance.horizon)
        assert whole.shape == (instance.horizon, sum(instance.copies))
        port = np.repeat(np.arange(len(instance.ports)), instance.copies)
        counts = [whole[:, port == p].sum(axis=1, dtype=int).tolist() for p in range(len(instance.ports))]
        assert counts == instance.arrivals.T.tolist(), seed
        assert (np.diff(whole.astype(int))[:, np.diff(port) == 0] <= 0).all(), "the first copies come first"
        blocks = list(instance.blocks(1 + seed % 4))
        assert all(len(block) <= 1 + seed % 4 for block in blocks)
        assert np.array_equal(np.concatenate(blocks), whole) and np.array_equal(next(instance.blocks()), whole)
        cut = seed % (instance.horizon + 1)
        assert np.array_equal(instance.counts(cut), whole[:cut].sum(axis=0, dtype=int))


def test_the_arrays_are_the_files_numbers_rounded_down() -> None:
    for seed in range(size(20, 60, 1000)):
        instance = tiny_ports(seed, copies=1 + seed % 3, ports=seed % 4, nodes=seed % 5)
        graph, names = instance.graph, instance.resources
        ports = [port for port, n in zip(instance.ports, instance.copies, strict=True) for _ in range(n)]
        assert graph.port.tolist() == [port.index for port in ports]
        edges = [(c, r) for c, port in enumerate(ports) for r in port.nodes]
        assert list(zip(graph.edge_copy.tolist(), graph.edge_node.tolist(), strict=True)) == edges, seed
        assert graph.shape == (len(edges), len(names))
        for k, name in enumerate(names):
            exact = [port.demand.get(name, NOTHING) for port in ports]
            exact += [node.capacity.get(name, NOTHING) for node in instance.nodes]
            for double, value in zip([*graph.demand[:, k], *graph.capacity[:, k]], exact, strict=True):
                assert Fraction(double) <= value < Fraction(np.nextafter(double, np.inf)), seed
            assert KINDS[graph.total_kind[k]] == instance.utilities[name].kind
            assert graph.total_alpha[k] == float(instance.utilities[name].alpha)
            assert graph.overhead[k] == float(instance.overhead[name])
            for r in range(len(instance.nodes)):
                utility = instance.utility(r, name)
                assert (KINDS[graph.kind[r, k]], graph.alpha[r, k]) == (utility.kind, float(utility.alpha))


def test_the_arrays_cannot_be_changed() -> None:
    instance = tiny_ports(2)
    for array in (*vars(instance.graph).values(), instance.arrivals):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1


def test_notes() -> None:
    value = tiny_multiserver(1, ports=2, nodes=2)
    for port, nodes in zip(value["ports"], (["n0", "n1"], ["n1"]), strict=True):
        port["nodes"] = nodes
    assert from_json(value).notes() == ()
    value["ports"][0]["nodes"] = []
    value["ports"][1] |= {"tasks": [{"demand": {}, "minimum": {"cpu": 1}}]}
    first, second, third = from_json(value).notes()
    assert first == "1 ports have no node and thus no reward: p0"
    assert second == "nodes that serve no port: 1"
    assert "only the program multiserver.gang uses tasks" in third


@pytest.mark.parametrize("change", [{"ports": [], "arrivals": [[], []]}, {"nodes": [], "node_utilities": {}}])
def test_no_ports_or_no_nodes_is_an_instance_too(change: dict[str, Any]) -> None:
    value = tiny_multiserver(1, ports=2) | change
    for port in value["ports"]:
        port["nodes"] = []
    instance = from_json(value)
    assert instance.graph.shape == (0, len(instance.resources))
    assert instance.present(0, 2).shape == (2, len(instance.ports))
    assert system(instance).graph.demand.shape == (len(instance.ports), len(instance.resources))


@pytest.mark.parametrize("name", ["arrivals", "counts", "present", "sha256", "drive", "jobs"])
def test_the_policys_view_has_no_arrivals(name: str) -> None:
    visible = system(tiny_ports(1))
    with pytest.raises(PolicyError, match=f"looked into the future: '{name}'"):
        getattr(visible, name)


def test_arrivals_are_read_from_a_map_some_at_a_time(tmp_path: Path, monkeypatch: Any) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 3, size=(1000, 2), dtype=np.uint8)
    np.save(tmp_path / "x.npy", counts)
    value = tiny_multiserver(3, ports=2)
    mapped = from_json(value | {"arrivals": np.load(tmp_path / "x.npy", mmap_mode="r")})
    listed = from_json(value | {"arrivals": counts.tolist()})
    for step in (7, 1 << 16):
        monkeypatch.setattr("schedproof.instances.multiserver.instance.SLOTS", step)
        monkeypatch.setattr("schedproof.instances.multiserver.instance.BLOCK_BYTES", 8 * step)
        mapped.__dict__.pop("sha256", None)
        assert mapped.sha256 == listed.sha256 and mapped.copies == listed.copies
        assert np.array_equal(mapped.counts(), listed.present(0, 1000).sum(axis=0, dtype=int))
        assert np.array_equal(np.concatenate(list(mapped.blocks())), listed.present(0, 1000))
