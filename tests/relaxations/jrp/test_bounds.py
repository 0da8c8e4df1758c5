from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.core.programs.named import program as named
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp import bounds
from schedproof.relaxations.jrp.bounds import conic_bound, lp_i_bound, split_free_bound
from schedproof.relaxations.jrp.certificate import ConicPrices, SplitPrices
from tests.relaxations.jrp.odd import FAR, ODD, instance_of, job
from tests.support import size
from tests.tiny.jrp import tiny_cells

BOUNDS = {"jrp.conic": conic_bound, "jrp.split_free_lp": split_free_bound, "jrp.lp_i": lp_i_bound}
ABOVE = 1e-6  # of a bound over its relaxation's optimum; both are of the size of 1


def by_descent(compute: Callable[..., Bound], instance: Instance) -> Bound:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds.Outer, "solve", lambda *_: "time_limit")
        return compute(instance)


def exact_optimum(instance: Instance, program: str) -> Fraction:
    best = named(program).solve(instance, "brute").exact
    assert best is not None
    return best


def test_every_bound_is_above_the_optimum_and_near_its_relaxation() -> None:
    seen = Counter[str]()
    for seed in range(size(3, 6, 300)):
        instance = tiny_cells(seed, split=seed % 3 == 0)
        best, among = exact_optimum(instance, "jrp.exact"), exact_optimum(instance, "jrp.split")
        bounds = {id: compute(instance) for id, compute in BOUNDS.items()}
        assert bounds["jrp.conic"].exact >= best and bounds["jrp.split_free_lp"].exact >= best, seed
        assert bounds["jrp.lp_i"].exact >= among, seed
        for id, bound in bounds.items():
            assert bound.verify(instance) and (bound.program, bound.family, bound.kind) == (id, "jrp", "upper")
            relaxed = named(id).solve(instance).objective
            assert relaxed is not None and -1e-8 <= bound.value - relaxed <= ABOVE, (seed, id)
            assert bound.details["accepted_at_most"] == floor(bound.exact)
            assert bound.details["gap"] <= ABOVE and bound.details["value"] <= bound.value + 1e-8
        seen.update(
            fails=bounds["jrp.lp_i"].exact < best,
            better=bounds["jrp.conic"].value < bounds["jrp.split_free_lp"].value - 1e-3,
            proves=bounds["jrp.conic"].details["accepted_at_most"] == best,
        )
    assert seen["proves"] and (size(1, 0, 0) or (seen["fails"] and seen["better"]))


def test_lp_i_names_the_schedules_it_bounds() -> None:
    instance = instance_of([("99", "12", "1.5")], job([("1", [0])], "4", "1"))
    bound = lp_i_bound(instance)
    assert bound.exact < exact_optimum(instance, "jrp.exact") == 1
    assert bound.among == "schedules that split their time at communication_share"
    assert bound.to_json()["among"] == bound.among and type(bound.witness) is SplitPrices
    for other in (conic_bound(instance), split_free_bound(instance)):
        assert other.exact >= 1 and not other.among and "among" not in other.to_json()


def test_a_changed_certificate_has_another_value() -> None:
    priced = weaker = 0
    for seed in range(size(15, 18, 300)):
        instance = tiny_cells(seed)
        bound = conic_bound(instance)
        witness: Any = bound.witness
        if not any(map(any, (witness.storage, witness.compute, witness.bandwidth))):
            continue  # nothing is scarce
        priced += 1
        row = max(("storage", "compute", "bandwidth"), key=lambda name: max(getattr(witness, name)))
        changed = replace(witness, **{row: tuple(price * Fraction(3, 4) for price in getattr(witness, row))})
        negative = replace(witness, **{row: tuple(-price for price in getattr(witness, row))})
        short = replace(witness, **{row: getattr(witness, row)[1:]})
        assert bound.verify(instance)
        for wrong in (negative, short):
            assert not replace(bound, witness=wrong).verify(instance), seed
        proves = changed.value(instance)  # the same, where nothing depends on that row
        assert replace(bound, witness=changed).verify(instance) == (proves == bound.exact), seed
        weaker += proves != bound.exact
        assert not replace(bound, exact=bound.exact - Fraction(1, 2**60)).verify(instance)
        assert not bound.verify(tiny_cells(seed + 1)) and not bound.verify(tiny_cells(seed, servers=4))
    assert priced and weaker


