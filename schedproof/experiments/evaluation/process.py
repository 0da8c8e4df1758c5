"""A policy in its own process, as an object that `Policy.run` accepts."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards.plug_ins import VARIABLE
from schedproof.core.errors import PolicyError
from schedproof.experiments.evaluation.messages import LENGTH, MOST_BYTES, length_of, pack, unpack_answer

KEPT = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "NUMBA_CACHE_DIR",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    VARIABLE,
)  # environment variables that the process keeps
BLOCK = 1 << 16  # bytes that one read takes


class _Process:
    """A started process, with its time limit and its answers."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._process, self._seconds, self._until = process, seconds, monotonic() + seconds

    def call(self, name: str, *given: AnyFamily) -> AnyFamily:
        """Return the policy's answer to a call of one of its methods."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(pack((name, given)))
            self._process.stdin.flush()
        except BrokenPipeError:
            self._ended()
        return self.answer()

    def answer(self) -> AnyFamily:
        length = length_of(self._read(LENGTH))
        if length > MOST_BYTES:
            raise PolicyError(f"the policy's answer has {length} bytes, expected at most {MOST_BYTES}")
        match unpack_answer(self._read(length)):
            case (True, result):
                return result
            case (False, str(sentence)):
                raise PolicyError(sentence)
        raise PolicyError("the policy's process ended without an answer")

    def _read(self, length: int) -> bytes:
        assert self._process.stdout is not None
        pipe, data = self._process.stdout.fileno(), b""
        while len(data) < length:
            if not select.select([pipe], [], [], max(0.0, self._until - monotonic()))[0]:
                raise PolicyError(f"the policy exceeded the time limit of {self._seconds:g} s")
            block = os.read(pipe, min(BLOCK, length - len(data)))
            if not block:
                self._ended()
            data += block
        return data

    def _ended(self) -> None:
        code = self._process.wait()
        raise PolicyError(f"the policy's process ended with exit code {code} before the simulation was over")


@contextmanager
def policy_in_process(words: str, options: Mapping[str, str], seconds: float, mebibytes: int) -> Iterator[AnyFamily]:
    """Start a policy in its own process; yield an object with its methods.

    The process has an empty working folder, few environment variables, and limits of time and memory. Its output is
    discarded.

    Parameters
    ----------
    words
        ``FILE.py:NAME``, or ``FILE.py`` with one policy.
    seconds, mebibytes
        Time limit of all calls together, and limit of the process's address space.
    """
    file, *name = words.split(":")
    words = ":".join([str(Path(file).resolve()), *name])
    command = [
        sys.executable,
        "-PB",
        "-m",
        f"{__package__}.host",
        words,
        str(mebibytes << 20),
        json.dumps(dict(options)),
    ]
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {"PYTHONSAFEPATH": "1"}
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            started = _Process(process, seconds)
            yield _object(started, started.answer())
        finally:
            process.kill()
            with suppress(BrokenPipeError), process:  # closes the process's pipes, and waits for its end
                pass


def _object(process: _Process, described: Any) -> AnyFamily:
    """Return an object with the class name, methods and facts of the policy.

    The object's class is not in this package, so a driver calls it in every slot and reveals no arrival.
    """
    match described:
        case {"name": str(name), "methods": [*methods], "facts": dict(facts)}:
            calls = {str(each): _forwarded(process, str(each)) for each in methods}
            itself = {"__module__": "policy", "__deepcopy__": lambda self, memo: self}
            return type(name, (), facts | calls | itself)()
    raise PolicyError("the policy's process ended without an answer")


def _forwarded(process: _Process, name: str) -> Any:
    return lambda self, *given: process.call(name, *given)
