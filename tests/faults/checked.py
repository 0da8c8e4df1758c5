"""Hostile files for the checkers: rejected, or judged."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.check import bound, game, optimum, ratio, regret
from schedproof.core.data.arrays import write_object
from schedproof.core.programs.proof import with_proof
from schedproof.core.runtime.context import USUAL
from schedproof.core.runtime.files import encode
from tests.certificates import FORGERIES, honest
from tests.check.test_optimum import EXHAUSTIVE
from tests.faults.guard import Attempt
from tests.faults.hostile import change, file_of, text_of
from tests.instances.broken import formats
from tests.instances.fuzz import at, paths
from tests.support import FAMILIES

Rng = random.Random
GAMES: dict[str, dict[str, Any]] = {
    "bin_stretching": {},
    "dmlrs.offers": {},
    "preemptive.arrivals": {},
    "multiserver.regret": {},
    "placement.starts": {},
}
REGRETS = (
    {"step": "constant", "slots": 3, "initial": "7/3"},
    {"step": "decayed", "slots": 4},
    {"step": "anytime", "slots": 6},
    {"step": "printed53", "slots": 4},
)
LARGE = [10**9, 10**6, 16_000_000, 10**5, 10**4, 1000, 10**18, 10**300]
LONG = ["9" * 4000 + "/7", "1/" + "3" * 4000, "1/1000003", "1/" + "7" * 150]
LARGEST = 20_000_000  # bytes of a file with more in it, about
REPEATS = (3, 30, 300, 3000, 30_000, 300_000)


def enlarged(rng: Rng, value: Any) -> Any:
    """Return a file's object with large numbers, long texts or repeated items."""
    places = paths(value)
    for _ in range(rng.randrange(1, 6)):
        *keys, last = rng.choice(places)
        try:
            place = at(value, keys)
            inside = place[last]
            if isinstance(inside, list):
                repeats = rng.choice(REPEATS)  # of a list that may stand in many places by now
                place[last] = (inside or [rng.choice([0, 1, "1"])]) * min(repeats, 1 + LARGEST // len(encode(value)))
            elif isinstance(inside, str):
                place[last] = rng.choice(LONG)
            else:
                place[last] = rng.choice(LARGE)
        except (KeyError, IndexError, TypeError):
            pass  # an earlier change took that place away
    return value


def _content(rng: Rng, honest: bytes, words: list[Any]) -> bytes:
    value = json.loads(honest)
    kind = rng.random()
    if kind < 0.5:
        return text_of(enlarged(rng, value))
    return text_of(change(rng, value, words)) if kind < 0.8 else file_of(rng, value, words)


def _judge(check: Callable[..., Any], refused: type[Exception], *files: Path) -> str:
    try:
        check(*map(str, files))
    except refused as error:
        assert str(error).isprintable() and len(str(error)) < 2000, repr(str(error))
        return "not proven"
    return "proven"


@cache
def _strategy(name: str) -> bytes:
    return encode(sp.game(name, **GAMES[name]).to_file())


def game_case(seed: int, folder: Path) -> Attempt:
    rng, file = Rng(f"checked game {seed}"), folder / "strategy.json"
    name = rng.choice(list(GAMES))
    content = _content(rng, _strategy(name), [name, "1/3", -1, *LARGE])
    file.write_bytes(content)
    return Attempt(
        f"game {name}, {len(content)} bytes: {content!r:.1000}", lambda: _judge(game.check, game.Refused, file)
    )


@cache
def _regret(number: int) -> bytes:
    return encode(sp.worst_regret("multiserver", **REGRETS[number]).to_file())  # type: ignore[arg-type]


def regret_case(seed: int, folder: Path) -> Attempt:
    rng, file = Rng(f"checked regret {seed}"), folder / "regret.json"
    if rng.random() < 0.2:
        content = encode(_all_slots(rng))
    else:
        content = _content(rng, _regret(rng.randrange(len(REGRETS))), ["anytime", "1/3", -1, *LARGE])
    file.write_bytes(content)
    words = f"regret, {len(content)} bytes: {content!r:.1000}"
    return Attempt(words, lambda: _judge(regret.check, regret.Refused, file))


def _all_slots(rng: Rng) -> dict[str, Any]:
    slots, step = rng.choice([1, 10, 25, 40]), rng.choice(["anytime", "printed53"])
    wide = rng.choice([1, 100, 101, 3000])
    pairs, turns = slots * (slots + 1) // 2, slots * (slots - 1)
    patterns = [f"{n:0{rng.choice([1, 3, 6])}b}".ljust(slots, "?")[:slots] for n in range(rng.choice([1, 8, 64]))]
    proofs = [
        {
            "upper": "1/1",
            "paid": paid,
            "moves": [rng.getrandbits(127) for _ in range(slots)],
            "distances": [rng.getrandbits(127) for _ in range(pairs)],
            "projections": [rng.getrandbits(127) for _ in range(turns)],
        }
        for paid in (patterns if step == "printed53" else ["1" * slots])
    ]
    return {
        "version": 1,
        "step": step,
        "slots": slots,
        "options": {},
        "lower": "0/1",
        "upper": "1/1",
        "paid": "1" * slots,
        "points": [[0] * wide] * (slots + 1),
        "moves": [[0] * wide] * slots,
        "proofs": proofs,
    }


RULES = {"srtf": {"sizes": 2, "present": 3}, "placement.tiresias": {"machines": 1, "sizes": 3, "present": 3}}


@cache
def _ratio(policy: str) -> tuple[str, bytes]:
    found = sp.prove(policy, **RULES[policy])
    return found.rule.text, encode(found.to_file())


def ratio_case(seed: int, folder: Path) -> Attempt:
    rng, rule, file = Rng(f"checked ratio {seed}"), folder / "rule.py", folder / "ratio.json"
    text, certificate = _ratio(rng.choice(list(RULES)))
    content = _content(rng, certificate, ["1/3", -1, *LARGE])
    rule.write_text(text)
    file.write_bytes(content)
    words = f"ratio, {len(content)} bytes: {content!r:.1000}"
    return Attempt(words, lambda: _judge(ratio.check, ratio.Refused, rule, file))


SETTINGS: tuple[dict[str, Any], ...] = (  # of a least ratio of any policy
    {"sizes": 2, "present": 3},
    {"machines": 1, "sizes": 3, "present": 3, "schedules": "whole"},
    {"sizes": 2, "present": 3, "schedules": "pinned", "speed": "3/2"},
)


@cache
def _best(number: int) -> bytes:
    return encode(sp.best_ratio(**SETTINGS[number]).to_file())


def best_case(seed: int, folder: Path) -> Attempt:
    rng, file = Rng(f"checked best {seed}"), folder / "best.json"
    content = _content(rng, _best(rng.randrange(len(SETTINGS))), ["1/3", "pinned", "whole", -1, *LARGE])
    file.write_bytes(content)
    words = f"best, {len(content)} bytes: {content!r:.1000}"
    return Attempt(words, lambda: _judge(ratio.check, ratio.Refused, file))


@cache
def _bounds(family: str) -> list[tuple[bytes, bytes]]:
    return [
        (encode(instance.to_json()), encode(bound.to_file())) for _, instance, bound in islice(honest(family, 24), 24)
    ]


def bound_case(seed: int, folder: Path) -> Attempt:
    rng, of, file = Rng(f"checked bound {seed}"), folder / "instance.json", folder / "bound.json"
    family = FAMILIES[seed % len(FAMILIES)]
    instance, certificate = rng.choice(_bounds(family))
    given, row = json.loads(instance), json.loads(certificate)
    kind = rng.random()
    if kind < 0.3:
        enlarged(rng, row["multipliers"])
    elif kind < 0.5:
        given = enlarged(rng, given)
    elif kind < 0.6:
        rng.choice(FORGERIES)(rng, row, sp.read(_written(folder, given)))
    content = encode(row) if kind < 0.6 else _content(rng, certificate, ["1/3", -1, *LARGE])
    of.write_bytes(text_of(given) if rng.random() < 0.9 else file_of(rng, given, formats()[family].words))
    if kind < 0.6 and rng.random() < 0.9:  # whoever forges says what it is of
        try:
            row["instance_sha256"] = bound.identity(bound.read(str(of)))
            content = encode(row)
        except Exception:  # the file is no instance
            pass
    file.write_bytes(content)
    words = f"bound {row['program']}, {of.stat().st_size} and {len(content)} bytes: {content!r:.1000}"

    return Attempt(words, lambda: _judge(bound.check, bound.Refused, of, file))


@cache
def optima() -> list[tuple[bytes, bytes]]:
    found = []
    for program, (route, draw) in EXHAUSTIVE.items():
        for seed in range(2):
            instance = draw(seed)
            solution = sp.program(program).solve(instance, route)
            proven = with_proof(sp.program(program), instance, solution, USUAL)
            found.append((encode(instance.to_json()), encode(proven.proof)))
    return found


def optimum_case(seed: int, folder: Path) -> Attempt:
    rng, of, file = Rng(f"checked optimum {seed}"), folder / "instance.json", folder / "optimum.json"
    instance, proof = rng.choice(optima())
    words = ["1/3", -1, 0, *LARGE]
    of.write_bytes(_content(rng, instance, words) if rng.random() < 0.4 else instance)
    content = _content(rng, proof, words) if rng.random() < 0.8 else proof
    file.write_bytes(content)
    what = f"optimum, {of.stat().st_size} and {len(content)} bytes: {content!r:.1000}"
    return Attempt(what, lambda: _judge(optimum.check, optimum.Refused, of, file))


def _written(folder: Path, given: Any) -> Path:
    write_object(folder / "honest.json", given)
    return folder / "honest.json"
