"""The checker that Coq proves sound accepts what the Python checker accepts, and no false statement."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fcntl import LOCK_EX, flock
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound, optimum, ratio
from schedproof.core.certificates import verified
from schedproof.core.certificates.bounds import write_certificate
from schedproof.core.runtime.files import encode, write_json
from tests import test_gallery as gallery
from tests.certificates import Desk, instance_of
from tests.check import test_ends as ends
from tests.check import test_listed as listed
from tests.check import test_ratio as ratios
from tests.check import test_system as systems
from tests.command_line import Cli
from tests.linear_programs import program_of
from tests.support import size
from tests.tiny.listings import KINDS

ROOT = Path(__file__).parents[2]
TOGETHER = 200  # files in one call
Judge = Callable[[list[ends.Row]], list[str]]

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="building the verified checker needs Coq")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Path:
    """Build the program once for all test processes of this run."""
    folder = tmp_path_factory.getbasetemp().parent / f"verified-{testrun_uid}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (folder / verified.PROGRAM).exists():
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
def test_both_checkers_decide_alike_and_accept_nothing_false(
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
            assert proven == accepted, (line, row)
            assert proven >= honest
            if proven and not honest:
                assert true(row), row
            found["honest" if honest else "proven" if proven else "refused"] += 1
    print(dict(found))
    assert min(found["honest"], found["refused"]) > len(rows) / 20


OUTSIDE = f"{listed.WRITTEN}|for another instance"  # reasons that the listed program does not show


@pytest.mark.parametrize("id", listed.IDS)
def test_both_checkers_decide_alike_on_forged_bounds_of_our_programs(id: str, judge: Judge, tmp_path: Path) -> None:
    desk, rng, found, count = Desk(tmp_path), random.Random(id), Counter[str](), size(32, 34, 400)
    for _, instance, row in listed.honest(id):
        desk.put(instance)
        forged = [copy.deepcopy(row) for _ in range(1 + 2 * len(listed.FORGERIES))]
        for forge, each in zip(listed.FORGERIES * 2, forged[1:], strict=True):
            forge(rng, each)
        lines = judge(forged)
        covers = all(kind == "second_order" for kind, _ in row["multipliers"].get("cones", []))
        assert lines[0].startswith("proven: ") == covers
        for each, line in zip(forged, lines, strict=True):
            reason, proven = desk.refusals(instance, each)[0], line.startswith("proven: ")
            if proven:
                assert listed.recomputed(each["multipliers"]) == Fraction(each["value"])
            covered = not re.search(OUTSIDE, reason) and "second-order cones only" not in line
            assert not covered or proven == (not reason), (line, reason)
            found[("proven" if proven else "refused") if covered else "not covered"] += 1
        if found.total() >= count:
            break
    print(f"{id}: {dict(found)}")
    assert found["refused"] > 0


def test_unlisted_columns_are_a_premise(judge: Judge, tmp_path: Path) -> None:
    desk, (_, instance, row) = Desk(tmp_path), next(listed.honest("dmlrs.rdmlrs"))
    desk.put(instance)
    more = copy.deepcopy(row)
    more["multipliers"]["rest"] = {"schedules": "5/2"}
    right = more | {"value": str(Fraction(row["value"]) + Fraction(5, 2))}
    assert [bool(desk.refusals(instance, each)[0]) for each in (more, right)] == [True, False]
    wrong, line = judge([more, right])
    assert wrong.startswith("NOT proven: ")
    assert line.endswith("if the total reduced cost of the unlisted schedules is bounded by the stated number")


Written = Callable[[str], tuple[str, ends.Row]]  # a system's source and its certificate


def of_a_class(name: str) -> tuple[str, ends.Row]:
    return f"{systems.SOURCE}:{name}", json.loads(systems.written(name))


def of_a_rule(name: str) -> tuple[str, ends.Row]:
    return ratios.proven(name).rule.text, ratios.honest(name)


def changed_ratio(rng: random.Random, row: ends.Row) -> ends.Row:
    """The same with a changed number, state, move, bound or setting."""
    row = copy.deepcopy(row)
    if row["setting"] and rng.random() < 0.6:
        rng.choice(ratios.CHANGES)(rng, row)
        return row
    part = rng.choice(
        ["potential", "potential", "policy", "other", "way", "walk", "at_most", "at_least", "unit", "any"]
    )
    return systems.changed(rng, row) if part == "any" else row | {part: systems.changed(rng, row[part])}


@pytest.mark.parametrize(
    ("written", "name"),
    [*((of_a_class, name) for name in systems.CASES), *((of_a_rule, name) for name in ratios.SMALL)],
)
def test_both_checkers_decide_alike_on_ratios(written: Written, name: str, program: Path, tmp_path: Path) -> None:
    """Python's checker lists the states; if it refuses to list, it refuses the file."""
    source, honest = written(name)
    rng, found, listings = random.Random(name), Counter[str](), dict[str, Path]()
    file, judged = tmp_path / "proof.json", dict[Path, list[tuple[Path, bool]]]()
    if written is of_a_rule:
        source = str(tmp_path / "rule.py")
        Path(source).write_text(written(name)[0])
    for n in range(size(12, 12, 200)):
        row = changed_ratio(rng, honest) if n else honest
        file = tmp_path / f"{n}.json"
        file.write_bytes(encode(row))
        try:
            accepted, reason = bool(ratio.check(source, str(file))), ""
        except ratio.Refused as refused:
            accepted, reason = False, str(refused)
        key = json.dumps([row.get(name) for name in ("system", "source", "setting", "options")])
        try:
            if key not in listings:
                write_json(tmp_path / f"listing {n}.json", ratio.listing(source, str(file)))
                listings[key] = tmp_path / f"listing {n}.json"
        except ratio.Refused:
            assert not accepted
            found["not listed"] += 1
            continue
        if "takes more than" not in reason:
            judged.setdefault(listings[key], []).append((file, accepted))
    for listing, files in judged.items():
        words = [str(word) for word in (program, "--system", listing, *(file for file, _ in files))]
        printed = subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()
        for (file, accepted), line in zip(files, printed, strict=True):
            assert line.startswith("proven: ") == accepted, (line, file.read_text())
            found["proven" if accepted else "refused"] += 1
    print(f"{name}: {dict(found)}")
    assert min(found["proven"], found["refused"]) > 0


