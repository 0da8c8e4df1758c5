"""Rerun the rows of the benchmark page that fit in ten minutes, next to their peers.

    python benchmarks/rerun.py [--only startup resolve] [--trace JOBS.csv MACHINES.csv] [--minutes 10] [--rounds 3]

Each round runs all scripts in turn, so that a slow minute does not hit one script only. The tables are those of the
scripts. A number that differs between rounds is printed as its median with the least and the largest value. No round
begins that would end after the limit, in processor time.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?(?![\w.])")
SCRIPTS = {
    "startup": "--repeats 1 --only programs generate run check",
    "user_programs": "--slots 112 1066 --repeats 1",
    "resolve": "--columns 1000 10000 --changes 20 --repeats 1",
    "optima": "--slots 5 10",
    "commands": "--repeats 1 --only jrp",
    "exact_ratios": "--present 4",
    "generation": "--most-jobs 250",
    "class_lp": "--pyomo --only testbed",
    "pd_ors": "--repeats 1 --most-jobs 50 --samples 20 80",
    "oga_sched": "--slots 1000 30 --threads 1 --longest 1000000",
    "jrp_rounding": "--most-jobs 100",
    "placement": "--seconds 0.5 --presets tiny",
    "column_generation": "--seconds 3",
}
OF_TRACES = {
    "peers": "--jobs 500 --srtf-jobs 5000",
    "baselines": "--jobs 10000 --repeats 1 --policies srtf a_online --reference-jobs 20",
}


def seconds() -> float:
    """Return the processor time of all ended scripts."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def merged(lines: tuple[str, ...]) -> str:
    """Return a line of several rounds with medians and ranges; the first one if their words differ."""
    if len({" ".join(NUMBER.sub("", line).split()) for line in lines}) > 1:
        return lines[0]
    numbers = iter(zip(*(NUMBER.findall(line) for line in lines), strict=True))

    def middle(_: re.Match[str]) -> str:
        every = sorted(next(numbers), key=lambda text: float(text.replace(",", "")))
        if len({*every}) == 1:
            return every[0]
        values = [float(text.replace(",", "")) for text in every]
        return f"{median(values):g} ({every[0]} to {every[-1]})"

    return NUMBER.sub(middle, lines[0])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*SCRIPTS, *OF_TRACES])
    parser.add_argument("--trace", nargs=2, type=Path, metavar=("JOBS", "MACHINES"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    commands = {name: words.split() for name, words in SCRIPTS.items()}
    if given.trace:
        commands |= {name: [*map(str, given.trace), *words.split()] for name, words in OF_TRACES.items()}
    tables: dict[str, list[list[str]]] = {name: [] for name in commands if not given.only or name in given.only}
    for done in range(given.rounds):
        if seconds() * (done + 1) > 60 * given.minutes * max(done, 1):
            break
        for name, rounds in tables.items():
            command = [sys.executable, str(Path(__file__).with_name(f"{name}.py")), *commands[name]]
            before = seconds()
            ran = subprocess.run(command, capture_output=True, text=True)
            failed = f"failed: {ran.stderr.rstrip().rpartition(chr(10))[2]}" if ran.returncode else ""
            rounds.append((failed or ran.stdout.rstrip()).split("\n"))
            print(f"round {done + 1}, {name}: {seconds() - before:.0f} s {failed}", file=sys.stderr, flush=True)
    for name, rounds in tables.items():
        print(f"\n## {name}.py {' '.join(commands[name])}: {len(rounds)} rounds\n")
        alike = len({len(lines) for lines in rounds}) == 1
        print("\n".join(map(merged, zip(*rounds, strict=True)) if alike else rounds[0]))
    print(f"\n{seconds():.0f} processor seconds")


if __name__ == "__main__":
    main()
