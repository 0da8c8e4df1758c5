from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.simulation.policy import Rule
from tests.command_line import plugged_in


@pytest.fixture
def example() -> Iterator[Any]:
    with plugged_in("answers/balancing") as module:
        yield module


def wrong_rows(family: str, **settings: Any) -> set[str]:
    health = sp.doctor(family, draws=3, **settings)
    return {row.part for row in health.flaws if row.check == "declared optimum"}


def test_worst_measures_the_ratio_to_the_declared_optimum(example: Any) -> None:
    space = sp.Space(example.Jobs(2, tuple(example.Job(f"j{n}", 1) for n in range(3))), ["jobs[*].size=1..2"])
    found = sp.worst("least_loaded", "optimum", space)
    assert found.complete and found.exact == Fraction(3, 2) and found.schedule is None and found.bound is None
    assert found.sentence == "on 3 jobs the ratio of balancing.least_loaded is 1.5, to the optimum balancing.optimum"


@pytest.mark.parametrize(("factor", "violated"), [(Fraction(3, 2), False), (Fraction(4, 3), True)])
def test_a_ratio_claim_about_the_declared_optimum_is_decided(factor: Fraction, violated: bool, example: Any) -> None:
    one = example.Jobs(2, tuple(example.Job(f"j{n}", size) for n, size in enumerate((1, 1, 2))))
    check = sp.ratio("balancing.least_loaded", "balancing.optimum") <= factor
    answer: Any = check(type("Case", (), {"instance": one}))
    assert answer.violated is violated and "the optimum" in str(answer)


def test_a_ratio_claim_is_refuted(example: Any) -> None:
    claim = sp.ratio_claim("balancing.four_thirds", sp.ratio("least_loaded", "balancing.optimum") <= Fraction(4, 3))
    assert sp.refute(claim, cases=60).witness is not None


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (lambda jobs: max((job.size for job in jobs.jobs), default=0), "balancing.optimum and enumeration"),
        (
            lambda jobs: sum(job.size for job in jobs.jobs) + 1,
            "balancing.optimum and schedule of balancing.least_loaded",
        ),
        (lambda jobs: None, "balancing.optimum and enumeration"),
    ],
)
def test_the_doctor_reports_a_false_optimum(wrong: Any, part: str, example: Any) -> None:
    example.BALANCING.optimum(wrong)
    assert part in wrong_rows("balancing")


def test_the_doctor_compares_the_optimum_with_the_bounds_of_programs() -> None:
    with plugged_in("answers/set_cover") as module:
        module.COVER.optimum(lambda elements: Fraction(1, 2))  # below the linear program's bound
        assert wrong_rows("cover") == {"cover.optimum and bound of cover.lp"}


def test_the_doctor_compares_the_optimum_with_those_of_programs() -> None:
    with plugged_in("knapsack") as module:
        module.KNAPSACK.optimum(lambda sack: 0)
        assert "knapsack.optimum and optimum of knapsack.best by highs" in wrong_rows("knapsack")


@pytest.mark.parametrize("value", [0.5, "1", float("nan")])
def test_an_optimum_that_is_not_exact_is_refused(value: Any, example: Any) -> None:
    example.BALANCING.optimum(lambda jobs: value)
    with pytest.raises(ProgramError, match="expected an int or a Fraction"):
        sp.program("balancing.optimum").solve(sp.generate("balancing", seed=1))
    with pytest.raises(NoSolution, match="expected an int or a Fraction"):
        sp.worst("balancing.least_loaded", "balancing.optimum", engine=sp.Engine(chains=1, steps=3))


def test_an_error_of_the_function_is_one_sentence_with_its_place(example: Any) -> None:
    example.BALANCING.optimum(lambda jobs: jobs.size)
    with pytest.raises(NoSolution, match=r"the optimum, stopped with AttributeError.*test_optimum\.py, line"):
        sp.worst("balancing.least_loaded", "balancing.optimum", engine=sp.Engine(chains=1, steps=3))


def test_a_declared_optimum_proves_no_bound(example: Any) -> None:
    one = sp.generate("balancing", seed=1)
    with pytest.raises(ProgramError, match="no model and no bound"):
        sp.bound("balancing.optimum", one)
    solution = sp.program("balancing.optimum").solve(one)
    assert solution.proven and solution.exact == example.all_loads(one)
    assert solution.rests_on == "the declared optimum all_loads"


def test_a_rule_keeps_its_function_with_other_options() -> None:
    assert Rule(lambda *, size: size, {"size": 1}).having({"size": 2}).assign() == 2
