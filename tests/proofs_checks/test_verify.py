"""The judge: blocks, toy claims, the shipped ledgers, searches."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core import cases, claims, context
from schedproof.core.claim import (
    Assumption,
    Claim,
    Domain,
    Exhaustive,
    FalseVariant,
    Finding,
    Open,
    Outside,
    Premise,
    Proof,
    Reading,
    Regime,
)
from schedproof.core.errors import UnknownName
from schedproof.core.files import sha256
from schedproof.core.sources import Paper
from schedproof.core.witness import Witness
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.result import UNJUDGED, Result
from schedproof.proofs_checks.verify import judge, look_for_witnesses, verify
from tests.support import FAMILIES, PROFILE

ROOT = Path(__file__).parents[2]
MODULE = sys.modules[verify.__module__]


@dataclass(frozen=True)
class Case:
    """A number."""

    n: int


def bounded(case: Case) -> Finding:
    """n is at most 9."""
    return Finding(Fraction(case.n), Fraction(9))


def at_most_ten(case: Case) -> Finding:
    """n is at most 10, which is so of all that the strategy below draws."""
    return Finding(Fraction(case.n), Fraction(10))


def at_most_five(case: Case) -> Finding:
    """n is at most 5."""
    return Finding(Fraction(case.n), Fraction(5))


def small(case: Case) -> bool:
    """n has one digit."""
    return case.n < 10


TEN = Proof("The strategy draws whole numbers from zero to ten.\n- *Ten as well?* Ten as well.")
ONE_DIGIT = Proof("Nine is the largest of the ten digits.\n- *Of all ten?* Of 0 to 9.")
BELIEVED = Proof("Somebody believed it.\n- *Who?* Nobody knows.")
NUMBERS = st.builds(Case, st.integers(0, 10))
ANY = Regime("any", lambda case: True)
NEVER = Regime("never", lambda case: False)
FALSE = FalseVariant("at most 2", lambda case: Finding(Fraction(case.n), Fraction(2)))
DOMAIN = Domain(Case, NUMBERS, (ANY,))
NOWHERE = Paper("Nobody 1900", ("A. Nobody",), "On Numbers", "Journal", 1900).at("page 1")
PLAIN = Reading("plain", "", at_most_ten, TEN)
TOY = Claim("toy.number", NOWHERE, "n is small", DOMAIN, readings=[PLAIN], false_variants=[FALSE])
NINE = (Reading("nine", "", bounded),)
EVEN, ONE = Premise("n is even", lambda case: case.n % 2 == 0), Premise("n is -1", lambda case: case.n == -1)


def ten_against(claim: Claim) -> list[Witness]:
    """The number 10 as a stored witness against a claim."""
    return [Witness.of("number", claim, "ten is too large", Case(10))]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")


def test_a_proved_claim_holds():
    result = judge(TOY)
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "prose proof")
    assert result.tally.hits == {"any": result.tally.cases}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"domain": DOMAIN.but(regimes=(ANY, Regime("never", lambda case: False)))},
            "no trial reached the coverage case 'never'",
        ),
        ({"domain": DOMAIN.but(regimes=())}, "no coverage case or no false variant is declared"),
        ({"false_variants": (FalseVariant("true", at_most_ten),)}, "the false variant 'true' was not rejected"),
        ({"false_variants": ()}, "no coverage case or no false variant is declared"),
        (
            {"readings": (Reading("plain", "", at_most_five, BELIEVED),)},
            "a case contradicts the proof of the reading 'plain'",
        ),
        ({"readings": NINE}, "a case contradicts the reading 'nine': store it as a witness"),
        (
            {"readings": (Reading("even", "", lambda case: Outside(EVEN)),)},
            "'n is even' is no premise of the statement, nor of the reading 'even'",
        ),
        (
            {"readings": (Reading("even", "", lambda case: Outside(EVEN), where=(EVEN,)),)},
            "a case that a check finds outside meets the premise: n is even",
        ),
        (
            {"readings": (PLAIN, Reading("one", "", at_most_ten, where=(ONE,)))},
            "nothing was compared in the reading 'one'",
        ),
    ],
)
def test_what_blocks_a_verdict(change, reason):
    result = judge(replace(TOY, **change))
    assert result.verdict == "undecided"
    assert reason in result.blocks


def test_a_claim_without_proof_is_undecided():
    result = judge(replace(TOY, readings=(Reading("ten", "", at_most_ten),)))
    assert (result.verdict, result.blocks, result.evidence) == ("undecided", (), "trials")


def test_a_refutation_needs_a_stored_witness():
    """Trials alone refute nothing, however many cases they find."""
    claim = replace(TOY, readings=NINE)
    assert judge(claim).verdict == "undecided"
    result = judge(claim, ten_against(claim))
    assert (result.verdict, result.evidence) == ("refuted", "exact certificate")


def test_a_text_that_nobody_questioned_proves_nothing():
    """n^2 + n + 41 is prime below 40, and so says the docstring; neither makes the statement hold for all n."""

    def prime(case: Case) -> Finding:
        """n^2 + n + 41 is prime for all n.

        Proof
        -----
        The reader will have no difficulty in supplying the details, which are routine and left to the reader.
        """
        number = case.n**2 + case.n + 41
        return Finding(Fraction(sum(number % k == 0 for k in range(2, number))), Fraction(0))

    below = Domain(Case, st.builds(Case, st.integers(0, 39)), (ANY,))
    claim = Claim("toy.prime", NOWHERE, "n^2 + n + 41 is prime", below, readings=[Reading("all n", "", prime)])
    claim.false_variant("even")(lambda case: Finding(Fraction((case.n**2 + case.n + 41) % 2), Fraction(0)))
    assert judge(claim).verdict == "undecided"
    with pytest.raises(ValueError, match="at least one objection"):
        Proof("The reader will have no difficulty in supplying the details, which are routine.")
    argued = replace(claim, readings=(Reading("all n", "", prime, BELIEVED),))
    assert judge(argued).evidence == "prose proof"  # its name says that no machine has checked it
    assert judge(argued, stored=[Case(40)]).verdict == "undecided"  # 41^2: a case against it stops it


def test_verdicts_do_not_need_docstrings():
    """As under ``python -OO``, where there are none."""
    code = """
