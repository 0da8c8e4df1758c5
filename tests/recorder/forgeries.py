"""A section about certificates and strategies with a single change."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.recorder.product import EMBEDDED, Items, call, in_folder, rows

GAMES = ("bin_stretching drop=2", "dmlrs.offers fits=3", "preemptive.arrivals", "multiserver.regret")


def forgeries() -> Items:
    """Changed certificates and strategies, with the output of their checkers."""
    for family in EMBEDDED:
        for id in rows(family)["bound"]:
            yield id, functools.partial(forged, bound_files(id, family), "check-bound instance.json proof.json")
    for game in GAMES:
        name, *options = game.split()
        words = ["game", name, *(word for each in options for word in ("--option", each)), "--out", "proof.json"]
        yield f"game {name}", functools.partial(forged, written(*words), "check-game proof.json")
    for step in ("constant", "decayed", "anytime"):
        words = ["worst-regret", "multiserver", *("--option", f"step={step}"), "--option", "slots=3"]
        make = written(*words, "--certificate", "proof.json")
        yield f"regret {step}", functools.partial(forged, make, "check-regret proof.json")


def written(*words: str) -> Callable[[], None]:
    """Run a command that must write a proof."""

    def write() -> None:
        code, _, error = call(*words)
        assert code == 0, error

    return write


def bound_files(id: str, family: str) -> Callable[[], None]:
    def write() -> None:
        written("generate", family, "--seed", "1", "--out", "instance.json")()
        written("bound", id, "instance.json", "--certificate", "proof.json")()

    return write


def forged(write: Callable[[], None], check: str) -> list[Any]:
    """The valid file, and the checker's output for forty changes."""
    with in_folder():
        write()
        honest = Path("proof.json").read_text()
        said: list[Any] = [honest, call(*check.split())[:2]]
        for seed in range(40):
            Path("proof.json").write_text(json.dumps(changed(json.loads(honest), random.Random(seed))))
            code, out, error = call(*check.split())
            said.append([code, out, error])
        return said


def changed(value: Any, rng: random.Random) -> Any:
    """A JSON object with one number, word, entry or field changed."""
    where = value
    while True:
        places = list(where) if isinstance(where, dict) else list(range(len(where)))
        key = rng.choice(places)
        if not isinstance(where[key], dict | list) or not where[key] or rng.random() < 0.1:
            break
        where = where[key]
    one = where[key]
    if rng.random() < 0.2 or isinstance(one, dict | list):
        del where[key]
    elif isinstance(one, str) and re.fullmatch(r"-?\d+(/\d+)?", one):
        where[key] = str(Fraction(one) + rng.choice((-1, 1)) * Fraction(1, rng.choice((1, 7, 1000))))
    elif isinstance(one, int | float) and not isinstance(one, bool):
        where[key] = one + rng.choice((-1, 1, 1000))
    else:
        where[key] = rng.choice((None, "", 7, "0", ["1"]))
    return value
