"""Provenance of results: software versions, code, commit and machine."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine as processor
from platform import node, python_version, system

SOFTWARE = ("schedproof", "numpy", "scipy", "numba", "highspy", "hypothesis", "python-flint")
CONTENT = (".py", ".json", ".safetensors")  # files of a package that affect results
GIT = ("git", "-c", "core.fsmonitor=false")
INSTALLED = ("site-packages", "dist-packages")  # folders of many unrelated modules


@cache
def software() -> str:
    """Return the versions of Python and of the numerical libraries."""
    return " ".join([*(f"{name} {_version(name)}" for name in SOFTWARE), f"python {python_version()}"])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # belongs to an extra
        return "none"


@cache
def code(package: str, without: Collection[str] = frozenset()) -> str:
    """Return the SHA-256 of a package's installed code and data.

    For a one-file module outside ``site-packages`` it includes the files that the module imports from its folder.

    Parameters
    ----------
    without
        Excluded names of modules and folders; ``jrp`` also excludes ``jrp_rounds``.
    """
    module, total = import_module(package), sha256()
    folders = [Path(folder) for folder in getattr(module, "__path__", ())]
    every = ((folder, file) for folder in folders for file in folder.rglob("*") if file.suffix in CONTENT)
    files = [(folder, file) for folder, file in every if not file.name.startswith(".")]  # hidden files may be temporary
    if not folders:  # a one-file module
        first = Path(str(module.__file__))
        files = [(first.parent, file) for file in _with_imports(first)]
    for folder, file in sorted(files):
        place = file.relative_to(folder)
        if not any(f"{part}_".startswith(f"{name}_") for part in place.with_suffix("").parts for name in without):
            content = file.read_bytes()
            total.update(f"{place.as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()


def _with_imports(first: Path) -> set[Path]:
    """Return a file and the files that it imports, also indirectly, from its folder."""
    found, rest = set[Path](), [first]
    while rest:
        file = rest.pop()
        if file not in found:
            found.add(file)
            if file.suffix == ".py" and first.parent.name not in INSTALLED:
                rest += [path for name in _imported(file) for path in _python_files(first.parent, name)]
    return found


def _imported(file: Path) -> Iterator[str]:
    """Yield the first names of the modules that a file imports."""
    tree = ast.Module([], [])
    with suppress(SyntaxError, ValueError, RecursionError):  # no Python code: its bytes count, but it imports nothing
        tree = ast.parse(file.read_bytes())
    for part in ast.walk(tree):
        if isinstance(part, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module:
            yield part.module.partition(".")[0]


def _python_files(folder: Path, name: str) -> list[Path]:
    one = folder / f"{name}.py"
    return [one] if one.is_file() else [path for path in (folder / name).rglob("*.py") if path.is_file()]


@cache
def commit() -> str | None:
    """Return the commit of the package's checkout, ``-dirty`` if changed; else None.

    Git runs commands that a repository's configuration names. So it is not started in another project's checkout, and
    without a file monitor where only Git can tell that the checkout is another's.
    """
    folder = Path(__file__).parents[3]
    if not (folder / ".git").exists():
        return None

    def git(*words: str) -> str | None:
        try:
            ran = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return ran.stdout.strip()

    # a project's folder may be on the path of modules
    ours = git("ls-files", "--error-unmatch", __file__) is not None
    return git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*") if ours else None


@cache
def machine() -> str:
    """Return the machine's name, system and processor."""
    return f"{node()} {system()} {processor()}"


def provenance() -> dict[str, str | None]:
    """Return the columns software, commit and machine with their values."""
    return {"software": software(), "commit": commit(), "machine": machine()}
