"""The example of a family in one file: its two routes agree, and the search finds where first fit wastes bins."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.command_line import with_plug_in

schedproof = partial(with_plug_in, "vector_packing")


def test_solver_and_search_by_hand_agree_and_first_fit_needs_no_fewer(tmp_path: Path) -> None:
    items, plan = tmp_path / "items.json", tmp_path / "plan.json"
    schedproof("generate", "vector_packing", "--preset", "plane", "--seed", 2, "--out", items, "--json")
    routes = [
        schedproof("solve", "vector_packing.fewest", items, *more, "--json") for more in ([], ["--solver", "by_hand"])
    ]
    ran = schedproof("run", "first_fit", items, "--option", "order=sum", "--out", plan, "--json")
    assert routes[0]["objective"] == routes[1]["objective"] <= ran["objective"]
    assert ran["feasible"] and schedproof("check", items, plan, "--json")["objective"] == ran["objective"]


def test_first_fit_is_half_as_bad_again_on_four_items(tmp_path: Path) -> None:
    items = tmp_path / "items.json"
    rows = [{"name": name, "sizes": [4]} for name in "abcd"]
    items.write_text(json.dumps({"version": 1, "family": "vector_packing", "capacity": 12, "items": rows}))
    free = ["--free", "items[*].sizes[*]=4,8"]
    more = ["--against", "vector_packing.fewest", "--jobs", 1, "--store", tmp_path / "worst.sqlite", "--json"]
    found = schedproof("worst", "first_fit", items, *free, *more)
    assert found["exact"] == "3/2" and found["complete"] and found["looked_at"][0] == 2**4
