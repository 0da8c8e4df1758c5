"""Encoding of jrp schedule files, with short decimals or fractions for rates."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.base.numbers import LARGEST, as_text, exact, from_text
from schedproof.core.base.untyped import Scope, Value
from schedproof.core.data.codecs import Codec, position
from schedproof.core.errors import InputError

SHORT = Context(prec=17)  # most digits of a decimal in a file; longer numbers are written as num/den
RATIO = re.compile(r"-?[0-9]+/[0-9]+")


def _node(name: str, path: str, row: Value, instance: Scope) -> int:
    job = instance.jobs[position(instance, "jobs", row.job, path)]
    for node in job.nodes:
        if node.name == name:
            return int(node.index)
    raise InputError(f"expected the name of a data node of {row.job}", path=path, value=name)


def _node_name(node: int, placement: Value, instance: Scope) -> str:
    name: str = instance.jobs[placement.job].nodes[node].name
    return name


def _number(value: Fraction, *around: Value) -> Decimal | str:
    """Return a decimal if a short one is exact, else num/den."""
    decimal = SHORT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return decimal if Fraction(decimal) == value and -18 <= decimal.adjusted() < 17 else as_text(value)


def _amount(value: Any, path: str, *around: Value) -> Fraction:
    try:
        if isinstance(value, str) and not RATIO.fullmatch(value):
            raise ValueError("expected a number, or num/den")
        number = from_text(value) if isinstance(value, str) else exact(value)
        if abs(number) > LARGEST:
            raise ValueError("expected a magnitude of at most 1e18")
        return number
    except ZeroDivisionError:
        raise InputError("expected a denominator > 0", path=path, value=value) from None
    except ValueError as error:
        raise InputError(str(error).split(";")[0], path=path, value=value) from None


NODE = Codec(str, _node, _node_name)
RATE = Codec(Any, _amount, _number)
