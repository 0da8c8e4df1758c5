"""The command line for tests: what a command ends with, and the embedded instances as its files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.core.files import write_json

Cli = Callable[..., tuple[int, str, str]]
EXAMPLES = Path(__file__).parents[1] / "examples"
COMPILING = "note: compiling kernels, once\n"  # on a machine that has not run them yet


def written(name: str, folder: Path) -> Path:
    """An embedded instance as a file."""
    write_json(folder / f"{name}.json", sp.embedded(name).to_json())
    return folder / f"{name}.json"


def told(ended: tuple[int, str, str], code: int = 0) -> dict[str, Any]:
    """The one JSON object that a command printed."""
    assert ended[0] == code, ended
    assert ended[1].count("\n") == 1 and ended[2] == ""
    result: dict[str, Any] = json.loads(ended[1])
    return result


def with_plug_in(example: str, *words: object) -> Any:
    """What a command prints as JSON, in a process of its own that has an example's family."""
    command = [sys.executable, "-m", "schedproof", "--plugin", str(EXAMPLES / f"{example}.py"), *map(str, words)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
