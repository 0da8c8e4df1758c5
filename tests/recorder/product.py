"""Access to the product: command lines, ids of a family, instances."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

EMBEDDED = {"preemptive": "day", "dmlrs": "cluster", "multiserver": "ports", "jrp": "cells", "placement": "clusters"}
Items = Iterator[tuple[str, Callable[[], Any]]]  # name -> how its value is computed


def call(*words: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line, in a terminal of 80 columns."""
    from schedproof.cli import main

    out, error, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["schedproof", *map(str, words)]),
        mock.patch.dict(os.environ, COLUMNS="80"),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, out.getvalue(), error.getvalue()


def answer(*words: object) -> Any:
    """The object that a command prints with ``--json``."""
    code, out, error = call(*words, "--json")
    assert code == 0, (words, code, error)
    return json.loads(out)


@functools.cache
def rows(family: str) -> dict[str, list[str]]:
    """The ids of a family by kind, and the presets of its generator."""
    pages = answer("show", family)["shown"]
    listed: dict[str, list[str]] = {"preset": []}
    for page in pages:
        if page["kind"] == "generator":
            listed["preset"] = page["presets"].split(", ")
        if page["kind"] == "family":
            for row in page["rows"]:
                listed.setdefault(row["kind"], []).append(row["id"])
    return listed


def choices(kind: str, id: str) -> list[dict[str, str]]:
    """Yield no option, then each value of each enumerated option."""
    page = next(page for page in answer("show", id)["shown"] if (page["kind"], page["id"]) == (kind, id))
    found: list[dict[str, str]] = [{}]
    for option in page.get("options", []):
        if option["expected"].startswith("one of "):
            words = option["expected"].removeprefix("one of ").split(", ")
            found += [{option["option"]: word} for word in words if word != option["default"] and " " not in word]
    return found


def named(id: str, where: str, options: Mapping[str, str]) -> str:
    """The name of an item: subject, instance and options."""
    return " ".join([id, where, *(f"{name}={value}" for name, value in options.items())])


def instances(family: str, presets: Sequence[str], seeds: Sequence[int]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The embedded instance of a family, and draws of its generator."""
    import schedproof as sp

    yield EMBEDDED[family], lambda: sp.embedded(EMBEDDED[family])
    for preset in presets:
        for seed in seeds:
            yield f"{preset}:{seed}", functools.partial(sp.generate, family, preset, seed)


def outcome(compute: Callable[[], Any]) -> Any:
    """A value, or the error's sentence."""
    from schedproof.core.errors import SchedproofError

    try:
        return compute()
    except SchedproofError as error:
        return f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def in_folder() -> Iterator[Path]:
    """An empty folder to work in."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)
