"""SHA-256 of the code outside the package that computes a result."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from uuid import uuid4

from schedproof.core.cards import plug_ins, registry
from schedproof.core.runtime.provenance import code

NO_FILE = "no file: "  # prefix of the text for code outside files


def outside_code(family: str, *homes: str) -> dict[str, str]:
    """Return the SHA-256 of code outside this package, by the name of its package.

    Parameters
    ----------
    family
        A family whose data classes and simulation belong to the code. A family in a plug-in file includes all plug-in
        files, because each file can extend the family.
    homes
        Modules, or objects ``module:attribute``.
    """
    card = registry.family(family)
    data = () if card.data is None else (card.data.instance, card.data.schedule, card.data.drive, card.data.check)
    packages = {home.partition(":")[0].partition(".")[0] for home in (*homes, *data)}
    if family in plug_ins.DRAFTS:
        packages |= {Path(file).stem for file in plug_ins.plug_in_files()}
        packages.add(plug_ins.DRAFTS[family].instance.__module__.partition(".")[0])
    return {name: code_of(name) for name in sorted(packages - {"schedproof"})}


def code_of(package: str) -> str:
    """Return the SHA-256 of a package's or module's code, with imported files.

    Code outside files gets a unique text.
    """
    with suppress(ImportError, ValueError):  # a class that `exec` has made names any module
        module = import_module(package)
        if hasattr(module, "__path__") or Path(getattr(module, "__file__", None) or "").is_file():
            return code(package)
    return NO_FILE + uuid4().hex
