"""Input from the command line, and output on the terminal."""

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
MOST_VALUES = 20  # of a list in a printed report
MINUTE = 60.0  # seconds between two reports of progress without a terminal
INTERRUPTED = 130  # the exit code that shells use for Ctrl-C


def note(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    from schedproof.core.errors import printable

    say(f"note: {printable(str(message))}", sys.stderr)


def log_to_stderr() -> None:
    logger = logging.getLogger("schedproof")
    if not logger.handlers:
        logger.addHandler(Notes())
        logger.setLevel(logging.INFO)


class Notes(logging.Handler):
    """A log handler that prints notes."""

    def emit(self, record: logging.LogRecord) -> None:
        say(f"note: {record.getMessage()}", sys.stderr)


BETWEEN_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def pairs(words: list[str], what: str = "--option", like: str = "") -> dict[str, str]:
    from schedproof.core.errors import InputError

    for word in words:
        if "=" not in word:
            raise InputError(f"{what} {word}: expected key=value{like and f', like {like}'}")
    names = [word.partition("=")[0] for word in words]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{what} {name}: expected one value, found several")
    return dict(word.split("=", 1) for word in words)


def plug_ins_first(words: list[str]) -> list[str]:
    """Return the command line with every ``--plugin FILE.py`` before the command."""
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
    """Return a usage error as one sentence, with the help to consult."""
    from schedproof.core.errors import printable

    command = error.ctx.command_path if error.ctx is not None else "schedproof"
    words = " ".join(error.format_message().split()).rstrip(".").replace(". Did you", "; did you")
    words = words.replace("valid int range", "valid integer").replace("valid float range", "valid number")
    return printable(f"{words[:1].lower()}{words[1:]}; see `{command} --help`")


def completion_of(kind: str) -> Callable[[str], list[str]]:
    def names(incomplete: str) -> list[str]:
        from schedproof.core.cards import registry

        known = {name for id in registry.entries(kind) for name in (id, id.partition(".")[2]) if name}
        return sorted(name for name in known if name.startswith(incomplete))

    return names


def names_to_choose(kind: str) -> str:
    """Return the possible values of a command's first argument, for its help."""
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
    from schedproof.core.errors import printable
    from schedproof.core.runtime.files import encode

    if as_json:
        say_at_once(encode(result() if callable(result) else result).decode(), stream or sys.stdout)
        return
    for line in lines:
        for row in line.split("\n"):
            say(printable(row), stream)


def read_file(file: Path) -> Path:
    """Return the file to read; ``-`` gives standard input, and a pipe is stored first.

    Raises
    ------
    InputError
        If a pipe sends more than 1 GiB, or if standard input is closed.
    """
    import os
    from tempfile import TemporaryFile

    from schedproof.core.errors import InputError

    if file != DASH:
        return file
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file", file="-")
    if not STDIN.is_file():
        left = MOST_PIPED
        with TemporaryFile() as kept:
            while left > 0 and (block := sys.stdin.buffer.read(1 << 20)):
                kept.write(block)
                left -= len(block)
            if left <= 0:
                raise InputError(f"expected at most {MOST_PIPED >> 20} MiB on standard input; name a file", file="-")
            kept.flush()
            os.dup2(kept.fileno(), 0)
    return STDIN


def print_file(write: Callable[[Path], object]) -> None:
    """Print the file that `write` writes.

    Raises
    ------
    InputError
        If large arrays are stored next to the file.
    """
    from tempfile import TemporaryDirectory

    from schedproof.core.errors import InputError

    with TemporaryDirectory() as folder:
        file = Path(folder) / "printed"
        write(file)
        if len([*file.parent.iterdir()]) > 1:
            raise InputError("expected a file name: large arrays are stored in files next to it", file="-")
        say_at_once(file.read_text(encoding="utf-8").removesuffix("\n"), sys.stdout)


def complain(sentence: str) -> None:
    """Print an error on stderr; a closed stderr does not change the exit code."""
    import os

    try:
        say(f"schedproof: {sentence}", sys.stderr)
        sys.stderr.flush()
    except (OSError, ValueError):  # closed, perhaps by a policy
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # discard the rest of the buffer


COLOURED = (  # the name of a regex group is its colour
    r"^(?P<red>schedproof:|NOT \w+)|^(?P<green>feasible|proven)\b|^(?P<yellow>note:)",
    r"^ *\S+ {2,}((?P<red>refuted( as printed)?)|(?P<yellow>holds under an assumption|undecided|ill posed))\b",
    r"^ *\S+ {2,}(?P<yellow>argued( under an assumption)?|cited)\b",
    r"^ *\S+ {2,}(?P<green>holds)(?! under an assumption)\b",
    r"^ +((?P<green>yes)|(?P<red>no)|(?P<yellow>undetermined)): ",
)


def say_at_once(text: str, stream: TextIO) -> None:
    """Print a text; exit with 0 if the reader has closed the pipe."""
    from schedproof.core.runtime.streams import ReaderLeft

    try:
        print(text, file=stream)
    except BrokenPipeError:
        raise ReaderLeft from None


def say(line: str, stream: TextIO | None = None) -> None:
    """Print a line; a terminal wraps it between words and colours verdicts."""
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
    """Yield the lines of two columns; on a terminal the second column is wrapped."""
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
    yield from table([(f"{page.kind} {page.id}", page.sentence)])
    yield from table([*page.more.items()], "  ")
    yield from table([(o["option"], _option_words(o)) for o in page.options], "  ")
    cells = [[*row.values()] for row in page.rows]
    yield from table([(first, "  ".join(rest)) for first, *rest in cells], "    ")
    if built := page.built():
        yield "  rows and variables for the first draw, each with its first index, as in block.model():"
        rows = [(row["many"], f"{row['name']}{':  ' if row['first'] else ''}{row['first']}") for row in built]
        yield from table(rows, "    ")
    yield from (f"    {line}" for line in page.text.splitlines())


def _option_words(option: dict[str, str]) -> str:
    usual = f"; default {option['default']}" if option["default"] else ""
    return f"{option['meaning']} ({option['expected']}{usual})"


PICTURES = (".png", ".pdf", ".svg", ".jpg")  # supported by matplotlib on every system


def writable(file: Path, picture: bool = False) -> None:
    """Check an output's location before the work starts.

    Raises
    ------
    InputError
        For a missing folder, or an unknown kind of picture.
    """
    from schedproof.core.errors import InputError
    from schedproof.core.runtime import files

    files.writable(file)
    if picture and file.suffix.lower() not in PICTURES:
        raise InputError(f"expected a picture's name, ending in one of {', '.join(PICTURES)}", file=str(file))


def instance_of(path: Path) -> Instance:
    """Read an instance file and print its notes on stderr.

    Garbage collection is off while the instance is read; its objects are exempt afterwards.
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
    """Show a progress bar on stderr; without a terminal, print a line each minute."""
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
    """Return the result of `work`, or on Ctrl-C its best result and the interrupt."""
    import signal

    from schedproof.core.runtime.deadline import Interrupted

    try:
        return work(), None
    except Interrupted as early:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # print the best result without interruption
        best: T = early.best
        return best, early


@contextmanager
def resumable(store: Path) -> Iterator[None]:
    """If the work ends early, print where finished results are stored."""
    from schedproof.core.errors import printable
    from schedproof.core.runtime.supervision import say_at_an_early_end

    say_at_an_early_end(printable(f"finished results are in {store}; the same command resumes from there"))
    yield
    say_at_an_early_end("")


def draw(file: Path, result: Any) -> None:
    from schedproof.core.simulation.pictures import save

    save(result.plot().figure, file)


def report_lines(report: dict[str, Any], indent: str = "  ") -> list[str]:
    lines = []
    for key, entry in report.items():
        if isinstance(entry, dict):
            lines += [f"{indent}{key}:", *report_lines(entry, indent + "  ")]
        elif isinstance(entry, list) and not all(isinstance(row, dict) for row in entry):
            words = ", ".join(map(str, entry)) if len(entry) <= MOST_VALUES else f"{len(entry)} values, in --json"
            lines.append(f"{indent}{key}: {words}")
        elif isinstance(entry, list):
            lines += [f"{indent}{key}:"]
            lines += [f"{indent}  {', '.join(f'{k} {v}' for k, v in row.items())}" for row in entry]
        else:
            lines.append(f"{indent}{key}: {entry}")
    return lines
