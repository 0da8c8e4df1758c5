from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from tests.command_line import EXAMPLES, plugged_in, with_plug_in

schedproof = partial(with_plug_in, "vector_packing")
RULE = run_path(str(EXAMPLES / "first_fit_rule.py"))


@pytest.fixture(scope="module")
def packing() -> Iterator[Any]:
    with plugged_in("vector_packing") as module:
        yield module


def test_solver_and_search_by_hand_agree_and_first_fit_needs_no_fewer(tmp_path: Path) -> None:
    items, plan = tmp_path / "items.json", tmp_path / "plan.json"
    schedproof("generate", "vector_packing", "--preset", "plane", "--seed", 2, "--out", items, "--json")
    routes = [
        schedproof("solve", "vector_packing.fewest", items, *more, "--json") for more in ([], ["--solver", "by_hand"])
    ]
    ran = schedproof("run", "first_fit", items, "--option", "order=sum", "--out", plan, "--json")
    assert routes[0]["objective"] == routes[1]["objective"] <= ran["objective"]
    assert ran["feasible"] and schedproof("check", items, plan, "--json")["objective"] == ran["objective"]


def test_first_fit_is_1_5_times_worse_on_four_items(tmp_path: Path) -> None:
    items = tmp_path / "items.json"
    rows = [{"name": name, "sizes": [4]} for name in "abcd"]
    items.write_text(json.dumps({"version": 1, "family": "vector_packing", "capacity": 12, "items": rows}))
    free = ["--free", "items[*].sizes[*]=4,8"]
    more = ["--against", "vector_packing.fewest", "--jobs", 1, "--store", tmp_path / "worst.sqlite", "--json"]
    found = schedproof("worst", "first_fit", items, *free, *more)
    assert found["exact"] == "3/2" and found["complete"] and found["looked_at"][0] == 2**4


@pytest.mark.parametrize("order", ["given", "sum"])
def test_the_program_of_first_fit_has_the_most_bins_of_all_sizes(packing: Any, order: str) -> None:
    rows = [{"name": name, "sizes": [1]} for name in "abcd"]
    file = {"version": 1, "family": "vector_packing", "capacity": 4, "items": rows}
    most = 0
    for sizes in product(range(5), repeat=4):
        changed = [row | {"sizes": [size]} for row, size in zip(rows, sizes, strict=True)]
        items = packing.Items.from_json(file | {"items": changed})
        if packing.fewest.solve(items, "by_hand").exact <= 2:
            most = max(most, len(packing.first_fit(items, order=order)))
    program = RULE["most_bins"](order=order)
    assert program.solve(packing.Items.from_json(file)).objective == most
    assert program.drop("no_room_before").solve(packing.Items.from_json(file)).objective == 4 > most


def test_first_fit_decreasing_takes_four_bins_where_two_suffice(tmp_path: Path) -> None:
    items = tmp_path / "items.json"
    rows = [{"name": f"i{n}", "sizes": [1, 1]} for n in range(6)]
    items.write_text(json.dumps({"version": 1, "family": "vector_packing", "capacity": 100, "items": rows}))
    free = ["--option", "order=sum", "--free", "items[*].sizes[*]=0..100", "--chains", 1, "--steps", 100]
    more = ["--against", "vector_packing.fewest", "--jobs", 1, "--store", tmp_path / "worst.sqlite", "--json"]
    found = schedproof("--plugin", EXAMPLES / "first_fit_rule.py", "worst", "first_fit", items, *free, *more)
    assert found["exact"] == "2/1" and found["solver_bound"] == 2
