"""Payoffs and rates for a simple checker: any rates work, too small payoffs fail."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from schedproof.relaxations.dmlrs.bounds import rdmlrs_lp_bound
from schedproof.relaxations.dmlrs.certificate import PriceCertificate
from tests.certificates import Desk
from tests.relaxations.dmlrs.test_column_generation import scarce
from tests.support import size


def test_any_rates_do_and_every_payoff_counts(tmp_path: Path) -> None:
    desk, rng, paid = Desk(tmp_path), random.Random(3), 0
    for seed in range(size(5, 12, 200)):
        instance = scarce(seed, machines=1 + seed % 3, exact_utilities=seed % 2 == 0)
        desk.put(instance)
        bound = rdmlrs_lp_bound(instance)
        proof = bound.witness
        assert isinstance(proof, PriceCertificate) and proof.payoffs == proof.found_payoffs(instance)
        drawn = tuple(tuple(rng.choice([0, rng.randrange(1 << 50)]) for _ in row) for row in proof.rates)
        other = replace(bound, witness=replace(proof, rates=drawn))
        assert desk.refusals(instance, other.to_file()) == ("", ""), seed
        for i, payoff in enumerate(proof.payoffs):
            if payoff:
                less = Fraction(1, 1 << 30) * payoff
                payoffs = (*proof.payoffs[:i], payoff - less, *proof.payoffs[i + 1 :])
                forged = replace(bound, exact=bound.exact - less, witness=replace(proof, payoffs=payoffs))
                first, second = desk.refusals(instance, forged.to_file())
                assert first and "a payoff" in second, (seed, i, first, second)
                paid += 1
    assert paid
