"""Words in, lines out: what every command reads from its arguments and tells on the terminal."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

if TYPE_CHECKING:
    from schedproof.core.api.catalogue import Page
    from schedproof.core.runtime.context import Progress
    from schedproof.core.simulation.instance import Instance


T = TypeVar("T")
DASH, STDIN = Path("-"), Path("/dev/stdin")
MOST_PIPED = 1 << 30  # bytes
MINUTE = 60.0  # seconds, after which a pipe is told how far the work is, and again
INTERRUPTED = 130  # an exit code, as shells have it


def note(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning in one line on stderr."""
    from schedproof.core.errors import printable

    say(f"note: {printable(str(message))}", sys.stderr)


def log_to_stderr() -> None:
    """Tell what the package logs, one line each, on stderr."""
    logger = logging.getLogger("schedproof")
    if not logger.handlers:
        logger.addHandler(Notes())
        logger.setLevel(logging.INFO)


class Notes(logging.Handler):
    """Prints what is logged as a note."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record's message."""
        say(f"note: {record.getMessage()}", sys.stderr)


BETWEEN_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def pairs(words: list[str], what: str = "--option") -> dict[str, str]:
    from schedproof.core.errors import InputError

    for word in words:
        if "=" not in word:
            raise InputError(f"{what} {word}: expected key=value")
    names = [word.partition("=")[0] for word in words]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{what} {name}: given twice")
    return dict(word.split("=", 1) for word in words)


def plug_ins_first(words: list[str]) -> list[str]:
    """The words of a command line with every ``--plugin FILE.py`` before the command."""
    first: list[str] = []
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--plugin":
            first += [word, *islice(left, 1)]
        else:
            (first if word.startswith("--plugin=") else rest).append(word)
    return first + rest


def usage(error: Any) -> str:
    """What is wrong with the words of a command line, and where to look them up."""
    from schedproof.core.errors import printable

    command = error.ctx.command_path if error.ctx is not None else "schedproof"
    words = " ".join(error.format_message().split()).rstrip(".").replace(". Did you", "; did you")
    return printable(f"{words[:1].lower()}{words[1:]}; see `{command} --help`")


def beginning(kind: str) -> Callable[[str], list[str]]:
    """What a shell completes: the ids and the short names of a kind that begin as typed."""

    def names(incomplete: str) -> list[str]:
        from schedproof.core.cards import registry

        known = {name for id in registry.entries(kind) for name in (id, id.partition(".")[2]) if name}
        return sorted(name for name in known if name.startswith(incomplete))

    return names


def names_to_choose(kind: str) -> str:
    """What a command's first argument can be, below its help."""
    from schedproof.core.cards import registry

    rows = registry.entries(kind)
    names = [f"{id} (presets {', '.join(entry.presets)})" if entry.presets else id for id, entry in rows.items()]
    return f"Available: {', '.join(names)}. `schedproof show NAME` prints its options."


def tell(
    as_json: bool,
    result: dict[str, Any] | Callable[[], dict[str, Any]],
    lines: Iterable[str],
    stream: TextIO | None = None,
) -> None:
    """Print a result as JSON, or its lines."""
    from schedproof.core.errors import printable
    from schedproof.core.runtime.files import encode

    if as_json:
        say_at_once(encode(result() if callable(result) else result).decode(), stream or sys.stdout)
        return
    for line in lines:
        for row in line.split("\n"):
            say(printable(row), stream)


def read_file(file: Path) -> Path:
    """The file that is read, of ``-`` standard input: kept, where it is a pipe, so that it can be read again.

    Raises
    ------
    InputError
        For more than a GiB, and where standard input is closed.
    """
    import os
    from tempfile import TemporaryFile

    from schedproof.core.errors import InputError

    if file != DASH:
        return file
    if sys.stdin is None:
        raise InputError("standard input is closed", file="-")
    if not STDIN.is_file():
        left = MOST_PIPED
        with TemporaryFile() as kept:
            while left > 0 and (block := sys.stdin.buffer.read(1 << 20)):
                kept.write(block)
                left -= len(block)
            if left <= 0:
                raise InputError(f"expected at most {MOST_PIPED >> 20} MiB: keep it in a file", file="-")
            kept.flush()
            os.dup2(kept.fileno(), 0)
    return STDIN


