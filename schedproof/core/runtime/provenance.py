"""What a result was made with: the versions of the software, the code, the commit and the machine."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine as processor
from platform import node, python_version, system

SOFTWARE = ("schedproof", "numpy", "scipy", "numba", "highspy", "hypothesis", "python-flint")
CONTENT = (".py", ".json", ".safetensors")  # of a package: what its results depend on


@cache
def software() -> str:
    """The versions of Python and of the libraries on which numbers depend."""
    return " ".join([*(f"{name} {_version(name)}" for name in SOFTWARE), f"python {python_version()}"])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # one of an extra
        return "none"


@cache
def code(package: str, without: Collection[str] = frozenset()) -> str:
    """The SHA-256 of a package's programs and stored data, as they are installed.

    Parameters
    ----------
    without
        Names of modules and folders that are left out, alone (``jrp``) or with more behind them (``jrp_rounds``).
    """
    module, total = import_module(package), sha256()
    homes = [Path(home) for home in getattr(module, "__path__", ())]
    every = ((home, file) for home in homes for file in home.rglob("*") if file.suffix in CONTENT)
    files = [(home, file) for home, file in every if not file.name.startswith(".")]  # what somebody is writing now
    if not homes:  # one file alone
        files = [(Path(str(module.__file__)).parent, Path(str(module.__file__)))]
    for home, file in sorted(files):
        place = file.relative_to(home)
        if not any(f"{part}_".startswith(f"{name}_") for part in place.with_suffix("").parts for name in without):
            content = file.read_bytes()
            total.update(f"{place.as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()


@cache
def commit() -> str | None:
    """The commit of the checkout that the package runs from, ``-dirty`` behind it where files differ; None for none."""
    home = Path(__file__).parent

    def git(*words: str) -> str | None:
        try:
            ran = subprocess.run(["git", *words], cwd=home, capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return ran.stdout.strip()

    # a package that is installed within somebody's checkout is not of it
    ours = git("ls-files", "--error-unmatch", Path(__file__).name) is not None
    return git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*") if ours else None


@cache
def machine() -> str:
    """The name of the machine, its system and its kind of processor."""
    return f"{node()} {system()} {processor()}"


def provenance() -> dict[str, str | None]:
    """All of this that says where a result comes from, by column."""
    return {"software": software(), "commit": commit(), "machine": machine()}
