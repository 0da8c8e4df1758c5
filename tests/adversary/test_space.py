from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.adversary.documents import copy, parts, text, with_item, without
from schedproof.adversary.moves import MOVES, neighbour
from schedproof.adversary.shrink import smaller
from schedproof.adversary.space import SETTLED, of_free, of_preset
from schedproof.core.errors import InputError, SchedproofError
from schedproof.instances import from_json
from tests.support import FAMILIES, size

DAY = {"name": "day", "jobs": [{"name": "a", "arrival": 1, "to": ["x"]}, {"name": "b", "arrival": 4, "to": ["x", "y"]}]}
DAY |= {"places": [{"name": "x", "room": Decimal("0.5")}, {"name": "y", "room": 2}], "delay": {"x": 1, "y": 3}}


def test_parts_have_patterns_in_which_names_are_stars() -> None:
    found = {(part.pattern, part.value) for part in parts(DAY) if isinstance(part.value, int)}
    assert found == {
        ("jobs[*].arrival", 1),
        ("jobs[*].arrival", 4),
        ("places[*].room", 2),
        ("delay.*", 1),
        ("delay.*", 3),
    }


def test_removed_names_disappear_and_new_names_follow_the_pattern() -> None:
    left = without(DAY, ("places", 0))
    assert left["jobs"][0]["to"] == [] and left["jobs"][1]["to"] == ["y"] and left["delay"] == {"y": 3}
    more = with_item(DAY, ("places",), DAY["places"][1], "y")
    name = more["places"][2]["name"]
    assert more["jobs"][1]["to"] == ["x", "y", name] and more["delay"][name] == 3 and name not in ("x", "y")
    assert DAY["delay"] == {"x": 1, "y": 3}


def test_each_free_number_is_tried_once() -> None:
    space = of_free(DAY, ["jobs[*].arrival=0..2", "places[1].room=0..1:0.5", "delay.x=7,5"])
    every = [space.document(number) for number in range(space.size or 0)]
    assert len({text(document) for document in every}) == len(every) == 9 * 3 * 2
    assert {document["places"][1]["room"] for document in every} == {0, Decimal("0.5"), 1}
    assert all(document["delay"]["y"] == 3 and document["delay"]["x"] in (5, 7) for document in every)


@pytest.mark.parametrize(
    "wish", ["jobs[*].arrival", "=3", "jobs[*].arival=0..3", "delay.x=a", "delay.x=3..1", "delay.x=0..9:0"]
)
def test_an_invalid_setting_gives_one_message(wish: str) -> None:
    with pytest.raises(InputError, match="--free"):
        of_free(DAY, [wish])
    with pytest.raises(InputError, match="free"):
        of_free(DAY, [])


def test_numbers_may_replace_random_draws() -> None:
    space = of_preset("preemptive", "tiny", {}, within=["jobs[*].chunks=2,5", "jobs[*].upload_delay.*=0..1"])
    found = [part for start in space.starts for part in parts(start)]
    assert {part.value for part in found if part.pattern == "jobs[*].chunks"} == {2}
    assert {part.value for part in found if part.pattern == "jobs[*].upload_delay.*"} == {0, 1}
    assert space.numbers["jobs[*].chunks"] == [2, 5] and "chunks=2,5" in space.sentence
    with pytest.raises(InputError, match="--within"):
        of_preset("preemptive", "tiny", {}, within=["jobs[*].chunk=2"])


@pytest.mark.parametrize("family", FAMILIES)
def test_moves_stay_in_the_space_and_mostly_make_instances(family: str) -> None:
    space = of_preset(family, "tiny", {})
    document: Any = copy(space.starts[0])
    seen, good, count = set(), 0, size(15, 15, 1000)
    for step in range(count):
        moved = neighbour(space, document, np.random.default_rng([7, step]))
        for part in parts(moved):
            if isinstance(part.value, list) and part.pattern in space.lists:
                assert len(part.value) <= space.lists[part.pattern], part
            elif space.domain(part) and part.pattern not in SETTLED:
                assert part.value in space.domain(part), part
        try:
            from_json(moved)
        except SchedproofError:
            continue
        good, document = good + 1, moved
        seen.add(text(moved))
    assert good > count / 3 and len(seen) > good / 3


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_every_move_changes_something(move: Any) -> None:
    space = of_preset("preemptive", "tiny", {})
    moved = [move(space, one, np.random.default_rng(n)) for n, one in enumerate(space.starts)]
    assert any(
        after is not None and text(after) != text(before) for after, before in zip(moved, space.starts, strict=True)
    )


def test_a_smaller_instance_is_another_document() -> None:
    document = sp.embedded("day").to_json()
    made = {text(make()) for make in smaller(copy(document))}
    assert text(document) not in made and len(made) > 50


def test_small_spaces_have_few_parts_and_no_dangling_names() -> None:
    whole = of_preset("jrp", "tiny", {})
    small = whole.limit(1)
    assert whole.largest > 1 == small.largest and small.sha256 != whole.sha256
    for start in small.starts:
        assert len(start["jobs"]) == len(start["servers"]) == 1
        named = {name for job in start["jobs"] for node in job["data_nodes"] for name in node["servers"]}
        assert named <= {start["servers"][0]["name"]}
    assert any(len(start["jobs"]) > 1 for start in whole.starts)


def test_a_wider_space_has_zero_one_and_ten_times_as_much() -> None:
    whole = of_preset("preemptive", "tiny", {})
    for place, values in whole.wider().numbers.items():
        assert {0, 1, 10 * max(whole.numbers[place])} <= set(values) >= set(whole.numbers[place])
        assert list(values) == sorted(values)


def test_shrinking_keeps_numbers_in_their_range() -> None:
    document = {"jobs": [{"chunks": 9, "size": 6}]}
    limits = {"jobs[*].chunks": [2, 5, 9], "jobs[*].size": [6, 7]}
    found = [part for make in smaller(document, limits) for part in parts(make())]
    assert {part.value for part in found if part.pattern == "jobs[*].chunks"} == {2, 5}
    assert {part.value for part in found if part.pattern == "jobs[*].size"} == {6}
