"""Files: written whole or not at all, and identified by content."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from schedproof.core.errors import InputError


def writable(path: str | Path) -> Path:
    """The path of a file that can be written, asked before the work that fills it.

    Raises
    ------
    InputError
        When its folder is missing or closed to us, or the path is a folder.
    """
    target = Path(path)
    try:
        if not target.parent.is_dir():
            raise InputError("expected an existing folder to write into", file=str(target))
        if target.is_dir():
            raise InputError("expected the name of a file, this is a folder", file=str(target))
        if not os.access(target.parent, os.W_OK):
            raise InputError("its folder cannot be written to", file=str(target))
    except OSError as error:  # too long a name, say
        raise InputError(f"cannot be written: {error.strerror or error}", file=str(target)) from None
    return target


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when the block ends well, and vanishes otherwise."""
    target = writable(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part" + target.suffix, dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=str(target)) from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.chmod(0o644)
        part.replace(target)
    except BaseException as error:
        with suppress(FileNotFoundError):
            part.unlink()
        if isinstance(error, OSError):  # no space left, say
            raise InputError(f"cannot be written: {error.strerror or error}", file=str(target)) from None
        raise


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a whole file, atomically."""
    with atomic(path) as part:
        part.write_bytes(content)


def encode(value: object) -> bytes:
    """JSON without spacing; a Decimal is the number that it says."""
    return msgspec.json.Encoder(decimal_format="number").encode(value)


def write_json(path: str | Path, value: object) -> None:
    """Write one JSON object, atomically, with stable formatting for small files and compactly for large ones."""
    encoded = encode(value)
    if len(encoded) < 1_000_000:
        encoded = msgspec.json.format(encoded, indent=1)
    write_bytes(path, encoded + b"\n")


def sha256(content: bytes) -> str:
    """The hexadecimal SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()
