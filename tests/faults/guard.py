"""Cases under a guard: a worker process runs one after the other; one that is too slow, too large or dies is a failure.

A case is a kind and a seed. Its outcome is a word; "read" and "refused" and the like are fine, "crash" is not.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from schedproof.core.errors import SchedproofError

SECONDS, MEBIBYTES = 10.0, 1024  # of a case
ADDRESSES = 16 << 30  # bytes of addresses that a worker may ask for: a case that asks for more crashes, not the machine
REUSES = 2000  # cases of one worker
ROOT = Path(__file__).parents[2]


class Attempt(NamedTuple):
    """What is tried, in words, and how: it returns its outcome, or raises."""

    what: str
    run: Callable[[], str]


Kinds = dict[str, Callable[[int, Path], Attempt]]  # of a seed and an empty folder


@dataclass(frozen=True)
class Report:
    """What became of a case."""

    kind: str
    seed: int
    what: str
    outcome: str
    detail: str = ""
    seconds: float = 0.0
    mebibytes: int = 0

    @property
    def failure(self) -> str:
        """Why it is one, and the command that reproduces it; empty for none."""
        wrong = self.detail if self.outcome == "crash" else ""
        if self.seconds > SECONDS:
            wrong = wrong or f"took {self.seconds:.1f} s"
        if self.mebibytes > MEBIBYTES:
            wrong = wrong or f"took {self.mebibytes} MiB"
        command = f"python -m tests.faults.inputs --kind {self.kind} --seed {self.seed}"
        return wrong and f"{command}\n{self.what}\n{wrong}"


def judged(attempt: Attempt) -> tuple[str, str]:
    """The outcome of an attempt, and what is told of it; a traceback where it crashed."""
    try:
        return attempt.run(), ""
    except SchedproofError as error:
        words = str(error)
        fine = words and words.isprintable() and len(words) < 2000
        return ("refused", words) if fine else ("crash", f"not one printable sentence: {words!r:.500}")
    except BaseException:
        return "crash", traceback.format_exc()[-3000:]


def _memory(ask: str) -> int:
    """VmHWM, the most memory since `_forget`, in MiB."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(ask)) >> 10


def serve(kind: str, attempts: Callable[[int, Path], Attempt]) -> None:
    """In a worker: read seeds from stdin, write reports to stdout; what is tried itself sees neither."""
    seeds, reports = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.stdout.flush()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    for line in seeds:
        with tempfile.TemporaryDirectory() as folder:
            attempt = attempts(int(line), Path(folder))
            os.chdir(folder)  # where a relative name leads
            print(json.dumps({"what": attempt.what}), file=reports)
            Path("/proc/self/clear_refs").write_text("5")
            faulthandler.dump_traceback_later(6 * SECONDS, exit=True)
            started = time.process_time()
            outcome, detail = judged(attempt)
            seconds = time.process_time() - started  # of this process: other work on the machine is not its fault
            faulthandler.cancel_dump_traceback_later()
            report = Report(kind, int(line), attempt.what, outcome, detail, round(seconds, 3), _memory("VmHWM"))
            print(json.dumps(asdict(report)), file=reports)
            os.chdir(ROOT)


def attack(kind: str, seeds: Iterable[int]) -> Iterator[Report]:
    """The reports of these cases, from workers that are reused."""
    worker, used = None, 0
    with tempfile.TemporaryFile("w+") as errors:
        for seed in seeds:
            if worker is None or used == REUSES:
                if worker is not None:
                    worker.communicate()
                command = [sys.executable, "-m", "tests.faults.inputs", "--kind", kind, "--serve"]
                worker = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    bufsize=1,
                    cwd=ROOT,
                )
                used = 0
            assert worker.stdin and worker.stdout
            errors.seek(0)
            errors.truncate()
            print(seed, file=worker.stdin)
            tried: dict[str, Any] = json.loads(worker.stdout.readline() or "{}")
            said = worker.stdout.readline()
            used += 1
            if said:
                yield Report(**json.loads(said))
            else:
                worker.communicate()
                errors.seek(0)
                told = f"the worker ended with {worker.returncode}:\n{errors.read()[-4000:]}"
                yield Report(kind, seed, tried.get("what", ""), "crash", told)
                worker = None
        if worker is not None:
            worker.communicate()
