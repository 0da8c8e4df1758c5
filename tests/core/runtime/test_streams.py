"""Standard streams closed, full or not read: a message, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.streams import printing
try:
    with printing():
        print("x" * int(sys.argv[1]))
        print("told", file=sys.stderr)
        if os.open(os.devnull, os.O_RDONLY) < 3:
            os._exit(99)
        if len(sys.argv) > 2:
            open(sys.argv[2], "rb")
except SchedproofError as error:
    print(error, file=sys.stderr)
    raise SystemExit(2)
"""


def shell(redirected: str, length: int = 3, *more: str) -> tuple[int, str, str]:
    words = [sys.executable, "-I", "-c", PROGRAM, str(length), *more]
    done = subprocess.run(
        ["bash", "-c", f'"$@" {redirected}', "-", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("length", [3, 100_000])
def test_a_full_or_closed_output_gives_one_message(length: int) -> None:
    words = "standard output cannot be written: No space left on device\n"
    assert shell(">/dev/full", length) in [(2, "", words), (2, "", "told\n" + words)]
    assert shell(">&-", length) == (2, "", "standard output is closed\n")


def test_no_file_takes_the_number_of_a_closed_stream() -> None:
    assert shell("") == (0, "xxx\n", "told\n")
    assert shell("2>&-") == shell("<&- 2>&-") == (0, "xxx\n", "")
    assert shell(">&- 2>&-")[0] == 2


def test_a_reader_that_exits_is_no_error() -> None:
    code, out, error = shell("| head -c 1; exit ${PIPESTATUS[0]}", 10_000_000)
    assert (code, out) == (0, "x") and error in ("", "told\n")


def test_an_error_of_another_file_is_not_an_output_error() -> None:
    code, _, error = shell("", 3, "/nowhere")
    assert code == 1 and "FileNotFoundError" in error
