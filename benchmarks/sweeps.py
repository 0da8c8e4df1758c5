"""Sweeps that are killed: is what was acknowledged there, is nothing twice, and is the table the same in the end?

Two processes work on one store of 400 cells. Again and again one of them is killed (kill -9) at a random moment while
it works, and started again at once; a store that is finished is exported, and the next one begins. Then joblib's own
processes are killed, and other engines fill a store. ``python benchmarks/sweeps.py`` prints a report in Markdown;
``--kills 5`` is a small trial. The engines dask and slurm need the extras of that name.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import highspy  # noqa: F401
import pandas  # noqa: F401

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.data.store import Row, Store
from schedproof.experiments.export import write_table

CELLS = 400
PLAN = """
policies = ["drf", "fifo", { name = "oasis", options = { span = [4, 6, 8, 10, 12, 14, 16] } }]
bounds = ["rdmlrs_lp"]

[[generators]]
name = "dmlrs"
seeds = 20
settings = { jobs = [2, 3] }
"""
SMALL = PLAN.replace("seeds = 20", "seeds = 2")  # a process for each cell takes two seconds to start
# what every process would import anyway: they are forked from one that has done so, and work at once
CARD = registry.family("dmlrs")
READY = [registry.load(entry.home) for entry in (*CARD.policies, *CARD.bounds, *CARD.generators)]
PROCESSES = get_context("forkserver")


def name_of(key: str) -> str:
    """How the worker's log names a key."""
    return sha256(key.encode()).hexdigest()


def work(plan: Path, cells: Path, log: Path, jobs: int) -> None:
    """Run the sweep, and log the key of every row when its keeping is acknowledged."""
    handle, add = os.open(log, os.O_WRONLY | os.O_APPEND), Store.add

    def told(self: Store, key: Row, row: Row) -> Row:
        kept = add(self, key, row)
        os.write(handle, f"{name_of(json.dumps(key, sort_keys=True))}\n".encode())
        return kept

    Store.add = told  # type: ignore[method-assign]
    sp.sweep(plan, cells, jobs=jobs)


@dataclass
class Trial:
    """A store filled under interruptions, with a log of acknowledged rows."""

    folder: Path
    jobs: int = 1
    logs: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "plan.toml").write_text(PLAN)
        self.store = self.folder / "cells.sqlite"

    def start(self) -> tuple[BaseProcess, Path]:
        """Start one more process; and its log."""
        log = self.folder / f"acknowledged-{len(self.logs)}"
        log.touch()
        self.logs.append(log)
        process = PROCESSES.Process(target=work, args=(self.folder / "plan.toml", self.store, log, self.jobs))
        process.start()
        return process, log

    def acknowledged(self) -> Counter[str]:
        """Return the keys of the acknowledged rows, with their counts."""
        return Counter(line for log in self.logs for line in log.read_text().split("\n")[:-1])

    def kept(self) -> Counter[str]:
        """The keys that are in the store, and how often."""
        with closing(sqlite3.connect(self.store, timeout=60)) as base:
            return Counter(name_of(key) for (key,) in base.execute("SELECT key FROM rows"))

    def look(self, found: Counter[str]) -> None:
        """Count what is lost and what is twice, and the rows that were kept when their process was killed."""
        told, kept = self.acknowledged(), self.kept()
        found["acknowledged rows lost"] += len(told.keys() - kept.keys())
        found["rows that stand twice"] += sum(count > 1 for count in kept.values())
        found["rows whose acknowledgement the kill cut off"] = max(
            found["rows whose acknowledgement the kill cut off"], len(kept.keys() - told.keys())
        )

    def end(self, undisturbed: bytes, found: Counter[str]) -> None:
        """Count a finished store, and whether its table is that of an undisturbed run."""
        self.look(found)
        found["stores finished"] += 1
        found["tables equal byte for byte"] += table_of(PLAN, self.store, so_far=True) == undisturbed
        found["acknowledged rows"] += len(self.acknowledged())
        found["rows computed by two processes at once"] += sum(n - 1 for n in self.acknowledged().values())


