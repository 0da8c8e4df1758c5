from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import gcd

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import from_json
from schedproof.instances.dmlrs.grid import LARGEST_AMOUNT
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster, tiny_dmlrs


def test_units_times_integers_are_the_amounts() -> None:
    for seed in range(size(20, 60, 1000)):
        value = tiny_dmlrs(seed, reserved=seed % 2 == 0)
        for row in (*(m["capacity"] for m in value["machines"]), *(job["worker"] for job in value["jobs"])):
            for name in row:
                row[name] = row[name] * Decimal("1.25") if seed % 3 else row[name]
        instance = from_json(value)
        found = instance.grid
        for r, name in enumerate(instance.resources):
            unit = Fraction(1, found.per_unit[r])
            for job in instance.jobs:
                assert int(found.worker(job)[r]) * unit == job.worker.get(name, 0)
                assert int(found.ps(job)[r]) * unit == job.ps.get(name, 0)
            for machine in instance.machines:
                assert int(found.capacity[machine.index, r]) * unit == machine.capacity.get(name, 0)
                for t in range(instance.horizon):
                    assert int(found.at(t)[machine.index, r]) * unit == instance.free(t, machine, name)


def test_a_unit_is_no_finer_than_needed() -> None:
    value = tiny_dmlrs(1, reserved=False)
    value["resources"] = ["x"]
    value["machines"] = [{"name": "m", "capacity": {"x": Decimal("2.5")}}]
    for job in value["jobs"]:
        job["worker"], job["ps"] = {"x": Decimal("0.75")}, {"x": Decimal("0.2")}
    instance = from_json(value)
    assert instance.grid.per_unit == (20,)
    amounts = [*instance.grid.capacity.ravel().tolist(), *instance.grid.worker(instance.jobs[0]).tolist()]
    assert gcd(*amounts, *instance.grid.ps(instance.jobs[0]).tolist()) == 1


def test_shapes_and_reservations() -> None:
    instance = tiny_cluster(3, machines=3, horizon=5, reserved=True)
    found = instance.grid
    machines, resources = len(instance.machines), len(instance.resources)
    assert found.capacity.shape == (machines, resources) and found.capacity.dtype == np.int64
    assert found.free.shape == (5 if instance.reserved else 1, machines, resources)
    assert (found.free <= found.capacity).all() and (found.free >= 0).all()
    plain = tiny_cluster(3, machines=3, horizon=5, reserved=False).grid
    assert plain.free.shape[0] == 1 and all(plain.at(t) is not None for t in range(5))
    assert (plain.at(4) == plain.capacity).all()
    assert instance.grid is found, "computed once"


def test_an_unnamed_resource_has_amount_zero() -> None:
    value = tiny_dmlrs(1, reserved=False)
    value["resources"] = ["gpu", "spare"]
    demands = [job[key] for job in value["jobs"] for key in ("worker", "ps")]
    for row in (*demands, *(machine["capacity"] for machine in value["machines"])):
        row.pop("memory", None)
    instance = from_json(value)
    assert instance.grid.capacity[:, 1].tolist() == [0] * len(instance.machines)
    assert instance.grid.worker(instance.jobs[0])[1] == instance.grid.ps(instance.jobs[0])[1] == 0


@pytest.mark.parametrize(
    ("amount", "taken"),
    [
        (Decimal(LARGEST_AMOUNT), True),
        (Decimal(LARGEST_AMOUNT + 1), False),
        (Decimal(LARGEST_AMOUNT) / 2 + Decimal("0.5"), False),
    ],
)
def test_amounts_stay_small_in_their_unit(amount: Decimal, taken: bool) -> None:
    value = tiny_dmlrs(1, reserved=False)
    value["machines"][0]["capacity"]["gpu"] = amount
    if taken:
        assert from_json(value).grid.capacity.max() == LARGEST_AMOUNT
    else:
        with pytest.raises(InputError, match="resources: expected amounts of 'gpu' with fewer digits"):
            from_json(value)
