from __future__ import annotations

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.data import parquet
from schedproof.core.errors import InputError, MissingExtra, SchedproofError
from schedproof.workloads.job_logs.cells import UNITS, duration
from tests.command_line import Cli, told
from tests.workloads.trace_files import Row, Trace, accounted, counts, table

SHARED = Path(__file__).parents[3] / "shared" / "traces"
HEADER = "id,arrival,gpus,duration"
SACCT = "JobID|User|Submit|Start|End|Elapsed|State|AllocTRES"


def reader(form: str, folder: Path, family: str = "preemptive") -> Trace:
    return Trace(registry.entries("trace")[f"{family}.{form}"].function, folder)


@pytest.fixture
def log(tmp_path: Path) -> Trace:
    return reader("table", tmp_path)


def jobs(data: Row) -> list[tuple[str, int, int, Any]]:
    return [(row["name"], row["arrival"], row["chunks"], row["minibatch_time"]) for row in data["jobs"]]


def test_a_job_is_as_many_chunks_as_it_has_gpus_each_of_its_duration(log: Trace) -> None:
    data, report = log.table(HEADER, "b,90,2,60", "a,30,1,90.5")
    assert jobs(data) == [("a", 0, 1, Decimal("1.508333333334")), ("b", 1, 2, 1)]  # rounded up: no work is lost
    assert counts(report["jobs"]) == {"unordered": ("fixed", 1)}
    assert accounted(data, report).horizon >= 4


def test_columns_and_units_are_found_by_the_map_in_any_case(log: Trace) -> None:
    data, report = log.table(
        "When;How Many;a,b;Hours", "2024-03-01 10:00:00+01:00;2;x;0.5", "2024-03-01T09:10:00Z;1;y;1-01:00:00",
        map="arrival=when,gpus=how many,duration=HOURS:h",
    )  # fmt: skip
    assert jobs(data) == [("row-2", 0, 2, 30), ("row-3", 10, 1, 25 * 60)] and counts(report["jobs"]) == {}
    assert report["columns"] == {"arrival": "When", "gpus": "How Many", "duration": "Hours"}


def test_a_duration_may_follow_from_start_and_end(log: Trace) -> None:
    rows = ["0,1,60,180", "0,1,,180", "0,1,180,60", "0,1,60,soon"]
    data, report = log.table("arrival,gpus,start,end", *rows)
    assert jobs(data) == [("row-2", 0, 1, 2)]
    assert counts(report["jobs"]) == dict.fromkeys(
        ("never_started", "duration_not_positive", "duration_unreadable"), ("dropped", 1)
    )


ODD = {
    "a,,1,5": ("arrival_missing", "dropped"),
    "a,yesterday,1,5": ("arrival_unreadable", "dropped"),
    "a,1709287200000,1,5": ("arrival_scaled", "accepted"),
    "a,17092872,1,5:00": ("duration_clock", "accepted"),
    "a,2024-02-30 10:00,1,5": ("arrival_unreadable", "dropped"),
    "a,2017-11-05 01:30:00,1,5": ("arrival_naive", "accepted"),
    "a,5,,5": ("gpus_missing", "dropped"),
    "a,5,all,5": ("gpus_unreadable", "dropped"),
    "a,5,0.5,5": ("gpus_fractional", "dropped"),
    "a,5,2.0,5": ("gpus_as_decimal", "accepted"),
    "a,5,0,5": ("gpus_zero", "dropped"),
    "a,5,-1,5": ("gpus_negative", "dropped"),
    "a,5,1,NaN": ("duration_missing", "dropped"),
    "a,5,1,long": ("duration_unreadable", "dropped"),
    "a,5,1,0": ("duration_not_positive", "dropped"),
    "a,5,1": ("field_count", "dropped"),
    "": ("blank_line", "dropped"),
    HEADER: ("header_again", "dropped"),
    ",5,1,5": ("id_missing", "fixed"),
    "good,5,1,5": ("id_again", "fixed"),
    "a,1,1,5": ("tie", "accepted"),
    "a,9,99,5": ("wider_than_machines", "accepted"),
}


