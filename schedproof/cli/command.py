"""Commands made of functions: what one takes is read off its signature (`words`), what it returns is printed.

A function that takes ``**words`` takes every option of the function of its name in `schedproof`, or of another one.
It is given instances for the names of files, mappings for ``key=value``, and ``progress``, a bar on the terminal. What
it returns has ``to_json()`` and ``lines()``, and ``write(file)`` or ``plot()`` for its files; or it is an `Answer`.
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
    beginning,
    best_of,
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

Folder = Path  # that need not be there yet
WRITTEN = ("out", "certificate", "plot", "graph", "store")
Work = TypeVar("Work", bound=Callable[..., Any])
COMMANDS: dict[str, Command] = {}  # by name, in the order of the help


@dataclass(frozen=True)
class Answer:
    """What a command ends with, where no result says all of it.

    Attributes
    ----------
    result, lines
        What is printed, as JSON (or what makes that, called when it is asked for) or for a person.
    write, plot, write_graph
        What writes the file that was asked for, what draws the picture, and what writes the graph.
    error
        What ended the work early, and is raised in the end.
    """

    result: dict[str, Any] | Callable[[], dict[str, Any]]
    lines: Iterable[str]
    exit_code: int = 0
    write: Callable[[Path], object] | None = None
    plot: Callable[[], Any] | None = None
    write_graph: Callable[[Path], object] | None = None
    error: BaseException | None = None


def command(names: str = "", of: str = "", files: str = "", **usual: Any) -> Callable[[Work], Work]:
    """Make a function a command of its name.

    Parameters
    ----------
    names
        The kind of what its first argument names: a shell completes it, and the help lists all.
    of
        The function whose options ``**words`` are, ``module:function``.
    files
        The options of files that are written from what it returns: ``out plot``.
    usual
        Defaults that are others than in Python; ``...`` for what only Python has.
    """

    def register(work: Work) -> Work:
        COMMANDS[work.__name__.replace("_", "-")] = Command(work, names, of, files.split(), usual)
        return work

    return register


@dataclass(frozen=True)
class Command:
    """A function as a command; what it takes is read off when it is asked for.

    Attributes
    ----------
    work, names, of, files, usual
        As for `command`.
    """

    work: Callable[..., Any]
    names: str
    of: str
    files: Sequence[str]
    usual: Mapping[str, Any]

    @cached_property
    def run(self) -> Callable[..., None]:
        """The function for typer, with its parameters."""
        work, names = self.work, self.names
        own = signature(work).parameters
        home = self.of or (public(work.__name__) if "words" in own else "")
        parameters = _parameters(work, home, self.files, self.usual)
        taken = {*own, *(options_of(home) if home else ())}

        def run(**given: Any) -> None:
            with _naming(work):
                words = _read({name: given[flag(name)] for name in parameters}, parameters)
                mine = {name: word for name, word in words.items() if name in taken}
                with progress(work.__name__.replace("_", " ")) as report:
                    mine |= {"progress": report} if {"progress", "words"} & own.keys() else {}
                    found, early = best_of(lambda: work(**mine))
            if early is not None and work.__annotations__["return"] != "Any":
                raise KeyboardInterrupt from early  # the best is a part's, and says nothing of the whole
            if found is not None:
                _tell(_answer(found, early), {name: words[name] for name in self.files}, words["json"])

        first = next(iter(own), "")
        named = {first: f"A {names}; `schedproof show` prints its options."} if names else {}
        help = HELP | (texts_of(home) if home else {}) | named | parameter_texts(work.__doc__)
        kinds = {name: name for name in parameters if name in KINDS} | ({first: names} if names else {})
        complete = {name: beginning(kind) for name, kind in kinds.items()}
        shown = [for_typer(p, help.get(name, ""), complete.get(name)) for name, p in parameters.items()]
        run.__signature__ = signature(run).replace(parameters=shown)  # type: ignore[attr-defined]
        run.__annotations__, run.__doc__ = {p.name: p.annotation for p in shown}, help.get("")
        return run


@contextmanager
def _naming(work: Work) -> Iterator[None]:
    """Say of a wrong file which ones the command takes."""
    from schedproof.core.errors import WrongFile

    try:
        yield
    except WrongFile as error:
        arguments = [p for p in signature(work).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if not any("Path" in p.annotation or "Instance" in p.annotation for p in arguments):
            raise
        takes = f"{work.__name__.replace('_', '-')} takes {' '.join(p.name for p in arguments).upper()}"
        raise WrongFile(f"{error.expected}; {takes}", file=error.file) from None


def _parameters(work: Work, home: str, files: Iterable[str], usual: Mapping[str, Any]) -> dict[str, Parameter]:
    """All that is given on the command line, by name."""
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
    """What was given on the command line as the function takes it; that files can be written is checked before."""
    from schedproof.core.cards import registry
    from schedproof.core.errors import InputError

    for name in ("out", "certificate", "plot", "graph"):
        if given.get(name) is not None and "Folder" not in parameters[name].annotation and not to_stdout(name, given):
            writable(given[name], picture=name == "plot")
    for name, value in given.items():
        kind = parameters[name].annotation
        if value == "" != parameters[name].default:
            raise InputError(f"--{flag(name).replace('_', '-')}: expected a word, found none")
        if "Folder" in kind and value == DASH:
            raise InputError(f"--{name}: expected a folder, which cannot be printed")
        if name not in WRITTEN and ("Path" in kind or "Instance" in kind):
            given[name] = value = [*map(read_file, value)] if isinstance(value, list) else value and read_file(value)
        if "Mapping" in parameters[name].annotation:
            given[name] = pairs(value, f"--{flag(name).replace('_', '-')}")
        elif "Instance" in parameters[name].annotation:
            given[name] = value and instance_of(value)
    if given.get("family") is not None and parameters["family"].kind is Parameter.KEYWORD_ONLY:
        registry.family(given["family"])  # also where nothing depends on it
    return given


def to_stdout(name: str, given: Mapping[str, Any]) -> bool:
    """Whether a file is printed in place of being written."""
    return name != "plot" and given.get(name) == DASH


def _answer(found: Any, early: KeyboardInterrupt | None) -> Answer:
    if isinstance(found, Answer):
        return found
    write, plot, graph = (getattr(found, name, None) for name in ("write", "plot", "write_graph"))
    return Answer(found.to_json, found.lines(), write=write, plot=plot, write_graph=graph, error=early)


def _tell(answer: Answer, files: Mapping[str, Path | None], as_json: bool) -> None:
    """Write the files, print the rest, and end with the exit code; where a file is printed, the rest is on stderr."""
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