def table_of(plan: str, store: Path | None = None, **how: Any) -> bytes:
    """The table of a plan, as CSV."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "plan.toml", Path(folder) / "table.csv"
        file.write_text(plan)
        write_table(sp.sweep(file, store, **how), out)
        return out.read_bytes()


def ended(*processes: BaseProcess) -> None:
    """Wait for processes that nobody disturbs any more."""
    for process in processes:
        process.join()
        assert process.exitcode == 0


def two_processes(kills: int, rng: random.Random, undisturbed: bytes) -> Counter[str]:
    """Kill one of two processes at a random moment, again and again."""
    found = Counter[str]()
    while found["kills"] < kills:
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder))
            runs = [trial.start(), trial.start()]
            while found["kills"] < kills:
                victim = rng.randrange(2)
                process, log = runs[victim]
                while process.is_alive() and not log.stat().st_size:  # it has started, and works
                    time.sleep(0.001)
                time.sleep(rng.choice((0.0, 0.01, 0.3)) * rng.random())
                process.kill()
                process.join()
                if process.exitcode != -signal.SIGKILL:  # it had come to the end before
                    break
                found["kills"] += 1
                trial.look(found)
                runs[victim] = trial.start()
            ended(*(process for process, _ in runs))
            trial.end(undisturbed, found)
    return found


def joblibs_processes(kills: int, rng: random.Random, undisturbed: bytes) -> Counter[str]:
    """Kill one of joblib's two processes, or every other time the process that runs the sweep."""
    found = Counter[str]()
    while found["kills"] < kills:
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder), jobs=2)
            process, log = trial.start()
            while found["kills"] < kills:
                before = log.stat().st_size
                while process.is_alive() and log.stat().st_size <= before:
                    time.sleep(0.002)
                time.sleep(0.3 * rng.random())
                workers = children(process.pid or 0)
                if not process.is_alive() or not workers:
                    break
                if found["kills"] % 2:
                    os.kill(rng.choice(workers), signal.SIGKILL)
                else:
                    process.kill()
                    process.join()
                    time.sleep(1.0)
                    found["processes left behind"] += sum(
                        Path(f"/proc/{worker}/cmdline").exists() for worker in workers
                    )
                    process, log = trial.start()
                found["kills"] += 1
                trial.look(found)
            ended(process)
            trial.end(undisturbed, found)
    return found


def children(parent: int) -> list[int]:
    """joblib's processes under a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == parent and b"popen_loky" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def engines() -> dict[str, str]:
    """Whether each engine's table is that of the process itself."""
    ways: list[tuple[str, str, dict[str, Any]]] = [
        ("joblib, 2 processes", PLAN, {"jobs": 2}),
        ("Dask, 2 workers", PLAN, {"engine": "dask", "jobs": 2}),
        ("submitit, its local executor", SMALL, {"engine": "slurm", "jobs": 2, "slurm": {"cluster": "local"}}),
    ]
    rows = {}
    for name, plan, how in ways:
        with tempfile.TemporaryDirectory() as folder:
            began, expected = time.perf_counter(), table_of(plan, jobs=1)
            here = time.perf_counter()
            same = table_of(plan, Path(folder) / "cells.sqlite", **how) == expected
            there = time.perf_counter()
        count = len(expected.splitlines()) - 1
        words = f"{'equal byte for byte' if same else 'DIFFERENT'} ({count} rows; {there - here:.0f} s, "
        rows[name] = words + f"in one process {here - began:.0f} s)"
    return rows


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100, help="of one of two processes; a fifth of it of joblib's")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, undisturbed = random.Random(given.seed), table_of(PLAN, jobs=1)
    parts = {
        "Two processes on one store, one of them killed at a random moment": two_processes,
        "joblib's two processes, one of them or the process that runs the sweep killed": joblibs_processes,
    }
    load = f"{os.getloadavg()[0]:.0f}"
    print(HEAD.format(processors=os.cpu_count(), load=load, python=platform.python_version()))
    for share, (title, work) in zip((1, 5), parts.items(), strict=True):
        began = time.perf_counter()
        found = work(-(-given.kills // share), rng, undisturbed)
        print(f"## {title}\n\n| what | how many |\n| --- | --- |")
        print("\n".join(f"| {what} | {count} |" for what, count in found.items()))
        print(f"| seconds | {time.perf_counter() - began:.0f} |\n", flush=True)
    print("## Engines\n\n| engine | table |\n| --- | --- |")
    print("\n".join(f"| {name} | {words} |" for name, words in engines().items()))


HEAD = f"""# Sweeps under kill -9

`python benchmarks/sweeps.py` (with the extras `dask` and `slurm`), {{processors}} processors under a load of {{load}},
Python {{python}}. The sweep has {CELLS} cells (policies and bounds of `dmlrs` on tiny draws) on 40 instances, which
are cells of the store too. Each process logs a row when it is told that the row is kept; a kill hits a process that
has logged one since it was started, at once or up to 0.3 s later, and it is started again. After every kill the store
is compared with all logs.
"""

if __name__ == "__main__":
    main()
