from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.cases import to_json
from schedproof.core.runtime import clock as clock_of_limits
from schedproof.core.runtime.files import encode, sha256
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.result import UNJUDGED, Result
from schedproof.proofs_checks.verify import judge, verify
from tests.proofs_checks.toys import TOY

MODULE = sys.modules[verify.__module__]
FEW = ["preemptive.lemma5", "jrp.split_equivalent", "multiserver.algorithm1_projection"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile of few cases, in which a search of a hundred cases lasts a second."""
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")
    monkeypatch.setattr(trials, "monotonic", count(0, 0.01).__next__)
    monkeypatch.setitem(trials.SIZES, "dev", 5)


def searched(record: Path) -> list[tuple[str, float]]:
    columns = "json_extract(key, '$.claim'), json_extract(key, '$.search')"
    with closing(sqlite3.connect(record)) as base:
        return base.execute(f"SELECT {columns} FROM rows ORDER BY number").fetchall()


def rows_of(results: list[Result]) -> list[dict[str, Any]]:
    return [replace(result, seconds=0).to_json() for result in results]


def test_an_interrupted_search_is_not_recorded_but_earlier_results_are(tmp_path: Path) -> None:
    def stop(message: str, done: float | None = None) -> None:
        if message.startswith(f"{FEW[1]} ["):
            raise KeyboardInterrupt

    record = tmp_path / "record"
    with pytest.raises(KeyboardInterrupt):
        verify(FEW[:2], search=True, budget=0.2, record=record, progress=stop)
    assert searched(record) == [(FEW[0], 0), (FEW[1], 0), (FEW[0], 0.2)]


def test_a_record_gives_equal_results_without_repeated_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, plain = tmp_path / "record", verify(FEW)
    first = verify(FEW[:2], record=record)
    assert rows_of(first) == rows_of(plain[:2])
    assert rows_of(verify(FEW, record=record)) == rows_of(plain)
    monkeypatch.setattr(MODULE, "judge", None)
    again = verify(FEW, record=record)
    assert rows_of(again) == rows_of(plain) and [r.to_json() for r in again[:2]] == [r.to_json() for r in first]
    assert [r.tally for r in again] == [r.tally for r in plain] and [r.outcomes for r in again] == [
        r.outcomes for r in plain
    ]


@pytest.mark.parametrize("what", ["seed", "profile", "code", "software"])
def test_a_result_with_other_inputs_is_not_reused(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, judged = tmp_path / "record", list[str]()
    verify(FEW[0], record=record)
    monkeypatch.setattr(MODULE, "judge", lambda claim, *given: judged.append(claim.id) or judge(claim, *given))
    verify(FEW[0], record=record)
    assert not judged
    if what in ("profile", "code", "software"):
        monkeypatch.setattr(MODULE, what, lambda *package: "ci")
    verify(FEW[0], record=record, seed=int(what == "seed"))
    assert judged == [FEW[0]]


def test_a_search_of_another_length_is_another_result(tmp_path: Path) -> None:
    record = tmp_path / "record"
    for budget in (0.1, 0.1, 0.2):
        verify(FEW[0], search=True, budget=budget, record=record)
    assert searched(record) == [(FEW[0], 0), (FEW[0], 0.1), (FEW[0], 0.2)]


def test_a_witness_found_by_a_search_is_recorded(tmp_path: Path) -> None:
    name = "preemptive.eq5_marginal"
    first, again = (verify(name, search=True, budget=1, record=tmp_path / "record") for _ in range(2))
    assert first[0].found and again[0].to_json() == first[0].to_json()


REFUTED = """'$.tally.witnessed', json('["as printed"]'), '$.tally.violated', json('["as printed"]'),
    '$.tally.worst."as printed".measured', '2/1', '$.outcomes[0].state', 'violated',
    '$.outcomes[0].evidence', 'exact certificate', '$.verdict', 'refuted'"""  # by a witness that there is not


@pytest.mark.parametrize(
    ("change", "signed", "told"),
    [
        ("""replace(row, '"outcomes"', '"upshots"')""", False, "a row is damaged"),
        ("""replace(row, '"outcomes"', '"upshots"')""", True, "expected the result of the claim"),
        (
            """replace(row, '"verdict": "holds"', '"verdict": "refuted"')""",
            True,
            "the states of the claim's readings do not imply the verdict refuted",
        ),
        ("""replace(row, '"violated": []', '"violated": ["as printed"]')""", True, "does not match its cases"),
        (f"json_set(row, {REFUTED})", True, "the stored witnesses contradict other readings than the recorded ones"),
        (
            """json_set(row, '$.found."as printed"', :case)""",
            True,
            "the stored counterexample does not contradict the reading 'as printed'",
        ),
    ],
)
def test_an_invalid_record_is_reported_and_recomputed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str, signed: bool, told: str
) -> None:
    record = tmp_path / "record"
    (sound,) = verify(FEW[0], record=record)
    with closing(sqlite3.connect(record)) as base, base:
        base.execute(
            f"UPDATE rows SET row = {change}", {"case": encode(to_json(claims.find(FEW[0]).cases()[0])).decode()}
        )
        (what,), ((key, row),) = (
            base.execute("SELECT what FROM store").fetchone(),
            base.execute("SELECT key, row FROM rows"),
        )
        assert row != json.dumps(sound.to_row())
        if signed:  # by whoever knows how a sum is formed
            base.execute("UPDATE rows SET sum = ?", (sha256("\0".join((what, key, row)).encode()),))
    (again,) = verify(FEW[0], record=record)
    assert again.to_json() | {"seconds": 0} == sound.to_json() | {"seconds": 0} and told in caplog.text


# --- time limits ---


class Clock:
    """A clock that is advanced by hand."""

    def __init__(self) -> None:
        self.now = perf_counter()

    def __call__(self) -> float:
        return self.now


def test_claims_beyond_the_time_limit_are_undecided() -> None:
    results = verify(FEW, time_limit=0.0)
    assert [(r.claim.id, r.verdict, r.evidence, r.blocks) for r in results] == [
        (name, "undecided", "none", (UNJUDGED,)) for name in FEW
    ]
    assert not any(r.judged or r.differs for r in results) and results[0].sentence.endswith(UNJUDGED)
    assert rows_of(verify(FEW[:1], time_limit=600.0)) == rows_of(verify(FEW[:1]))


def test_claims_judged_before_the_time_limit_stay_judged(tmp_path: Path) -> None:
    clock = Clock()

    def progress(message: str, done: float | None = None) -> None:
        clock.now += 60.0 * (message == FEW[1])

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock_of_limits, "perf_counter", clock)
        results = verify(FEW, progress=progress, record=tmp_path / "record", time_limit=50.0)
    assert [r.judged for r in results] == [True, False, False]
    assert rows_of(verify(FEW, record=tmp_path / "record")) == rows_of(verify(FEW))  # and no lack of time is recorded


def test_a_time_limit_is_shared_among_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, given = Clock(), list[float]()

    def smallest(strategy: Any, wanted: Any, seconds: float, number: int, progress: Any) -> None:
        given.append(seconds)
        clock.now += seconds / 2

    monkeypatch.setattr(sys.modules[judge.__module__], "smallest", smallest)
    monkeypatch.setattr(clock_of_limits, "perf_counter", clock)
    verify([TOY, replace(TOY, id="toy.second"), replace(TOY, id="toy.third")], budget=100.0, time_limit=12.0)
    assert given == pytest.approx([4.0, 5.0, 7.5], abs=0.9)
    clock.now = perf_counter()
    verify(TOY, budget=3.0, time_limit=12.0)
    assert given[3:] == [3.0]
