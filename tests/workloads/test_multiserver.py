from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

import msgspec
import numpy as np
import pytest

from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.utility import KINDS
from schedproof.workloads.draws import random_numbers
from schedproof.workloads.multiserver import draws, generate
from schedproof.workloads.multiserver.settings import CHOICES, RESOURCES, Settings, configure
from tests.support import size

Row = dict[str, Any]


def written(value: Row) -> bytes:
    return msgspec.json.Encoder(decimal_format="number").encode(value | {"arrivals": value["arrivals"].tolist()})


def drawn(preset: str, seed: int, **settings: str) -> Instance:
    return from_json(generate(preset, seed, settings))


def arrivals(**settings: str) -> np.ndarray:
    return generate("tiny", 3, settings)["arrivals"]


# --- presets ----------------------------------------------------------------------------------------------------------


def test_every_tiny_instance_is_valid_and_small() -> None:
    kinds: set[str] = set()
    for seed in range(size(50, 120, 2000)):
        instance = drawn("tiny", seed)
        assert (len(instance.ports), len(instance.nodes), instance.horizon) == (2, 2, 6)
        assert instance.resources == ("cpu", "memory")
        assert sum(len(port.nodes) for port in instance.ports) == 3
        for port in instance.ports:
            assert set(port.demand.values()) <= {1, 2, 3}
        for node in instance.nodes:
            assert set(node.capacity.values()) <= {1, 2, 3, 4}
        for utility in [*instance.utilities.values(), *instance.node_utilities.values()]:
            kinds.add(utility.kind)
            assert 1 <= utility.alpha <= Fraction(3, 2) and (10 * utility.alpha).denominator == 1
        assert set(np.unique(instance.arrivals)) <= {0, 1}
    assert kinds == set(KINDS)


@pytest.mark.parametrize(
    ("preset", "settings", "ports", "nodes", "horizon"),
    [
        ("default", {}, 10, 128, 2000),
        ("figure2", {}, 10, 128, 8000),
        ("large", {}, 100, 1024, 10_000),
        *[("default", {"horizon": str(t)}, 10, 128, t) for t in (1000, 5000, 10_000)],
        *[("default", {"arrival_probability": rho}, 10, 128, 2000) for rho in ("0.3", "0.5", "0.9")],
        *[("default", {"density": d}, 10, 128, 2000) for d in ("2", "3")],
    ],
)
def test_the_papers_settings(preset: str, settings: dict[str, str], ports: int, nodes: int, horizon: int) -> None:
    instance = drawn(preset, 0, **settings)
    assert (len(instance.ports), len(instance.nodes), instance.horizon) == (ports, nodes, horizon)
    assert instance.resources == RESOURCES and len(instance.resources) == 6
    low, high = {"figure2": ("0.4", "0.6"), "large": ("0.01", "0.015")}.get(preset, ("0.3", "0.5"))
    assert all(Fraction(low) <= beta <= Fraction(high) for beta in instance.overhead.values())
    assert all(1 <= f.alpha <= Fraction(3, 2) for f in instance.node_utilities.values())
    level = {"figure2": 11, "large": 5}.get(preset, 10)
    assert all(n % level == 0 for port in instance.ports for n in port.demand.values())
    density = sum(len(port.nodes) for port in instance.ports) / nodes
    assert density == (100 if preset == "large" else float(settings.get("density", "2.5")))
    rho = float(settings.get("arrival_probability", "0.7"))
    assert abs(instance.arrivals.mean() - rho) < 6 * np.sqrt(rho * (1 - rho) / instance.arrivals.size)


