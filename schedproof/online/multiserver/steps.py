"""The step sizes of OGASched.

eta_t is a size divided by 1, by |g_t| or by the root of the sum of |g_s|^2 for s <= t.

=============  ==========================================  =================================
name           eta_t                                       source
=============  ==========================================  =================================
``constant``   D / (G sqrt T), or a number                 proof of Theorem 1
``decayed``    eta_0 lambda^(t - 1)                        Algorithm 1, line 33; Table II
``printed53``  D / (|g_t| sqrt T), 0 where g_t = 0         (53)
``anytime``    D / sqrt(2 sum_{s <= t} |g_s|^2)            Orabona, the paper's [32]
=============  ==========================================  =================================
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.simulation.policy import Hidden
from schedproof.online.multiserver.constants import diameter_squared, doubles, steepest_squared
from schedproof.online.multiserver.kernels import ALL, NOTHING, SLOT


@dataclass(frozen=True)
class StepRule:
    """A rule for the step eta_t = size decay^(t - 1) / measure.

    The measures are `kernels.NOTHING`, `SLOT` and `ALL`.
    """

    size: float
    measures: int = NOTHING
    decay: float = 1.0

    def sizes(self, first: int, count: int) -> np.ndarray:
        """Return the sizes (count,) of the slots from ``first`` on; slots count from 0."""
        return self.size * self.decay ** np.arange(first, first + count, dtype=np.float64)


@dataclass(frozen=True)
class Steps:
    """A step rule by name; the step size may depend on D, G and T of a system."""

    step: str = "constant"
    gain: str = "node"
    constants: str = "sharper"
    initial: Fraction | None = None
    decay: Fraction | None = None

    def __post_init__(self) -> None:
        if self.decay is not None and self.step != "decayed":
            raise InputError(f"decay={self.decay}: expected only with step=decayed")
        if self.initial is not None and self.step not in ("constant", "decayed"):
            raise InputError(f"initial={self.initial}: expected only with step=constant or step=decayed")

    def rule(self, system: Hidden) -> StepRule:
        if self.step == "decayed":
            decay = Fraction("0.9999") if self.decay is None else self.decay
            return StepRule(float(25 if self.initial is None else self.initial), decay=float(decay))
        if self.initial is not None:
            return StepRule(float(self.initial))
        numbers, horizon = doubles(system.graph, self.gain), system.horizon
        diameter = sqrt(diameter_squared(numbers, self.constants))
        if self.step == "printed53":
            return StepRule(diameter / sqrt(horizon), SLOT)
        if self.step == "anytime":
            return StepRule(diameter / sqrt(2), ALL)
        steepest = sqrt(steepest_squared(numbers, self.constants))
        return StepRule(diameter / (steepest * sqrt(horizon)) if steepest > 0 else 0.0)  # 0 if all gradients are 0


class StepSizes:
    """The steps eta_t of a step rule, slot by slot, with the kernels' digits."""

    def __init__(self, rule: StepRule) -> None:
        self.rule = rule
        self.slot, self.measured = 0, 0.0

    def next(self, square: float) -> float:
        """Return eta_t of the next slot, given |g_t|^2; 0 if the divisor is 0."""
        size = float(self.rule.sizes(self.slot, 1)[0])
        self.slot += 1
        if self.rule.measures == NOTHING:
            return size
        self.measured = square + (self.measured if self.rule.measures == ALL else 0.0)
        return size / sqrt(self.measured) if self.measured > 0 else 0.0
