from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from inspect import getsource
from pathlib import Path
from subprocess import PIPE
from types import ModuleType
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound, game, optimum, ratio, regret
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.runtime.files import write_json
from tests.command_line import EXAMPLES, written
from tests.faults.paths import WHATS, make

RULE = EXAMPLES / "migrating_srtf.py"
READING = ("Refused", "need", "rational", "unreadable", "content", "read", "fields")


def ended(checker: ModuleType, folder: Path, *files: Path) -> tuple[int, str, str]:
    alone = shutil.copy(str(checker.__file__), folder)
    words = [sys.executable, "-I", alone, *map(str, files)]
    with subprocess.Popen(words, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        try:
            process.wait(60)  # it takes a fifth of a second
            return process.returncode, *process.communicate()
        finally:
            process.kill()


def files_of(checker: ModuleType, folder: Path) -> list[Path]:
    file = folder / "proof.json"
    if checker is bound:
        write_bound(file, sp.bound("jrp.lp_i", sp.embedded("cells")))
        return [written("cells", folder), file]
    if checker is optimum:
        solution = sp.program("jrp.exact").solve(sp.embedded("cells"), prove=True)
        write_json(file, solution.proof)
        return [written("cells", folder), file]
    if checker is ratio:
        sp.prove(str(RULE), machines=1).write(file)
        return [RULE, file]
    small: dict[ModuleType, Callable[[], Any]] = {
        game: lambda: sp.game("bin_stretching", bins=2, capacity=3),
        regret: lambda: sp.worst_regret("multiserver", slots=2),
    }
    write_json(file, small[checker]().to_file())
    return [file]


@pytest.mark.parametrize("checker", [bound, game, optimum, ratio, regret])
def test_a_checker_runs_without_the_package(checker: ModuleType, tmp_path: Path) -> None:
    files = files_of(checker, tmp_path)
    said = "\n".join(checker.lines(checker.check(*map(str, files)))) + "\n"
    assert said.startswith("proven: ") and ended(checker, tmp_path, *files) == (0, said, "")
    assert ended(checker, tmp_path)[0] == 1 and ended(checker, tmp_path)[2].startswith("NOT proven: usage: python -I ")
    files[-1].write_text("{}")
    code, out, error = ended(checker, tmp_path, *files)
    assert (code, out) == (1, "") and error.startswith("NOT proven: expected the fields: ") and error.count("\n") == 1


@pytest.mark.parametrize("checker", [bound, game, optimum, ratio, regret])
def test_an_unreadable_file_gives_a_printable_message(checker: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(checker.Refused, match=r"^\\x1b\[31m: cannot be read: \[Errno 2\]"):
        checker.read("\x1b[31m")

    def without_memory(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(checker, "content", without_memory)
    with pytest.raises(checker.Refused, match="cannot be read: MemoryError"):
        checker.read("proof.json")


@pytest.mark.parametrize(
    ("checker", "place"),
    [(bound, 0), (bound, 1), (game, 0), (optimum, 0), (optimum, 1), (ratio, 0), (ratio, 1), (regret, 0)],
)
def test_an_endless_or_broken_file_gives_one_sentence(checker: ModuleType, place: int, tmp_path: Path) -> None:
    files = files_of(checker, tmp_path)
    for what in WHATS:
        files[place] = make(what, tmp_path / what)
        code, out, error = ended(checker, tmp_path, *files)  # standard input is an open pipe that nobody fills
        assert (code, out) == (1, "") and error.startswith("NOT proven: ") and error.count("\n") == 1, (what, error)


@pytest.mark.parametrize("checker", [game, optimum, ratio, regret])
def test_all_checkers_read_files_equally(checker: ModuleType) -> None:
    assert checker.MOST_BYTES < bound.MOST_BYTES  # instances and listings are large
    for name in READING:
        assert getsource(getattr(checker, name)) == getsource(getattr(bound, name)), name
