"""Sections about the command line: options, names, output, files, exit codes."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.recorder.product import EMBEDDED, Items, answer, call, in_folder, rows

RECORDED = Path(__file__).parents[1] / "recorded"


def command_names() -> list[str]:
    listed = call("--help")[1].partition("\nCommands:\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]


def options() -> Items:
    """The arguments, options and defaults of each command, without their sentences."""
    yield "commands", lambda: sorted(command_names())
    for name in command_names():
        yield name, functools.partial(options_of, name)


def options_of(name: str) -> list[str]:
    text = re.sub(r"\n {4,}", " ", call(name, "--help")[1])  # a row of the table on one line
    tables = "".join(re.split(r"^(?:Arguments|Options):$", text, flags=re.MULTILINE)[1:])
    found = re.findall(r"^  (-.*?|\S+(?=  ))(?:  +(.*))?$", tables, re.MULTILINE)
    return sorted(" ".join([row, *re.findall(r"\[[^\]]*\]", words)]) for row, words in found)


def names() -> Items:
    """The meaning of every name: options, defaults, groups, settings, and LaTeX."""
    for family in EMBEDDED:
        for listing in ("programs", "policies", "claims"):
            yield f"{family} {listing}", functools.partial(answer, listing, "--family", family)
        yield f"{family} family", functools.partial(call, "show", family, "--json")
        yield f"{family} schema", functools.partial(call, "schema", family)
        for kind in ("program", "policy", "bound", "trace", "game"):
            for id in rows(family).get(kind, []):
                yield f"{kind} {id}", functools.partial(call, "show", id, "--json")
                if kind == "program":
                    yield f"{kind} {id} latex", functools.partial(call, "show", id, "--latex")
                    yield f"{kind} {id} dual", functools.partial(call, "show", id, "--relaxed", "--dual", "--latex")


FILES = {"text.json": "no JSON", "list.json": "[]", "none.json": '{"family": "nobody"}', "pipe.json": '{"family": 7}'}


def commands() -> Items:
    """Exit code, ``--json`` and files of the lines in ``recorded/commands.txt``."""
    yield from said(lambda code, out, error, files: [code, json_of(out), bool(error), files])


def json_of(out: str) -> Any:
    try:
        return [json.loads(line) for line in out.splitlines()]
    except ValueError:
        return None


def said(kept: Callable[..., Any]) -> Items:
    """The results of command lines in a folder with the embedded instances."""
    for block in (RECORDED / "commands.txt").read_text().strip().split("\n\n"):
        yield block.splitlines()[0], functools.partial(run_block, block, kept)


def run_block(block: str, kept: Callable[..., Any]) -> list[Any]:
    import schedproof

    with in_folder() as folder:
        for day in EMBEDDED.values():
            file = next(Path(schedproof.__file__).parent.rglob(f"embedded/{day}.json"))
            Path(file.name).write_bytes(file.read_bytes())
        for name, text in FILES.items():
            Path(name).write_text(text)
        done = []
        for line in block.splitlines():
            before = {file.name for file in folder.iterdir()}
            code, out, error = call(*line.split())
            texts = (steady(text.replace(str(folder), ".")) for text in (out, error))
            new = sorted(file for file in folder.iterdir() if file.name not in before)
            done.append([line, kept(code, *texts, [file_row(file) for file in new])])
        return done


def steady(text: str) -> str:
    """A text without times."""
    text = re.sub(r"seconds: [\d.e-]+", "seconds: N", text.replace("note: compiling kernels, once\n", ""))
    return re.sub(r"\d+(\.\d+)?(e-\d+)? (s|ms|seconds)\b", "N s", text)


def file_row(file: Path) -> Any:
    """A new file: its name, and its content if it is text independent of the clock."""
    if file.suffix in (".json", ".csv", ".tex", ".html", ".vipr") and file.is_file():
        text = file.read_text()
        return [file.name, json.loads(text) if file.suffix == ".json" else text]
    return file.name
