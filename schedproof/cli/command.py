"""Make commands of functions: options from the signature, output from the result.

A function with ``**words`` also has the options of the function of the same name in `schedproof`, or of the function
`of`.
The function receives an instance for a file name, a mapping for ``key=value``, and ``progress``, a progress bar. It
returns an `Answer`, or an object with ``to_json()``, ``lines()``, and ``write(file)`` or ``plot()`` for files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, TypeVar

import typer

from schedproof.cli.terminal import (
    DASH,
    INTERRUPTED,
    best_of,
    completion_of,
    draw,
    instance_of,
    pairs,
    print_file,
    progress,
    read_file,
    tell,
    writable,
)
from schedproof.cli.words import HELP, flag, for_typer, options_of, parameter_texts, public, texts_of
from schedproof.core.cards.family import KINDS

Folder = Path  # a folder that may not exist yet
WRITTEN = ("out", "certificate", "plot", "graph", "store")
Work = TypeVar("Work", bound=Callable[..., Any])
LIKE = {"what_if": "machines=40..80, load=0.8,1,1.2 or speed=1..2/0.25"}  # examples of key=value
COMMANDS: dict[str, Command] = {}  # by name, in the order of the help


@dataclass(frozen=True)
class Answer:
    """The output of a command, if more than a result.

    Attributes
    ----------
    result, lines
        The output as JSON (or a function that returns it), and as text.
    write, plot, write_graph
        Functions that write the requested file, draw the picture, and write the graph.
    error
        The exception that interrupted the work; raised after the output.
    """

    result: dict[str, Any] | Callable[[], dict[str, Any]]
    lines: Iterable[str]
    exit_code: int = 0
    write: Callable[[Path], object] | None = None
    plot: Callable[[], Any] | None = None
    write_graph: Callable[[Path], object] | None = None
    error: BaseException | None = None


def command(names: str = "", of: str = "", files: str = "", **usual: Any) -> Callable[[Work], Work]:
    """Return a decorator that makes a function a command.

    Parameters
    ----------
    names
        The kind of names that the command's first argument takes, for completion and help.
    of
        The function with the options for ``**words``, as ``module:function``.
    files
        The options that name output files, like ``out plot``.
    usual
        Defaults that differ from those in Python; ``...`` hides an option.
    """

    def register(work: Work) -> Work:
        COMMANDS[work.__name__.replace("_", "-")] = Command(work, names, of, files.split(), usual)
        return work

    return register


@dataclass(frozen=True)
class Command:
    """A function as a command; its options are read on demand. Fields: see `command`."""

    work: Callable[..., Any]
    names: str
    of: str
    files: Sequence[str]
    usual: Mapping[str, Any]

    @cached_property
    def run(self) -> Callable[..., None]:
        """The function with the signature that typer needs."""
        work, names = self.work, self.names
        own = signature(work).parameters
        home = self.of or (public(work.__name__) if "words" in own else "")
        parameters = _parameters(work, home, self.files, self.usual)
        taken = {*own, *(options_of(home) if home else ())}

        def run(**given: Any) -> None:
            with _with_usage(work):
                words = _read({name: given[flag(name)] for name in parameters}, parameters)
                mine = {name: word for name, word in words.items() if name in taken}
                with progress(work.__name__.replace("_", " ")) as report:
                    mine |= {"progress": report} if {"progress", "words"} & own.keys() else {}
                    found, early = best_of(lambda: work(**mine))
            if early is not None and work.__annotations__["return"] != "Any":
                raise KeyboardInterrupt from early  # `early.best` is the result of a part only
            if found is not None:
                _tell(_answer(found, early), {name: words[name] for name in self.files}, words["json"])

        first = next(iter(own), "")
        named = {first: f"A {names}; `schedproof show` prints its options."} if names else {}
        help = HELP | (texts_of(home) if home else {}) | named | parameter_texts(work.__doc__)
        kinds = {name: name for name in parameters if name in KINDS} | ({first: names} if names else {})
        complete = {name: completion_of(kind) for name, kind in kinds.items()}
        shown = [for_typer(p, help.get(name, ""), complete.get(name)) for name, p in parameters.items()]
        run.__signature__ = signature(run).replace(parameters=shown)  # type: ignore[attr-defined]
        run.__annotations__, run.__doc__ = {p.name: p.annotation for p in shown}, help.get("")
        return run


@contextmanager
def _with_usage(work: Work) -> Iterator[None]:
    from schedproof.core.errors import SchedproofError, WrongFile, describe, stopped_in_one_sentence
    from schedproof.core.runtime import deadline
    from schedproof.core.runtime.streams import ReaderLeft

    try:
        yield
    except MemoryError as error:
        raise SchedproofError(f"memory ran out: {describe(error)}") from error
    except WrongFile as error:
        arguments = [p for p in signature(work).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if not any("Path" in p.annotation or "Instance" in p.annotation for p in arguments):
            raise
        takes = f"{work.__name__.replace('_', '-')} takes {' '.join(p.name for p in arguments).upper()}"
        raise WrongFile(f"{error.expected}; {takes}", file=error.file) from None
    except (Exception, KeyboardInterrupt, ReaderLeft):
        raise
    except BaseException:
        if deadline.interrupted():
            raise
        with stopped_in_one_sentence():
            raise


def _parameters(work: Work, home: str, files: Iterable[str], usual: Mapping[str, Any]) -> dict[str, Parameter]:
    found = {name: p for name, p in signature(work).parameters.items() if name not in ("progress", "words")}
    option = partial(Parameter, kind=Parameter.KEYWORD_ONLY)
    more = [*options_of(home).values()] if home else []
    more += [option(name, default=None, annotation="Path | None") for name in files]
    if work.__annotations__["return"] != "None":
        more.append(option("json", default=False, annotation="bool"))
    found |= {p.name: p for p in more if p.name not in found}
    found = {name: p.replace(default=usual.get(name, p.default)) for name, p in found.items()}
    return {name: p for name, p in found.items() if p.default is not ...}


def _read(given: dict[str, Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    from schedproof.core.cards import registry
    from schedproof.core.errors import InputError

    written = {name for name in WRITTEN if name in parameters and parameters[name].kind is Parameter.KEYWORD_ONLY}
    for name in ("out", "certificate", "plot", "graph"):
        if name not in written or given.get(name) is None:
            continue
        if "Folder" not in parameters[name].annotation and not to_stdout(name, given):
            writable(given[name], picture=name == "plot")
    for name, value in given.items():
        kind = parameters[name].annotation
        if value == "" != parameters[name].default:
            raise InputError(f"--{flag(name).replace('_', '-')}: expected a value, found an empty text")
        if "Folder" in kind and value == DASH:
            raise InputError(f"--{name}: expected a folder's name, found -; a folder cannot be printed")
        if name not in written and ("Path" in kind or "Instance" in kind):
            given[name] = value = [*map(read_file, value)] if isinstance(value, list) else value and read_file(value)
        if "Mapping" in parameters[name].annotation:
            given[name] = pairs(value, f"--{flag(name).replace('_', '-')}", LIKE.get(name, ""))
        elif "Instance" in parameters[name].annotation:
            given[name] = value and instance_of(value)
    if given.get("family") is not None and parameters["family"].kind is Parameter.KEYWORD_ONLY:
        registry.family(given["family"])  # reject an unknown family even if it is not used
    return given


def to_stdout(name: str, given: Mapping[str, Any]) -> bool:
    return name != "plot" and given.get(name) == DASH


def _answer(found: Any, early: KeyboardInterrupt | None) -> Answer:
    if isinstance(found, Answer):
        return found
    write, plot, graph = (getattr(found, name, None) for name in ("write", "plot", "write_graph"))
    return Answer(found.to_json, found.lines(), write=write, plot=plot, write_graph=graph, error=early)


def _tell(answer: Answer, files: Mapping[str, Path | None], as_json: bool) -> None:
    """Write the files, print the result (on stderr if stdout has a file), and exit."""
    printed = any(to_stdout(name, files) for name in files)
    try:
        for name, file in files.items():
            write = answer.write_graph if name == "graph" else answer.write
            if file is not None and name == "plot":
                draw(file, answer)
            elif file is not None and write is not None:
                print_file(write) if to_stdout(name, files) else write(file)
    finally:
        tell(as_json, answer.result, answer.lines, sys.stderr if printed else sys.stdout)
    if answer.error is not None and not isinstance(answer.error, KeyboardInterrupt):
        raise answer.error
    if code := INTERRUPTED if answer.error else answer.exit_code:
        raise typer.Exit(code)
