"""Run cases in worker processes; slow, large or crashed cases are failures.

A case is a kind and a seed. Its outcome is a word like "read" or "refused"; "crash" is a failure.
"""

from __future__ import annotations

import atexit
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
from shlex import quote
from typing import Any, NamedTuple

from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.deadline import OutOfTime

SECONDS, MEBIBYTES = 10.0, 1024  # of a case
OF_CHECKERS = 2.0, 500  # of a case that a checker is asked
STEPS, TAKEN = 10_000_000, 0.08  # of an empty loop, and its seconds on the machine whose seconds are meant
ADDRESSES = 16 << 30  # bytes of addresses that a worker may ask for: a case that asks for more crashes, not the machine
REUSES = 2000  # cases of one worker
ROOT = Path(__file__).parents[2]


class Attempt(NamedTuple):
    """A description of a case, and a function that returns its outcome or raises."""

    what: str
    run: Callable[[], str]


Kinds = dict[str, Callable[[int, Path], Attempt]]  # of a seed and an empty folder


def most(kind: str) -> tuple[float, int]:
    """Return the seconds and MiB that a case may use."""
    return OF_CHECKERS if kind.startswith("checked ") else (SECONDS, MEBIBYTES)


def slowness() -> float:
    """Return how much slower this machine is than the reference machine, at least 1."""
    started = time.process_time()
    for _ in range(STEPS):
        pass
    return max(1.0, (time.process_time() - started) / TAKEN)


@dataclass(frozen=True)
class Report:
    kind: str
    seed: int
    what: str
    outcome: str
    detail: str = ""
    seconds: float = 0.0
    mebibytes: int = 0

    @property
    def failure(self) -> str:
        """Return why a report is a failure with its command, or an empty text."""
        wrong = self.detail if self.outcome == "crash" else ""
        seconds, mebibytes = most(self.kind)
        if self.seconds > seconds:
            wrong = wrong or f"took {self.seconds:.1f} s"
        if self.mebibytes > mebibytes:
            wrong = wrong or f"took {self.mebibytes} MiB"
        command = f"python -m tests.faults.inputs --kind {quote(self.kind)} --seed {self.seed}"
        return wrong and f"{command}\n{self.what}\n{wrong}"


def judged(attempt: Attempt) -> tuple[str, str]:
    """Return the outcome of an attempt with its message or traceback."""
    try:
        return attempt.run(), ""
    except SchedproofError as error:
        words = str(error)
        fine = words and words.isprintable() and len(words) < 2000
        return ("refused", words) if fine else ("crash", f"not one printable sentence: {words!r:.500}")
    except BaseException:
        return "crash", traceback.format_exc()[-3000:]


def _memory(ask: str) -> int:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(ask)) >> 10


def serve(kinds: Kinds) -> None:
    """Run in a worker: read seeds and kinds from stdin, write reports to stdout."""
    asked, reports = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.stdout.flush()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    sys.unraisablehook = _tell_unless_late
    for line in asked:
        seed, kind = line.strip().split(maxsplit=1)
        with tempfile.TemporaryDirectory() as folder:
            attempt = kinds[kind](int(seed), Path(folder))
            os.chdir(folder)  # where a relative name leads
            print(json.dumps({"what": attempt.what}), file=reports)
            Path("/proc/self/clear_refs").write_text("5")
            before = _memory("VmRSS")  # of what earlier cases imported
            faulthandler.dump_traceback_later(60 * SECONDS, exit=True)  # a hang, however loaded the machine is
            started = time.process_time()
            outcome, detail = judged(attempt)
            seconds = time.process_time() - started  # of this process: other work on the machine is not its fault
            if seconds > most(kind)[0]:
                seconds /= slowness()
            faulthandler.cancel_dump_traceback_later()
            report = Report(
                kind, int(seed), attempt.what, outcome, detail, round(seconds, 3), _memory("VmHWM") - before
            )
            print(json.dumps(asdict(report)), file=reports)
            os.chdir(ROOT)


def _tell_unless_late(lost: sys.UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, OutOfTime):
        sys.__unraisablehook__(lost)


class Worker:
    def __init__(self) -> None:
        self.errors, self.cases, pipe = tempfile.TemporaryFile("w+"), 0, subprocess.PIPE  # noqa: SIM115  closed by `end`
        command = [sys.executable, "-m", "tests.faults.inputs", "--serve"]
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self.errors, text=True, bufsize=1, cwd=ROOT
        )

    def ask(self, kind: str, seed: int) -> Report:
        """Return the report of a case; a crash if the process ends."""
        assert self.process.stdin and self.process.stdout
        self.errors.seek(0)
        self.errors.truncate()
        self.cases += 1
        print(seed, kind, file=self.process.stdin)
        tried: dict[str, Any] = json.loads(self.process.stdout.readline() or "{}")
        if said := self.process.stdout.readline():
            return Report(**json.loads(said))
        self.process.wait()
        self.errors.seek(0)
        told = f"the worker ended with {self.process.returncode}:\n{self.errors.read()[-4000:]}"
        return Report(kind, seed, tried.get("what", ""), "crash", told)

    def end(self) -> None:
        self.process.communicate()
        self.errors.close()


IDLE: list[Worker] = []  # one, between cases of whatever kind


@atexit.register
def end_idle() -> None:
    while IDLE:
        IDLE.pop().end()


def attack(kind: str, seeds: Iterable[int]) -> Iterator[Report]:
    """Return the reports of these cases, by reused workers."""
    for seed in seeds:
        worker = IDLE.pop() if IDLE else Worker()
        report = worker.ask(kind, seed)
        if worker.process.returncode is None and worker.cases < REUSES:
            IDLE.append(worker)
        else:
            worker.end()
        yield report
