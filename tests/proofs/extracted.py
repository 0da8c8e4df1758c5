"""Programs made of functions that Coq extracts from the files of ``proofs``."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROOFS = Path(__file__).parents[2] / "proofs"
PROOF = re.compile(r"\bProof\.(?:(?!\bProof\.).)*?\bQed\.", re.DOTALL)


def build(folder: Path, theories: tuple[str, ...], module: str, driver: str) -> Path:
    """Compile the theories and ``driver``. The last theory extracts ``module``, which the driver calls.

    The theories are compiled without their proofs, because ``.ci/proofs`` checks them.
    """
    if shutil.which("coqc") is None:
        pytest.skip("extraction needs Coq")
    for theory in theories:
        text = PROOF.sub("Admitted.", (PROOFS / f"{theory}.v").read_text(encoding="utf-8"))
        (folder / f"{theory}.v").write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", ".", "Schedproof", f"{theory}.v"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    shutil.copy(PROOFS / f"{driver}.ml", folder)
    files = [f"{module}.mli", f"{module}.ml", f"{driver}.ml"]
    command = ["ocamlfind", "ocamlopt", "-w", "-a", *files, "-o", driver]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / driver
