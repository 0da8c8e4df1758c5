"""How long tasks take with what they are given: a hyperbolic tangent in the GPUs, calibrated to two times."""

from __future__ import annotations

from decimal import Decimal
from math import tanh

from schedproof.core.errors import InputError

GRID = Decimal("0.001")  # of a time in slots
HALVINGS = 200  # of an interval in which a number is sought: beyond a double's digits


def times(slowest: Decimal, fastest: Decimal, at: int, length: int) -> list[Decimal]:
    """Slots with 1, 2, ..., ``most`` GPUs: as 1 / tanh(k g), the slowest with one GPU and the fastest with ``at``.

    The speed grows sub-linearly, as the paper says. Both ends are exact, the other times are rounded to thousandths of
    a slot. With equal ends all are the same.

    Raises
    ------
    InputError
        When the slowest is as many times the fastest as there are GPUs, or more: no such curve is sub-linear.
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
