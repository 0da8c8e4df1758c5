"""How fast exact ratios are found and checked: steps in a second, and how graphs grow with the jobs present.

python benchmarks/exact_ratios.py [--present 6]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import schedproof as sp
from schedproof.adversary.exact_ratio.prove import rule_file
from schedproof.check import ratio


def main(most: int) -> None:
    """A row for each number of jobs present: SRTF on two machines, and the best policy."""
    print("| present | `srtf`, sizes up to 4: steps | s | s to check | best policy, sizes up to 3: s | s to check |")
    print("|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "proof.json"
        for present in range(3, most + 1):
            began = process_time()
            proof = sp.prove("srtf", sizes=4, present=present)
            proven = process_time() - began
            steps, checked = proof.graph.size[1], "not tried"
            if steps < 10**6:
                proof.write(file)
                began = process_time()
                ratio.check(str(rule_file("srtf")), str(file), most_steps=sys.maxsize)
                checked = f"{process_time() - began:.1f}"
            began = process_time()
            best = sp.best_ratio(sizes=3, present=present)
            found = process_time() - began
            best.write(file)
            began = process_time()
            ratio.check(str(file))
            print(f"| {present} | {steps:,} | {proven:.1f} | {checked} | {found:.1f} | {process_time() - began:.1f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--present", type=int, default=6)
    main(parser.parse_args().present)
