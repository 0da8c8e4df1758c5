"""What commands tell on the terminal: names come from files, and must not steer it."""

from __future__ import annotations

from typing import Any

import pytest

from schedproof.terminal import note, report_lines, tell


@pytest.mark.parametrize("name", ["\x1b[2J", "\u202e", "\x07", "a\rb", "\ud800"])
def test_what_is_not_printable_is_escaped(name: str, capsys: Any) -> None:
    tell(False, {}, [f"chunk_work at {name} by 3", "two\nlines"])
    note(f"the job {name} is hopeless", UserWarning)
    out, error = capsys.readouterr()
    assert out.splitlines()[1:] == ["two", "lines"]
    escaped = name.encode("unicode_escape", "surrogatepass").decode()
    assert out.startswith(f"chunk_work at {escaped} by 3") and error == f"note: the job {escaped} is hopeless\n"


def test_a_report_has_numbers_tables_and_lists() -> None:
    report = {"rows": 3, "tasks": {"lm": {"seconds": [74.3, 265.5]}}, "reasons": [{"reason": "blank", "count": 2}]}
    expected = ["rows: 3", "tasks:", "  lm:", "    seconds: 74.3, 265.5", "reasons:", "  reason blank, count 2"]
    assert report_lines(report, "") == expected
