from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

import schedproof
from tests.faults import writing
from tests.faults.commands import COMMANDS
from tests.faults.writing import FAULTS, Case, run
from tests.support import size

CASES = {  # in the profiles dev, ci and deep; the kills are three to a case
    "kill": (1, 1, 167),
    "interrupt": (1, 2, 500),
    "terminate": (1, 2, 500),
    "pipe": (1, 2, 100),
    "full": (1, 2, 100),
    "disk": (1, 1, 50),
    "mute": (1, 2, 40),
    "pair": (1, 2, 40),
}


@pytest.fixture(autouse=True)
def other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SECONDS", writing.SECONDS + size(20, 20, 0))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disturbed_command_leaves_only_old_or_new_files(fault: str) -> None:
    if fault == "disk" and os.geteuid():
        pytest.skip("nobody but root mounts a disk")
    count = size(*CASES[fault])
    quick = ["generate-array", "bound", "trace", "verify", "compare"]
    names = quick if count <= len(quick) else list(COMMANDS)
    failures = [case.failure for seed in range(count) if (case := run(fault, names[seed % len(names)], seed)).failure]
    assert not failures, "\n".join(failures)


TRAINED = {
    "kill": (0, 1, 7),
    "interrupt": (0, 1, 10),
    "terminate": (0, 1, 5),
    "pipe": (0, 0, 2),
    "full": (0, 1, 5),
    "disk": (0, 0, 5),
    "mute": (0, 0, 2),
    "pair": (0, 1, 3),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disturbed_training_leaves_valid_files_and_resumes(fault: str) -> None:
    pytest.importorskip("torch", reason="PyTorch, of the extra rl, is not installed")
    if fault == "disk" and os.geteuid():
        pytest.skip("nobody but root mounts a disk")
    failures = [case.failure for seed in range(size(*TRAINED[fault])) if (case := run(fault, "train", seed)).failure]
    assert not failures, "\n".join(failures)


def test_torn_files_parts_and_mismatched_pictures_are_detected() -> None:
    seen = []
    for spoil in ("torn", "left", "stale", "torn early"):
        case = Case(spoil, "run", 0)
        new = case.expected.files
        if spoil.startswith("torn"):
            case.early = spoil == "torn early"
            (case.folder / "plan.json").write_bytes(new["plan.json"][:-1])
        elif spoil == "left":
            (case.folder / ".schedproof-0.part").touch()
        else:
            (case.folder / "plan.png").write_bytes(new["plan.png"])
        case.look()
        case.must(not case.parts(), "left")
        seen.append(case.failure)
    assert "are ?o" in seen[0] and "left" in seen[1] and "are on" in seen[2] and "are ?o" in seen[3]
    assert all("python -m tests.faults.writing --fault" in failure for failure in seen)


TIMES = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
ENDS = {name.partition(".")[2] for name in TIMES}


def test_no_code_reads_the_wall_clock() -> None:
    asked = []
    for file in Path(schedproof.__file__).parent.rglob("*.py"):
        text = file.read_text()
        for node in ast.walk(ast.parse(text)) if re.search(r"\b(date|datetime|time)\s*\.|from time", text) else ():
            if (
                isinstance(node, ast.Attribute)
                and node.attr in ENDS
                and ".".join(ast.unparse(node).split(".")[-2:]) in TIMES
            ):
                asked.append(f"{file}:{node.lineno}")
            if isinstance(node, ast.ImportFrom) and node.module == "time":
                asked += [f"{file}:{node.lineno}" for name in node.names if f"time.{name.name}" in TIMES]
    assert not asked
