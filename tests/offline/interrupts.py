"""An interrupt at a chosen time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np

from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted


def pressed_at_once(_: Context, work: Callable[[Context], object]) -> None:
    pressed, kept = Event(), list[np.ndarray]()
    pressed.set()
    work(Context(keep=kept.append, interrupted=pressed))
    raise Interrupted(kept[-1])
