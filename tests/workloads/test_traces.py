from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, SchedproofError
from schedproof.workloads import tables
from schedproof.workloads.alibaba import files as alibaba_files
from schedproof.workloads.google import reasons as google_reasons
from schedproof.workloads.job_logs import reasons as log_reasons
from schedproof.workloads.openb import files as openb_files
from schedproof.workloads.philly import reasons as philly_reasons
from schedproof.workloads.tapfinger import profile as tapfinger_profile
from tests.support import size
from tests.workloads.good_traces import TRACES, loaded, with_file
from tests.workloads.trace_files import Row, counts, table

EACH_FILE = [(name, n) for name, of in TRACES.items() for n in range(len(of.files))]
each_trace = pytest.mark.parametrize("name", TRACES)
each_file = pytest.mark.parametrize(("name", "which"), EACH_FILE)


def written(data: Row) -> bytes:
    return msgspec.json.Encoder(decimal_format="number", enc_hook=np.ndarray.tolist).encode(data)


def reasons(report: Row) -> list[dict[str, tuple[str, int]]]:
    parts = (part for part in (*report.values(), *report.get("files", {}).values()) if isinstance(part, dict))
    return [counts(part) for part in parts if "reasons" in part and counts(part)]


@each_trace
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(name: str, tmp_path: Path) -> None:
    first, again, other = (written(loaded(name, tmp_path, seed=seed)[0]) for seed in (1, 1, 2))
    assert first == again and (first != other) == TRACES[name].draws


@each_trace
def test_the_report_is_json_and_empty_for_valid_files(name: str, tmp_path: Path) -> None:
    _, report = loaded(name, tmp_path, seed=3)
    assert json.loads(json.dumps(report)) == report
    assert report["trace"] == name.split(",")[0].split("'")[0] and report["seed"] == 3
    assert report["options"].items() >= TRACES[name].options.items()
    assert reasons(report) == []


FORMS: dict[str, Callable[[str], bytes]] = {
    "gzip": lambda text: gzip.compress(text.encode()),
    "two members of gzip": lambda text: gzip.compress(text.encode()[:50]) + gzip.compress(text.encode()[50:]),
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "old Macintosh": lambda text: text.replace("\n", "\r").encode(),
    "spaces": lambda text: text.replace(",", " , ").encode(),
    "all of it": lambda text: gzip.compress(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
}


@each_file
@pytest.mark.parametrize("form", FORMS)
def test_equivalent_forms_give_equal_instances(name: str, which: int, form: str, tmp_path: Path) -> None:
    data, report = loaded(name, tmp_path, *with_file(name, which, FORMS[form](TRACES[name].files[which])))
    usual, usually = loaded(name, tmp_path)
    assert written(data) == written(usual) and reasons(report) == reasons(usually)


@each_file
def test_a_missing_final_newline_is_reported(name: str, which: int, tmp_path: Path) -> None:
    if (text := TRACES[name].files[which]).endswith("\n"):
        _, report = loaded(name, tmp_path, *with_file(name, which, text[:-1]))
        assert {"no_final_newline": ("accepted", 1)} in reasons(report)


NO_QUOTES = ("philly's log", 0), ("swf", 0), ("sacct", 0)  # JSON, or formats without marks


@pytest.mark.parametrize(("name", "which"), [row for row in EACH_FILE if row not in NO_QUOTES])
def test_a_stray_quotation_mark_costs_one_row(name: str, which: int, tmp_path: Path) -> None:
    *lines, last = TRACES[name].files[which].splitlines()
    stray, wrong = (
        loaded(name, tmp_path, *with_file(name, which, table(*lines, row, last))) for row in (f'"{last}', "x")
    )
    assert written(stray[0]) == written(wrong[0])
    assert reasons(stray[1]) == reasons(wrong[1]) and "field_count" in str(reasons(stray[1]))


def archive(text: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        entry = tarfile.TarInfo("trace-data/file")
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


NONE: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "empty": (lambda text: "", "expected data, found an empty file"),
    "blank": (lambda text: "\ufeff\r\n \n", "expected data, found an empty file"),
    "Git LFS": (
        lambda text: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        "expected data, found a Git LFS pointer: fetch the file itself",
    ),
    "archive": (archive, "expected one file, found a tar archive: unpack the archive"),
    "picture": (lambda text: b"\x89PNG\r\n\x1a\n\x00\xff", "expected UTF-8 text"),
    "cut gzip": (lambda text: gzip.compress((text * 500).encode())[:-12], "the gzip data is damaged or ends too early"),
    "no gzip": (lambda text: b"\x1f\x8bgarbage", "the gzip data is damaged or ends too early"),
    "one line": (lambda text: "x" * (1 << 21), "line 1 is too long: expected fewer than 1048576 characters"),
}


@each_file
@pytest.mark.parametrize("what", NONE)
def test_an_unusable_file_gives_one_message_with_its_name(name: str, which: int, what: str, tmp_path: Path) -> None:
    content, sentence = NONE[what]
    with pytest.raises(InputError) as caught:
        loaded(name, tmp_path, *with_file(name, which, content(TRACES[name].files[which])))
    assert str(caught.value).startswith(f"{tmp_path / f'part-{which}'}: {sentence}") and "\n" not in str(caught.value)


@each_trace
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: cannot be read: No such file"):
        TRACES[name].load([tmp_path / "none", *[tmp_path / "none"] * (len(TRACES[name].files) - 1)], 0, {})


@pytest.mark.parametrize("format", ["philly", "google", "openb", "alibaba", "table", "swf", "sacct"])
def test_a_name_with_a_zero_byte_gives_one_message(format: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="b: cannot be read: embedded null byte"):
        sp.trace(format, [tmp_path / "a\0b"] * 2)


@each_file
def test_a_damaged_file_is_read_or_rejected_with_a_message(name: str, which: int, tmp_path: Path) -> None:
    rng, trials, whole = np.random.default_rng(which), size(60, 60, 1000), 0
    for _ in range(trials):
        content = bytearray(TRACES[name].files[which].encode())
        for _ in range(rng.integers(1, 6)):
            place = int(rng.integers(len(content)))
            kind = rng.integers(3)
            if kind == 0:
                content[place] = rng.choice(list(b'0129-:.,"[]{}\n eN\xff'))
            elif kind == 1:
                del content[place : place + int(rng.integers(1, 9))]
            else:
                content[place:place] = content[place : place + int(rng.integers(1, 30))]
        try:
            loaded(name, tmp_path, *with_file(name, which, bytes(content)))
        except SchedproofError as error:
            assert "\n" not in str(error)
        else:
            whole += 1
    assert trials / 20 < whole < trials, "both ends were reached"


@pytest.mark.parametrize(
    "meanings",
    [
        alibaba_files.REASONS,
        google_reasons.JOBS,
        google_reasons.ROWS,
        log_reasons.REASONS,
        openb_files.REASONS,
        philly_reasons.REASONS,
        tables.REASONS,
        tapfinger_profile.REASONS,
    ],
)
def test_every_reason_has_an_outcome_and_a_meaning(meanings: Mapping[str, tuple[str, Any]]) -> None:
    assert meanings and all(what in ("accepted", "fixed", "dropped") and meaning for what, meaning in meanings.values())