import sys
from tests.proofs_checks.test_verify import TOY, judge
sys.exit(0 if judge(TOY).verdict == "holds" and judge.__doc__ is None else 1)
"""
    assert subprocess.run([sys.executable, "-OO", "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_case_that_misses_a_premise_is_passed_over():
    """It supports nothing and refutes nothing, whether the statement or a reading supposes it."""
    odd = Finding(Fraction(1), Fraction(0))
    check = Reading("plain", "", lambda case: odd if case.n % 2 else at_most_ten(case), TEN)
    assert judge(replace(TOY, readings=(check,))).verdict == "undecided"
    for claim in (
        replace(TOY, readings=(check,), domain=DOMAIN.but(premises=(EVEN,))),
        replace(TOY, readings=(replace(check, where=(EVEN,)),)),
    ):
        result = judge(claim)
        assert result.verdict == "holds" and result.tally.passed_over.keys() == {"not n is even"}
        assert judge(claim, stored=[Case(n) for n in range(1, 99, 2)]).tally.cases == result.tally.cases
    witness = Witness("number", TOY.id, "three is odd", Case(3), {"plain": (Fraction(1), Fraction(0))})
    assert "gives Outside" in judge(claim, [witness]).blocks[0]


def test_a_case_at_a_limit_counts_against_what_holds():
    open_above = Reading(
        "plain", "", lambda case: at_most_ten(case) if case.n < 5 else Open("too large", case.n, 5), TEN
    )
    result = judge(replace(TOY, readings=(open_above,)))
    assert result.to_json()["passed_over"] == {"too large": result.tally.passed_over["too large"]}
    assert (result.verdict, result.outcomes[0].state) == ("undecided", "open")
    with pytest.raises(ValueError, match="expected a limit that was reached, 4 is below 5"):
        Open("too large", 4, 5)


def test_stored_cases_reach_what_a_seed_may_miss():
    nine = Regime[Case]("nine", lambda case: case.n == 9)
    rare = replace(TOY, domain=DOMAIN.but(strategy=st.just(Case(1)), regimes=(nine,)))
    assert judge(rare).verdict == "undecided"
    assert judge(rare, stored=[Case(9)]).verdict == "holds"


def test_an_assumption_saves_a_claim_unless_a_case_under_it_violates():
    one_digit = Assumption("one digit", "n has one digit", small, ONE_DIGIT)
    claim = replace(TOY, readings=NINE, assumption=one_digit)
    result = judge(claim, ten_against(claim))
    assert (result.verdict, result.to_json()["assumption"]) == ("holds_under", "n has one digit")
    loose = replace(claim, assumption=Assumption("anything", "n is a number", lambda case: True, ONE_DIGIT))
    result = judge(loose, ten_against(loose))
    assert result.verdict == "undecided"
    assert any("under the assumption" in block for block in result.blocks)


def up_to(number: int) -> list[Case]:
    return [Case(n) for n in range(number + 1)]


def test_a_finite_domain_can_be_exhausted():
    whole = Exhaustive("the numbers to 10", 11, lambda: up_to(10))
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_ten, exhaustive=whole),)))
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "exhaustive")
    fours = DOMAIN.but(strategy=st.just(Case(4)))
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_five, exhaustive=whole),), domain=fours))
    assert result.verdict == "undecided" and "store it as a witness" in result.blocks[-1]


@pytest.mark.parametrize(
    ("size", "found"),
    [(11, []), (11, up_to(9)), (11, [Case(1)] * 11), (1, up_to(0)), (0, [])],
    ids=["none", "too few", "one case many times", "a domain of one case", "an empty domain"],
)
def test_a_domain_that_is_not_all_there_exhausts_nothing(size: int, found: list[Case]):
    whole = Exhaustive("the numbers to 10", size, lambda: found)
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_ten, exhaustive=whole),)))
    assert result.verdict == "undecided" and f"declared are {size}" in result.blocks[0]


def test_an_undefined_statement_is_ill_posed_and_says_what_is_missing():
    nothing = Reading("as printed", "", missing="n")
    result = judge(Claim("toy.nothing", NOWHERE, "It is much better.", readings=[nothing]))
    assert (result.verdict, result.evidence, result.blocks) == ("ill_posed", "none", ())
    assert judge(replace(TOY, readings=(nothing, *TOY.readings))).verdict == "ill_posed"  # and not what the other is


def test_a_small_repair_softens_a_refutation():
    claim = replace(TOY, readings=NINE)
    assert judge(claim, ten_against(claim), repair_holds=True).verdict == "refuted_as_printed"


def test_a_witness_that_does_not_replay_blocks(tmp_path: Path):
    claim = replace(TOY, readings=NINE)
    path = Witness.of("number", claim, "ten is too large", Case(10)).store(tmp_path)
    assert judge(claim, Witness.stored(claim, tmp_path)).verdict == "refuted"
    path.write_text(path.read_text().replace('"10/1"', '"11/1"'))
    result = judge(claim, Witness.stored(claim, tmp_path))
    assert result.verdict == "undecided"
    assert "the witness 'number' gives" in result.blocks[0]


def test_a_different_ledger_is_told():
    assert not judge(TOY, expected="holds").differs
    assert not judge(TOY).differs
    assert judge(TOY, expected="refuted").differs


def test_the_same_seed_gives_the_same_rows():
    def rows(seed):
        return [replace(result, seconds=0).to_json() for result in verify("preemptive.lemma4", seed=seed)]

    assert rows(3) == rows(3)
    assert rows(3)[0]["regimes"] != rows(4)[0]["regimes"]


def test_unknown_names_are_told():
    with pytest.raises(UnknownName):
        verify("preemptive.lemma99")
    with pytest.raises(UnknownName, match="unknown family 'nobody'"):
        verify(family="nobody")


def test_a_search_finds_the_smallest_case():
    claim = replace(TOY, readings=NINE, domain=DOMAIN.but(strategy=st.builds(Case, st.integers(0, 999))))
    heard: list[str] = []
    result = look_for_witnesses(judge(claim), 0.5, progress=lambda message, done=None: heard.append(message))
    assert result.found["nine"] == Case(10)
    assert heard and heard[-1].startswith("toy.number [nine]")
    assert result.to_json()["found"]["nine"]["bytes"] == cases.size(Case(10))


def test_a_search_ends_in_time_and_finds_nothing_where_nothing_is():
    assert trials.smallest(NUMBERS, lambda case: False, 0.2, 0, lambda message: None) is None


def searched(record: Path) -> list[tuple[str, float]]:
    """The claims of a record in the order of its rows, and for how many seconds each was searched."""
    columns = "json_extract(key, '$.claim'), json_extract(key, '$.search')"
    with closing(sqlite3.connect(record)) as base:
        return base.execute(f"SELECT {columns} FROM rows ORDER BY number").fetchall()


def test_an_interrupted_search_is_not_recorded_and_what_came_before_is(tmp_path: Path) -> None:
    def stop(message: str, done: float | None = None) -> None:
        if message.startswith(f"{FEW[1]} ["):
            raise KeyboardInterrupt

    record = tmp_path / "record"
    with pytest.raises(KeyboardInterrupt):
        verify(FEW[:2], search=True, budget=0.2, record=record, progress=stop)
    assert searched(record) == [(FEW[0], 0), (FEW[1], 0), (FEW[0], 0.2)]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_verdict_is_the_ledgers(family):
    results = verify(family=family)
    assert {result.claim.id: result.verdict for result in results} == {
        id: row["verdict"] for id, row in claims.ledger(family).items()
    }
    assert not [result.claim.id for result in results if result.differs or result.blocks]


@pytest.mark.skipif(PROFILE != "deep", reason="twenty minutes a family")
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("family", FAMILIES)
def test_every_seed_gives_the_ledgers_verdicts(family, seed, monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "ci")
    assert not [(r.claim.id, r.verdict, r.blocks) for r in verify(family=family, seed=seed) if r.differs or r.blocks]


def test_a_family_without_a_ledger_is_judged_all_the_same(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(claims, "ledger", lambda family: {})
    results = {result.claim.id: (result.verdict, result.expected) for result in verify(family="toy")}
    assert results == {"toy.half": ("refuted_as_printed", None), "toy.half_repaired": ("holds", None)}


def rows_of(results: list[Result]) -> list[dict[str, Any]]:
    return [replace(result, seconds=0).to_json() for result in results]


FEW = ["preemptive.lemma5", "jrp.split_equivalent", "multiserver.algorithm1_projection"]


def test_a_record_gives_the_same_results_and_nothing_is_judged_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_a_result_that_rests_on_something_else_is_not_taken(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_what_is_not_judged_within_the_time_limit_is_undecided_and_says_so() -> None:
    results = verify(FEW, time_limit=0.0)
    assert [(r.claim.id, r.verdict, r.evidence, r.blocks) for r in results] == [
        (name, "undecided", "none", (UNJUDGED,)) for name in FEW
    ]
    assert not any(r.judged or r.differs for r in results) and results[0].sentence.endswith(UNJUDGED)
    assert rows_of(verify(FEW[:1], time_limit=600.0)) == rows_of(verify(FEW[:1]))


def test_what_was_judged_before_the_end_of_the_time_stays_judged(tmp_path: Path) -> None:
    clock = Clock()

    def progress(message: str, done: float | None = None) -> None:
        clock.now += 60.0 * (message == FEW[1])

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(context, "perf_counter", clock)
        results = verify(FEW, progress=progress, record=tmp_path / "record", time_limit=50.0)
    assert [r.judged for r in results] == [True, False, False]
    assert rows_of(verify(FEW, record=tmp_path / "record")) == rows_of(verify(FEW))  # and no lack of time is recorded


def test_a_time_limit_is_shared_among_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, given = Clock(), list[float]()

    def smallest(strategy: Any, wanted: Any, seconds: float, number: int, progress: Any) -> None:
        given.append(seconds)
        clock.now += seconds / 2

    monkeypatch.setattr(sys.modules[judge.__module__], "smallest", smallest)
    monkeypatch.setattr(context, "perf_counter", clock)
    verify([TOY, replace(TOY, id="toy.second"), replace(TOY, id="toy.third")], budget=100.0, time_limit=12.0)
    assert given == pytest.approx([4.0, 5.0, 7.5], abs=0.9)
    clock.now = perf_counter()
    verify(TOY, budget=3.0, time_limit=12.0)
    assert given[3:] == [3.0]


class Clock:
    """A clock that stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = perf_counter()

    def __call__(self) -> float:
        return self.now