@pytest.mark.parametrize("name", gallery.SYSTEMS)
def test_proofs_of_the_gallery_are_proven(name: str, program: Path, tmp_path: Path) -> None:
    theorem, file, listing = gallery.THEOREMS[name], tmp_path / "proof.json", tmp_path / "listing.json"
    proof: Any = gallery.gallery.prove(theorem, theorem.SIZES[0])
    proof.write(file)
    write_json(listing, ratio.listing(f"{theorem.__file__}:{theorem.SYSTEM.__name__}", str(file)))
    ended = subprocess.run([program, "--system", listing, file], capture_output=True, text=True, check=False)
    assert ended.stdout.startswith(f"proven: the competitive ratio is at least {proof.to_json()['at_least']}")
    assert proof.most is None or f" and at most {proof.most} (" in ended.stdout


STORED = sorted((ROOT / "schedproof" / "proofs_checks").glob("*/optima/*.json"))


@pytest.mark.parametrize("file", STORED, ids=[file.stem for file in STORED])
def test_stored_optima_have_no_better_point(file: Path, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are those that Python's checker writes from the instance."""
    found = list[ends.Row]()

    def as_listed(rows: optimum.Rows, tree: list[Any]) -> None:
        ranges = zip(rows.low, rows.high, strict=True)

        def text(side: int | None) -> str | None:
            return None if side is None else str(side)

        every = [
            [str(i), text(low), text(high), [[j, str(a)] for j, a in terms.items()]]
            for i, (low, high, terms) in enumerate(rows.rows)
        ]
        nodes = [node if node and type(node[0]) is int else [[i, str(-times)] for i, times in node] for node in tree]
        proof = {"sense": "minimize", "constant": "0", "rows": every, "multipliers": [], "tree": nodes}
        proof["columns"] = [[str(j), "0", str(low), str(high)] for j, (low, high) in enumerate(ranges)]
        proof["integers"] = [*range(len(rows.low))]
        labels = {"version": 2, "program": "", "kind": "infeasible", "among": "", "parameters": {}}
        found.append(labels | {"instance_sha256": "", "value": None, "multipliers": proof})

    monkeypatch.setattr(optimum.Rows, "require_none", as_listed)
    optimum.check(str(file.parent.with_name("witnesses") / file.name), str(file), most_steps=10**9)
    (row,) = found
    fewer = copy.deepcopy(row)
    fewer["multipliers"]["tree"][-1] = []
    lines = judge([row, fewer])
    assert lines[0].startswith("proven: infeasible") and lines[1].startswith("NOT proven: ")


def test_large_certificates_are_read_in_blocks(judge: Judge, tmp_path: Path) -> None:
    instance, rng = instance_of("dmlrs", 2), random.Random(3)
    row = json.loads(encode(sp.bound(program_of("dmlrs.rdmlrs", instance), instance).to_file()))
    proof = row["multipliers"]
    rows, columns, _ = proof["sizes"]
    assert row["version"] == 3 and judge([row]) == [f"proven: upper {row['value']}, {rows} rows, {columns} columns"]
    forged = []
    for _ in range(size(20, 20, 1000)):
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
        ('{"version":2,"multipliers":{"cones":[]}}', "expected the fields version"),
        (
            '{"version":1,"program":"","kind":"","among":"","parameters":{},"instance_sha256":"","value":"",'
            '"multipliers":{}}',
            "lists its program",
        ),
    ],
)
def test_a_wrong_file_has_a_reason(text: str, reason: str, program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text)
    ended = subprocess.run([program, file], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and ended.stdout.startswith("NOT proven: ") and reason in ended.stdout


def test_check_ratio_asks_both_checkers(
    program: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verified, "FOLDER", program.parent)
    file = tmp_path / "proof.json"
    file.write_bytes(encode(ratios.honest("srtf")))
    code, out, _ = cli("check-ratio", "srtf", file, "--verified")
    assert code == 0 and "on the listed system: proven: the competitive ratio is at least 3/2 and at most 3/2" in out


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
