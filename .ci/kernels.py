"""Compile the kernels: run every policy and bound once on an embedded instance.

The tests start with it, so that no two processes compile the same kernel. It does nothing without numba or if the
files of kernels are unchanged, and it judges no result.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import Pool
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "schedproof"
DONE = PACKAGE / "core" / "__pycache__" / "kernels.compiled"
EMBEDDED = ("day", "cluster", "ports", "clusters", "cells")  # those that take longest first


def files() -> str:
    """Return the files that define kernels, with numba's key: time and size."""
    kernels = [file for file in sorted(PACKAGE.rglob("*.py")) if "core.runtime.kernels import" in file.read_text()]
    return "".join(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}\n" for file in kernels)


def compile_for(name: str) -> None:
    import schedproof as sp
    from schedproof.core.cards import registry
    from schedproof.core.errors import SchedproofError
    from schedproof.core.runtime import compiled

    compiled.PATIENCE = -1.0  # compile small calls too: the tests repeat them
    instance = sp.embedded(name)
    card = registry.families()[instance.family]
    for policy, _ in card.entries("policy"):
        with suppress(SchedproofError):
            sp.policy(policy).run(instance)
    for bound, _ in card.entries("bound"):
        with suppress(SchedproofError):
            sp.bound(bound, instance)
    if name == "day":
        sp.bound("preemptive.lp4", instance, prices="ascent")


def main() -> None:
    now = files()
    if find_spec("numba") is None or (DONE.is_file() and DONE.read_text() == now):
        return
    with Pool(2) as pool:
        pool.map(compile_for, EMBEDDED, chunksize=1)
    DONE.parent.mkdir(exist_ok=True)
    DONE.write_text(now)


if __name__ == "__main__":
    main()
