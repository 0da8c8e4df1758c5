"""Processor seconds of each policy's and bound's first run with an empty kernel cache, and with compiled kernels.

    python benchmarks/first_run.py [--preset tiny] [--families preemptive dmlrs] [--compile]

Each run is a process. `warm` uses the usual cache, which one run fills before, as if no call were small. `equal` says
whether the three files have the same bytes, apart from times. With `--compile`, another run compiles all kernels.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from schedproof.core.cards import registry

COMPILED = "from schedproof.core.runtime import compiled; compiled.PATIENCE = -1.0"
MAIN = "from schedproof.__main__ import main; main()"


def ran(words: list[str], cache: str = "", start: str = "") -> tuple[float, bytes]:
    """Return processor seconds, and the written file without times; empty if the command fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    subprocess.run([sys.executable, "-c", f"{start}\n{MAIN}", *words], capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = Path(words[-1])
    written = re.sub(rb'"\w*seconds": ?[0-9.e-]+', b"", out.read_bytes()) if out.exists() else b""
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, written


def main() -> None:
    """Print a row for each policy and bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset")
    parser.add_argument("--families", nargs="+")
    parser.add_argument("--compile", action="store_true")
    given = parser.parse_args()
    for name, card in registry.families().items():
        presets = registry.entries("generator")[name].presets if name in registry.entries("generator") else ()
        if not presets or (given.families and name not in given.families):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/instance.json"
            ran(["generate", name, "--preset", given.preset or presets[0], "--seed", "1", "--out", file], f"{folder}/g")
            for kind, command in (("policy", "run"), ("bound", "bound")):
                for id, _ in card.entries(kind):
                    seeded = ["--seed", "1"] if kind == "policy" else []
                    words = [command, id, file, *seeded, "--out" if kind == "policy" else "--certificate"]
                    cold, first = ran([*words, f"{folder}/{kind}{id}1"], f"{folder}/{kind}{id}")
                    if not first:
                        continue  # for example without a needed option
                    _, second = ran([*words, f"{folder}/{kind}{id}2"], start=COMPILED)
                    warm, third = ran([*words, f"{folder}/{kind}{id}3"])  # loads what is compiled
                    same = "equal" if first == second == third else "DIFFERENT"
                    row = f"{kind:6} {id:32} cold {cold:6.2f}  warm {warm:6.2f}  {same}"
                    if given.compile:
                        seconds, _ = ran([*words, f"{folder}/{kind}{id}4"], f"{folder}/{kind}{id}c", COMPILED)
                        row += f"  compiled at once {seconds:6.2f}"
                    print(row, flush=True)


if __name__ == "__main__":
    main()
