"""The checker that Coq proves sound accepts what the Python checker accepts, and no false statement."""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.check import bound
from schedproof.core.certificates import verified
from schedproof.core.certificates.bounds import write_certificate
from schedproof.core.runtime.files import encode
from tests.certificates import instance_of
from tests.check import test_ends as ends
from tests.check import test_listed as listed
from tests.command_line import Cli
from tests.linear_programs import CONES, program_of
from tests.support import size
from tests.tiny.listings import KINDS

ROOT = Path(__file__).parents[2]
TOGETHER = 200  # files in one call
Judge = Callable[[list[ends.Row]], list[str]]

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="building the verified checker needs Coq")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    subprocess.run([sys.executable, ROOT / "proofs" / "build.py", folder], check=True, capture_output=True)
    return folder / verified.PROGRAM


@pytest.fixture
def judge(program: Path, tmp_path: Path) -> Judge:
    def call(rows: list[ends.Row]) -> list[str]:
        files = [tmp_path / f"{n}.json" for n in range(len(rows))]
        for file, row in zip(files, rows, strict=True):
            file.write_text(json.dumps(row))
        printed = subprocess.run([program, *files], capture_output=True, text=True, check=False).stdout.splitlines()
        assert len(printed) == len(rows)
        return printed

    return call


def drawn(make: ends.Make, change: ends.Change, anything: ends.Anything) -> Iterator[tuple[ends.Row, bool]]:
    """Certificates and mutants of them, and which are honest."""
    rng, changed = random.Random(7), 0
    for seed in range(10**6):
        for kind in KINDS:
            _, row = make(kind, seed, anything)
            if row["kind"] is not None:
                yield row, True
                yield from ((change(rng, row), False) for _ in range(5))
                changed += 5
        if changed >= ends.CHANGED:
            return


@pytest.mark.parametrize(
    ("make", "change", "true"),
    [
        (ends.written, ends.mutated, ends.is_true),
        (ends.of_integers, ends.mutated_tree, ends.is_true_of_integers),
        (ends.open_integers, ends.mutated_tree, ends.is_true_of_integers),
    ],
)
def test_it_accepts_what_python_accepts_and_nothing_false(
    make: ends.Make, change: ends.Change, true: Callable[[ends.Row], bool], judge: Judge, tmp_path: Path
) -> None:
    anything, instance, file = ends.Anything(tmp_path / "instance.json"), tmp_path / "instance.json", tmp_path / "one"
    rows, found = [*drawn(make, change, anything)], Counter[str]()
    for first in range(0, len(rows), TOGETHER):
        part = rows[first : first + TOGETHER]
        for (row, honest), line in zip(part, judge([row for row, _ in part]), strict=True):
            try:
                accepted = bool(ends.checked(row, instance, file))
            except bound.Refused:
                accepted = False
            proven = line.startswith("proven: ")
            assert proven >= accepted, (line, row)
            assert accepted >= honest
            if proven and not honest:
                assert true(row), row
            found["honest" if honest else "proven" if proven else "refused"] += 1
    print(dict(found))
    assert min(found["honest"], found["refused"]) > len(rows) / 20


@pytest.mark.parametrize("id", [id for id in listed.IDS if id not in CONES])
def test_forged_bounds_of_our_programs_prove_nothing_false(id: str, judge: Judge) -> None:
    rng, count = random.Random(id), size(64, 64, 2000)
    forged: list[ends.Row] = []
    for _, _, row in listed.honest(id):
        assert judge([row])[0].startswith("proven: ")
        for forge in listed.FORGERIES:
            forged.append(copy.deepcopy(row))
            forge(rng, forged[-1])
        if len(forged) >= count:
            break
    for row, line in zip(forged, judge(forged), strict=True):
        if line.startswith("proven: "):
            assert listed.recomputed(row["multipliers"]) == Fraction(row["value"])


def test_large_certificates_are_read_in_blocks(judge: Judge, tmp_path: Path) -> None:
    instance, rng = instance_of("dmlrs", 2), random.Random(3)
    row = json.loads(encode(sp.bound(program_of("dmlrs.rdmlrs", instance), instance).to_file()))
    proof = row["multipliers"]
    rows, columns, _ = proof["sizes"]
    assert row["version"] == 3 and judge([row]) == [f"proven: upper {row['value']}, {rows} rows, {columns} columns"]
    forged = []
    for _ in range(size(20, 60, 1000)):
        forged.append(copy.deepcopy(row))
        block = rng.choice(forged[-1]["multipliers"]["blocks"])
        place = rng.choice([n for n, part in enumerate(block) if n > 2 and isinstance(part, list)])
        block[place][rng.randrange(len(block[place]))] = rng.choice([0, 1, -1, 7])
    file = tmp_path / "compact.json"
    for each, line in zip(forged, judge(forged), strict=True):
        write_certificate(file, each)
        try:
            least, _ = bound.compact_range(bound.certificate(str(file), 10**8)["multipliers"], bound.Steps(10**8))
            assert line.startswith("proven: ") == (least == Fraction(row["value"]))
        except bound.Refused as refused:
            assert not line.startswith("proven: ") or "by increasing row" in str(refused)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "truncated"),
        ("[" * 99, "levels of nesting"),
        ('{"version":2,"version":2}', "a key occurs twice"),
        ('{"version":2,"multipliers":{"cones":[]}}', "does not cover cones"),
        ('{"version":1,"multipliers":{}}', "lists its program"),
    ],
)
def test_a_wrong_file_has_a_reason(text: str, reason: str, program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text)
    ended = subprocess.run([program, file], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and ended.stdout.startswith("NOT proven: ") and reason in ended.stdout


def test_the_command_asks_both_checkers(
    program: Path, cli: Cli, tmp_path: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = tmp_path / "bound.json"
    code, _, _ = cli("bound", "preemptive.ilp4", day, "--relaxed", "--certificate", certificate)
    assert code == 0
    monkeypatch.setattr(verified, "FOLDER", tmp_path)
    code, _, error = cli("check-bound", day, certificate, "--verified")
    assert code == 2 and "is not built; build it in a clone of the project with" in error
    monkeypatch.setattr(verified, "FOLDER", program.parent)
    code, out, _ = cli("check-bound", day, certificate, "--verified")
    assert code == 0 and "the checker verified in Coq, on the listed program: proven: lower" in out
