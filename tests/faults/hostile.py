"""Hostile values, texts, JSON files and bytes from one random generator."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.runtime.files import encode
from tests.instances.fuzz import at, paths

NUMBERS = [
    *("0", "-0", "-1", "1", "2", "3", "0.5", "1/2", "3/2", "1e-9", "1e9", "999999999", "1000000001", "2147483648"),
    *("9223372036854775807", "18446744073709551616", "1e18", "1e308", "1e309", "1e-400", "1e999999999", "-1e99999999"),
    *("nan", "inf", "-Infinity", "1/0", "0/0", "0x10", "1_000", "٣", "½", "1 / 2", "+1", ".5", "1e", "1.", "--1"),
    *("9" * 60, "9" * 5000, "1/" + "7" * 58, "7" * 30 + "/" + "9" * 29, "0." + "3" * 57, "1/" + "9" * 5000),
]
TEXTS = [
    *("", " ", "None", "null", "true", "exact", "usual", "all", "[]", "{}", "[1,2]", "[[1,0],[2,0]]", '{"a":1}', ","),
    *("1,2,3", "3,2,1", "1," * 3000 + "1", "[" * 3000, "a" * 10000, "\x00", "a\nb", "\u202e", "é", "..", "../x", "/"),
    *("nofile.npy", "nofile.json", "/dev/zero", "/dev/full", "/dev/null", "*", "%s%n", "$(id)", "__class__"),
]
KEYS = ["instance", "told", "self", "context", "options", "name", "id", "given", "what", "beyond", "__class__", ""]


def number_text(rng: random.Random) -> str:
    kind = rng.randrange(7)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind >= 5:  # of a usual size
        return rng.choice([str(rng.randrange(1, 20)), str(rng.randrange(1, 2000) / 1000), f"{rng.randrange(1, 9)}/7"])
    if kind == 1:
        return str(rng.randrange(10 ** rng.randrange(1, 20)))
    if kind == 2:
        return f"{rng.randrange(1, 10)}e{rng.randrange(-30, 30)}"
    if kind == 3:
        return f"{rng.randrange(10 ** rng.randrange(1, 28))}/{rng.randrange(1, 10 ** rng.randrange(1, 28))}"
    return str(rng.choice([-1, 1]) * rng.randrange(1, 10**6) / 10 ** rng.randrange(12))


def option_text(rng: random.Random, choices: Sequence[str] = ()) -> str:
    kind = rng.random()
    if choices and kind < 0.3:
        return rng.choice(choices)
    text = number_text(rng) if kind < 0.8 else rng.choice(TEXTS)
    return text if rng.random() < 0.95 else spoiled(rng, text.encode()).decode(errors="replace")


def option_value(rng: random.Random, choices: Sequence[str] = ()) -> Any:
    text = option_text(rng, choices)
    try:
        exact = Fraction(text) if len(text) < 400 and "e" not in text else Fraction(7, 3)
    except (ValueError, ZeroDivisionError):
        exact = Fraction(rng.randrange(-3, 10**9))
    others: list[Any] = [
        *(None, True, False, exact, int(exact), exact.numerator, -exact, [], (), {}, [text], (3, 2, 1), {text: 1}),
        *(float("nan"), float("inf"), -float("inf"), 1e308, 5e-324, 10**400, 10**5000, Decimal("NaN"), Decimal("1e99")),
        *(b"1", bytearray(3), 1j, object, object(), lambda: 1, range(10**9), np.float64(2), np.int8(-3), np.arange(3)),
        *(np.zeros((0, 3)), np.full((2, 2), np.nan), np.array(None), np.array(["a"]), Ellipsis, {1, 2}, iter([1, 2])),
    ]
    return text if rng.random() < 0.4 else rng.choice(others)


def json_value(rng: random.Random, words: Sequence[Any] = (), depth: int = 0) -> Any:
    """Return any JSON value; ``@...`` is a literal number."""
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind in (1, 2):
        text = number_text(rng)
        return f"@{text}" if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?(e-?\d+)?|nan|inf", text) else text
    if kind == 3:
        return rng.choice([0, 1, -1, 10**9, 10**9 + 1, 10**12, 10**18, 10**19, 2**63, 2**64, 10**400, 0.5, 1e-7])
    if kind == 4:
        return rng.choice(TEXTS)
    if kind == 5:
        return rng.choice([*words, ""])
    if kind == 6:
        return {
            "file": rng.choice(["x.npy", "../x.npy", "x.json", "", 3, None, "/dev/zero", "a/b.npy", "x" * 300 + ".npy"])
        }
    inner = [json_value(rng, words, depth + 1) for _ in range(rng.randrange(4))]
    keys = ["a", "", "name", "file", *map(str, words[:5])]
    return inner if kind == 7 else {rng.choice(keys): each for each in inner}


def alike(rng: random.Random, value: Any) -> Any:
    """Return another value of the same kind, of any size."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([0, 1, 2, value + 1, value - 1, -value, 10**6, 10**9, 10**12, 10**18, 2**63 - 1])
    if isinstance(value, float):
        size = rng.choice([value, 1, 10, 1e9])
        return rng.choice(
            [f"@{rng.random() * size:.12f}", "@1e18", "@1e-18", "@0.0", "@1e300", f"@-{rng.random():.6f}"]
        )
    if isinstance(value, str):
        digits = f"1/{rng.randrange(10**3000, 10**4200)}"
        return rng.choice(
            [value + "x", "1/3", "7/2", "-1/3", "9" * 30 + "/7", "1/" + "7" * 200, "9" * 4000 + "/7", digits]
        )
    return value[:1] * 3 if isinstance(value, list) else value