@pytest.mark.parametrize("name", [*ODD, *FAR])
def test_extreme_instances_have_bounds(name: str) -> None:
    instance, accepted = (ODD | FAR)[name]
    for compute in BOUNDS.values():
        for bound in (by_descent(compute, instance), compute(instance)):
            assert bound.verify(instance)
            assert compute is lp_i_bound or bound.exact >= accepted
    assert by_descent(conic_bound, instance).value == pytest.approx(float(accepted), abs=1e-4)
    assert conic_bound(instance).value == pytest.approx(float(accepted), abs=1e-7)


def test_without_scarcity_the_bound_is_an_integer() -> None:
    plenty = instance_of([("99", "99", "99")], *(job([("1", [0]), ("2", [0])]) for _ in range(3)))
    for compute in BOUNDS.values():
        assert by_descent(compute, plenty).exact == compute(plenty).exact == 3


def test_without_linear_programs_it_is_almost_as_low() -> None:
    for seed in range(size(3, 6, 300)):
        instance = tiny_cells(seed, jobs=6)
        for compute in BOUNDS.values():
            quick, low = by_descent(compute, instance), compute(instance)
            assert "lps" not in quick.details and low.details["lps"] >= 1
            assert low.value - 1e-7 <= quick.value <= low.value + 2e-4, seed
            assert quick.value == pytest.approx(quick.details["descent_value"], abs=1e-9)


def test_without_any_time_it_is_still_a_bound() -> None:
    for compute in BOUNDS.values():
        instance = tiny_cells(0, jobs=6)
        at_once = compute(instance, context=Context(time_limit=0))
        assert at_once.verify(instance) and at_once.exact >= compute(instance).exact


def test_more_rounds_and_a_smaller_gap_prove_more() -> None:
    instance = cells(jobs=8)
    loose = conic_bound(instance, rounds=1, gap=Fraction(1, 2))
    tight = conic_bound(instance, rounds=40, gap=Fraction(1, 10**9))
    assert loose.details["lps"] == 1 < tight.details["lps"] and tight.exact <= loose.exact + Fraction(1, 10**6)
    assert isinstance(tight.witness, ConicPrices)


def test_it_reports_its_progress() -> None:
    for compute in BOUNDS.values():
        told: list[str] = []
        progress = lambda message, done=None, told=told: told.append(message)  # noqa: E731
        bound = compute(tiny_cells(24, jobs=6), context=Context(progress=progress))
        assert told[0].startswith("temperature") and told[-1].startswith(f"LP {bound.details['lps']}, ")


def test_nineteen_cells() -> None:
    instance = cells(jobs=size(10, 12, 100))
    bound = conic_bound(instance, gap=Fraction(1, 10**8))
    assert bound.verify(instance) and bound.details["gap"] <= ABOVE
    assert bound.value == pytest.approx(named("jrp.conic").solve(instance).objective, rel=ABOVE)
    quick = by_descent(conic_bound, instance)
    assert bound.exact <= quick.exact <= bound.exact * (1 + Fraction(1, 10**4))


def cells(jobs: int, seed: int = 0) -> Instance:
    from schedproof.instances.jrp.hexagons import around, within

    rng, place = np.random.default_rng(seed), {cell: n for n, cell in enumerate(within(2))}
    here = [[place[c] for c in (cell, *around(cell)) if c in place] for cell in place]

    def some_job() -> Any:
        nodes = [(str(rng.integers(20, 80) / 10), here[rng.integers(len(here))]) for _ in range(15)]
        return job(nodes, str(rng.integers(1, 20) / 10), str(rng.integers(1, 20) / 100))

    return instance_of([("150", "150", "10")] * len(here), *(some_job() for _ in range(jobs)))


def test_an_interrupt_in_the_linear_programs_leaves_the_bound_of_the_descent(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(outer: bounds.Outer, context: Context) -> str:
        raise KeyboardInterrupt

    instance = tiny_cells(24, jobs=6)
    alone = by_descent(conic_bound, instance)
    monkeypatch.setattr(bounds.Outer, "solve", interrupted)
    with pytest.raises(Interrupted) as info:
        sp.bound("jrp.conic", instance)
    assert info.value.best.exact == alone.exact and info.value.best.verify(instance)
