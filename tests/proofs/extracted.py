"""Programs made of functions that Coq extracts from the files of ``proofs``."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PROOFS = Path(__file__).parents[2] / "proofs"


def build(folder: Path, theories: tuple[str, ...], module: str, driver: str) -> Path:
    """Compile the theories and ``driver``. The last theory extracts ``module``, which the driver calls.

    Coq skips the proofs, because ``.ci/proofs`` checks them.
    """
    if shutil.which("coqc") is None:
        pytest.skip("extraction needs Coq")
    for theory in theories:
        shutil.copy(PROOFS / f"{theory}.v", folder)
        command = ["coqc", "-vok" if theory == theories[-1] else "-vos", "-q", "-Q", ".", "Schedproof", f"{theory}.v"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    shutil.copy(PROOFS / f"{driver}.ml", folder)
    files = [f"{module}.mli", f"{module}.ml", f"{driver}.ml"]
    command = ["ocamlfind", "ocamlopt", "-w", "-a", *files, "-o", driver]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / driver
