"""Messages between a policy's process and the evaluating process.

The evaluating process unpickles only arrays of numbers, and records of this package and of loaded plug-ins. So an
answer cannot run code that is not loaded there.
"""

from __future__ import annotations

import io
import pickle
import sys
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, BinaryIO

from schedproof.core.data.reading import Row
from schedproof.core.errors import PolicyError
from schedproof.instances.kinds.machine_game import Shown

LENGTH = 8  # bytes that encode a message's length
MOST_BYTES = 1 << 26  # most bytes of an answer
PLAIN = {
    ("builtins", "set"),
    ("fractions", "Fraction"),
    ("msgspec._utils", "rebuild"),  # makes a record from its fields
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
}
RECORDS = ("schedproof.instances.", "schedproof.core.simulation.policy")


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a plain type, or a record of this package; refuse everything else."""
        if (module, name) in PLAIN:
            return getattr(import_module(module), name)
        if module.startswith(RECORDS):
            kind = getattr(import_module(module), name, None)
            if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields") or kind is Shown):
                return kind
        own = getattr(sys.modules.get(module), name, None)  # a job or item of a plug-in's family
        if isinstance(own, type) and issubclass(own, Row):
            return own
        raise PolicyError(f"the policy answered with type {module}.{name}, expected numbers, arrays or records")


def pack(content: object) -> bytes:
    data = pickle.dumps(content, protocol=5)
    return len(data).to_bytes(LENGTH, "little") + data


def length_of(head: bytes) -> int:
    return int.from_bytes(head, "little")


def unpack_answer(data: bytes) -> Any:
    """Return the content most bytes of an answer.

    Raises
    ------
    PolicyError
        For an object that is neither plain nor a record of this package, or for malformed data.
    """
    try:
        return _Reader(io.BytesIO(data)).load()
    except PolicyError:
        raise
    except Exception as error:  # any error: the data are untrusted
        raise PolicyError(f"the policy's answer is not a valid message: {type(error).__name__}") from None


def unpack_call(calls: BinaryIO) -> Any:
    """Return the next call: the name of a method, and its arguments."""
    return pickle.loads(
        calls.read(length_of(calls.read(LENGTH)))
    )  # the call comes from the evaluating process, which is trusted
