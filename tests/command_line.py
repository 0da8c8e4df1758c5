"""Run the command line in tests, with the embedded instances as files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.runtime.files import write_json
from tests.recorder.product import call

Cli = Callable[..., tuple[int, str, str]]
EXAMPLES = Path(__file__).parents[1] / "examples"
COMPILING = "note: compiling kernels, once\n"  # on a machine that has not run them yet


def written(name: str, folder: Path) -> Path:
    write_json(folder / f"{name}.json", sp.embedded(name).to_json())
    return folder / f"{name}.json"


def told(ended: tuple[int, str, str], code: int = 0) -> dict[str, Any]:
    assert ended[0] == code, ended
    assert ended[1].count("\n") == 1 and ended[2] == ""
    result: dict[str, Any] = json.loads(ended[1])
    return result


@contextmanager
def plugged_in(example: str) -> Iterator[ModuleType]:
    """Import the module of an example, or of a path without suffix; its family is registered within the block."""
    name = Path(example).name
    before, drafts = plug_ins.plug_in_files(), dict(plug_ins.DRAFTS)
    namesake = sys.modules.pop(name, None)  # a file of the gallery
    try:
        plug_ins.add(EXAMPLES / f"{example}.py")
        registry.forget()
        registry.families()
        yield sys.modules[name]
    finally:
        os.environ[plug_ins.VARIABLE] = os.pathsep.join(before)
        sys.modules.pop(name, None)
        sys.modules |= {} if namesake is None else {name: namesake}
        plug_ins.DRAFTS.clear()
        plug_ins.DRAFTS.update(drafts)
        registry.forget()


def with_plug_in(example: str, *words: object) -> Any:
    """Return what a command prints with an example's family, which is registered for this command only."""
    with plugged_in(example):
        registry.forget()  # more plug-ins may be named
        code, out, error = call("--plugin", EXAMPLES / f"{example}.py", *words)
    assert code == 0, error
    return json.loads(out)
