"""Five tasks of a new user, each a script of less than 40 lines that uses public names: lines and seconds of each.

    .venv/bin/python benchmarks/five_tasks.py traces/philly/philly.csv traces/philly/revised_machine_list.csv

Two of them take a window of the Philly trace; without its files they are left out.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TASKS = {
    "own_constraint": "own constraint to a certified optimum",
    "own_policy": "own policy against A_online on a Philly window, certified ratio",
    "own_claim": "own claim with a strategy to a shrunk counterexample",
    "infeasible": "an infeasible instance explained",
    "trace_table": "a trace window to a table of policies",
}


def main(trace: list[str]) -> None:
    """A row for each task: lines of code, seconds of the wall clock and of the processor, and what it prints last."""
    print(f"{'task':64} {'lines':>5} {'wall s':>7} {'cpu s':>7}")
    for name, what in TASKS.items():
        script = EXAMPLES / f"{name}.py"
        takes_trace = "sys.argv" in script.read_text(encoding="utf-8")
        if takes_trace and not trace:
            continue
        lines = sum(bool(line.strip()) for line in script.read_text(encoding="utf-8").splitlines())
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        command = [sys.executable, str(script), *(trace if takes_trace else [])]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall, after = perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{what:64} {lines:5} {wall:7.1f} {spent:7.1f}", flush=True)


main(sys.argv[1:])
