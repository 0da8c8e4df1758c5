"""Record the digest of every item of a section, or compare it with the record."""

from __future__ import annotations

import contextlib
import difflib
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.recorder import claims, command_lines, forgeries, results
from tests.recorder.canonical import canonical, digest, text_of
from tests.recorder.product import Items

DIGESTS = Path(__file__).parents[1] / "recorded" / "digests"
SECTIONS: dict[str, Callable[[], Items]] = {
    "claims": claims.claims,
    "answers": claims.answers,
    "witnesses": claims.witnesses,
    "stored": claims.stored,
    "generators": results.generators,
    "values": results.values,
    "schedules": results.schedules,
    "bounds": results.bounds,
    "models": results.models,
    "forgeries": forgeries.forgeries,
    "options": command_lines.options,
    "names": command_lines.names,
    "commands": command_lines.commands,
}


class TooLong(BaseException):
    """An end of an item; it is no Exception and thus no failure of the item."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[list[bool]]:
    """Stop a block after this processor time, and then fill the list."""
    late: list[bool] = []

    def ring(*_: object) -> None:
        late.append(True)
        raise TooLong

    signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield late
    except BaseException:  # what it was turned into on its way
        if not late:
            raise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def record(section: str, seconds: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the digests and items of a section; slow items are listed by name."""
    left_out: list[str] = []
    digests: dict[str, str] = {}
    full: dict[str, Any] = {}
    for name, compute in SECTIONS[section]():
        with at_most(seconds) as late:
            value = canonical(compute())
        if late:
            left_out.append(name)
        else:
            full[name], digests[name] = value, digest(value)
    return {"left_out": left_out, "digests": digests}, full


def compare(section: str, items: Path | None = None, only: str = "") -> list[str]:
    """Return the changed, missing and new items.

    Parameters
    ----------
    items
        Folder with the items, to print the changes.
    only
        Text in the names of the compared items.
    """
    full = json.loads((items / f"{section}.json").read_text()) if items else {}
    recorded = json.loads((DIGESTS / f"{section}.json").read_text())
    before, told = dict(recorded["digests"]), []
    for name, compute in SECTIONS[section]():
        expected = before.pop(name, "")
        if name in recorded["left_out"] or only not in name:
            continue
        if not expected:
            told.append(f"{name} is new")
            continue
        try:
            value = canonical(compute())
        except Exception as error:
            told.append(f"{name} fails: {error!r}")
            continue
        if digest(value) != expected:
            told.append(f"{name} differs")
            told += difference(full[name], value) if name in full else []
    return told + [f"{name} is gone" for name in before if only in name]


def difference(before: Any, now: Any) -> list[str]:
    """The lines of the canonical text that changed."""
    lines = difflib.unified_diff(text_of(before).splitlines(), text_of(now).splitlines(), lineterm="", n=1)
    return [f"    {line[:300]}" for line in list(lines)[3:43]]


def write(path: Path, value: Any) -> None:
    """A JSON file, a line for each entry."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
