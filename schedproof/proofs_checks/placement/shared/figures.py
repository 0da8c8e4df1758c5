"""Section V: printed percentages, and means of the authors' result files.

The means are those of the files ``*_jct.json`` that the authors published with their code, to two decimals. The
paper's figures are drawn from them, and the text's percentages agree with them (25.1 = 1 - 1232/1644, 28.6 = 1 - 5/7).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

HALF_DIGIT = Fraction(1, 200)  # by which a mean of two decimals may be off


class Printed(NamedTuple):
    """A reduction of the completion time in percent, as printed in section V-B."""

    workload: str
    experiment: str
    quantity: str
    over: str
    percent: Fraction


PRINTED = (
    Printed("synthetic", "Figs. 4a, 4b", "median", "Optimus", Fraction("28.6")),
    Printed("synthetic", "Figs. 4a, 4b", "average", "Optimus", Fraction("25.1")),
    Printed("synthetic", "Figs. 4c, 4d", "completion time", "the baselines", Fraction("20.5")),
    Printed("test-bed", "Figs. 4e, 4f", "average", "the baselines", Fraction("13.7")),
    Printed("test-bed", "Figs. 4g, 4h", "average", "the baselines", Fraction("10.4")),
    Printed("test-bed", "Fig. 8a", "average", "Tiresias", Fraction("14.5")),
    Printed("test-bed", "Fig. 8a", "average", "Optimus", Fraction(10)),
)
POLICIES = ("TapFinger", "Optimus", "Tiresias", "Random", "Minimum")
MEANS = {  # in timesteps, in that order
    "Figs. 4a, 4b": "6.42 8.56 14.66 12.84 12.74",
    "Figs. 4c, 4d": "7.31 9.20 15.05 13.99 15.20",
    "Fig. 5": "4.25 6.98 13.67 6.93 12.89",
    "Figs. 4e, 4f": "4.66 5.39 5.57 5.03 4.92",
    "Figs. 4g, 4h": "4.73 5.28 5.58 4.96 4.83",
}
WORKLOADS = {"synthetic": ("Figs. 4a, 4b", "Figs. 4c, 4d", "Fig. 5"), "test-bed": ("Figs. 4e, 4f", "Figs. 4g, 4h")}
VANILLA = Fraction("16.23")  # Fig. 7, the workload of Figs. 4a, 4b


def mean(experiment: str, policy: str) -> Fraction:
    return Fraction(MEANS[experiment].split()[POLICIES.index(policy)])


def reduction(experiment: str, policy: str) -> tuple[Fraction, Fraction]:
    """Bounds on the reduction by TapFinger's mean against the policy's, in percent.

    Both means are rounded.
    """
    ours, theirs = mean(experiment, "TapFinger"), mean(experiment, policy)
    least = 1 - (ours + HALF_DIGIT) / (theirs - HALF_DIGIT)
    return 100 * least, 100 * (1 - (ours - HALF_DIGIT) / (theirs + HALF_DIGIT))
