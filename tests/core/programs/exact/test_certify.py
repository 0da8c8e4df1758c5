from __future__ import annotations

from fractions import Fraction

import pytest

import schedproof as sp
from schedproof.core.certificates.program_bound import ProgramBound
from schedproof.core.errors import ProgramError, UnknownName
from tests.linear_programs import draws
from tests.support import size


@pytest.mark.parametrize("id", ["preemptive.lp4", "jrp.split", "placement.exact", "dmlrs.rdmlrs_lp"])
def test_a_proven_solution_returns_certifying_multipliers(id: str) -> None:
    proven = 0
    for program, instance in draws(id, size(2, 2, 60)):
        solution = program.solve(instance, "highs")
        assert (solution.multipliers is None) == (solution.exact is None)
        if solution.multipliers is None:
            continue
        bound = sp.bound(program, instance, multipliers=solution.multipliers)
        assert isinstance(bound, ProgramBound) and bound.exact == solution.exact and bound.verify(instance)
        for name, value in list(solution.multipliers.items())[: size(5, 5, 10**6)]:
            other = dict(solution.multipliers) | {name: value + Fraction(1, 3)}
            try:
                weaker = sp.bound(program, instance, multipliers=other)
            except ProgramError as error:
                assert "prove nothing" in str(error)
            else:
                assert (weaker.exact - bound.exact) * (1 if bound.kind == "upper" else -1) >= 0
        proven += 1
    assert proven


def test_a_name_that_is_no_rows_is_refused() -> None:
    program, instance = next(draws("preemptive.lp4", 1))
    with pytest.raises(UnknownName, match=r"row of preemptive\.lp4"):
        sp.bound(program, instance, multipliers={"class_work.row[x]": Fraction(1)})