@pytest.mark.parametrize("row", ODD)
def test_every_odd_row_has_its_reason(row: str, log: Trace) -> None:
    data, report = log.table(HEADER, "good,1,1,60", row)
    found = counts(report["jobs"])
    reason, outcome = ODD[row]
    assert found[reason][0] == outcome and (outcome == "dropped") == (len(jobs(data)) == 1)
    accounted(data, report)


BAD = {
    "arrival=submit": "unknown column 'submit'; available: arrival, duration, gpus, id",
    "arrival=id:weeks": "unknown unit 'weeks'; available: d, h, min, ms, ns, s, us",
    "when=arrival": "unknown key of --map 'when'",
    "arrival": "--map arrival: expected KEY=COLUMN, like arrival=submit",
}


@pytest.mark.parametrize("wanted", BAD)
def test_an_invalid_map_gives_one_message(wanted: str, log: Trace) -> None:
    with pytest.raises(SchedproofError) as caught:
        log.table(HEADER, "a,0,1,60", map=wanted)
    assert BAD[wanted] in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_column_is_reported_with_the_available_ones(log: Trace) -> None:
    with pytest.raises(InputError, match=r"expected --map duration=COLUMN, or start and end; the columns are .*, run$"):
        log.table("arrival,gpus,run", "0,1,60")
    with pytest.raises(
        InputError,
        match=r"no job is left of 1 rows; dropped: 1 \(a GPU count that is not a plausible number; first: row 2 with ",
    ):
        log.table(HEADER, "a,0,many,60")
    with pytest.raises(InputError, match="no job is left of 0 rows"):
        log.table(HEADER)
    with pytest.raises(InputError, match="expected one file, not 2"):
        log.load(table(HEADER, "a,0,1,60"), table(HEADER, "a,0,1,60"))


