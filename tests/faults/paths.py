"""Every path of every command, with what may never end and with what is no usual JSON."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import get_args

from schedproof.cli.command import COMMANDS
from tests.faults.flags import WORDS, files
from tests.faults.guard import Attempt
from tests.faults.options import run

ENDLESS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "standard input": lambda path: path.symlink_to("/dev/stdin"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
}
CONTENTS = {
    "an empty file": b"",
    "a byte-order mark": b"\xef\xbb\xbf{}",
    "a wide byte-order mark": "{}".encode("utf-16"),
    "a deep list": b"[" * 200_000,
    "a deep object": b'{"version": ' + b'{"a":' * 200_000,
    "a huge integer": b'{"version": ' + b"9" * 5_000_000 + b"}",
    "a huge exponent": b'{"version": 1e999999999999999999999}',
    "no number": b'{"version": NaN, "value": -Infinity}',
    "a key twice": b'{"version": 1, "version": 1}',
    "zero bytes": bytes(4096),
}
WHATS = ("a folder", *ENDLESS, *CONTENTS)


def make(what: str, path: Path) -> Path:
    if what in CONTENTS:
        path.write_bytes(CONTENTS[what])
    else:
        ENDLESS.get(what, Path.mkdir)(path)
    return path


@cache
def places() -> list[tuple[str, str]]:
    """Return command lines with one path left open, and the end of that path's name."""
    found = []
    for command, words in WORDS.items():
        given = words.split()
        for n, word in enumerate(given):
            if word in files():
                found.append((" ".join([command, *given[:n], "{}", *given[n + 1 :]]), Path(word).suffix))
        for name, parameter in inspect.signature(COMMANDS[command].run).parameters.items():
            kind, info, *_ = get_args(parameter.annotation)
            if "Option" in type(info).__name__ and Path in (kind, *get_args(kind)):
                ends = {Path(str(parameter.default)).suffix, ".json", ".svg", ".sqlite"}
                found += [(f"{command} {words} --{name.replace('_', '-')}={{}}", end) for end in sorted(ends)]
    return found


def case(seed: int, folder: Path) -> Attempt:
    every = [*product(places(), WHATS)]
    (line, end), what = every[seed * 7919 % len(every)]  # of many places in a few cases
    for name, content in files().items():
        (folder / name).write_bytes(content)
    words = line.format(make(what, folder / f"given{end}").name).split()

    def attempt() -> str:
        ended = run(*words)
        assert ended != "exit 0" or what not in ENDLESS, "an endless file is read or replaced"
        return ended

    return Attempt(f"path {' '.join(words)}: {what}", attempt)
