"""The instance file: what its keys mean."""

from __future__ import annotations

from schedproof.instances.placement import from_json
from tests.instances.placement.broken import FORMAT


def test_the_meaning_of_the_keys() -> None:
    instance = from_json(FORMAT.value())
    assert (instance.family, instance.sense, instance.extent) == ("placement", "minimize", (2, "task"))
    one, two = instance.clusters
    assert (one.amounts, two.amounts, two.index) == ((16, 8), (0, 3), 1)
    first, second = instance.tasks
    assert first.clusters == (1, 0) and first.needs == (2, 1), "in the order of the file"
    assert first.modes == (((2, 1), 19), ((4, 2), 5)) and first.duration[2, 1] == 19
    assert second.modes == (((0, 0), 1),) and second.clusters == ()
    assert instance.usable(first, one) == first.modes and instance.usable(first, two) == ()
    assert (instance.shortest(first), instance.shortest(second)) == (5, None)
    assert instance.notes() == ("1 of 2 tasks cannot complete even on empty clusters: t2",)
    assert instance.enough == 7 + 5
