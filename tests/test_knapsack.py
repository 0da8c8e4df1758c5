from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import schedproof as sp
from tests.command_line import plugged_in, with_plug_in
from tests.support import size

schedproof = partial(with_plug_in, "knapsack")


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    with plugged_in("knapsack") as module:
        yield module


def test_items_built_in_python_are_numbered(example: Any) -> None:
    items = example.Item("a", 6, 5), example.Item("b", 8, 6)
    for those in (items, items[::-1]):
        sack = example.Sack(10, those)
        assert [item.index for item in sack.items] == [0, 1]
        assert [item.name for item in sack.items] == [item.name for item in those]
    assert sp.policy(example.greedy).run(sack).feasible


@pytest.mark.parametrize(
    "rows", [lambda table: table.to_dict("records"), lambda table: [r for _, r in table.iterrows()]]
)
def test_items_come_from_a_pandas_table(example: Any, rows: Any) -> None:
    table = pd.DataFrame({"name": ["a", "b", "c"], "weight": [6, 8, 3], "value": [5, 6, 2]})
    sack = example.Sack(table.weight.sum() // 2, [example.Item(**row) for row in rows(table)])
    typed = example.Sack(8, (example.Item("a", 6, 5), example.Item("b", 8, 6), example.Item("c", 3, 2)))
    assert sack.sha256 == typed.sha256 and sp.bound(example.best, sack).exact == sp.bound(example.best, typed).exact
    assert sp.policy(example.greedy).run(sack).objective == sp.policy(example.greedy).run(typed).objective


def test_the_best_is_that_of_all_choices_and_greed_or_the_largest_has_half_of_it(example: Any) -> None:
    rng = random.Random(18)
    for n in range(size(30, 30, 1000)):
        sack = sp.generate("knapsack", rng.choice(["coarse", "fine"]), n)
        choices = [held for k in range(len(sack.items) + 1) for held in combinations(sack.items, k)]
        fitting = [held for held in choices if sum(item.weight for item in held) <= sack.capacity]
        best = max(sum(item.value for item in held) for held in fitting)
        program = example.best
        assert program.solve(sack, "by_weight").exact == best == program.solve(sack).objective
        assert best <= sp.bound(program, sack).exact < best + max(item.value for item in sack.items)
        (greedy,), (or_largest,) = (rule(sack) for rule in (example.greedy, example.greedy_or_largest))
        assert all(sum(item.weight for item in held) <= sack.capacity for held in (greedy, or_largest))
        assert best >= sum(item.value for item in or_largest) >= max(best / 2, sum(item.value for item in greedy))


def test_the_ratio_of_greed_grows_with_the_sack(tmp_path: Path) -> None:
    items = tmp_path / "items.json"
    rows = [{"name": name, "weight": 1, "value": 1} for name in "ab"]
    items.write_text(json.dumps({"version": 1, "family": "knapsack", "capacity": 4, "items": rows}))
    free = ["--free", "items[*].weight=1,4", "--free", "items[*].value=1..4"]
    more = ["--against", "knapsack.best", "--jobs", 1, "--store", tmp_path / "worst.sqlite", "--json"]
    found = schedproof("worst", "greedy", items, *free, *more)
    assert found["exact"] == "4/1" and found["complete"] and found["looked_at"][0] == 2**2 * 4**2
