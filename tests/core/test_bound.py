"""Bounds are what their witness proves; ratios have two certified sides, or are refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import msgspec
import pytest

import schedproof as sp
from schedproof.core.bound import Bound, Guarantee
from schedproof.core.checking import Violation
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.run import Infeasible, Ratio, Run, ratio
from tests.tiny.preemptive import tiny_instance


@dataclass(frozen=True)
class Says:
    """A certificate that proves what it says, or nothing."""

    number: Fraction | None

    def value(self, instance: Any) -> Fraction:
        if self.number is None:
            raise ValueError("proves nothing")
        return self.number

    def to_json(self) -> dict[str, Any]:
        return {"number": str(self.number)}


def bound_of(exact: Fraction | int, kind: Any = "lower", family: str = "toy", proves: Any = "the same") -> Bound:
    exact = Fraction(exact)
    return Bound("toy.lp", family, kind, exact, Says(exact if proves == "the same" else proves), {"seconds": 0.1})


def run_of(objective: int, sense: str = "minimize", violations: int = 0, guarantee: Guarantee | None = None) -> Run:
    return Run(
        policy="toy.greedy",
        family="toy",
        options={},
        instance=None,
        schedule=None,
        violations=tuple(Violation("room", f"item {n}", Fraction(1)) for n in range(violations)),
        objective=Fraction(objective),
        sense=sense,
        guarantee=guarantee or Guarantee(None, "toy.theorem", {}),
        seconds=0.0,
    )


def test_verify_accepts_the_proven_number_and_no_other() -> None:
    assert bound_of(Fraction(7, 3)).verify(None)
    assert not bound_of(Fraction(7, 3), proves=Fraction(7, 3) - Fraction(1, 10**30)).verify(None)
    assert not bound_of(Fraction(7, 3), proves=Fraction(8, 3)).verify(None)  # a better proof is another bound
    assert not bound_of(Fraction(7, 3), proves=None).verify(None)


def test_a_bound_of_a_real_instance_does_not_hold_for_another() -> None:
    first, second = tiny_instance(1, jobs=5, servers=2), tiny_instance(2, jobs=5, servers=2)
    bound = sp.bound("preemptive.lp4", first)
    assert bound.verify(first) and not bound.verify(second)


def test_the_ratio_is_exact_and_on_the_safe_side_of_either_sense() -> None:
    least = ratio(run_of(10), bound_of(Fraction(3)))
    assert isinstance(least, Ratio) and least.exact == Fraction(10, 3) and least.value == float(Fraction(10, 3))
    assert ratio(run_of(3, "maximize"), bound_of(10, "upper")).exact == Fraction(10, 3)


def test_a_ratio_of_different_families_is_refused() -> None:
    with pytest.raises(ProgramError, match="a toy run has no ratio to a jrp bound"):
        ratio(run_of(10), bound_of(3, family="jrp"))


@pytest.mark.parametrize(("sense", "needs", "gives"), [("minimize", "lower", "upper"), ("maximize", "upper", "lower")])
def test_a_bound_on_the_wrong_side_is_refused(sense: str, needs: str, gives: Any) -> None:
    with pytest.raises(ProgramError, match=f"{sense} objective needs a {needs} bound, toy.lp gives a {gives} one"):
        ratio(run_of(10, sense), bound_of(3, gives))


def test_an_infeasible_run_has_no_ratio() -> None:
    with pytest.raises(Infeasible, match=r"no ratio is quoted.*not feasible \(first: room at item 0 by 1") as caught:
        ratio(run_of(1, violations=2), bound_of(3))
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("exact", [0, -1])
def test_a_ratio_to_nothing_is_refused(exact: int) -> None:
    with pytest.raises(ProgramError, match=f"the ratio is undefined: the bound is {exact}"):
        ratio(run_of(10), bound_of(exact))
    with pytest.raises(ProgramError, match=f"the ratio is undefined: the objective is {exact}"):
        ratio(run_of(exact, "maximize"), bound_of(3, "upper"))


@pytest.mark.parametrize(
    ("premises", "quoted"),
    [
        ({"a": "yes", "b": "yes"}, True),
        ({"a": "yes", "b": "no"}, False),
        ({"a": "yes", "b": "cannot tell"}, False),
        ({}, True),
    ],
)
def test_a_guarantee_is_quoted_only_when_every_premise_is_met(premises: dict[str, Any], quoted: bool) -> None:
    found = ratio(run_of(10, guarantee=Guarantee(Fraction(4), "toy.theorem", premises)), bound_of(3))
    assert found.guarantee == (Fraction(4) if quoted else None)
    assert found.premises == premises
    assert found.to_json()["guarantee"] == ("4/1" if quoted else None)


def test_results_are_json_with_exact_numbers() -> None:
    made = ratio(run_of(10), bound_of(Fraction(7, 3)))
    told = msgspec.json.decode(msgspec.json.encode(made.to_json()))
    assert told["exact"] == "30/7" and told["objective"] == "10/1" and told["bound"] == "7/3"
    assert told.keys() >= {"value", "exact", "guarantee", "premises"}
    bound = msgspec.json.decode(msgspec.json.encode(bound_of(Fraction(7, 3)).to_json()))
    assert (bound["kind"], bound["exact"], bound["witness"]) == ("lower", "7/3", {"number": "7/3"})
    assert bound["value"] == 7 / 3


@pytest.mark.parametrize("kind", ["lower", "upper"])
def test_a_bound_says_of_which_solutions_it_speaks_where_that_is_not_all(kind: Any) -> None:
    for_all, for_some = bound_of(4, kind), replace(bound_of(4, kind), among="schedules that wait")
    assert "among" not in for_all.to_json() and for_some.to_json()["among"] == "schedules that wait"
    run = run_of(8) if kind == "lower" else run_of(2, "maximize")
    for bound, optimum in ((for_all, "the optimum"), (for_some, "the optimum among schedules that wait")):
        found = ratio(run, bound)
        lower = f"at most 2.000000 times {optimum} (8 / 4)"
        assert found.sentence == (lower if kind == "lower" else f"{optimum} is at most 2.000000 times as much (4 / 2)")


def test_a_certificate_that_was_tampered_with_gives_no_ratio_unnoticed() -> None:
    """The number of a bound and its witness part ways: verify sees it."""
    instance = tiny_instance(3, storage=False)
    bound = sp.bound("preemptive.lp4", instance)
    for better in (bound.exact + 1, bound.exact * 2):
        assert not replace(bound, exact=better).verify(instance)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("preemptive.lp5", {}, "there is no bound 'preemptive.lp5'; there is: "),
        ("preemptive.lp4", {"costs": "half"}, "there is no option of preemptive.lp4 'costs'"),
        ("preemptive.lp4", {"cost": "full"}, "cost=full: expected one of half, printed"),
        ("preemptive.lp4", {"prices": "high"}, "prices=high: expected one of lp, free"),
    ],
)
def test_an_unknown_bound_option_or_choice_is_one_sentence(name: str, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(SchedproofError) as caught:
        sp.bound(name, tiny_instance(0), **options)
    assert str(caught.value).startswith(sentence)


def test_a_short_name_is_resolved_by_the_instances_family() -> None:
    instance = tiny_instance(0)
    assert sp.bound("lp4", instance).exact == sp.bound("preemptive.lp4", instance).exact
