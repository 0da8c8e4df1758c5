"""Atomic files, ordered replacement of a result's files, and identity by content.

New content is written to a part, ``.schedproof-<random>.part``, next to the file. The writer locks the part until it is
complete. An unlocked part belongs to a dead writer; the next writer in that folder removes it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EINVAL
from fractions import Fraction
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep

import msgspec

from schedproof.core.base.numbers import as_decimal
from schedproof.core.errors import InputError

TURN = 2.0  # seconds to wait for another writer, who needs milliseconds


def regular(path: str | Path) -> Path:
    """Return the path of a file to read.

    Raises
    ------
    OSError
        For a missing file, a folder, a pipe or a device.
    """
    file = Path(path)
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise OSError(EINVAL, f"expected a file, found {found}", str(path))
    return file


def writable(path: str | Path) -> Path:
    """Return the path of a file that can be written, with links resolved.

    Call this function before the work that fills the file.

    Raises
    ------
    InputError
        If the folder is missing or not writable, or the file is read-only, a folder or a device.
    """
    given = str(path)
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            remedy = f"mkdir -p {Path(path).parent}"
            raise InputError(f"expected an existing folder to write into; create it with: {remedy}", file=given)
        with suppress(FileNotFoundError):  # one call: other processes may create and remove it at any time
            mode = target.stat().st_mode
            if stat.S_ISDIR(mode):
                raise InputError("expected the name of a file, found a folder", file=given)
            if not stat.S_ISREG(mode):
                raise InputError("expected the name of a file, found a device or a pipe", file=given)
            if not mode & 0o222 or (not os.access(target, os.W_OK) and target.exists()):
                raise InputError("exists and is read-only", file=given)
        if not os.access(target.parent, os.W_OK):
            raise InputError("the file's folder is not writable", file=given)
    except (OSError, RuntimeError, ValueError) as error:  # for example a long name, circular links or a zero byte
        raise unwritten(error, given) from None
    return target


def unwritten(error: Exception, file: str | Path) -> InputError:
    """Return the error for a failed write."""
    return InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", file=str(file))


@contextmanager
def result_files(outdated: Iterable[Path] = ()) -> Iterator[Callable[[str | Path], Path]]:
    """Yield a function that returns a part for each file of one result.

    When the block succeeds, the parts replace their files in the order of the calls. So the last file exists only if
    all files are complete. Several writers take turns. When the block fails, the parts are removed and the old files
    stay.

    Parameters
    ----------
    outdated
        Files derived from the replaced files, for example a schedule's picture; they are removed before the
        replacement.
    """
    parts: list[_Part] = []

    def part_of(path: str | Path) -> Path:
        parts.append(_Part(writable(path)))  # listed before it exists, because an interrupt may follow
        try:
            remove_leftovers(parts[-1].target.parent)
            parts[-1].open()
        except OSError as error:
            raise unwritten(error, path) from None
        return parts[-1].path

    with ExitStack() as held:
        try:
            yield part_of
            for part in parts:
                os.fsync(part.handle)
            for folder in sorted({part.target.parent for part in parts}):
                held.enter_context(turn(folder))
            for old in outdated:
                writable(old).unlink(missing_ok=True)
            for part in parts:
                part.path.replace(part.target)
        except BaseException as error:
            for part in parts:
                with suppress(OSError):
                    part.path.unlink()
            if parts and isinstance(error, OSError):  # for example no space left
                raise unwritten(error, parts[-1].target) from None
            raise
        finally:
            for part in parts:
                part.close()


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a part that replaces ``path`` on success, and is removed otherwise."""
    with result_files() as part_of:
        yield part_of(path)


class _Part:
    """A locked temporary file next to its target."""

    def __init__(self, target: Path) -> None:
        self.target, self.handle = target, -1
        self.path = target.with_name(f".schedproof-{token_hex(8)}.part{target.suffix}")

    def open(self) -> None:
        while self.handle < 0 or not os.fstat(self.handle).st_nlink:  # removed as a leftover before it was locked
            self.close()
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            lock(self.handle, TURN)
        with suppress(FileNotFoundError):
            self.path.chmod(stat.S_IMODE(self.target.stat().st_mode))

    def close(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def remove_leftovers(folder: Path) -> None:
    """Remove the parts of dead writers."""
    for part in folder.glob(".schedproof-*.part*"):
        with suppress(OSError), part.open("r+b") as stream:  # on failure another writer removes it
            if lock(stream.fileno()) and os.fstat(stream.fileno()).st_nlink:  # otherwise a new file has the same name
                part.unlink()


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Wait for a turn to put files into a folder, at most `TURN` seconds."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # the folder is not readable, or the system has no folder handles
        yield
        return
    try:
        lock(handle, TURN)
        yield
    finally:
        os.close(handle)


def lock(handle: int, seconds: float = 0.0) -> bool:
    """Try to lock an open file until it is closed; return whether it is locked.

    The wait is limited, because this process may still hold the lock after an interrupt. Without file locks, as on some
    network file systems, the result is False.
    """
    try:
        import fcntl
    except ImportError:
        return False
    until = monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if monotonic() >= until:
                return False
            sleep(0.005)
        except OSError:
            return False


def write_bytes(path: str | Path, content: bytes) -> None:
    with atomic(path) as part:
        part.write_bytes(content)


def encode(value: object) -> bytes:
    """Return compact JSON; Decimals and rationals of finite decimals become numbers."""
    return msgspec.json.Encoder(decimal_format="number", enc_hook=_finite).encode(value)


def _finite(value: object) -> object:
    if not isinstance(value, Fraction):
        raise TypeError(f"Encoding objects of type {type(value).__name__} is unsupported")
    try:
        return as_decimal(value)
    except ValueError:
        raise InputError(f"expected a number with a finite decimal, found {value}") from None


def as_json(value: object) -> bytes:
    """Return a JSON file's text, indented for small files and compact for large ones."""
    encoded = encode(value)
    return (msgspec.json.format(encoded, indent=1) if len(encoded) < 1_000_000 else encoded) + b"\n"


def write_json(path: str | Path, value: object) -> None:
    write_bytes(path, as_json(value))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sha256_of_file(path: str | Path) -> str:
    """Return the hexadecimal SHA-256 of a file.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        with regular(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
