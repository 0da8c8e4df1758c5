"""Changed schedules: items removed, doubled or moved, and values replaced."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Json
from schedproof.core.data.reading import parse
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import encode
from schedproof.experiments.doctor.patient import Patient
from schedproof.instances import read_schedule

CHANGES, MOVES = 60, 1 / 3  # of each schedule, and the share of moves
HEAD = {"version", "family", "instance_sha256", "policy", "options", "seed", "software"}
Place = tuple[Json, Json]  # a list or an object, with the key of an item


def mutated(p: Patient) -> Iterator[tuple[str, AnyFamily]]:
    """Yield readable changed schedules, with the origin of the unchanged schedule."""
    rng, file = np.random.default_rng(p.seed), p.folder / "changed.json"
    whole = [(id, run.schedule) for id, run in p.runs.items() if run.feasible and not run.unusual_rules]
    whole += [(f"{id} by {name}", schedule) for id, name, _, schedule in p.decided]
    names = sorted({text for text in _leaves(p.document) if isinstance(text, str)})
    for source, schedule in whole:
        schedule.write(p.folder / "schedule.json", p.instance)
        document = _with_arrays(parse((p.folder / "schedule.json").read_bytes()), p)
        for _ in range(CHANGES):
            changed = deepcopy(document)
            if not (_move if rng.random() < MOVES else _change)(changed, names, rng):
                continue
            file.write_bytes(encode(changed))
            try:
                yield source, read_schedule(file, p.instance)
            except InputError:  # the reader has refused the changed file
                continue


def _with_arrays(document: Json, p: Patient) -> Json:
    apart = {key: document[key]["file"] for key in p.card.own.arrays if isinstance(document.get(key), dict)}
    return document | {key: np.load(p.folder / name).tolist() for key, name in apart.items()}


def _change(document: Json, names: list[str], rng: np.random.Generator) -> bool:
    places = [place for key, value in document.items() if key not in HEAD for place in _places(value)]
    if not places:
        return False
    for _ in range(int(rng.integers(1, 3))):
        within, key = places[int(rng.integers(len(places)))]
        if isinstance(within, list) and key >= len(within):  # an earlier change has removed the item
            continue
        kind = int(rng.integers(3))
        if isinstance(within, list) and kind == 0:
            del within[key]
        elif isinstance(within, list) and kind == 1:
            within.append(_other(deepcopy(within[key]), names, rng))
        else:
            within[key] = _other(within[key], names, rng)
    return True


def _move(document: Json, names: list[str], rng: np.random.Generator) -> bool:
    """Replace a name by another in all rows that also have a second name."""
    places = [place for key, value in document.items() if key not in HEAD for place in _places(value)]
    texts = [(row, [key for key, text in row.items() if isinstance(text, str)]) for row in _rows(places)]
    several = [(row, keys) for row, keys in texts if len(keys) > 1]
    if not several:
        return False
    row, keys = several[int(rng.integers(len(several)))]
    kept, gone = (row[keys[n]] for n in rng.choice(len(keys), 2, replace=False))
    new = names[int(rng.integers(len(names)))]
    for other, keys in several:
        if kept in (other[key] for key in keys):
            other.update({key: new for key in keys if other[key] == gone})
    return True


def _rows(places: list[Place]) -> list[dict[str, Json]]:
    return [within[key] for within, key in places if isinstance(within[key], dict)]


def _other(value: Json, names: list[str], rng: np.random.Generator) -> Json:
    if isinstance(value, str):
        return names[int(rng.integers(len(names)))]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, list | dict):
        inner = _places(value)
        if inner:
            within, key = inner[int(rng.integers(len(inner)))]
            within[key] = _other(within[key], names, rng)
        return value
    return value + int(rng.integers(-2, 3)) if rng.integers(2) else value * 2


def _places(value: Json) -> list[Place]:
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [place for key, item in items for place in ((value, key), *_places(item))]


def _leaves(value: Json) -> Iterator[Json]:
    for within, key in _places(value):
        if not isinstance(within[key], list | dict):
            yield within[key]
