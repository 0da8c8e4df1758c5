from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound, game
from schedproof.cli import proofs
from schedproof.cli.proofs import _check
from schedproof.core.runtime import deadline
from schedproof.core.runtime.files import write_json
from tests.command_line import Cli, written


class Refused(Exception):
    pass


def checker(work: Any) -> Any:
    return SimpleNamespace(check=work, Refused=Refused, lines=lambda result: [f"proven: {result['value']}"])


def forever(_: str) -> Any:
    while True:
        pass


def refuse(_: str) -> Any:
    raise Refused("it is for another instance")


@pytest.mark.parametrize(
    ("work", "code", "line"),
    [
        (forever, 3, "the check did not end within 0.1 s"),
        (refuse, 1, "NOT proven: it is for another instance"),
        (lambda _: {"value": "3/2"}, 0, "proven: 3/2"),
    ],
)
def test_a_time_limit_leaves_only_interrupted_checks_undecided(
    work: Any, code: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "grace", lambda _: 0.0 if work is forever else 60.0)
    answer = _check(checker(work), 0.1, lambda: [Path("certificate.json")])
    assert (answer.exit_code, answer.lines) == (code, [line])
    assert answer.result["proven"] is {0: True, 1: False, 3: None}[code]


def test_a_too_large_file_is_rejected_without_reading_it(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A rejected file of 100 MB once took 2.6 GB.
    day, most = written("day", tmp_path), list[int]()
    assert "this is an instance, expected an adversary's strategy" in cli("check-game", str(day))[2]
    monkeypatch.setattr(proofs, "MOST_READ", 1 << 10)
    code, out, _ = cli("check-game", str(day))
    assert code == 1 and out.startswith("NOT proven: ") and day.stat().st_size > proofs.MOST_READ
    read = bound.read
    monkeypatch.setattr(bound, "read", lambda file, limit=1 << 28: most.append(limit) or read(file, limit))
    cli("check-bound", str(day), str(day))
    assert len(most) >= 2 and max(most) <= 4 * bound.MOST_STEPS <= game.MOST_BYTES


def test_a_certificate_that_is_read_may_be_read_only(cli: Cli, tmp_path: Path) -> None:
    day, file = tmp_path / "day.json", tmp_path / "bound.json"
    write_json(day, sp.embedded("day").to_json())
    assert cli("bound", "preemptive.lp4", day, "--certificate", file)[0] == 0
    file.chmod(0o444)
    assert cli("check-bound", day, file)[0] == 0
    assert cli("bound", "preemptive.lp4", day, "--certificate", file)[0] == 2
