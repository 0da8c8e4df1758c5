"""Cards in single files: ``schedproof --plugin FILE.py``, or `add` in Python.

Such a file works like the card module of a package: every `schedproof.core.cards.family.Family` in it is registered.
Its rows name objects of the file by the file's name, ``mine:MyPolicy`` in ``mine.py``. The file is run as Python code.
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

DRAFTS: dict[str, Any] = {}  # defined one-file families by name, each a `schedproof.core.api.draft.Draft`
VARIABLE = "SCHEDPROOF_PLUGINS"  # an environment variable, inherited by child processes


def add(file: str | Path) -> None:
    """Register the cards of a file in this process and its child processes.

    Raises
    ------
    InputError
        If the file does not exist or is no Python file.
    """
    path = _python_file(file, "a Python file with a card, FILE.py")
    if os.pathsep in str(path):
        raise InputError(
            f"the path contains {os.pathsep!r}, which separates the paths in {VARIABLE}; move the file", file=str(file)
        )
    if str(path) not in plug_in_files():
        os.environ[VARIABLE] = os.pathsep.join([*plug_in_files(), str(path)])


def _python_file(file: str | Path, expected: str) -> Path:
    with suppress(OSError, RuntimeError, ValueError):  # for example circular links or invalid file names
        path = Path(file).resolve()
        if path.is_file() and path.suffix == ".py":
            return path
    raise InputError(f"expected {expected}", file=str(file))


def named(words: str) -> Loaded:
    """Return the object named ``FILE.py:NAME``; child processes find the file too.

    Raises
    ------
    InputError, SchedproofError
        If the file does not exist or cannot be imported.
    UnknownName
        If the file does not define the name.
    """
    file, _, name = words.rpartition(":")
    path = _python_file(file, "a Python file, FILE.py:NAME")
    module = _import_file(path)
    if name not in vars(module):
        mine = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == path.stem]
        raise UnknownName(f"name of {path.name}", name, mine)
    return vars(module)[name]


def module_in(file: str | Path) -> ModuleType:
    """Return the module of a Python file."""
    return _import_file(_python_file(file, "a Python file, FILE.py"))


def plug_in_files() -> list[str]:
    return [file for file in os.environ.get(VARIABLE, "").split(os.pathsep) if file]


def cards() -> Iterator[Family]:
    """Yield the cards of all added files.

    Raises
    ------
    SchedproofError
        If a file cannot be imported, has no card, or has the name of another module.
    """
    for file in plug_in_files():
        module = _import_file(Path(file))
        families = {id(card): card for card in vars(module).values() if isinstance(card, Family)}
        if not families and not any(draft.instance.__module__ == module.__name__ for draft in DRAFTS.values()):
            raise SchedproofError(f"the plug-in {file} has no card: expected FAMILY = Family(...) in it")
        yield from families.values()
    yield from (draft.card for draft in DRAFTS.values())


def has_claims(module: str) -> bool:
    """Whether a module defines a claim."""
    claims, loaded = sys.modules.get("schedproof.core.claims.claim"), sys.modules.get(module)
    values = getattr(loaded, "__dict__", {}).values()
    return claims is not None and any(isinstance(value, claims.Claim) for value in values)


def _import_file(path: Path) -> ModuleType:
    before = sys.modules.get(path.stem)
    if before is not None:
        if getattr(before, "__file__", None) == str(path):
            return before
        raise SchedproofError(f"the plug-in {path} has the name of another module, {path.stem}: rename the file")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SchedproofError(f"the plug-in {path}: expected a Python file with a card, FILE.py")
    module = sys.modules[path.stem] = module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # for the files beside it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise SchedproofError(f"the plug-in {path} cannot be loaded: {describe(error)}") from error
    return module