def change(rng: random.Random, value: Any, words: Sequence[Any] = ()) -> Any:
    """Change one to three parts of a JSON value in place."""
    places = paths(value)
    for _ in range(rng.randrange(1, 4)):
        *keys, last = rng.choice(places)
        try:
            place = at(value, keys)
            kind = rng.randrange(10)
            if kind == 0:
                del place[last]
            elif kind == 1 and isinstance(place, dict):
                place[rng.choice(["", "a", "name", "file"])] = place.pop(last)
            elif kind == 2 and isinstance(place, list):
                place += [place[last]] * rng.choice([1, 1, 1, 2000])
            elif kind == 3 and isinstance(place, dict):
                place[rng.choice(["", "a", "file", "\x00"])] = json_value(rng, words)
            elif kind == 4:
                place[last] = at(value, rng.choice(places))
            elif kind < 7:
                place[last] = alike(rng, place[last])
            else:
                place[last] = json_value(rng, words)
        except (KeyError, IndexError, TypeError):
            pass  # an earlier change took that place away
    return value


def text_of(value: Any) -> bytes:
    """Return a value as JSON text; a cyclic value becomes a deeply nested one."""
    try:
        encoded = json.dumps(value, default=lambda number: f"@{number}")
    except (ValueError, RecursionError):
        encoded = '{"a":' * 100_000
    names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    return re.sub(r'"@([^"]*)"', lambda found: names.get(found[1], found[1]), encoded).encode()


def spoiled(rng: random.Random, content: bytes) -> bytes:
    """Return the bytes with some bytes replaced, removed, doubled or inserted."""
    for _ in range(rng.randrange(1, 4)):
        start = rng.randrange(len(content) + 1)
        end = min(len(content), start + rng.choice([0, 1, 2, 10, 100]))
        put_in = rng.choice([b"", rng.randbytes(rng.randrange(1, 6)), content[start:end] * 2, b"9" * 5000, b"[" * 5000])
        content = content[:start] + put_in + content[end:]
    return content


def file_of(rng: random.Random, value: Any, words: Sequence[Any] = ()) -> bytes:
    if rng.random() < 0.3:
        return spoiled(rng, encode(value))
    return text_of(change(rng, json.loads(encode(value)), words))