@given(st.lists(st.text(max_size=8), min_size=1, max_size=5))
def test_names_of_any_kind_stay_apart(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    kept = [" ".join(name.split()).strip() for name in names]
    file = tmp_path_factory.mktemp("log") / "jobs.csv"
    with file.open("w", newline="", encoding="utf-8", errors="replace") as content:
        csv.writer(content, lineterminator="\n").writerows(
            [HEADER.split(","), *([n, i, 1, 60] for i, n in enumerate(kept))]
        )
    try:
        instance, report = sp.trace("table", [file], machine_gpus=1)
    except SchedproofError as error:  # a null character, or quotation marks that do not close
        assert "\n" not in str(error)
    else:
        assert len({job.name for job in instance.jobs}) == report["jobs"]["kept"] == len(instance.jobs)


@given(st.decimals(0, 10**6, places=3), st.sampled_from(sorted(UNITS)))
def test_a_duration_in_any_unit_is_exact(value: Decimal, unit: str) -> None:
    seconds = duration(str(value), unit)
    assert seconds is not None and Fraction(seconds) == Fraction(value) * Fraction(UNITS[unit])


def test_steps_unfinished_and_unstarted_jobs_of_sacct_are_skipped(tmp_path: Path) -> None:
    gpu = "cpu=1,gres/gpu=1"
    data, report = reader("sacct", tmp_path).table(
        SACCT,
        f"1|u|2024-03-01T10:00:00|2024-03-01T10:00:00|2024-03-01T10:05:00|00:05:00|COMPLETED|{gpu}",
        f"1.batch||2024-03-01T10:00:00|2024-03-01T10:00:00|2024-03-01T10:05:00|00:05:00|COMPLETED|{gpu}",
        f"2|u|2024-03-01T10:01:00|2024-03-01T10:01:00|Unknown|00:05:00|RUNNING|{gpu}",
        f"3_[4-9%2]|u|2024-03-01T10:01:00|Unknown|Unknown|00:00:00|CANCELLED by 7|{gpu}",
        "4|u|2024-03-01T10:01:00|2024-03-01T10:01:00|2024-03-01T10:02:00|00:01:00|FAILED|cpu=1",
        f"1|u|2024-03-01T10:02:00|2024-03-01T10:02:00|2024-03-01T10:03:00|00:01:00|CANCELLED by 7|{gpu}",
    )
    assert jobs(data) == [("1", 0, 1, 5), ("1#7", 2, 1, 1)]
    assert {reason: n for reason, (_, n) in counts(report["jobs"]).items()} == {
        "step": 1, "unfinished": 1, "never_started": 1, "gpus_zero": 1, "id_again": 1, "arrival_naive": 4,
    }  # fmt: skip
    assert report["jobs"]["kept"] == 2


def test_a_status_may_be_asked_for(tmp_path: Path) -> None:
    rows = [
        f"{n}|u|2024-03-01T10:00:00|||00:05:00|{s}|gres/gpu=1" for n, s in enumerate(("COMPLETED", "CANCELLED by 7"))
    ]
    data, report = reader("sacct", tmp_path).table(SACCT, *rows, status="cancelled, timeout")
    assert [name for name, *_ in jobs(data)] == ["1"] and counts(report["jobs"])["other_status"] == ("dropped", 1)


def test_a_processor_count_that_is_missing_in_swf_is_the_one_that_was_requested(tmp_path: Path) -> None:
    data, report = reader("swf", tmp_path).table(
        "; Version: 2.2",
        "  7 100 5 120 -1 -1 -1 4 -1 -1 1 3 1 -1 -1 -1 -1 -1",
        "  8 100 5 -1 2 -1 -1 4 -1 -1 0 3 1 -1 -1 -1 -1 -1",
        "  9 100 5 60 2 -1",
    )
    assert jobs(data) == [("7", 0, 4, 2)]
    assert counts(report["jobs"]) == {"duration_missing": ("dropped", 1), "field_count": ("dropped", 1)}


def test_a_window_of_a_log(log: Trace) -> None:
    rows = [f"{n},{3600 * n},{1 + n % 2},60" for n in range(10)]
    data, report = log.table(HEADER, *rows, start="3600", hours="8", min_gpus="2", skip="1", jobs="2")
    assert [name for name, *_ in jobs(data)] == ["3", "5"] and report["window"] == {"first": 10800, "last": 18000}
    with pytest.raises(
        InputError, match="start = 'noon': expected a time as YYYY-MM-DD HH:MM:SS, or a number of seconds"
    ):
        log.table(HEADER, *rows, start="noon")


def test_a_job_of_dmlrs_alone_is_done_in_its_duration(tmp_path: Path) -> None:
    data, report = reader("table", tmp_path, "dmlrs").table(HEADER, "a,0,4,7200", "b,3600,2,1", "c,7200,10001,60")
    instance = accounted(data, report)
    assert counts(report["jobs"])["too_wide"] == ("dropped", 1) and not instance.unservable_jobs
    run = sp.policy("fifo").run(instance)
    assert run.feasible and run.objective == 4 * (20 - 2) + 2 * (10 - 1)
    with pytest.raises(InputError, match="set longer slots, a shorter window or less patience"):
        reader("table", tmp_path, "dmlrs").table(HEADER, "a,0,4,7200000", slot_seconds="1")


def test_parquet_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "jobs.parquet"
    file.write_bytes(b"PAR1 and no more")
    monkeypatch.setattr(parquet, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'schedproof\[parquet\]'"):
        sp.trace("table", [file])


def test_three_commands_from_a_csv_to_certified_ratios(cli: Cli, tmp_path: Path) -> None:
    rows = [f"job {n},2024-03-01 10:{n:02d}:00,{1 + n % 3},{40 + 37 * n % 200}" for n in range(20)]
    log, instance = tmp_path / "jobs.csv", tmp_path / "inst.json"
    log.write_text(table("name,submit,n,run", *rows))
    wanted = "id=name,arrival=submit,gpus=n,duration=run"
    small = ("--option", "machines=1", "--option", "machine_gpus=4")
    assert cli("trace", "table", log, "--map", wanted, *small, "--out", instance)[0] == 0
    code, printed, _ = cli("ratio", "srtf", instance, "--bound", "preemptive.lp4")
    assert code == 0 and "certified ratio" in printed
    answer = cli("compare", instance, "--policy", "a_online", "--policy", "srtf", "--json")
    ratios = {row["policy"]: row["ratio"] for row in told(answer)["rows"]}
    assert ratios.keys() == {"a_online", "srtf"}
    assert 1 <= min(ratios.values()) <= max(ratios.values()) < 3


@pytest.mark.skipif(not SHARED.is_dir(), reason="the traces are not beside this checkout")
@pytest.mark.parametrize(
    ("file", "wanted", "kept"),
    [
        ("tiresias/60_job.csv", "id=job_id,arrival=submit_time,gpus=num_gpu", 60),
        ("philly/philly.csv", "arrival=timestamp,gpus=num_gpus", 82_247),
        (
            "alibaba-gpu-v2023/openb_pod_list_default.csv",
            "id=name,arrival=creation_time,gpus=num_gpu,start=scheduled_time,end=deletion_time",
            6_203,
        ),
    ],
)
def test_real_tables(file: str, wanted: str, kept: int) -> None:
    instance, report = sp.trace("table", [SHARED / file], map=wanted, slot_seconds=3600)
    assert report["jobs"]["kept"] == kept == len(instance.jobs)
    counts(report["jobs"])  # asserts that no row is unaccounted for


DATES = ["04.03.2024 08:28", "13.03.2024 09:00"]


def dated(tmp_path: Path, first: str = DATES[0]) -> Path:
    file = tmp_path / "odd.csv"
    rows = [f"a;{first};1;2024-03-13 10:00;2024-03-13 09:30", f"b;{DATES[1]};1;13.03.2024 10:00;"]
    file.write_text("\n".join(["id;arrival;gpus;end;start", *rows, ""]))
    return file


def test_a_date_with_its_day_in_front_is_read_with_its_format(tmp_path: Path) -> None:
    instance, _ = sp.trace("table", [dated(tmp_path)], time_format="%d.%m.%Y %H:%M", no_end="13.03.2024 11:00")
    assert len(instance.jobs) == 1  # type: ignore[attr-defined]  # b never started
    _, report = sp.trace("table", [dated(tmp_path)], time_format="%d.%m.%Y %H:%M")
    assert report["window"]["first"] == "2024-03-04 08:28:00+00:00"  # type: ignore[index,call-overload]


def test_a_date_with_its_day_in_front_is_asked_for(tmp_path: Path) -> None:
    both = r"the time '04.03.2024 08:28' in line 2 needs a format: with the day first time_format='%d.%m.%Y %H:%M', or "
    with pytest.raises(InputError, match=f"{both}with the month first time_format='%m.%d.%Y %H:%M'"):
        sp.trace("table", [dated(tmp_path)])
    one = r"'13.03.2024 09:00' in line 3 needs a format: with the day first time_format='%d.%m.%Y %H:%M' \(--option"
    with pytest.raises(InputError, match=one):
        sp.trace("table", [dated(tmp_path, "2024-03-13 09:00")])
    with pytest.raises(InputError, match="expected a format with day, month and year"):
        sp.trace("table", [dated(tmp_path)], time_format="%H:%M")


def test_the_comma_of_a_duration_is_asked_about(log: Trace) -> None:
    rows = "id;arrival;gpus;duration", "a;5;1;1,800 s"
    with pytest.raises(InputError, match="the number '1,800 s' in line 2 has a comma: state its meaning with comma="):
        log.table(*rows)
    for comma, seconds in (("thousands", 1800), ("decimal", Fraction(9, 5))):
        data, _ = log.table(*rows, slot_seconds="1", comma=comma)
        assert Fraction(data["jobs"][0]["minibatch_time"]) == seconds
