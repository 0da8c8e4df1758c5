"""Offers for one machine: values between what is known, offers that are jobs of the family, and first come beaten."""

from __future__ import annotations

from fractions import Fraction

import pytest

import schedproof as sp
from schedproof.adversary.games import Strategy
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.deterministic_bound import policies, spread, worst_stop
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job


def solved(fits: int, values: tuple[int, ...]) -> Strategy:
    return sp.game("dmlrs.offers", fits=fits, values=values)


def offered(values: list[int], fits: int) -> Instance:
    """The jobs in the order of arrival, ``fits`` of which fill the machine."""
    return build_instance([{"gpu": fits}], [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values)])


@pytest.mark.parametrize(
    ("fits", "values"), [(1, (1, 2, 4)), (2, (1, 2, 3, 4)), (2, tuple(range(4, 17))), (3, (3, 4, 6, 8, 12))]
)
def test_the_value_lies_between_one_strategy_and_the_closed_form(fits: int, values: tuple[int, ...]) -> None:
    """Offering so many copies of each value, the next larger after it, is one strategy of the game."""
    value = solved(fits, values).value
    rising = tuple(Fraction(v) for v in values)
    stops = (worst_stop(fits, rising, counts) for counts in policies(fits, len(values)))
    assert min(ratio for ratio in stops if ratio is not None) <= value
    assert spread(fits, value) <= Fraction(values[-1], values[0])  # spread rises with the ratio


def test_first_come_first_served_is_no_better() -> None:
    """The adversary's strategy, played against a policy: it loses as much as the strategy says."""
    fits = 2
    found = solved(fits, (2, 3, 4, 5, 6, 7, 8))
    rows = {(row["admitted"], row["earned"], row["best"]): row for row in found.rows}
    offers: list[int] = []
    position: tuple[int, int, tuple[int, ...]] = (0, 0, ())
    for _ in range(20):
        row = rows.get(position)
        if row is None:
            break
        offers.append(row["offer"])
        run = sp.policy("dmlrs.fifo").run(offered(offers, fits))
        admitted = len({placement.job for placement in run.schedule.placements})
        position = admitted, int(run.objective), tuple(sorted(offers)[-fits:])
    assert position not in rows
    optimum = sum(sorted(offers)[-fits:])
    assert sp.program("dmlrs.exact").solve(offered(offers, fits)).objective == pytest.approx(optimum)
    assert optimum >= found.value * run.objective
