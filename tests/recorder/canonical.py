"""Canonical texts of values: rationals as texts, rounded doubles, no times."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

DIGITS = 9  # of a double
UNSTABLE = re.compile(
    r"seconds|version|software|made_with|memory|elapsed"
)  # keys whose values are the clock's or the machine's


def canonical(value: Any) -> Any:
    """The JSON value of an object: rationals as texts, rounded doubles, no times."""
    if isinstance(value, Mapping):
        kept = {str(key): canonical(each) for key, each in value.items() if not UNSTABLE.search(str(key))}
        return dict(sorted(kept.items()))
    if fields := getattr(value, "__struct_fields__", ()):
        return canonical({field: getattr(value, field) for field in fields})
    if isinstance(value, list | tuple):
        return [canonical(each) for each in value]
    if isinstance(value, msgspec.Struct):  # a row of a file: what is written, whatever its class is called
        return canonical(msgspec.to_builtins(value, builtin_types=(Decimal,)))
    if hasattr(value, "blocks"):  # a large array that lies beside a file
        return [canonical(block) for block in value.blocks()]
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    if value is None or isinstance(value, str | int | bool):
        return value
    return canonical(value.tolist()) if hasattr(value, "tolist") else str(value)


def text_of(value: Any) -> str:
    return json.dumps(canonical(value), indent=1, ensure_ascii=False)


def digest(value: Any) -> str:
    """Sixteen digits of a value's SHA-256."""
    return hashlib.sha256(text_of(value).encode()).hexdigest()[:16]
