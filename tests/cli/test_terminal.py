from __future__ import annotations

from io import StringIO
from typing import Any

import pytest

import schedproof as sp
from schedproof.cli import terminal
from schedproof.cli.terminal import note, report_lines, say, tell
from schedproof.core.runtime.deadline import Interrupted
from tests.command_line import Cli


@pytest.mark.parametrize("name", ["\x1b[2J", "\u202e", "\x07", "a\rb", "\ud800"])
def test_unprintable_characters_are_escaped(name: str, capsys: Any) -> None:
    tell(False, {}, [f"chunk_work at {name} by 3", "two\nlines"])
    note(f"the job {name} is infeasible", UserWarning)
    out, error = capsys.readouterr()
    assert out.splitlines()[1:] == ["two", "lines"]
    escaped = name.encode("unicode_escape", "surrogatepass").decode()
    assert out.startswith(f"chunk_work at {escaped} by 3") and error == f"note: the job {escaped} is infeasible\n"


def test_a_report_has_numbers_tables_and_lists() -> None:
    report = {"rows": 3, "tasks": {"lm": {"seconds": [74.3, 265.5]}}, "reasons": [{"reason": "blank", "count": 2}]}
    expected = ["rows: 3", "tasks:", "  lm:", "    seconds: 74.3, 265.5", "reasons:", "  reason blank, count 2"]
    assert report_lines(report, "") == expected


class Terminal(StringIO):
    """A terminal that keeps its output."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, line: str, columns: int = 80, **environment: str) -> list[str]:
    for name, value in {"TERM": "xterm", "COLUMNS": str(columns)}.items() | environment.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    say(line, terminal)
    return terminal.getvalue().splitlines()


def test_a_line_on_a_terminal_is_wrapped_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "  witness: " + " ".join(f"word{n}" for n in range(60))
    rows = shown(monkeypatch, line, NO_COLOR="1")
    assert len(rows) > 3 and max(map(len, rows)) <= 80
    assert " ".join(rows).split() == line.split() and all(row.startswith("    ") for row in rows[1:])


@pytest.mark.parametrize(
    ("line", "colour", "part"),
    [
        ("feasible", "32", "feasible"),
        ("NOT feasible: 2 violations", "31", "NOT feasible"),
        ("schedproof: unknown policy 'x'", "31", "schedproof:"),
        ("preemptive.lemma2   refuted as printed  exact certificate", "31", "refuted as printed"),
        ("jrp.x   holds  prose proof", "32", "holds"),
        ("jrp.x   holds under an assumption  prose proof", "33", "holds under an assumption"),
        ("jrp.x   cited  a reference", "33", "cited"),
        ("   undetermined: the premise", "33", "undetermined"),
        ("a sentence that holds no verdict", "", ""),
    ],
)
def test_verdicts_have_a_colour_on_a_terminal_and_none_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, colour: str, part: str
) -> None:
    (row,) = shown(monkeypatch, line)
    assert row == (line.replace(part, f"\x1b[{colour}m{part}\x1b[0m") if part else line)
    assert shown(monkeypatch, line, NO_COLOR="1") == [line] == shown(monkeypatch, line, TERM="dumb")
    say(line)
    assert capsys.readouterr().out == f"{line}\n"


def test_an_interrupted_tour_does_not_report_a_partial_solution(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise Interrupted(sp.bound("preemptive.lp4", sp.embedded("day")))

    monkeypatch.setattr("schedproof.experiments.tour.take", interrupted)
    assert cli("tour") == (130, "", "")


def test_progress_is_printed_each_minute_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for minute, told in ((60.0, ""), (0.0, "note: figure: 1 of 4 (25%)\nnote: figure: no end\n")):
        monkeypatch.setattr(terminal, "MINUTE", minute)
        with terminal.progress("figure") as report:
            report("1 of 4", 0.25)
            report("no end")
        assert capsys.readouterr().err == told


def test_all_claims_are_announced(cli: Cli) -> None:
    code, _, error = cli("verify", "--family", "jrp", "--time-limit", "0")
    assert code == 3 and error.startswith(
        "note: 61 claims need about a second each; --record FILE stores finished claims\n"
    )
