"""Contents of logs: CSV with quotation marks or without a header, JSON and Parquet, read alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from tests.workloads.test_job_logs import HEADER, jobs, reader
from tests.workloads.trace_files import Trace, counts, table

THREE = [("a", 0, 1, 1), ("b", 1, 2, 1), ("c", 2, 3, 1)]
ROWS = ("a,0,1,60", "b,60,2,60", "c,120,3,60")


@pytest.fixture
def log(tmp_path: Path) -> Trace:
    return reader("table", tmp_path)


def test_a_quoted_field_may_contain_line_ends(log: Trace) -> None:
    data, report = log.table(
        f"{HEADER},note", '"a",0,1,60,"first try\nthen ""again""\n"', "b,60,2,60,plain", 'c,120,3,60,"one, two"', "d"
    )
    assert jobs(data) == THREE
    assert report["jobs"]["reasons"][0]["first_row"] == 7 and counts(report["jobs"])["field_count"] == ("dropped", 1)


def test_a_stray_quotation_mark_does_not_hide_the_rows_below(log: Trace) -> None:
    data, report = log.table(f"{HEADER},note", 'x,0,1,60,"5 inch', *(f"{row}," for row in ROWS))
    assert jobs(data)[1:] == THREE and report["jobs"]["kept"] == 4
    data, report = log.table(f"note,{HEADER}", '"stray,x,0,1,60', *(f",{row}" for row in ROWS), 'y"')
    assert jobs(data) == THREE and counts(report["jobs"])["field_count"] == ("dropped", 2)


CONTENTS = {
    "tabs": table(HEADER, *ROWS).replace(",", "\t").encode(),
    "semicolons": table(HEADER, *ROWS).replace(",", ";").encode(),
    "UTF-16": table(HEADER, *ROWS).encode("utf-16"),
    "Windows": b"\xef\xbb\xbf" + table(HEADER, *ROWS).replace("\n", "\r\n").encode(),
    "JSON lines": "\n".join(
        json.dumps(dict(zip(HEADER.split(","), row.split(","), strict=True))) for row in ROWS
    ).encode(),
    "JSON": json.dumps(
        [{"id": id, "arrival": 60 * at, "gpus": n, "duration": {"s": "60"}["s"]} for id, at, n, _ in THREE]
    ).encode(),
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_every_kind_of_table_says_the_same(kind: str, log: Trace) -> None:
    data, report = log.load(CONTENTS[kind])
    assert jobs(data) == THREE and report["jobs"]["dropped"] == 0


def test_names_of_nested_json_follow_a_point_and_may_be_missing(log: Trace) -> None:
    lines = (
        {"spec": {"gpus": 2}, "at": 0},
        {"spec": {}, "at": 1, "run": "1m"},
        {"run": "1m", "spec": {"gpus": 1}, "at": 60},
    )
    data, report = log.table(*map(json.dumps, lines), "[1]", "{", map="arrival=at,gpus=spec.gpus,duration=run")
    assert jobs(data) == [("row-3", 0, 1, 1)]
    assert counts(report["jobs"]) == dict.fromkeys(
        ("duration_missing", "gpus_missing", "not_an_object", "not_json"), ("dropped", 1)
    )


def test_without_a_header_columns_have_numbers(log: Trace) -> None:
    by_number = "id=1,arrival=2,gpus=3,duration=4:min"
    data, report = log.table("a,0,1,1", "b,60,2,1", "c,120,3,1", map=by_number)
    assert jobs(data) == THREE and counts(report["jobs"])["no_header"] == ("accepted", 1)
    assert jobs(log.table("n,at,g,run", "a,0,1,1", "b,60,2,1", "c,120,3,1", map=by_number)[0]) == THREE
    data, _ = log.table("7,x,g,run", "a,0,1,1", map="id=7,arrival=x,gpus=3,duration=4", header="yes")
    assert jobs(data)[0][0] == "a"
    with pytest.raises(InputError, match="expected --map arrival=COLUMN; the columns are 1, 2, 3, 4"):
        log.table(*ROWS)


def test_two_columns_of_one_name_are_refused_if_they_are_used(log: Trace) -> None:
    rows = ("id,gpus,arrival,duration,GPUs,x,x", "a,1,0,60,4,,")
    assert jobs(log.table(*rows)[0])[0][2] == 1  # the same case
    with pytest.raises(InputError, match=r"the columns 2 and 5 are all named 'gpus'.*as in --map gpus=2"):
        log.table(*rows, map="gpus=Gpus")
    with pytest.raises(InputError, match=r"the columns 6 and 7 are all named 'x'"):
        log.table(*rows, map="user=x")
    assert jobs(log.table(*rows, map="gpus=5")[0])[0][2] == 4


def test_parquet_says_the_same_as_csv(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "jobs.parquet"
    at = [1709287200 * 10**9 + 60 * 10**9 * n + 1 for n in range(3)]
    columns = {
        "n": [1, None, 2],
        "at": arrow.array(at, arrow.timestamp("ns", "America/New_York")),
        "run": arrow.array([60_000, 60_000, 90_500], arrow.duration("ms")),
        "who": arrow.array(["u", "v", "u"]).dictionary_encode(),
    }
    parquet.write_table(arrow.table(columns), file)
    options = {"map": "arrival=at,gpus=n,duration=run:h,user=who"}  # a typed duration has its own unit
    data, report = reader("table", tmp_path)._load([file], 0, options)
    assert [row[1:3] for row in jobs(data)] == [(0, 1), (2, 2)] and float(jobs(data)[1][3]) == pytest.approx(90.5 / 60)
    assert (
        counts(report["jobs"])["gpus_missing"] == ("dropped", 1)
        and report["window"]["first"] == "2024-03-01 10:00:00+00:00"
    )
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"jobs\.parquet: is not a valid Parquet file"):
        sp.trace("table", [file], map="arrival=at,gpus=n,duration=run")


@pytest.mark.parametrize(
    ("row", "cell"), [("a,soon,1,60", "soon"), ("a,0,many,60", "many"), ("a,0,1,a while", "a while")]
)
def test_the_refusal_of_a_log_without_jobs_shows_a_cell(tmp_path: Path, row: str, cell: str) -> None:
    file = tmp_path / "log.csv"
    file.write_text(f"id,arrival,gpus,duration\n{row}\n")
    with pytest.raises(InputError, match=f"no job is left of 1 rows; dropped: 1 .*; first: row 2 with '{cell}'"):
        sp.trace("table", [file])


COMMENTED = {
    "# made by a tool, on 2024-03-01\nid,arrival,gpus,duration\n# later\na,0,1,60\n#\nb,5,2,60\n# end\n": 4,
    "sep=;\nid;arrival;gpus;duration\na;0;1;60\nb;5;2;60\n": 1,
    "#id,arrival,gpus,duration\na,0,1,60\nb,5,2,60\n": 0,
    '# one\nid,arrival,gpus,duration,note\na,0,1,60,"x\ny"\nb,5,2,60,z\n': 1,
}


@pytest.mark.parametrize("text", COMMENTED)
def test_comments_are_counted_and_are_no_columns(tmp_path: Path, text: str) -> None:
    file = tmp_path / "log.csv"
    file.write_text(text)
    instance, report = sp.trace("table", [file], slot_seconds=1)
    reasons: Any = report["jobs"]["reasons"]  # type: ignore[index,call-overload]
    assert [(job.arrival, job.chunks) for job in instance.jobs] == [(0, 1), (5, 2)]  # type: ignore[attr-defined]
    assert sum(row["count"] for row in reasons if row["reason"] == "comment") == COMMENTED[text]


@pytest.mark.parametrize("text", ["id arrival gpus duration\na 0 1 60\n", '{"jobs": [{"arrival": 0}]}'])
def test_one_column_is_refused_with_the_separators(tmp_path: Path, text: str) -> None:
    file = tmp_path / "log.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=r"expected several columns, found one, .*commas, semicolons, tabs or bars"):
        sp.trace("table", [file])
