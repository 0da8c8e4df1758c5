"""The source of a system or game: its file and the arguments of its class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from inspect import getsourcefile, signature
from pathlib import Path
from typing import Any

from schedproof.core.base.numbers import rounded
from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError, describe
from schedproof.core.runtime.files import sha256


def is_in_file(words: str) -> bool:
    """Whether the words are ``FILE.py:NAME``."""
    return re.fullmatch(r".+\.py:\w+", words) is not None


def made_of(words: str, given: Mapping[str, Value]) -> tuple[Any, dict[str, Value]]:
    """Return the object ``FILE.py:NAME`` made with these arguments, and the arguments.

    Raises
    ------
    InputError, SchedproofError
        If the file does not exist or cannot be imported, or the class refuses the arguments.
    """
    from schedproof.core.cards.plug_ins import named

    found = named(words)
    options = {name: _value(text) if isinstance(text, str) else text for name, text in given.items()}
    taken = signature(found).parameters if callable(found) else {}
    for name, value in options.items():
        default = getattr(taken.get(name), "default", None)
        if isinstance(value, str) and isinstance(default, int | Fraction):
            expected = "true or false" if isinstance(default, bool) else "a number"
            raise InputError(f"{words}: option {name}: expected {expected}, got {value!r}")
    try:
        return (found(**options) if callable(found) else found), options
    except Exception as error:  # any exception of the user's class
        raise InputError(f"{words} cannot be made of {options or 'no options'}: {describe(error)}") from error


def _value(text: str) -> Value:
    """Return the integer, fraction or truth value that the text is, else the text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return Fraction(text) if re.fullmatch(r"-?\d+(/[1-9]\d*|\.\d+)", text) else text


def options_of(system: Any) -> dict[str, Value]:
    """Return the arguments of a system's class, from attributes of the same names."""
    made, names = vars(system) if hasattr(system, "__dict__") else {}, signature(type(system)).parameters
    return {name: made[name] for name in names if type(made.get(name)) in (bool, int, Fraction, str)}


def file_of(system: Any) -> Path | None:
    try:
        found = getsourcefile(type(system))
    except (TypeError, OSError):
        return None
    return Path(found) if found and Path(found).is_file() else None


def hash_of(source: Path | None, name: str) -> str:
    """Return the hash of a source file, for a certificate.

    Raises
    ------
    InputError
        Without a file.
    """
    if source is None:
        raise InputError(f"{name} is not defined in a file: write its class into FILE.py")
    return sha256(source.read_bytes())


def words_of(options: Mapping[str, Value]) -> str:
    """Return the arguments as text for a sentence."""
    return f" ({', '.join(f'{name}={value}' for name, value in options.items())})" if options else ""


def decimals(ratio: Fraction, *, up: bool = False) -> str:
    return f"{ratio} = {rounded(ratio, 6, up=up)}" if ratio.denominator > 1 else f"{ratio}"