def test_nodes_are_the_traces_machines_in_the_traces_shares() -> None:
    rows = [
        tuple(row.values()) for row in draws.capacities(random_numbers(0), configure(Settings(), {"nodes": "20000"}))
    ]
    shares = Counter(tuple(map(int, row[:3])) for row in rows)
    machines = Counter({(shape.cpu, shape.memory // 16, shape.gpu): 0 for shape in draws.PAI})
    for shape in draws.PAI:
        machines[shape.cpu, shape.memory // 16, shape.gpu] += shape.machines
    assert shares.keys() == machines.keys() and machines.total() == 1897
    for shape, count in machines.items():
        share = count / 1897
        assert abs(shares[shape] / 20_000 - share) < 6 * np.sqrt(share * (1 - share) / 20_000)
    for k, most in ((3, 8), (4, 8), (5, 4)):
        assert {int(row[k]) for row in rows} == set(range(most + 1))


def test_draws_reach_every_value_of_their_range() -> None:
    instance = drawn("default", 1, ports="400", contention="1", density="1", horizon="1")
    for name, (low, high) in {"cpu": (1, 16), "memory": (1, 4), "gpu": (0, 2), "tpu": (0, 2), "fpga": (0, 1)}.items():
        assert {port.demand[name] for port in instance.ports} == set(range(low, high + 1))
    utilities = instance.node_utilities.values()
    assert len({f.alpha for f in utilities}) == 51, "two decimals of [1, 1.5]"
    for count in Counter(f.kind for f in utilities).values():
        assert abs(count / (128 * 6) - 1 / 4) < 6 * np.sqrt(3 / 16 / (128 * 6))


def test_contention_is_slack_at_a_tenth_and_fierce_at_ten() -> None:
    def tight(level: str) -> float:
        instance = drawn("default", 0, contention=level, horizon="1")
        asked = {(node.index, k): Fraction(0) for node in instance.nodes for k in RESOURCES if node.capacity[k]}
        for port in instance.ports:
            for pair in [(r, k) for r in port.nodes for k in RESOURCES if (r, k) in asked]:
                asked[pair] += port.demand[pair[1]]
        return sum(n > instance.nodes[r].capacity[k] for (r, k), n in asked.items()) / len(asked)

    assert tight("0.1") == 0
    assert tight("0.1") < tight("1") < 0.5 < 0.8 < tight("10")


# --- the graph --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("density", "nodes"), [("2", "7"), ("2.5", "7"), ("0.3", "10"), ("3.999", "5"), ("4", "3")])
def test_the_density_equals_the_setting(density: str, nodes: str) -> None:
    for seed in range(5):
        instance = drawn("default", seed, ports="4", nodes=nodes, density=density, horizon="1")
        of_node = Counter(r for port in instance.ports for r in port.nodes)
        assert of_node.total() == int(Decimal(density) * int(nodes))
        floor = int(Decimal(density))
        assert all(floor <= of_node[r] <= floor + 1 for r in range(int(nodes)))


def test_every_port_is_as_likely_as_another() -> None:
    instance = drawn("default", 0, nodes="4000", density="2.5", horizon="1")
    for port in instance.ports:
        assert abs(len(port.nodes) / 4000 - 0.25) < 6 * np.sqrt(3 / 16 / 4000)


def test_the_full_graph() -> None:
    instance = drawn("default", 0, density="full", horizon="1")
    assert all(port.nodes == tuple(range(128)) for port in instance.ports)
    assert drawn("large", 0, ports="3", nodes="4", horizon="1").ports[2].nodes == (0, 1, 2, 3)


# --- axes: what a setting does not touch stays as it was --------------------------------------------------------------


def without(value: Row, *keys: str) -> Row:
    return {key: part for key, part in value.items() if key not in keys}


def test_the_contention_level_multiplies_requests_and_nothing_else() -> None:
    one, tenth = (generate("default", 5, {"contention": level}) for level in ("1", "0.1"))
    assert written(without(one, "ports")) == written(without(tenth, "ports"))
    for port, small in zip(one["ports"], tenth["ports"], strict=True):
        assert {k: n / 10 for k, n in port["demand"].items()} == {k: float(n) for k, n in small["demand"].items()}
        assert port["nodes"] == small["nodes"]


def test_fewer_nodes_are_the_first_ones() -> None:
    few, many = (generate("default", 5, {"nodes": nodes}) for nodes in ("9", "128"))
    assert few["nodes"] == many["nodes"][:9]
    assert few["node_utilities"] == {f"n{r}": many["node_utilities"][f"n{r}"] for r in range(1, 10)}
    assert (few["utilities"], few["overhead"]) == (many["utilities"], many["overhead"])
    assert np.array_equal(few["arrivals"], many["arrivals"])
    for port, other in zip(few["ports"], many["ports"], strict=True):
        assert port["demand"] == other["demand"]
        assert port["nodes"] == [name for name in other["nodes"] if int(name[1:]) <= 9]


def test_fewer_ports_ask_as_the_first_ones() -> None:
    few, many = (generate("default", 5, {"ports": ports}) for ports in ("4", "10"))
    assert [p["demand"] for p in few["ports"]] == [p["demand"] for p in many["ports"][:4]]
    assert written(without(few, "ports", "arrivals") | {"arrivals": np.zeros(0)}) == written(
        without(many, "ports", "arrivals") | {"arrivals": np.zeros(0)}
    )


def test_another_kind_of_utility_has_the_same_alpha() -> None:
    mixed = generate("default", 5, {})
    for kind in KINDS:
        other = generate("default", 5, {"utilities": kind})
        for node, row in other["node_utilities"].items():
            assert {f["kind"] for f in row.values()} == {kind}
            assert [f["alpha"] for f in row.values()] == [f["alpha"] for f in mixed["node_utilities"][node].values()]


@pytest.mark.parametrize("pattern", CHOICES["arrivals"])
@pytest.mark.parametrize("counts", ["1", "3"])
def test_a_shorter_horizon_is_the_beginning_of_a_longer_one(
    pattern: str, counts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "BLOCK", 7)
    long = arrivals(arrivals=pattern, counts=counts, horizon="100")
    assert np.array_equal(arrivals(arrivals=pattern, counts=counts, horizon="31"), long[:31])
    monkeypatch.setattr(draws, "BLOCK", 64)
    assert np.array_equal(arrivals(arrivals=pattern, counts=counts, horizon="100"), long), "blocks do not show"


# --- arrivals ---------------------------------------------------------------------------------------------------------


def test_bernoulli_arrivals_are_independent() -> None:
    found = arrivals(horizon="40000", arrival_probability="0.3")
    assert found.dtype == np.uint8 and set(np.unique(found)) == {0, 1}
    pairs = (found[:, 0] * found[:, 1]).mean(), (found[1:, 0] * found[:-1, 0]).mean()
    for both in (*pairs, found.mean() * 0.3):
        assert abs(both - 0.09) < 6 * np.sqrt(0.09 * 0.91 / 40_000)


@pytest.mark.parametrize(
    ("period", "rho", "busy"), [("24", "0.7", 17), ("10", "0.25", 3), ("3", "0.1", 0), ("5", "1", 5)]
)
def test_periodic_arrivals_are_one_stretch_of_each_period(period: str, rho: str, busy: int) -> None:
    found = arrivals(arrivals="periodic", period=period, arrival_probability=rho, horizon="103")
    n = int(period)
    assert np.array_equal(found[:-n], found[n:])
    for column in found[:n].T:
        assert column.sum() == busy
        assert busy in (0, n) or sum(column != np.roll(column, 1)) == 2, "on end, around the period"
    shifts = {tuple(generate("tiny", seed, {"arrivals": "periodic"})["arrivals"][:, 0]) for seed in range(40)}
    assert len(shifts) > 3, "the phase is drawn"


def test_bursty_arrivals_have_their_share_and_length() -> None:
    found = arrivals(arrivals="bursty", burst="8", arrival_probability="0.4", horizon="200000")
    for column in found.T:
        runs = [(int(key), len(list(run))) for key, run in groupby(column.tolist())][1:-1]
        bursts, gaps = ([n for state, n in runs if state == wanted] for wanted in (1, 0))
        assert abs(column.mean() - 0.4) < 0.02
        for lengths, mean in ((bursts, 8), (gaps, 12)):  # 8 : 12 is 0.4 : 0.6
            assert abs(np.mean(lengths) / mean - 1) < 6 / np.sqrt(len(lengths))
            assert abs(np.std(lengths) / np.sqrt(mean * (mean - 1)) - 1) < 0.1, "geometric"


@pytest.mark.parametrize("pattern", CHOICES["arrivals"])
def test_always_and_never(pattern: str) -> None:
    for rho in (0, 1):
        assert (arrivals(arrivals=pattern, arrival_probability=str(rho), horizon="50") == rho).all()


def test_several_jobs_at_once_are_uniform() -> None:
    found = arrivals(counts="4", arrival_probability="0.5", horizon="40000")
    shares = Counter(found.ravel().tolist())
    assert shares.keys() == {0, 1, 2, 3, 4}
    for count in (1, 2, 3, 4):
        assert abs(shares[count] / found.size - 1 / 8) < 6 * np.sqrt(7 / 64 / found.size)
    assert from_json(generate("tiny", 3, {"counts": "4", "horizon": "500"})).copies == (4, 4)


def test_millions_of_slots() -> None:
    slots = size(100_000, 1_200_000, 10_000_000)
    value = generate("tiny", 0, {"horizon": str(slots)})
    assert value["arrivals"].shape == (slots, 2) and value["arrivals"].nbytes == 2 * slots
    assert from_json(value).horizon == slots


# --- settings ---------------------------------------------------------------------------------------------------------
