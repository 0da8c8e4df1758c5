"""What holds for the loaders of all traces: forms of files, what is none, damage, seeds, and reports that add up."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from schedproof.core.errors import InputError, SchedproofError
from schedproof.workloads import alibaba, google, openb, philly, tables, tapfinger
from schedproof.workloads.alibaba import files as alibaba_files
from schedproof.workloads.google import reasons as google_reasons
from schedproof.workloads.openb import files as openb_files
from schedproof.workloads.philly import reasons as philly_reasons
from schedproof.workloads.tapfinger import profile as tapfinger_profile
from tests.support import size
from tests.workloads.trace_files import Loader, Row, Trace, accounted, check, counts, table


@dataclass(frozen=True)
class Of:
    """A loader, files that it takes without an odd row."""

    load: Loader
    files: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[Row, Row], object] = accounted


PHILLY = table(
    "timestamp,duration,num_gpus,gpu_time,cluster", *(f"2017-11-05 0{h}:30:00,{h}.5,{h},0,x" for h in (3, 4, 5))
)
ATTEMPT = {
    "start_time": "2017-10-07 01:00:00",
    "end_time": "2017-10-07 02:00:00",
    "detail": [{"ip": "m", "gpus": ["a"]}],
}
LOG = [
    {"status": "Pass", "vc": "v", "jobid": f"a{n}", "submitted_time": f"2017-10-07 00:0{n}:00", "attempts": [ATTEMPT]}
    for n in range(3)
]
MACHINES = ",machineId,number of GPUs\n0,m0,8\n1,m1,4\n3,m3,2\n"
GOOGLE = table(
    *(f"{time}000000,,{n},0,,0,user,{n % 4},0,0.0125,0.0159,0.0004,0" for n, time in enumerate((700, 710, 779)))
)
TASKS = table(
    *(f"M{time},3,j_1,1,Terminated,{time},{time + 10},{cpu},0.5" for time, cpu in ((100, 100), (150, 50), (199, 100)))
)
META = table(*(f"m_{n},0,219,17,96,100,USING" for n in range(3)))
PAI = table("a,T4,96,512,2", "b,P100,64,512,2", "c,CPU,96,384,0")
NODES = table(
    "sn,cpu_milli,memory_mib,gpu,model", "n1,64000,262144,2,P100", "n2,64000,262144,8,T4", "n3,8000,262144,0,"
)
PODS = table(
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time",
    *(
        f"pod-{time},12000,16384,1,{share},,LS,Running,{time},{time + 50},{time}"
        for time, share in ((0, 1000), (60, 460))
    ),
)
PROFILE = table(
    'image,2,1,30.5,"(1.5, 170.25)","(2.5, 160.0)"', "image,3,2,21", "speech,2,1,17.592518", "speech,2,2,17.25"
)
SLOTS = {"horizon": "10", "contention": "1"}
TRACES = {
    "philly": Of(philly.load, (PHILLY, MACHINES)),
    "philly, as in the paper": Of(philly.load, (PHILLY, MACHINES), {"mapping": "paper"}),
    "philly's log": Of(philly.load, (json.dumps(LOG), MACHINES)),
    "google": Of(google.load, (GOOGLE,), {"jobs": "50", "machines": "3"}),
    "alibaba": Of(alibaba.load, (TASKS, META), SLOTS, check),
    "alibaba, PAI": Of(alibaba.load, (TASKS, PAI), SLOTS | {"memory_scale": "5.12"}, check),
    "openb": Of(openb.load, (NODES, PODS), SLOTS, check),
    "tapfinger": Of(tapfinger.load, (PROFILE,), {"tasks": "6"}),
}
EACH_FILE = [(name, n) for name, of in TRACES.items() for n in range(len(of.files))]
each_trace = pytest.mark.parametrize("name", TRACES)
each_file = pytest.mark.parametrize(("name", "which"), EACH_FILE)


def with_file(name: str, which: int, content: str | bytes) -> list[str | bytes]:
    """The good files with another in place of one."""
    return [content if n == which else text for n, text in enumerate(TRACES[name].files)]


def loaded(name: str, folder: Path, *contents: str | bytes, seed: int = 0) -> tuple[Row, Row]:
    """What the loader makes of the files."""
    trace = Trace(TRACES[name].load, folder, **TRACES[name].options)
    data, report = trace.load(*(contents or TRACES[name].files), seed=seed)
    TRACES[name].check(data, report)
    return data, report


def written(data: Row) -> bytes:
    """The bytes of the instance file, arrays within."""
    return msgspec.json.Encoder(decimal_format="number", enc_hook=np.ndarray.tolist).encode(data)


def reasons(report: Row) -> list[dict[str, tuple[str, int]]]:
    """What was odd, by part of the report."""
    parts = (part for part in (*report.values(), *report.get("files", {}).values()) if isinstance(part, dict))
    return [counts(part) for part in parts if "reasons" in part and counts(part)]


@each_trace
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(name: str, tmp_path: Path) -> None:
    first, again, other = (written(loaded(name, tmp_path, seed=seed)[0]) for seed in (1, 1, 2))
    assert first == again != other


@each_trace
def test_the_report_is_json_and_has_nothing_to_tell_of_good_files(name: str, tmp_path: Path) -> None:
    _, report = loaded(name, tmp_path, seed=3)
    assert json.loads(json.dumps(report)) == report
    assert report["trace"] == name.split(",")[0].split("'")[0] and report["seed"] == 3
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
def test_forms_that_say_the_same(name: str, which: int, form: str, tmp_path: Path) -> None:
    data, report = loaded(name, tmp_path, *with_file(name, which, FORMS[form](TRACES[name].files[which])))
    usual, usually = loaded(name, tmp_path)
    assert written(data) == written(usual) and reasons(report) == reasons(usually)


@each_file
def test_a_missing_final_newline_is_said(name: str, which: int, tmp_path: Path) -> None:
    if (text := TRACES[name].files[which]).endswith("\n"):
        _, report = loaded(name, tmp_path, *with_file(name, which, text[:-1]))
        assert {"no_final_newline": ("accepted", 1)} in reasons(report)


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
    "archive": (archive, "expected one file, found a tar archive: unpack it"),
    "picture": (lambda text: b"\x89PNG\r\n\x1a\n\x00\xff", "expected UTF-8 text"),
    "cut gzip": (lambda text: gzip.compress((text * 500).encode())[:-12], "the gzip data is damaged or ends too early"),
    "no gzip": (lambda text: b"\x1f\x8bgarbage", "the gzip data is damaged or ends too early"),
    "one line": (lambda text: "x" * (1 << 21), "expected lines of less than 1048576 characters"),
}


@each_file
@pytest.mark.parametrize("what", NONE)
def test_a_file_that_is_none_is_one_sentence_with_its_name(name: str, which: int, what: str, tmp_path: Path) -> None:
    content, sentence = NONE[what]
    with pytest.raises(InputError) as caught:
        loaded(name, tmp_path, *with_file(name, which, content(TRACES[name].files[which])))
    assert str(caught.value).startswith(f"{tmp_path / f'part-{which}'}: {sentence}") and "\n" not in str(caught.value)


@each_trace
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: cannot be read: No such file"):
        TRACES[name].load([tmp_path / "none", *[tmp_path / "none"] * (len(TRACES[name].files) - 1)], 0, {})


@each_file
def test_no_damage_to_a_file_is_more_than_a_sentence(name: str, which: int, tmp_path: Path) -> None:
    """Bytes changed, left out and doubled: an instance that is valid, or one sentence."""
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
        openb_files.REASONS,
        philly_reasons.REASONS,
        tables.REASONS,
        tapfinger_profile.REASONS,
    ],
)
def test_every_reason_has_an_outcome_and_a_meaning(meanings: Mapping[str, tuple[str, Any]]) -> None:
    assert meanings and all(what in ("accepted", "fixed", "dropped") and meaning for what, meaning in meanings.values())
