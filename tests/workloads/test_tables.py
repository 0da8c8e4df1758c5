from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schedproof.core.errors import InputError
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import REASONS, Form, Rows, form_of, read, seconds
from schedproof.workloads.tally import DROPPED, Tally
from tests.workloads.trace_files import counts, table

PETS = Form(
    name="pets",
    columns=("name", "legs", "born"),
    headed=True,
    needed=("name", "born"),
    key=("name",),
    is_row=lambda fields: decimal_of(fields["legs"]) is not None and decimal_of(fields["name"]) is None,
)
TOOLS = Form(
    "tools", ("tool", "price"), False, ("tool", "price"), ("tool",), lambda f: decimal_of(f["price"]) is not None
)
HEADER = "name,legs,born"
GOOD = [HEADER, "rex,4,100", "tweety,2,200", "nagini,0,300"]


class Files:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "pets.csv"

    def read(self, content: str | bytes) -> tuple[list[dict[str, str]], dict[str, Any]]:
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)
        found: list[dict[str, str]] = []

        def take(rows: Rows, tally: Tally) -> int:
            before = len(found)
            found.extend(fields for _, fields in rows)
            return len(found) - before

        form = form_of(str(self.file), (PETS, TOOLS))
        tables = read([self.file], [form], {PETS: take, TOOLS: take}, {})
        return found, tables["1: pets.csv"]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_columns_may_have_any_order(files: Files) -> None:
    found, part = files.read(table(*GOOD))
    assert found[1] == {"name": "tweety", "legs": "2", "born": "200"}
    assert (part["table"], part["rows"], counts(part)) == ("pets", 3, {})
    found, _ = files.read("BORN,Name\n7,tom\n")
    assert found == [{"born": "7", "name": "tom"}]
    found, part = files.read(",name,legs,born\n0,rex,4,100\n")
    assert found == [{"": "0", "name": "rex", "legs": "4", "born": "100"}], "an index that was saved too"


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        ("", "blank_line", "dropped"),
        (" , ,", "blank_line", "dropped"),
        (HEADER, "header_again", "dropped"),
        ("tom,4,400,", "trailing_comma", "fixed"),
        ("tom,4,400,5", "field_count", "dropped"),
        ("tom,4", "field_count", "dropped"),
        ('"tom,4,400', "field_count", "dropped"),
        ("$(reboot)", "field_count", "dropped"),
        (",4,400", "name_missing", "dropped"),
        ("t" * 1001 + ",4,400", "name_missing", "dropped"),
        ("rex,4,100", "duplicate", "dropped"),
        ("rex,4,400", "duplicate_name", "dropped"),
    ],
)
def test_each_odd_row_is_counted(files: Files, row: str, reason: str, outcome: str) -> None:
    found, part = files.read(table(*GOOD, row, "tom2,3,500"))
    assert counts(part) == {reason: (outcome, 1)}
    assert part["rows"] == 5 and part["reasons"][0]["first_row"] == 5
    assert [row["name"] for row in found][:3] == ["rex", "tweety", "nagini"]
    assert len(found) == (4 if outcome == "dropped" else 5) and found[-1]["name"] == "tom2"


def test_unpublished_headers_are_reported(files: Files) -> None:
    found, part = files.read(table(*GOOD[1:]))
    assert len(found) == 3 and counts(part) == {"no_header": ("accepted", 1)}
    found, part = files.read("tool,price\nsaw,7\n")
    assert found == [{"tool": "saw", "price": "7"}] and counts(part) == {"header": ("accepted", 1)}
    found, part = files.read("saw,7\n")
    assert (part["table"], counts(part)) == ("tools", {})
    _, part = files.read(table(*GOOD)[:-1])
    assert counts(part) == {"no_final_newline": ("accepted", 1)}


TEXT = table(*GOOD)
EXPECTED = "expected pets (3 columns) or tools (2 columns) among the first 100 lines, found "


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b,c,d\n1,2,3,4\n", EXPECTED + "4 fields in the first"),
        (",,,,\n\n", EXPECTED + "nothing"),
        ("\n" * 200 + TEXT, EXPECTED + "nothing"),
        (HEADER + "\n", "the pets has no usable row; dropped: none"),
        (
            HEADER + "\n1\n2\n",
            "the pets has no usable row; dropped: 2 (a row with more or fewer fields",
        ),
        (TEXT + "x" * (1 << 21), "line 5 is too long: expected fewer than 1048576 characters"),
    ],
)
def test_an_unusable_file_gives_one_message_with_its_name(files: Files, content: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        files.read(content)
    assert str(caught.value).startswith(f"{files.file}: ")
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("0", 0, ""),
        ("12902960", 12_902_960, ""),
        ("1000000000", 10**9, ""),
        ("12846.0", 12_846, "number_as_decimal"),
        ("1e3", 1000, "number_as_decimal"),
        ("", None, "time_missing"),
        ("NaN", None, "time_missing"),
        ("None", None, "time_missing"),
        ("475.00000000000006", None, "time_unreadable"),
        ("-1", None, "time_unreadable"),
        ("1000000001", None, "time_unreadable"),
        (str(2**63 - 1), None, "time_unreadable"),
        ("soon", None, "time_unreadable"),
        ("1" * 5000, None, "time_unreadable"),
    ],
)
def test_times(text: str, value: int | None, reason: str) -> None:
    tally = Tally(REASONS)
    assert seconds(text, 9, tally) == value
    assert [(row["reason"], row["first_row"]) for row in tally.report()] == ([(reason, 9)] if reason else [])
    assert tally.drops() == (value is None)


def test_the_reasons_that_drop_a_row() -> None:
    assert {reason for reason, (outcome, _) in REASONS.items() if outcome == DROPPED} == {
        *("header_again", "blank_line", "field_count", "name_missing", "duplicate", "duplicate_name"),
        *("time_missing", "time_unreadable"),
    }
