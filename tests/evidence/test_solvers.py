from __future__ import annotations

from dataclasses import replace

import pytest
from solvers import KINDS, SOLVERS, against_bound, attack, draws, page

import schedproof as sp
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from tests.tiny.preemptive import instance_of, job


def test_claims_of_solvers_are_compared_with_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [attack(*next(draws([program], [2], [0]))) for program in ("placement.exact", "jrp.lp_i", "jrp.conic")]
    for row in rows:
        assert row["agreed"] and row["seconds"] is not None and not row["contradicted"] and not row["open"], row
    assert "None is contradicted." in page(rows) and "0.0% rest on the word" in page(rows)
    monkeypatch.setattr(cpsat, "solve", lambda model, context: (Outcome("optimal", 5.0, 5.0), None))
    lie = attack("preemptive.minlp2", "two jobs", instance_of(job("a"), job("b")))  # 2 + 4
    assert lie["contradicted"] == [
        "cpsat reports optimal 5, but no schedule has the objective 5: a branch-and-bound tree excludes it"
    ]
    assert not lie["agreed"] and "two jobs: cpsat reports optimal 5" in page([lie])


def test_a_linear_claim_beyond_the_bound_is_refuted_and_one_below_is_open() -> None:
    program, day = sp.program("preemptive.lp4"), sp.embedded("day")
    true = program.solve(day)
    assert true.objective is not None
    said = against_bound(program, day, [replace(true, objective=true.objective + away) for away in (0, -1e-3, 1e-3)])
    assert (
        len(said["contradicted"]) == 1 and "the bound is" in said["contradicted"][0] and "the bound is" in said["open"]
    )
    none = against_bound(program, day, [replace(true, ended="infeasible", objective=None)])
    assert "but there is a bound of" in none["contradicted"][0]


def test_draws_are_of_each_program_and_kind() -> None:
    found = {(program, what.rpartition(", ")[2]) for program, what, _ in draws([*SOLVERS], [2], [0])}
    assert {program for program, _ in found} == {*SOLVERS} and {kind for _, kind in found} == {*KINDS}
    assert ("jrp.exact", "at once") not in found  # no job of it arrives later