def test_a_witness_that_a_search_found_is_kept_too(tmp_path: Path) -> None:
    name = "preemptive.eq5_marginal"
    first, again = (verify(name, search=True, budget=1, record=tmp_path / "record") for _ in range(2))
    assert first[0].found and again[0].to_json() == first[0].to_json()


@pytest.mark.parametrize(
    ("change", "signed", "told"),
    [
        ("""replace(row, '"outcomes"', '"upshots"')""", False, "a row is damaged"),
        ("""replace(row, '"outcomes"', '"upshots"')""", True, "expected the result of the claim"),
        ("""replace(row, '"verdict": "holds"', '"verdict": "refuted"')""", True, "its readings do not make it refuted"),
        ("""replace(row, '"violated": []', '"violated": ["as printed"]')""", True, "whose cases say otherwise"),
    ],
)
def test_a_record_that_cannot_be_is_reported_and_judged_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str, signed: bool, told: str
) -> None:
    record = tmp_path / "record"
    (sound,) = verify(FEW[0], record=record)
    with closing(sqlite3.connect(record)) as base, base:
        base.execute(f"UPDATE rows SET row = {change}")
        (what,), ((key, row),) = (
            base.execute("SELECT what FROM store").fetchone(),
            base.execute("SELECT key, row FROM rows"),
        )
        assert row != json.dumps(sound.to_row())
        if signed:  # by whoever knows how a sum is formed
            base.execute("UPDATE rows SET sum = ?", (sha256("\0".join((what, key, row)).encode()),))
    (again,) = verify(FEW[0], record=record)
    assert again.to_json() | {"seconds": 0} == sound.to_json() | {"seconds": 0} and told in caplog.text


def test_nothing_is_left_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "schedproof", "verify", "jrp.normal_limit"]
    path = os.pathsep.join(str(Path(entry or ".").resolve()) for entry in sys.path)
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=os.environ | {"PYTHONPATH": path})
    assert [*tmp_path.iterdir()] == []


def test_the_lines_tell_the_tightest_trial_or_the_worst():
    (kept,) = (line for line in judge(TOY).lines() if " trial: " in line)
    assert re.fullmatch(r"  plain: holds; tightest trial: \d+ <= 10 \(satisfied\)", kept)
    (broken,) = (line for line in judge(replace(TOY, readings=NINE)).lines() if " trial: " in line)
    assert re.fullmatch(r"  nine: open; worst trial: \d+ <= 9 \(violated\)", broken)
