"""Cards in a file that nothing installs: ``schedproof --plugin FILE.py``, or `add` in Python.

Such a file works like a package's card module: every `schedproof.core.cards.family.Family` in it is registered, and
rows name its own module by the file's name, ``mine:MyPolicy`` in ``mine.py``. The file is run like any Python program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from schedproof.core.base.untyped import Loaded
from schedproof.core.cards.family import Family
from schedproof.core.errors import InputError, SchedproofError, UnknownName, describe

DRAFTS: dict[str, Any] = {}  # families in one file, `schedproof.core.api.draft.Draft`, that Python has defined, by name
VARIABLE = "SCHEDPROOF_PLUGINS"  # of the environment, so that other processes of the same work have them too


def add(file: str | Path) -> None:
    """Have the cards of a file registered, in this process and in those that it starts.

    Raises
    ------
    InputError
        For a file that is not there, or is no Python.
    """
    path = _python_file(file, "a Python file with a card, FILE.py")
    if os.pathsep in str(path):
        raise InputError(f"its path has {os.pathsep!r}, which divides the files of {VARIABLE}: move it", file=str(file))
    if str(path) not in plug_in_files():
        os.environ[VARIABLE] = os.pathsep.join([*plug_in_files(), str(path)])


def _python_file(file: str | Path, expected: str) -> Path:
    with suppress(OSError, RuntimeError, ValueError):  # links in a circle, say, or a name that no file can have
        path = Path(file).resolve()
        if path.is_file() and path.suffix == ".py":
            return path
    raise InputError(f"expected {expected}", file=str(file))


def named(words: str) -> Loaded:
    """What ``FILE.py:NAME`` names; other processes of the same work find the file, too.

    Raises
    ------
    InputError, SchedproofError
        For a file that is not there or cannot be imported, and a name that it does not define.
    """
    file, _, name = words.rpartition(":")
    path = _python_file(file, "a Python file, FILE.py:NAME")
    module = _import_file(path)
    if name not in vars(module):
        mine = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == path.stem]
        raise UnknownName(f"name of {path.name}", name, mine)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    return vars(module)[name]


def plug_in_files() -> list[str]:
    """The files that have been added."""
    return [file for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def cards() -> Iterator[Family]:
    """The cards of all files.

    Raises
    ------
    SchedproofError
        For a file that cannot be imported, has no card, or has the name of another module.
    """
    for file in plug_in_files():
        module = _import_file(Path(file))
        families = {id(card): card for card in vars(module).values() if isinstance(card, Family)}
        if not families and not any(draft.instance.__module__ == module.__name__ for draft in DRAFTS.values()):
            raise SchedproofError(f"the plug-in {file} has no card: expected FAMILY = Family(...) in it")
        yield from families.values()
    yield from (draft.card for draft in DRAFTS.values())


def has_claims(module: str) -> bool:
    """Whether a claim stands in a module."""
    claims, loaded = sys.modules.get("schedproof.core.claims.claim"), sys.modules.get(module)
    return claims is not None and any(isinstance(value, claims.Claim) for value in vars(loaded).values())


def _import_file(path: Path) -> ModuleType:
    """The file as the module of its name."""
    before = sys.modules.get(path.stem)
    if before is not None:
        if getattr(before, "__file__", None) == str(path):
            return before
        raise SchedproofError(
            f"the plug-in {path} has the name of another module, {path.stem}: name the file otherwise"
        )
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SchedproofError(f"the plug-in {path}: expected a Python file with a card, FILE.py")
    module = sys.modules[path.stem] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise SchedproofError(f"the plug-in {path} cannot be loaded: {describe(error)}") from error
    return module
