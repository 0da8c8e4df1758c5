"""Durations by GPUs: a hyperbolic tangent through two given times."""

from __future__ import annotations

from decimal import Decimal
from math import tanh

from schedproof.core.errors import InputError

GRID = Decimal("0.001")  # decimals of a time in slots
HALVINGS = 200  # bisections of an interval: more than a double has digits


def times(slowest: Decimal, fastest: Decimal, at: int, length: int) -> list[Decimal]:
    """Return the slots with g = 1, ..., ``most`` GPUs, in proportion to 1 / tanh(k g).

    The time with one GPU is ``slowest``, and with ``at`` GPUs ``fastest``; they determine k. The speed grows
    sub-linearly, as in the paper. These two times are exact, the others are rounded to thousandths of a slot. If the
    two are equal, all times are equal.

    Raises
    ------
    InputError
        If slowest / fastest >= ``at``: no such curve is sub-linear.
    """
    if slowest == fastest:
        return [slowest] * length
    ratio = float(slowest / fastest)
    if ratio >= at:
        raise InputError(
            f"expected less than {at} times as long with 1 GPU as with {at}, not {slowest} and {fastest} slots: "
            "speeds grow sub-linearly"
        )
    low, high = 1e-9, 100.0
    for _ in range(HALVINGS):  # tanh(k at) / tanh(k) falls from at to 1 as k grows
        middle = (low + high) / 2
        low, high = (middle, high) if tanh(middle * at) / tanh(middle) > ratio else (low, middle)
    exact = {1: slowest, at: fastest}
    curve = (
        max(GRID, Decimal(float(slowest) * tanh(low) / tanh(low * g)).quantize(GRID)) for g in range(1, length + 1)
    )
    return [exact.get(g, slots) for g, slots in enumerate(curve, start=1)]
