"""Growth of regret: log-log slope with a confidence interval for dependent points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedproof.core.errors import InputError

POINTS = 8
SHARE = 4  # covariances of points up to (number of points) / SHARE apart count
DRAWS = 4000
LEVEL = 0.95


@dataclass(frozen=True)
class Slope:
    """A slope, its confidence interval, and the number of fitted points."""

    value: float
    low: float
    high: float
    points: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({LEVEL:.0%} interval {self.low:.3f} to {self.high:.3f}, {self.points} points)"


def log_log_slope(slots: np.ndarray, regret: np.ndarray, seed: int = 0) -> Slope:
    """Return the least-squares slope of ln(regret) in ln(slots) over positive regrets.

    The points of a curve are dependent, since each sum contains the previous one. The standard error is that of Newey
    and West, with Bartlett weights on the covariances up to a quarter of the points. The t statistic then has no normal
    limit. Its critical value is the simulated 95 % quantile for independent errors at the same points, drawn from
    ``seed``. Weakly dependent errors have the same limit (fixed-b asymptotics). The slope does not
    extrapolate beyond the last point.
    """
    slots, regret = np.asarray(slots, dtype=float), np.asarray(regret, dtype=float)
    used = regret > 0
    if used.sum() < POINTS:
        raise InputError(f"expected at least {POINTS} points with positive regret for a slope, found {int(used.sum())}")
    x, y = np.log(slots[used]), np.log(regret[used])
    value, error = _fit(x, y[:, None])
    noise = np.random.default_rng(seed).standard_normal((len(x), DRAWS))
    drawn, errors = _fit(x, noise)
    critical = float(np.quantile(np.abs(drawn) / errors, LEVEL))
    slope, reach = float(value[0]), critical * float(error[0])
    return Slope(slope, slope - reach, slope + reach, len(x))


def _fit(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = x - x.mean()
    slope = x @ y / (x @ x)
    score = x[:, None] * (y - y.mean(axis=0) - x[:, None] * slope)
    reach = max(1, len(x) // SHARE)
    long_run = (score**2).sum(axis=0)
    for lag in range(1, reach):
        long_run += 2 * (1 - lag / reach) * (score[lag:] * score[:-lag]).sum(axis=0)
    return slope, np.sqrt(np.maximum(long_run, 0)) / (x @ x)
