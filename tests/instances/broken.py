"""Broken instance files, one by one: a change of a valid one, and the one sentence that it must be told in."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.cli import main
from schedproof.core.errors import InputError
from tests.instances.fuzz import at

Change = Callable[[dict[str, Any]], object]
CHECK = (["check", "FILE", "FILE"],)


def put(*path: Any) -> Change:
    """Set the value at a path; the last entry is the value."""
    *keys, last, new = path

    def change(value: Any) -> None:
        at(value, keys)[last] = new

    return change


def drop(*path: Any) -> Change:
    """Remove what is at a path."""
    *keys, last = path

    def change(value: Any) -> None:
        del at(value, keys)[last]

    return change


def text_of(value: Any) -> bytes:
    """JSON in which a string ``"@..."`` is what follows the @, as it stands."""
    return re.sub(r'"@([^"]*)"', r"\1", json.dumps(value, default=lambda decimal: f"@{decimal}")).encode()


def told(capsys: Any, monkeypatch: Any, *arguments: str) -> tuple[object, str]:
    """The exit code and stderr of the command line, in this process; nothing on stdout."""
    monkeypatch.setattr(sys, "argv", ["schedproof", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    out, error = capsys.readouterr()
    assert out == ""
    return caught.value.code, error


def refused_by_commands(
    content: bytes, expected: str, file: Path, capsys: Any, monkeypatch: Any, commands: Sequence[list[str]] = CHECK
) -> None:
    """Each command, with the file where FILE stands, ends with exit code 2 and the one sentence, whole."""
    file.write_bytes(content)
    for command in commands:
        code, error = told(capsys, monkeypatch, *[str(file) if word == "FILE" else word for word in command])
        assert code == 2
        assert error.startswith(f"schedproof: {file}: {expected}"), error
        assert error.count("\n") == 1 and error.endswith("\n") and "Traceback" not in error


def refused_by_read(file: Path, expected: str) -> None:
    """Reading the file is one printable sentence with the expected words."""
    with pytest.raises(InputError) as caught:
        sp.read(file)
    assert str(caught.value).startswith(f"{file}: ") and expected in str(caught.value)
    assert str(caught.value).isprintable()
