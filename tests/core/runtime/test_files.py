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
from threading import Timer

import pytest

from schedproof.core.errors import InputError
from schedproof.core.runtime import files
from schedproof.core.runtime.files import atomic, result_files, sha256, write_bytes, write_json
from tests.support import size

WRITER = """
import itertools, sys
from schedproof.core.runtime.files import write_json
for n in itertools.count(1):
    write_json(sys.argv[1], {"n": n, "fill": [n] * 300_000})
    print(n, flush=True)
"""


def test_a_killed_process_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    # SIGKILL at random times, some during a write of a file of 2 MB.
    file = tmp_path / "out.json"
    rng = random.Random(0)
    kills = amid = 0
    while kills < size(4, 4, 200) or not amid:
        kills += 1
        assert kills <= 300, "no writer was killed in the middle of a write"
        assert len([*tmp_path.iterdir()]) <= 2, "the next writer removes what a dead one left"
        with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None and child.stdout.readline() == b"1\n"
            time.sleep(rng.random() * 0.05)
            child.send_signal(signal.SIGKILL)
        value = json.loads(file.read_bytes())
        assert value["n"] >= 1 and value["fill"] == [value["n"]] * 300_000
        parts = [p for p in tmp_path.iterdir() if p != file]
        amid += bool(parts)
        for part in parts:
            assert part.name.startswith(".schedproof-") and part.suffixes == [".part", ".json"]


def test_a_killed_command_leaves_a_complete_file_or_none(tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    command = [sys.executable, "-m", "schedproof", "generate", "preemptive", "--preset", "testbed", "--out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    whole = file.read_bytes()
    rng = random.Random(1)
    for _ in range(size(1, 1, 40)):
        file.unlink(missing_ok=True)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
            time.sleep(rng.random() * 1.2)
            child.send_signal(signal.SIGKILL)
        assert not file.exists() or file.read_bytes() == whole


def test_a_failed_block_leaves_only_the_old_file(tmp_path: Path) -> None:
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


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode(umask: int, tmp_path: Path) -> None:
    fresh, mine = tmp_path / "fresh", tmp_path / "mine"
    mine.touch()
    mine.chmod(0o640)
    before = os.umask(umask)
    try:
        for file in (fresh, mine):
            with atomic(file) as part:
                part.write_bytes(b"new")
                assert mode(part) == (0o640 if file == mine else 0o666 & ~umask)  # nobody may look in meanwhile
    finally:
        os.umask(before)
    assert mode(fresh) == 0o666 & ~umask and mode(mine) == 0o640


def test_the_target_of_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    file, link, nowhere = tmp_path / "a" / "file", tmp_path / "link", tmp_path / "circle"
    link.symlink_to(file)
    for content in (b"made", b"replaced"):
        write_bytes(link, content)
        assert link.is_symlink() and not file.is_symlink() and file.read_bytes() == content
    nowhere.symlink_to(nowhere)
    with pytest.raises(InputError, match="circle: "):
        write_bytes(nowhere, b"")


def test_read_only_files_and_devices_are_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(InputError, match="old: exists and is read-only"):
        write_bytes(file, b"new")
    assert file.read_bytes() == b"old" and [*tmp_path.iterdir()] == [file]
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"cannot be written: .*embedded null"):
        write_bytes(f"{tmp_path}/a\0b", b"new")
    for path in ("/dev/null", "/dev/full", tmp_path / "pipe"):
        with pytest.raises(InputError, match="found a device or a pipe"):
            write_bytes(path, b"new")


def test_a_dead_writers_part_is_removed_and_a_live_writers_is_not(tmp_path: Path) -> None:
    dead, other = tmp_path / ".schedproof-0123.part.json", tmp_path / ".hidden.part"
    dead.touch()
    other.touch()
    with atomic(tmp_path / "slow") as slow:
        write_bytes(tmp_path / "quick", b"1")
        assert slow.exists() and other.exists() and not dead.exists()
        slow.write_bytes(b"2")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".hidden.part", "quick", "slow"]


