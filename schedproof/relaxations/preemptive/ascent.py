"""Dual ascent: good prices for the class LP of (4) without solving it.

The dual function of the prices beta is concave; one evaluation lets every job buy its cheapest slots, and where a class is
oversold its price should rise. Steps shrink like 1/sqrt(step), the best prices seen are kept, and the result is certified
exactly like any other prices.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.prices import PriceCertificate, Prices, certify


def ascend(instance: Instance, half: int, speed: Fraction, steps: int) -> PriceCertificate:
    """The best certificate found in a number of ascent steps."""
    raise NotImplementedError
