"""Hostile inputs of every kind, by seed: one sentence, within 10 s and 1 GiB."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import pytest

from schedproof.core.errors import InputError
from tests.faults import guard
from tests.faults.flags import flags
from tests.faults.guard import SECONDS, Attempt, Report, attack, judged
from tests.faults.inputs import KINDS
from tests.faults.paths import WHATS, places
from tests.support import FAMILIES, PROFILE, size

COUNTS = {
    "option": size(20, 20, 20_000),
    "flag": size(15, 15, len(flags())),
    "instance": size(100, 200, 50_000 * len(FAMILIES)),
    "schedule": size(60, 90, 20_000),
    "sidecar": size(60, 60, 5_000),
    "certificate": size(20, 20, 5_000),
    "checked best": size(30, 30, 10_000),
    "checked bound": size(25, 25, 10_000),
    "checked game": size(25, 25, 10_000),
    "checked optimum": size(40, 40, 10_000),
    "checked ratio": size(50, 50, 10_000),
    "checked regret": size(25, 25, 10_000),
    "state": size(10, 10, 1_000),
    "witness": size(30, 30, 5_000),
    "ledger": size(10, 10, 5_000),
    "path": len(places()) * len(WHATS) if PROFILE == "deep" else 20,
    "plan": size(30, 30, 5_000),
    "name": size(10, 10, 2_000),
    "sweep store": size(20, 20, 5_000),
    "worst store": size(10, 10, 5_000),
    "refute store": size(10, 10, 5_000),
    "claims store": size(20, 20, 5_000),
    "prove store": size(10, 10, 5_000),
    "best-ratio store": size(10, 10, 5_000),
    "weights": size(60, 60, 5_000),
    "training": size(20, 20, 1_000),
}


def torch_for(kind: str) -> None:
    if kind == "training":
        pytest.importorskip("torch", reason="PyTorch, of the extra rl, is not installed")


@pytest.mark.parametrize("kind", KINDS)
def test_no_input_crashes_hangs_or_exhausts_memory(kind: str) -> None:
    torch_for(kind)
    failures = [report.failure for report in attack(kind, range(COUNTS[kind])) if report.failure]
    assert not failures, "\n\n".join(failures[:20])


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_is_one_case(kind: str, tmp_path: Path) -> None:
    torch_for(kind)
    folders = [tmp_path / name for name in ("first", "again")]
    for folder in folders:
        folder.mkdir()
    first, again = (KINDS[kind](7, folder).what for folder in folders)
    assert first.replace("first", "again") == again


def _raise(error: Exception) -> str:
    raise error


def test_the_guard_detects_a_crash_and_an_invalid_message() -> None:
    assert judged(Attempt("", lambda: "read")) == ("read", "")
    assert judged(Attempt("", lambda: _raise(InputError("expected a name")))) == ("refused", "expected a name")
    outcome, detail = judged(Attempt("", lambda: _raise(OverflowError("too large"))))
    assert outcome == "crash" and "OverflowError: too large" in detail
    assert judged(Attempt("", lambda: _raise(InputError(""))))[0] == "crash"


def test_a_slow_machine_is_no_fault_of_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "STEPS", 1000)
    monkeypatch.setattr(guard.time, "process_time", iter((1.0, 1.8, 2.0, 2.01)).__next__)
    assert guard.slowness() == pytest.approx(10) and guard.slowness() == 1


def test_a_dead_worker_is_a_crash_and_is_replaced() -> None:
    dead, alive = (next(attack(kind, [0])) for kind in ("a kind that there is not", "option"))
    assert dead.outcome == "crash" and "the worker ended with 1:" in dead.detail and "KeyError" in dead.detail
    assert alive.outcome != "crash"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"outcome": "crash", "detail": "it died"}, "it died"),
        ({"seconds": SECONDS + 1}, "took 11.0 s"),
        ({"mebibytes": 1025}, "took 1025 MiB"),
        ({"kind": "checked game", "seconds": 2.1}, "took 2.1 s"),
        ({"kind": "checked game", "mebibytes": 501}, "took 501 MiB"),
    ],
)
def test_a_failure_states_the_command_that_repeats_it(wrong: dict[str, object], says: str) -> None:
    fine = {"kind": "option", "seed": 12, "what": "speed=0", "outcome": "refused"}
    assert Report(**fine).failure == ""  # type: ignore[arg-type]
    told = Report(**fine | wrong).failure  # type: ignore[arg-type]
    assert (
        told.startswith(
            f"python -m tests.faults.inputs --kind {quote(str((fine | wrong)['kind']))} --seed 12\nspeed=0\n"
        )
        and says in told
    )
