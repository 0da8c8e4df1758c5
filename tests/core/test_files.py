"""Files are written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

from schedproof.core.errors import InputError
from schedproof.core.files import atomic, sha256, write_bytes, write_json
from tests.support import size

WRITER = """
import itertools, sys
from schedproof.core.files import write_json
for n in itertools.count(1):
    write_json(sys.argv[1], {"n": n, "fill": [n] * 300_000})
    print(n, flush=True)
"""


def test_a_process_killed_while_it_writes_leaves_the_old_file_or_the_whole_new_one(tmp_path: Path) -> None:
    """SIGKILL at random moments, until some fell amid a write; each writer replaces a file of two megabytes."""
    file = tmp_path / "out.json"
    rng = random.Random(0)
    kills = amid = 0
    while kills < size(4, 12, 200) or not amid:
        kills += 1
        assert kills <= 300, "no writer was killed in the middle of a write"
        with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None and child.stdout.readline() == b"1\n"
            time.sleep(rng.random() * 0.05)
            child.send_signal(signal.SIGKILL)
        value = json.loads(file.read_bytes())
        assert value["n"] >= 1 and value["fill"] == [value["n"]] * 300_000
        parts = [p for p in tmp_path.iterdir() if p != file]
        amid += bool(parts)
        for part in parts:
            assert part.name.startswith(".out.json.") and part.suffixes[-2:] == [".part", ".json"]
            part.unlink()


def test_a_command_killed_at_any_time_leaves_the_whole_file_or_none(tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    command = [sys.executable, "-m", "schedproof", "generate", "preemptive", "--preset", "testbed", "--out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    whole = file.read_bytes()
    rng = random.Random(1)
    for _ in range(size(1, 3, 40)):
        file.unlink(missing_ok=True)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
            time.sleep(rng.random() * 1.2)
            child.send_signal(signal.SIGKILL)
        assert not file.exists() or file.read_bytes() == whole


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    write_bytes(file, b"old")
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error), atomic(file) as part:
            part.write_bytes(b"half of the new")
            assert file.read_bytes() == b"old"
            raise error
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]


def test_a_block_that_ends_well_replaces_the_file(tmp_path: Path) -> None:
    file = tmp_path / "out.png"
    write_bytes(file, b"old")
    with atomic(file) as part:
        assert part.parent == file.parent and part.suffix == ".png"  # savefig looks at the suffix
        part.write_bytes(b"new")
    assert file.read_bytes() == b"new" and list(tmp_path.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_where_nothing_can_be_written_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none/out\.json: expected an existing folder to write into"):
        write_bytes(tmp_path / "none" / "out.json", b"")
    with pytest.raises(InputError, match="expected the name of a file, this is a folder"):
        write_bytes(tmp_path, b"")
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        write_bytes(tmp_path / ("x" * 300), b"")


def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "out"
    write_bytes(file, b"old")
    with pytest.raises(InputError, match=r"out: cannot be written: No space left on device"), atomic(file):
        raise OSError(28, os.strerror(28))
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]


def test_json_keeps_decimals_and_is_the_same_every_time(tmp_path: Path) -> None:
    value = {"a": Decimal("0.10"), "b": [1, 2.5, None, True], "c": "é"}
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    for file in (one, two):
        write_json(file, value)
    assert one.read_bytes() == two.read_bytes() and one.read_bytes().endswith(b"}\n")
    assert b"0.10" in one.read_bytes() and b'"0.10"' not in one.read_bytes()
    assert json.loads(one.read_bytes()) == {"a": 0.1, "b": [1, 2.5, None, True], "c": "é"}


def test_sha256_is_the_standard_one() -> None:
    assert sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
