"""The attack on solvers: what is proven agrees, and a solver that lies is found out."""

from __future__ import annotations

import pytest
from solvers import KINDS, SOLVERS, Line, attack, draws, page

import schedproof as sp
from schedproof.core.solving import cpsat
from schedproof.core.solving.status import Outcome


def test_what_solvers_claim_is_held_against_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    _, what, instance = next(draws([2], [0]))
    line = Line("placement.exact")
    attack(line, what, instance)
    assert (line.draws, line.claimed, line.agreed, line.proven) == (1, 1, 1, 1) and not line.contradicted
    assert "None is contradicted." in page([line], 0, 1, [2]) and len(line.seconds) == 1
    claims = Line("preemptive.minlp2")
    monkeypatch.setattr(cpsat, "solve", lambda model, context: (Outcome("optimal", 30.0, 30.0), None))
    attack(claims, "day", sp.embedded("day"))
    assert [words.partition(": ")[2] for words in claims.contradicted] == [
        "cpsat says optimal 30, but no schedule is worth 30: a tree leaves none"
    ]


def test_draws_are_of_each_program_and_kind() -> None:
    found = {(program, what.rpartition(", ")[2]) for program, what, _ in draws([2], [0])}
    assert {program for program, _ in found} == {*SOLVERS} and {kind for _, kind in found} == {*KINDS}
