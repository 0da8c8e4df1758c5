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
from pathlib import Path
from secrets import token_hex

import msgspec

from schedproof.core.errors import InputError


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
        if target.is_dir():
            raise InputError("expected the name of a file, this is a folder", file=given)
        if target.exists() and not target.is_file():
            raise InputError("expected the name of a file, this is a device or a pipe", file=given)
        if target.exists() and not (os.access(target, os.W_OK) and target.stat().st_mode & 0o222):
            raise InputError("is there already, and read-only", file=given)
        if not os.access(target.parent, os.W_OK):
            raise InputError("its folder cannot be written to", file=given)
    except (OSError, RuntimeError) as error:  # too long a name, say, or links in a circle
        raise unwritten(error, given) from None
    return target


def unwritten(error: Exception, file: str | Path) -> InputError:
    """One sentence on what the system said when a file was to be written."""
    return InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", file=str(file))


@contextmanager
def together(outdated: Iterable[Path] = ()) -> Iterator[Callable[[str | Path], Path]]:
    """The files of one result: a function that gives a part for each, which take their places when the block ends well.

    They do so in the order in which they were asked for, the last one being what tells that all are there. Of several
    writers one does so after the other. When the block fails, the parts vanish and the old files stay.

    Parameters
    ----------
    outdated
        Files made of what is being replaced (the picture of a schedule): removed just before.
    """
    parts: list[tuple[int, Path, Path]] = []

    def part_of(path: str | Path) -> Path:
        target = writable(path)
        try:
            remove_leftovers(target.parent)
            parts.append((*_new_part(target), target))
        except OSError as error:
            raise unwritten(error, path) from None
        return parts[-1][1]

    with ExitStack() as held:
        held.callback(_close, parts)
        try:
            yield part_of
            for handle, _, _ in parts:
                os.fsync(handle)
            for folder in sorted({target.parent for _, _, target in parts}):
                held.enter_context(turn(folder))
            for old in outdated:
                writable(old).unlink(missing_ok=True)
            for _, part, target in parts:
                part.replace(target)
        except BaseException as error:
            for _, part, _ in parts:
                with suppress(OSError):
                    part.unlink()
            if parts and isinstance(error, OSError):  # no space left, say
                raise unwritten(error, parts[-1][2]) from None
            raise


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """A part beside ``path`` that takes its place when the block ends well, and vanishes otherwise."""
    with together() as part_of:
        yield part_of(path)


def _close(parts: list[tuple[int, Path, Path]]) -> None:
    for handle, _, _ in parts:
        os.close(handle)


def _new_part(target: Path) -> tuple[int, Path]:
    """An empty part that we hold, with the mode of the file that is there, or else as the umask says."""
    while True:
        part = target.with_name(f".schedproof-{token_hex(4)}.part{target.suffix}")
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        lock(handle)
        if os.fstat(handle).st_nlink:  # else somebody took it for a leftover before it was held
            with suppress(FileNotFoundError):
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            return handle, part
        os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Remove the parts whose writers are dead."""
    for part in folder.glob(".schedproof-*.part*"):
        with suppress(OSError):
            handle = os.open(part, os.O_RDWR)
            if lock(handle, wait=False):
                part.unlink()
            os.close(handle)


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Our turn to put files into their places in a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that we may write to and not read, or a system without handles of folders
        yield
        return
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def lock(handle: int, wait: bool = True) -> bool:
    """Lock an open file until it is closed, at the latest when our process ends; whether it is ours now.

    Where the system has no such locks (some network folders), nothing is ever ours.
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (ImportError, OSError):
        return False
    return True


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a whole file, atomically."""
    with atomic(path) as part:
        part.write_bytes(content)


def encode(value: object) -> bytes:
    """JSON without spacing; a Decimal is the number that it says."""
    return msgspec.json.Encoder(decimal_format="number").encode(value)


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
