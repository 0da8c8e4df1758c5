"""Files: written whole or not at all, those of one result in one order, and identified by content.

What is being written stands in a part, ``.schedproof-<random>.part``, beside its place; its writer holds it locked
until it ends, in whatever way. A part that nobody holds is a dead writer's: the next one in that folder removes it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep

import msgspec

from schedproof.core.base.numbers import as_decimal
from schedproof.core.errors import InputError

TURN = 2.0  # seconds to wait for another writer, who needs a few thousandths


def writable(path: str | Path) -> Path:
    """The path of a file that can be written, asked before the work that fills it; where it is a link, what it names.

    Raises
    ------
    InputError
        When its folder is missing or closed to us, or it is there and read-only, or no file (a folder, a device).
    """
    given = str(path)
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise InputError("expected an existing folder to write into", file=given)
        with suppress(FileNotFoundError):  # asked once: others may put it there and remove it at any time
            mode = target.stat().st_mode
            if stat.S_ISDIR(mode):
                raise InputError("expected the name of a file, this is a folder", file=given)
            if not stat.S_ISREG(mode):
                raise InputError("expected the name of a file, this is a device or a pipe", file=given)
            if not mode & 0o222 or (not os.access(target, os.W_OK) and target.exists()):
                raise InputError("is there already, and read-only", file=given)
        if not os.access(target.parent, os.W_OK):
            raise InputError("its folder cannot be written to", file=given)
    except (OSError, RuntimeError, ValueError) as error:  # too long a name, say, links in a circle, or a zero byte
        raise unwritten(error, given) from None
    return target


def unwritten(error: Exception, file: str | Path) -> InputError:
    """One sentence on what the system said when a file was to be written."""
    return InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", file=str(file))


@contextmanager
def result_files(outdated: Iterable[Path] = ()) -> Iterator[Callable[[str | Path], Path]]:
    """The files of one result: a function that gives a part for each, which take their places when the block ends well.

    They do so in the order of the calls, so that the last one shows that all are there. Several writers take turns.
    When the block fails, the parts vanish and the old files stay.

    Parameters
    ----------
    outdated
        Files made of what is being replaced (the picture of a schedule): removed just before.
    """
    parts: list[_Part] = []

    def part_of(path: str | Path) -> Path:
        parts.append(_Part(writable(path)))  # known before it is there: an interrupt may come between
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
            if parts and isinstance(error, OSError):  # no space left, say
                raise unwritten(error, parts[-1].target) from None
            raise
        finally:
            for part in parts:
                part.close()


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """A part beside ``path`` that takes its place when the block ends well, and vanishes otherwise."""
    with result_files() as part_of:
        yield part_of(path)


class _Part:
    """What is being written: an empty file beside its place that we hold."""

    def __init__(self, target: Path) -> None:
        self.target, self.handle = target, -1
        self.path = target.with_name(f".schedproof-{token_hex(8)}.part{target.suffix}")

    def open(self) -> None:
        """Make it, with the mode of the file that is there, or else as the umask says."""
        while self.handle < 0 or not os.fstat(self.handle).st_nlink:  # taken for a leftover before it was held
            self.close()
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            lock(self.handle, TURN)
        with suppress(FileNotFoundError):
            self.path.chmod(stat.S_IMODE(self.target.stat().st_mode))

    def close(self) -> None:
        """Let go of it."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def remove_leftovers(folder: Path) -> None:
    """Remove the parts whose writers are dead."""
    for part in folder.glob(".schedproof-*.part*"):
        with suppress(OSError), part.open("r+b") as stream:  # what cannot be removed stays, for another writer
            if lock(stream.fileno()) and os.fstat(stream.fileno()).st_nlink:  # else another one of its name is held
                part.unlink()


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Take turns in putting files into a folder; without a turn if another writer never ends its own."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that we may write to and not read, or a system without handles of folders
        yield
        return
    try:
        lock(handle, TURN)
        yield
    finally:
        os.close(handle)


def lock(handle: int, seconds: float = 0.0) -> bool:
    """Lock an open file until it is closed, at the latest when our process ends; whether it is ours by then.

    It is not waited for without an end: an interrupt may have left it to our own process, which does not know it any
    more. Where the system has no such locks (some network folders), nothing is ever ours.
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
    """Write a whole file, atomically."""
    with atomic(path) as part:
        part.write_bytes(content)


def encode(value: object) -> bytes:
    """JSON without spacing; a Decimal is the number that it says, and so is a rational with a finite decimal."""
    return msgspec.json.Encoder(decimal_format="number", enc_hook=_finite).encode(value)


def _finite(value: object) -> object:
    if not isinstance(value, Fraction):
        raise TypeError(f"Encoding objects of type {type(value).__name__} is unsupported")
    try:
        return as_decimal(value)
    except ValueError:
        raise InputError(f"expected a number with a finite decimal, found {value}") from None


def as_json(value: object) -> bytes:
    """A JSON file's text, with stable formatting for small files and compactly for large ones."""
    encoded = encode(value)
    return (msgspec.json.format(encoded, indent=1) if len(encoded) < 1_000_000 else encoded) + b"\n"


def write_json(path: str | Path, value: object) -> None:
    """Write one JSON object, atomically."""
    write_bytes(path, as_json(value))


def sha256(content: bytes) -> str:
    """The hexadecimal SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def sha256_of_file(path: str | Path) -> str:
    """The hexadecimal SHA-256 of what is in a file, of whatever size.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
