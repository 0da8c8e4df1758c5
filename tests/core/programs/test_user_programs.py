"""Random user programs of ten kinds: bounds, statuses and explanations agree with an independent answer.

The deep profile draws 1,000 of each kind. ``-s`` prints how many were refused, and why.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checker
from schedproof.core.certificates.bounds import bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import NoSolution, ProgramError, SchedproofError
from tests.support import size
from tests.tiny.user_programs import KINDS, LINEAR, Drawn, drawn

TOLERANCE = Fraction(1, 10**4)  # of a solver's claim that is not proven, relative
LIMIT = 10.0  # seconds of a solve: SCIP does not end on some curves that are not convex
SHARE = 5  # of so many programs that are feasible one is asked to be explained


def reason(error: Exception) -> str:
    """A refusal without its names and numbers."""
    return re.sub(r"[\w.\[\],']*\d[\w.\[\],']*", "N", str(error))[:90]


def wrong_bound(case: Drawn, on: Any, refused: Counter[str]) -> str:
    """Whether a bound is on the wrong side, in words."""
    try:
        found = bound(case.program, on)
    except (ProgramError, NoSolution) as error:
        refused[f"bound: {reason(error)}"] += 1
        return ""
    truth = case.truth
    if truth.status == "infeasible":
        return ""
    fine = found.exact <= truth.high if case.program.sense == "minimize" else found.exact >= truth.low
    return "" if fine and truth.status == "optimal" else f"the bound {float(found.exact)} beside {truth}"


def wrong_status(case: Drawn, on: Any, refused: Counter[str], found: Any) -> str:
    truth = case.truth
    if found.ended not in ("optimal", "infeasible", "unbounded"):
        refused[f"solve: {found.ended} {reason(Exception(found.message))}"] += 1
        return ""
    if found.ended != truth.status:
        if not found.confirmed:
            refused[f"solve: a wrong claim, {found.status} for {truth.status}"] += 1
            return ""
        return f"{found.status} beside {truth}"
    if truth.status != "optimal":
        return ""
    value = found.exact if found.exact is not None else Fraction(found.objective)
    room = 0 if found.exact is not None else TOLERANCE * (1 + abs(value))
    if truth.low - room <= value <= truth.high + room:
        return ""
    if not found.confirmed:
        refused[f"solve: a wrong claim, {found.status} at a wrong value"] += 1
        return ""
    return f"{found.status} {float(value)} beside {truth}"


def wrong_explanation(case: Drawn, on: Any, refused: Counter[str]) -> str:
    infeasible = case.truth.status == "infeasible"
    try:
        why = case.program.why_infeasible(on)
    except NoSolution as error:
        refused[f"why: {reason(error)}"] += 1
        return ""
    except ProgramError as error:
        if "is feasible on this instance:" not in str(error):
            refused[f"why: {reason(error)}"] += 1
            return ""
        return f"why_infeasible says feasible, the program is {case.truth}" if infeasible else ""
    if not infeasible and why.proof is None:
        refused["why: a wrong explanation on the word of a solver"] += 1
        return ""
    return "" if infeasible else f"an explanation beside {case.truth}: {why.sentence}"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, Path]:
    folder = tmp_path_factory.mktemp("user")
    on, path = sp.embedded("clusters"), folder / "clusters.json"
    write_object(path, on.to_json())
    return on, path, folder / "proof.json"


def read_by_the_checker(found: Any, path: Path, certificate: Path) -> str:
    certificate.write_text(json.dumps(found.proof))
    return checker.lines(checker.check(str(path), str(certificate)))[0]


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_is_on_the_wrong_side(kind: str, file: tuple[Any, Path, Path]) -> None:
    on, path, certificate = file
    refused, ends, statuses, started, proofs = Counter[str](), Counter[str](), Counter[str](), perf_counter(), 0
    for seed in range(size(4, 4, 1000)):
        case = drawn(kind, seed)
        ends[case.truth.status] += 1
        assert not wrong_bound(case, on, refused), (kind, seed, wrong_bound(case, on, refused))
        proven = kind in LINEAR and (case.truth.status != "optimal" or not seed % SHARE)
        try:
            found = case.program.solve(on, case.solver, LIMIT, prove=proven, confirm=not seed % SHARE)
        except SchedproofError as error:
            refused[f"solve: {reason(error)}"] += 1
        else:
            statuses[found.status] += 1
            wrong = wrong_status(case, on, refused, found)
            assert not wrong, (kind, seed, wrong)
            if kind in LINEAR and case.truth.status != "optimal":
                assert found.proof is not None, (kind, seed, found)
            if proven and found.proof is not None:
                proofs += 1
                says = {"optimal": "proven: "}.get(found.ended, f"proven {found.ended}")
                assert read_by_the_checker(found, path, certificate).startswith(says), (kind, seed)
        if case.truth.status == "infeasible" or not seed % SHARE:
            wrong = wrong_explanation(case, on, refused)
            assert not wrong, (kind, seed, wrong)
    print(
        f"\n{kind}: {sum(ends.values())} draws, {perf_counter() - started:.0f} s, truth {dict(ends)}, proofs {proofs}"
    )
    print(f"  statuses {dict(statuses)}")
    for text, number in refused.most_common():
        print(f"  {number} {text}")
    assert len(ends) > 1 or size(1, 1, 0)
