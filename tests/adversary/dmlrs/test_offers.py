from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import schedproof as sp
from schedproof.adversary.games import Strategy
from schedproof.instances.dmlrs import Instance
from schedproof.online.dmlrs.slot_by_slot import SlotBySlot, Training
from schedproof.proofs_checks.dmlrs.deterministic_bound import policies, spread, worst_stop
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job


def solved(fits: int, values: tuple[int, ...]) -> Strategy:
    return sp.game("dmlrs.offers", fits=fits, values=values)


def offered(values: list[int], fits: int) -> Instance:
    return build_instance([{"gpu": fits}], [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values)])


@pytest.mark.parametrize(
    ("fits", "values"), [(1, (1, 2, 4)), (2, (1, 2, 3, 4)), (2, tuple(range(4, 17))), (3, (3, 4, 6, 8, 12))]
)
def test_the_value_lies_between_one_strategy_and_the_closed_form(fits: int, values: tuple[int, ...]) -> None:
    value = solved(fits, values).value
    rising = tuple(Fraction(v) for v in values)
    stops = (worst_stop(fits, rising, counts) for counts in policies(fits, len(values)))
    assert min(ratio for ratio in stops if ratio is not None) <= value
    assert spread(fits, value) <= Fraction(values[-1], values[0])  # spread rises with the ratio


SLOTS = 20  # that a job needs, and offers at most


def a_slot_apart(values: list[int], fits: int) -> Instance:
    """Job i comes in slot i and has a utility only if it then runs in every slot."""
    jobs = [
        job(f"j{n}", SLOTS, 0, {"gpu": 1}, arrival=n, utility={"kind": "table", "values": [value] * SLOTS + [0]})
        for n, value in enumerate(values)
    ]
    return build_instance([{"gpu": fits}], jobs, horizon=2 * SLOTS)


class Dearest(SlotBySlot):
    """In each slot the jobs of the largest utility run, whatever ran before."""

    def rank(self, training: Training) -> tuple[bool, Fraction]:
        return False, -training.job.utility.lower(1)

    def allocate(self, slot: int) -> dict[int, list[tuple[int, int, int]]]:
        fits = int(self.grid.capacity[0, 0]) // int(next(iter(self.present.values())).worker[0]) if self.present else 0
        ranked = sorted(self.present, key=lambda index: self.rank(self.present[index]))
        return {index: [(0, 1, 1)] for index in ranked[:fits]}


class Loyal(Dearest):
    """Like `Dearest`, but a started job runs to its end."""

    def rank(self, training: Training) -> tuple[bool, Fraction]:
        return not training.started, -training.job.utility.lower(1)


@pytest.mark.parametrize("place", [offered, a_slot_apart])
def test_policies_that_see_all_jobs_of_a_slot_or_preempt_attain_the_optimum(
    place: Callable[[list[int], int], Instance],
) -> None:
    random = Random(1)
    for fits in (2, 3):
        for _ in range(10):
            values = [random.randint(2, 8) for _ in range(random.randint(1, 9))]
            assert sp.policy(Dearest).run(place(values, fits)).objective == sum(sorted(values)[-fits:])


@pytest.mark.parametrize(("policy", "place"), [("dmlrs.fifo", offered), (Loyal, a_slot_apart)])
def test_the_strategy_forces_the_stated_ratio(policy: str | type, place: Callable[[list[int], int], Instance]) -> None:
    fits = 2
    result = solved(fits, (2, 3, 4, 5, 6, 7, 8))
    rows = {(row["admitted"], row["earned"], row["best"]): row for row in result.rows}
    offers: list[int] = []
    position: tuple[int, int, tuple[int, ...]] = (0, 0, ())
    while position in rows and len(offers) < SLOTS:
        offers.append(rows[position]["offer"])
        instance = place(offers, fits)
        run = sp.policy(policy).run(instance)
        begun = {row.job for row in run.schedule.placements if row.slot == instance.jobs[row.job].arrival}
        position = len(begun), int(run.objective), tuple(sorted(offers)[-fits:])
    assert position not in rows
    optimum = sum(sorted(offers)[-fits:])
    assert sp.program("dmlrs.exact").solve(place(offers, fits)).objective == pytest.approx(optimum)
    assert optimum >= result.value * run.objective


def test_the_lists_of_13_on_the_page() -> None:
    # `docs/evidence/games.md`: two lists from 4 to 64; the second one proves more.
    page = (Path(sp.__file__).parent.parent / "docs" / "evidence" / "games.md").read_text()
    rows = re.findall(r"`dmlrs.offers`, 4 jobs \| ([0-9, ]+) \| ([0-9/]+)", page)
    assert [solved(4, tuple(map(int, values.split(",")))).value for values, _ in rows] == [Fraction(v) for _, v in rows]
    assert len(rows) == 2
