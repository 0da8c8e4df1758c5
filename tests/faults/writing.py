"""Disturb commands that write: kill, interrupt, fill the disk, run two at once.

Before a command, all its files are old. Afterwards each file must be complete, old or new, and the files together must
be in a state of `Command.states`. A case is a command, a fault and a seed. ``python -m tests.faults.writing --fault
kill --command run --seed 3`` repeats a case; ``--cases 500`` runs many.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import schedproof as sp
from tests.faults.commands import ALL, COMMANDS, Ended, end, inputs, rows_of, start, undisturbed

PRODUCT = Path(sp.__file__).parent
SECONDS = 2.0  # from an interrupt to the end
WHOLE = {  # the ends of whole files, by suffix
    ".json": b"}\n",
    ".npy": b"",
    ".csv": b"\n",
    ".png": b"IEND\xaeB`\x82",
    ".pdf": b"%%EOF\n",
    ".svg": b"</svg>\n",
    ".vipr": b"\n",
    ".safetensors": b"",
}
OLD = b"what stood there before\n"


@dataclass
class Case:
    """A command, a fault and a seed, in a separate folder.

    Attributes
    ----------
    early
        Whether files may hold the best result at an interrupt.
    wrong
        The violations found.
    """

    fault: str
    command: str
    seed: int
    early: bool = False
    wrong: list[str] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.what, self.rng = ALL[self.command], random.Random(f"{self.fault} {self.command} {self.seed}")
        self.expected = undisturbed(self.command)
        self.folder = inputs() / f"{self.fault}-{self.command}-{self.seed}-{os.getpid()}"
        self.folder.mkdir()
        if not self.what.stores:
            for file in self.what.files:
                (self.folder / file).write_bytes(OLD)

    @property
    def failure(self) -> str:
        """Return the violation with the command that repeats it, or an empty text."""
        again = f"python -m tests.faults.writing --fault {self.fault} --command {self.command} --seed {self.seed}"
        return "\n  ".join([again, *self.wrong]) if self.wrong else ""

    def must(self, right: bool, words: str) -> None:
        if not right:
            self.wrong.append(words)

    def letter(self, file: str) -> str:
        """Return the state of a file: old, new, gone, or torn (?)."""
        path = self.folder / file
        if not path.exists():
            return "g"
        if self.what.stores:
            with suppress(sqlite3.Error):
                new, rows = rows_of(inputs() / f"{self.command}-undisturbed" / file), rows_of(path)
                if all(row in new for row in rows) and len({key for key, _ in rows}) == len(rows):
                    return "n" if len(rows) == len(new) else "o"
            return "?"
        content = path.read_bytes()
        if file == self.what.table and content.endswith(b"\n") and self.expected.files[file].startswith(content):
            return "n" if content == self.expected.files[file] else "o"
        if self.early and content != OLD and content.endswith(WHOLE[path.suffix]):
            return "n"  # the best so far, whole
        return {OLD: "o", self.expected.files[file]: "n"}.get(content, "?")

    def look(self) -> str:
        """Check that the files are in an allowed state."""
        state = "".join(map(self.letter, self.what.files))
        none_yet = self.what.stores and state == "g"
        self.must(state in self.what.states or none_yet, f"the files {', '.join(self.what.files)} are {state}")
        return state

    def parts(self) -> list[str]:
        """Return other files in the folder, except those to resume from."""
        beside = {f"{file}{end}" for file in self.what.files for end in ("-wal", "-shm") if self.what.stores}
        return sorted({p.name for p in self.folder.iterdir()} - {*self.what.files, self.what.kept} - beside)

    def finish(self) -> None:
        """Run the command undisturbed: all files are new, and no others remain."""
        ended, self.early = end(start(self.what, self.folder)), False
        self.must((ended.code, ended.error) == (0, ""), f"afterwards it ends with {ended.code}: {ended.error[-500:]}")
        if self.command.startswith(("generate", "trace", "verify")):  # the others tell seconds
            out = ended.out.replace(", replacing another file", "")
            self.must(out == self.expected.out, "afterwards it prints something else than undisturbed")
        state = self.look()
        self.must(set(state) == {"n"}, f"after an undisturbed run the files are {state}")
        self.must(not self.parts(), f"left behind: {', '.join(self.parts())}")
        self.must(not self.what.kept or not (self.folder / self.what.kept).exists(), f"left behind: {self.what.kept}")

    def disturb(self, number: int) -> Ended:
        """Send a signal at some moment, every other time during a write."""
        process = start(self.what, self.folder)
        moment = time.perf_counter() + self.rng.random() * 1.1 * self.expected.seconds
        if self.rng.random() < 0.5:
            before = self._stamps()
            limit = time.perf_counter() + 3 * self.expected.seconds
            while process.poll() is None and self._stamps() == before and time.perf_counter() < limit:
                time.sleep(0.0005)
            moment = time.perf_counter() + self.rng.choice((0, 0.001, 0.005, 0.02)) * self.rng.random()
        while process.poll() is None and time.perf_counter() < moment:
            time.sleep(0.0005)
        running = process.poll() is None
        began = time.perf_counter()
        with suppress(ProcessLookupError):
            (os.killpg if number == signal.SIGKILL or self.rng.random() < 0.5 else os.kill)(process.pid, number)
        ended = end(process)
        ended.seconds, ended.told = time.perf_counter() - began, running
        return ended

    def _stamps(self) -> dict[str, tuple[int, int]]:
        stamps = {}
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                stamps[path.name] = (path.stat().st_ino, path.stat().st_size)
        return stamps


# --- the faults -------------------------------------------------------------------------------------------------------


def kill(case: Case) -> None:
    """Kill the command three times, then run it undisturbed."""
    for _ in range(3):
        ended = case.disturb(signal.SIGKILL)
        case.notes["kills of a running command" if ended.told else "ended before its kill"] += 1
        case.notes[f"state {case.look()}, {'a part' if case.parts() else 'no part'}"] += 1
        if case.what.kept:
            case.notes[f"goes on: {(case.folder / case.what.kept).exists()}"] += 1
    case.finish()


def interrupt(case: Case, number: int = signal.SIGINT) -> None:
    """Interrupted as by Ctrl-C: ends within two seconds with 130, without traceback."""
    ended = case.disturb(number)
    case.early = True
    name = signal.Signals(number).name
    case.notes[f"{name} to a running command" if ended.told else f"ended before its {name}"] += 1
    case.look()
    case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
    case.must("leaked" not in ended.error, f"a warning: {ended.error[-500:]}")
    if "Traceback" in ended.error and str(PRODUCT) not in ended.error:  # Python itself had not begun ours
        case.notes["interrupts of Python's own start"] += 1
        return case.finish()
    case.must("Traceback" not in ended.error, f"traceback: {ended.error[-1500:]}")
    if ended.told and ended.code != 0:  # what was already over when it heard is done
        case.must(ended.code in (128 + number, -number), f"ended with {ended.code}: {ended.error[-500:]}")
        case.must(ended.seconds <= SECONDS, f"ended {ended.seconds:.1f} s after {name}")
        case.notes[f"ended with {ended.code}"] += 1
    case.finish()


def terminate(case: Case) -> None:
    """Ended by TERM or HUP: as by an interrupt, with 143 or 129."""
    interrupt(case, case.rng.choice((signal.SIGTERM, signal.SIGHUP)))


def pipe(case: Case) -> None:
    """The reader of the output exits and PIPE is sent: the command is not affected."""
    process = start(case.what, case.folder)
    assert process.stdout and process.stderr
    time.sleep(case.rng.random() * 1.1 * case.expected.seconds)
    case.notes["PIPE to a running command" if process.poll() is None else "ended before its PIPE"] += 1
    process.stdout.close()
    process.send_signal(signal.SIGPIPE)
    error, code = process.stderr.read(), process.wait()
    process.stderr.close()
    if code == -signal.SIGPIPE:  # Python itself had not begun ours
        case.notes["PIPE in Python's own start"] += 1
    else:
        case.must((code, error) == (0, ""), f"ended with {code}: {error[-1500:]}")
    case.look()
    case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
    case.finish()


def full(case: Case) -> None:
    """Files cannot grow beyond a length: one sentence, exit code 2."""
    largest = max(map(len, case.expected.files.values()))
    length = case.rng.randrange(largest)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (length, length))

    before = {file: (case.folder / file).exists() and (case.folder / file).read_bytes() for file in case.what.files}
    ended = end(start(case.what, case.folder, preexec_fn=limited))
    case.must(ended.code == 2, f"ended with {ended.code} where no file can be longer than {length}")
    lines = ended.error.splitlines()
    case.must(len(lines) == 1 and "cannot be written: " in lines[0], f"not one sentence: {ended.error[-1500:]}")
    case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
    state = case.look()
    old = all((case.folder / file).read_bytes() == before[file] for file in case.what.files if before[file])
    case.must(old or case.what.stores or "n" in state, "the old files are not what they were")
    case.finish()


def disk(case: Case) -> None:
    """The folder is a small disk that fills up: one sentence; it resumes with space."""
    files = {path: path.read_bytes() for path in case.folder.iterdir()}
    needed = sum(map(len, case.expected.files.values())) // 4096 * (3 if case.what.stores else 1)  # SQLite's log, too
    pages = 1 + len(files) + case.rng.randrange(2 + needed)
    mount("-t", "tmpfs", "-o", f"size={pages * 4}k", "tmpfs", str(case.folder))
    try:
        for path, content in files.items():
            path.write_bytes(content)
        ended = end(start(case.what, case.folder))
        case.notes["no room" if ended.code else "room enough"] += 1
        lines = ended.error.splitlines()
        told = (ended.code, len(lines)) == (2, 1) and "cannot be written: " in ended.error
        case.must(told or not ended.code, f"of {pages} pages, ended with {ended.code}: {ended.error[-1500:]}")
        case.look()
        case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
        mount("-o", "remount,size=100m", str(case.folder))
        case.finish()
    finally:
        subprocess.run(["umount", "-l", str(case.folder)], check=True)


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)


def mute(case: Case) -> None:
    """Standard output is full or closed: one sentence, exit code 2."""
    closed = case.rng.random() < 0.3
    if closed:
        ended = end(start(case.what, case.folder, stdout=None, preexec_fn=lambda: os.close(1)))
    else:
        with Path("/dev/full").open("w") as sink:
            ended = end(start(case.what, case.folder, stdout=sink))
    words = "is closed" if closed else "cannot be written: No space left on device"
    sentence = f"schedproof: standard output {words}\n"
    case.must((ended.code, ended.error) == (2, sentence), f"ended with {ended.code}: {ended.error[-1500:]}")
    case.look()
    case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
    case.finish()


def pair(case: Case) -> None:
    """Two commands at once both succeed, and all files are new."""
    both = [start(case.what, case.folder)]
    time.sleep(case.rng.random() * 0.2 * case.expected.seconds)
    both.append(start(case.what, case.folder))
    for process in both:
        ended = end(process)
        case.must((ended.code, ended.error) == (0, ""), f"one of two ended with {ended.code}: {ended.error[-500:]}")
    state = case.look()
    case.must(set(state) == {"n"}, f"after two runs at once the files are {state}")
    case.must(not case.parts(), f"left behind: {', '.join(case.parts())}")
    case.must(not case.what.kept or not (case.folder / case.what.kept).exists(), f"left behind: {case.what.kept}")


FAULTS: dict[str, Callable[[Case], None]] = {
    "kill": kill,
    "interrupt": interrupt,
    "terminate": terminate,
    "pipe": pipe,
    "full": full,
    "disk": disk,
    "mute": mute,
    "pair": pair,
}


def run(fault: str, command: str, seed: int) -> Case:
    case = Case(fault, command, seed)
    FAULTS[fault](case)
    return case


def cases(fault: str, count: int, first: int = 0, names: Sequence[str] = tuple(COMMANDS)) -> Iterable[Case]:
    for seed in range(first, first + count):
        yield run(fault, names[seed % len(names)], seed)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.writing", description=__doc__)
    parser.add_argument("--fault", choices=FAULTS, required=True)
    parser.add_argument("--command", choices=ALL, nargs="+", default=list(COMMANDS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=1)
    given = parser.parse_args()
    total, bad = Counter[str](), 0
    with suppress(KeyboardInterrupt):
        for case in cases(given.fault, given.cases, given.seed, given.command):
            total += case.notes + Counter(cases=1)
            if case.failure:
                bad += 1
                print(case.failure, flush=True)
    print(f"{bad} failures; {dict(sorted(total.items()))}")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
