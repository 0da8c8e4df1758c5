from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.claims.answer import Finding, Open, worst
from schedproof.core.errors import SchedproofError
from schedproof.instances import from_json
from schedproof.proofs_checks.ratio_claims import OfInstance
from tests.tiny.preemptive import tiny_preemptive

earned = sp.ratio("toy.threshold", "toy.knapsack")


def sack(*items: tuple[int, int], capacity: int = 8) -> OfInstance:
    rows = [{"name": f"i{n}", "arrival": n, "value": v, "weight": w} for n, (v, w) in enumerate(items)]
    return OfInstance(from_json({"version": 1, "family": "toy", "capacity": capacity, "items": rows}))


def fits_and_pays(instance: Any) -> bool:
    return sum(item.weight for item in instance.items) <= instance.capacity and all(
        item.value >= item.weight for item in instance.items
    )


def test_quotients_are_compared_exactly_and_zero_over_zero_is_the_loosest() -> None:
    nothing, near, far = (Finding(Fraction(m), Fraction(c), relative=True) for m, c in ((0, 0), (99, 100), (1, 2)))
    assert worst([nothing, far, near]) is near and worst([nothing, far]) is far
    assert (
        nothing.tightness < far.tightness < near.tightness < Finding(Fraction(1), Fraction(0), relative=True).tightness
    )
    assert worst([Finding(Fraction(1), Fraction(2)), Finding(Fraction(0), Fraction(0))]).claimed == 0  # differences


def test_utility_is_the_denominator_for_a_maximum() -> None:
    case = sack((3, 3), (9, 6))  # the first item is taken, the second no longer fits
    kept, broken = (earned <= 4)(case), (earned <= 2)(case)
    assert not kept.violated and kept.claimed == 12
    assert str(kept) == "11/3 <= 4 (satisfied; the ratio to the certified bound)"
    assert (broken.measured, broken.claimed, broken.violated) == (9, 6, True) and broken.relative


def test_between_bound_and_attained_value_the_claim_is_open() -> None:
    case = sack((4, 4), (7, 5))  # 4 are earned of 7, and the relaxation is worth more
    bound = sp.bound("toy.knapsack", case.instance).exact
    assert bound > 7 and isinstance((earned <= (7 + bound) / 8)(case), Open)
    kept, broken = (earned <= bound / 4)(case), (earned <= Fraction(27, 16))(case)
    assert not kept.violated and broken.violated and "attains" in broken.where


def test_a_claim_is_refuted_with_a_shrunk_instance() -> None:
    claim = sp.ratio_claim("toy.half", earned <= 2)
    found = sp.refute(claim, cases=200, seed=1)
    assert found.witness is not None and found.witness.replay(claim)["as stated"].violated
    assert len(found.witness.case.instance.items) <= 2
    assert claim.statement == "The optimum of toy.knapsack is at most 2 times what toy.threshold earns."


def test_an_instance_that_misses_a_premise_is_no_case() -> None:
    items = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=1, max_size=3)
    claim = sp.ratio_claim(
        "notes.best",
        earned <= 1,
        proof="Each item is taken.\n- *All?* They fit, and pay.",
        premises={"all items fit and pay": fits_and_pays},
        too_small=Fraction(1, 2),
        strategy=items.map(lambda rows: sack(*rows).instance),
    )
    (result,) = sp.verify(claim, budget=1)
    assert result.verdict == "argued" and result.tally.passed_over and result.tally.cases > 10
    tightest = result.tally.worst["as stated"]
    assert tightest.measured == tightest.claimed > 0


def test_a_proven_optimum_decides() -> None:
    case = OfInstance(from_json(tiny_preemptive(8, jobs=3)))
    relaxed = sp.program("preemptive.ilp4").drop("one_worker_per_chunk").relaxed()
    ratio, optimum = sp.ratio("srtf", relaxed), relaxed.solve(case.instance).exact
    assert optimum is not None
    exact = sp.policy("srtf").run(case.instance).objective / optimum
    kept, broken = (ratio <= exact)(case), (ratio <= exact * Fraction(999, 1000))(case)
    assert kept.measured == kept.claimed and broken.violated and "the optimum" in broken.where
    assert "without one_worker_per_chunk" in (ratio <= 2).sentence


def test_an_infeasible_schedule_decides_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    check = earned <= 2
    monkeypatch.setattr(type(check.policy), "run", lambda *_: SimpleNamespace(policy="p", violations=("too heavy",)))
    assert check(sack((1, 1))) == Open("the schedule of p is not feasible: too heavy", 1, 1)


def test_a_family_without_a_generator_needs_a_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    from schedproof.core.cards import registry

    def none(kind: str, name: str) -> None:
        raise SchedproofError("unknown")

    statement = earned <= 2
    monkeypatch.setattr(registry, "find", none)
    with pytest.raises(SchedproofError, match="toy has no generator: pass a strategy that draws instances"):
        sp.ratio_claim("notes.x", statement)
