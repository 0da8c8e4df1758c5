"""Build ``schedproof-verified``, the checker that Coq proves sound and extracts: ``python proofs/build.py [FOLDER]``.

Without FOLDER the program is put beside this Python, where ``schedproof check-bound --verified`` looks for it. Needs
``coqc`` and ``ocamlopt``, which Debian's package ``coq`` installs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PROOFS = Path(__file__).resolve().parent
NAME = "schedproof-verified"
FILES = ("sums.v", "checker.v", "potential.v", "systems.v", "extract.v", "verified.ml")


def build(target: Path) -> None:
    """Check the proof, extract its functions and compile them with ``verified.ml``."""
    with TemporaryDirectory() as folder:
        for file in FILES:
            shutil.copy(PROOFS / file, folder)
        commands = [["coqc", "-q", "-Q", ".", "Schedproof", file] for file in FILES if file.endswith(".v")]
        commands += [
            ["ocamlfind", "ocamlopt", "-w", "-a", "certificates.mli", "certificates.ml", "verified.ml", "-o", NAME]
        ]
        for command in commands:
            subprocess.run(command, cwd=folder, check=True)
        shutil.copy(Path(folder, NAME), target)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(sys.prefix, "bin")
    if missing := [name for name in ("coqc", "ocamlfind", "ocamlopt") if shutil.which(name) is None]:
        raise SystemExit(f"error: {', '.join(missing)} not found; on Debian, install the package coq")
    build(place / NAME)
    print(place / NAME)