def print_file(write: Callable[[Path], object]) -> None:
    """Print the file that is written.

    Raises
    ------
    InputError
        For one with large arrays beside it.
    """
    from tempfile import TemporaryDirectory

    from schedproof.core.errors import InputError

    with TemporaryDirectory() as folder:
        file = Path(folder) / "printed"
        write(file)
        if len([*file.parent.iterdir()]) > 1:
            raise InputError("large arrays lie in files beside it: give the file a name", file="-")
        say_at_once(file.read_text(encoding="utf-8").removesuffix("\n"), sys.stdout)


def complain(sentence: str) -> None:
    """Tell of an error on stderr; whether that is full or closed changes no exit code."""
    import os

    try:
        say(f"schedproof: {sentence}", sys.stderr)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where what is left in the buffer goes


COLOURED = (  # of a line, the group that the colour is named after
    r"^(?P<red>schedproof:|NOT \w+)|^(?P<green>feasible|proven)\b|^(?P<yellow>note:)",
    r"^ *\S+ {2,}((?P<red>refuted( as printed)?)|(?P<yellow>holds under an assumption|undecided|ill posed))\b",
    r"^ *\S+ {2,}(?P<green>holds)(?! under an assumption)\b",
    r"^ +((?P<green>yes)|(?P<red>no)|(?P<yellow>undetermined)): ",
)


def say_at_once(text: str, stream: TextIO) -> None:
    """Print a text; a reader that has gone away ends the command, and is no error."""
    try:
        print(text, file=stream)
    except BrokenPipeError:
        raise SystemExit(0) from None


def say(line: str, stream: TextIO | None = None) -> None:
    """Print a line; on a terminal wrapped between words, its verdict in colour."""
    stream = stream or sys.stdout
    if not stream.isatty():
        say_at_once(line, stream)
        return
    from shutil import get_terminal_size
    from textwrap import wrap

    from rich.console import Console
    from rich.text import Text

    indent = " " * (len(line) - len(line.lstrip()) + 2)
    rows = wrap(line, get_terminal_size().columns, subsequent_indent=indent, **BETWEEN_WORDS)
    text = Text("\n".join(rows))
    for pattern in COLOURED:
        text.highlight_regex(pattern)
    Console(file=stream, soft_wrap=True, highlight=False).print(text)


def table(rows: Sequence[tuple[str, str]], indent: str = "") -> Iterator[str]:
    """Two columns; in a terminal the second is wrapped between words, elsewhere each row is one line."""
    from shutil import get_terminal_size
    from textwrap import wrap

    widest = min(40, max((len(left) for left, _ in rows), default=0))
    room = get_terminal_size().columns - len(indent) - widest - 2 if sys.stdout.isatty() else sys.maxsize
    for left, right in rows:
        first, *more = wrap(right, max(24, room), **BETWEEN_WORDS) or [""]
        fits = len(left) <= widest
        yield f"{indent}{left:{widest}}  {first}".rstrip() if fits else f"{indent}{left}"
        yield from (" " * (len(indent) + widest + 2) + line for line in (more if fits else (first, *more)))


def page_lines(page: Page) -> Iterator[str]:
    """A page of the catalogue for a person."""
    yield from table([(f"{page.kind} {page.id}", page.sentence)])
    yield from table([*page.more.items()], "  ")
    yield from table([(o["option"], _option_words(o)) for o in page.options], "  ")
    cells = [[*row.values()] for row in page.rows]
    yield from table([(first, "  ".join(rest)) for first, *rest in cells], "    ")
    if built := page.built():
        yield "  on a first draw, each with its first index; a group of your own finds them in block.model():"
        rows = [(row["many"], f"{row['name']}{':  ' if row['first'] else ''}{row['first']}") for row in built]
        yield from table(rows, "    ")
    yield from (f"    {line}" for line in page.text.splitlines())