def test_a_part_removed_by_another_writer_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, others = os.open, list[Timer]()

    def open_(path: Path, flags: int, *mode: int) -> int:
        handle = opened(path, flags, *mode)
        if flags & os.O_EXCL and not others:
            other = opened(path, os.O_RDWR)
            assert files.lock(other)
            others.append(Timer(0.1, lambda: (path.unlink(), os.close(other))))
            others[0].start()
        return handle

    monkeypatch.setattr(os, "open", open_)
    with atomic(tmp_path / "file") as part:
        others[0].join()
        files.remove_leftovers(tmp_path)
        assert part.exists()
        part.write_bytes(b"new")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_recreated_part_is_not_removed_as_a_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part, lock = tmp_path / ".schedproof-0123.part", files.lock
    part.touch()

    def late(handle: int) -> bool:
        part.unlink()
        part.write_bytes(b"another")
        return lock(handle)

    monkeypatch.setattr(files, "lock", late)
    files.remove_leftovers(tmp_path)
    assert part.read_bytes() == b"another"


@pytest.mark.parametrize("question", range(1, 6))
def test_a_file_removed_during_a_write_can_be_written(
    question: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, asked, stat_ = tmp_path / "file", [], Path.stat
    file.touch()

    def answer(path: Path, **more: bool) -> os.stat_result:
        result = stat_(path, **more)
        asked.append(path)
        if asked.count(file) == question:
            file.unlink(missing_ok=True)
        return result

    monkeypatch.setattr(Path, "stat", answer)
    assert files.writable(file) == file


def test_files_of_one_result_are_replaced_together(tmp_path: Path) -> None:
    first, second, picture = (tmp_path / name for name in ("first", "second", "picture"))
    picture.touch()
    with (
        pytest.raises(InputError, match="second: cannot be written: No space left"),
        result_files([picture]) as part_of,
    ):
        part_of(first).write_bytes(b"1")
        part_of(second)
        raise OSError(28, os.strerror(28))
    assert [*tmp_path.iterdir()] == [picture]
    with result_files([picture]) as part_of:
        for file in (first, second):
            part_of(file).write_bytes(b"1")
            assert not first.exists() and picture.exists()
    assert sorted(tmp_path.iterdir()) == [first, second]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_call_leaves_no_partial_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "TURN", 0.0)
    file, calls = tmp_path / "file", 0
    file.write_bytes(b"old")

    def trace(frame: object, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_call", "c_return") and argument is not sys.setprofile:
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    for calls in range(1, 100_000, size(11, 3, 1)):
        left = calls
        try:
            sys.setprofile(trace)
            write_bytes(file, b"new")
        except KeyboardInterrupt:
            sys.setprofile(None)
        else:
            sys.setprofile(None)
            break
        assert file.read_bytes() in (b"old", b"new") and [*tmp_path.iterdir()] == [file], calls
    assert calls > 50 and file.read_bytes() == b"new"


def test_unwritable_places_give_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none/out\.json: expected an existing folder to write into"):
        write_bytes(tmp_path / "none" / "out.json", b"")
    with pytest.raises(InputError, match="expected the name of a file, found a folder"):
        write_bytes(tmp_path, b"")
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        write_bytes(tmp_path / ("x" * 300), b"")


def test_a_full_disk_gives_one_message_and_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "out"
    write_bytes(file, b"old")
    with pytest.raises(InputError, match=r"out: cannot be written: No space left on device"), atomic(file):
        raise OSError(28, os.strerror(28))
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]


def test_json_keeps_decimals_and_is_reproducible(tmp_path: Path) -> None:
    value = {"a": Decimal("0.10"), "b": [1, 2.5, None, True], "c": "é"}
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    for file in (one, two):
        write_json(file, value)
    assert one.read_bytes() == two.read_bytes() and one.read_bytes().endswith(b"}\n")
    assert b"0.10" in one.read_bytes() and b'"0.10"' not in one.read_bytes()
    assert json.loads(one.read_bytes()) == {"a": 0.1, "b": [1, 2.5, None, True], "c": "é"}


def test_sha256_is_the_standard_one() -> None:
    assert sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_an_unreleased_lock_does_not_block_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "TURN", 0.05)
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        assert files.lock(handle)
        write_bytes(tmp_path / "file", b"new")
        assert (tmp_path / "file").read_bytes() == b"new"
    finally:
        os.close(handle)