def _option_words(option: dict[str, str]) -> str:
    usual = f"; default {option['default']}" if option["default"] else ""
    return f"{option['meaning']} ({option['expected']}{usual})"


PICTURES = (".png", ".pdf", ".svg", ".jpg")  # that matplotlib can write everywhere


def writable(file: Path, picture: bool = False) -> None:
    """Check an output's place before the work, so that nothing is lost after it.

    Raises
    ------
    InputError
        For a folder that is not there, or a picture of a kind that cannot be drawn.
    """
    from schedproof.core.errors import InputError
    from schedproof.core.runtime import files

    files.writable(file)
    if picture and file.suffix.lower() not in PICTURES:
        raise InputError(f"expected a picture's name, ending in one of {', '.join(PICTURES)}", file=str(file))


def instance_of(path: Path) -> Instance:
    """The instance of a file; what there is to know of it beforehand goes to stderr.

    None of its objects goes before the command ends: while it is read no garbage is looked for, nor later among them.
    """
    from schedproof.core.errors import printable
    from schedproof.instances import read

    gc.disable()
    try:
        instance = read(path)
    finally:
        gc.enable()
    gc.freeze()
    for note in instance.notes():
        say(f"note: {printable(note)}", sys.stderr)
    return instance


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A line on stderr that tells how far the work has come, with a bar where the whole is known.

    Where nobody watches a terminal it is a line of its own after each minute.
    """
    if not sys.stderr.isatty():
        yield _each_minute(what)
        return
    from rich import progress as bars
    from rich.console import Console

    columns = bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TimeRemainingColumn()
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def tell(message: str, done: float | None = None) -> None:
            bar.update(task, description=f"{what}: {message}", total=done and 1, completed=done or 0)

        yield tell


def _each_minute(what: str) -> Progress:
    from time import monotonic

    due = monotonic() + MINUTE

    def tell(message: str, done: float | None = None) -> None:
        nonlocal due
        if monotonic() >= due:
            due = monotonic() + MINUTE
            say(f"note: {what}: {message}{'' if done is None else f' ({done:.0%})'}", sys.stderr)

    return tell


def best_of(work: Callable[[], T]) -> tuple[T, KeyboardInterrupt | None]:
    """What some work returns; or the best that it had found when the user interrupted it, and the interrupt."""
    import signal

    from schedproof.core.runtime.deadline import Interrupted

    try:
        return work(), None
    except Interrupted as early:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the best result is printed in any case
        best: T = early.best
        return best, early


@contextmanager
def resumable(store: Path) -> Iterator[None]:
    """Whatever ends the work early, let be said where that is kept which is finished."""
    from schedproof.core.errors import printable
    from schedproof.core.runtime.supervision import say_at_an_early_end

    say_at_an_early_end(printable(f"what is finished is in {store}; the same command goes on from there"))
    yield
    say_at_an_early_end("")


def draw(file: Path, result: Any) -> None:
    """Draw a result into a file."""
    from schedproof.core.simulation.pictures import save

    save(result.plot().figure, file)


def report_lines(report: dict[str, Any], indent: str = "  ") -> list[str]:
    lines = []
    for key, entry in report.items():
        if isinstance(entry, dict):
            lines += [f"{indent}{key}:", *report_lines(entry, indent + "  ")]
        elif isinstance(entry, list) and not all(isinstance(row, dict) for row in entry):
            lines.append(f"{indent}{key}: {', '.join(map(str, entry))}")
        elif isinstance(entry, list):
            lines += [f"{indent}{key}:"]
            lines += [f"{indent}  {', '.join(f'{k} {v}' for k, v in row.items())}" for row in entry]
        else:
            lines.append(f"{indent}{key}: {entry}")
    return lines
