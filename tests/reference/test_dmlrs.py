from __future__ import annotations

from fractions import Fraction as F

import pytest

from schedproof.core.errors import InputError
from schedproof.core.results.run import Policy
from schedproof.proofs_checks.dmlrs.shared.optimum import best_by_slots, best_packing
from schedproof.proofs_checks.strategies import dmlrs as strategies
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job
from schedproof.proofs_checks.trials import draw
from schedproof.reference.dmlrs import Outcome, Undecided, below, fastest, fits, lowest, run, tariff
from schedproof.reference.dmlrs_enclosures import logarithm, neatly_up, power, square_root
from schedproof.reference.dmlrs_schedules import placements, plans, shares
from tests.support import size

SMALL_LARGE = build_instance([{"gpu": 2}], [job("small", 1, 1, {"gpu": 1}), job("large", 2, 16, {"gpu": 1}, batch=2)])


@pytest.mark.parametrize(
    ("base", "exponent", "value"),
    [(F(64), F(1, 2), F(8)), (F(8, 27), F(-2, 3), F(9, 4)), (F(5), F(0), F(1)), (F(2) ** 100, F(1, 10), F(1024))],
)
def test_rational_powers_are_exact(base, exponent, value):
    assert power(base, exponent) == (value, value)


def test_irrational_numbers_are_enclosed():
    low, high = power(F(2), F(1, 2))
    assert low**2 < 2 < high**2 and high - low < F(1, 10**30)
    low, high = logarithm(F(2))
    assert F(69314718055994530, 10**17) < low < high < F(69314718055994531, 10**17)
    assert logarithm(F(1)) == (0, 0) and logarithm(F(1, 2))[1] == -low
    low, high = power(F(10) ** 36, F(1, 97))
    assert low**97 < 10**36 < high**97
    assert square_root((F(4), F(9))) == (2, 3)
    assert neatly_up(F(1, 3)) == F(334, 1000) and neatly_up(F(1, 4)) == F(1, 4)


def test_two_numbers_are_compared_or_not_at_all():
    assert below((F(1), F(2)), (F(3), F(4))) and not below((F(3), F(4)), (F(1), F(2)))
    assert not below((F(1), F(2)), (F(1), F(2)))  # the same number
    with pytest.raises(Undecided):
        below((F(1), F(3)), (F(2), F(4)))


def test_placements_of_a_slot():
    assert list(shares(2, 2)) == [(0, 2), (1, 1), (2, 0)]
    # one worker and one PS on two machines of one GPU: not both on one of them
    instance = build_instance([{"gpu": 1}, {"gpu": 1}], [job("j", 1, 1, {"gpu": 1}, {"gpu": 1})])
    found = placements(instance, instance.jobs[0], 0)
    assert [(p.rows, p.internal) for p in found] == [(((0, 0, 1), (1, 1, 0)), False), (((0, 1, 0), (1, 0, 1)), False)]
    # c_i = 1 + 2/2 = 2 and c_e = 1 + 2/1 = 3 slots per sample
    far = job("j", 1, 1, {"gpu": 1}, {"gpu": 1}, model_size=1, bandwidth_internal=2, bandwidth_external=1)
    instance = build_instance([{"gpu": 2}, {"gpu": 1}], [far])
    rates = {p.rows: p.samples(instance.jobs[0]) for p in placements(instance, instance.jobs[0], 0)}
    assert rates == {((0, 1, 1),): F(1, 2), ((0, 0, 1), (1, 1, 0)): F(1, 3), ((0, 1, 0), (1, 0, 1)): F(1, 3)}
    assert placements(instance, instance.jobs[0], 0, F(1, 2)) == ()  # the demand exceeds half of every machine


def test_schedules_have_no_slot_to_spare():
    # two worker-slots, up to two workers: both at once in one of three slots, or one in each of two
    instance = build_instance([{"gpu": 2}], [job("j", 2, 1, {"gpu": 1}, batch=2)], horizon=3)
    found = [[(p.slot, p.workers) for p in plan.parts] for plan in plans(instance, instance.jobs[0])]
    pairs = [[(0, 1), (1, n)] for n in (1, 2)] + [[(0, 1), (2, n)] for n in (1, 2)] + [[(1, 1), (2, n)] for n in (1, 2)]
    assert sorted(found) == sorted([[(0, 2)], [(1, 2)], [(2, 2)], *(p for p in pairs if p[1][1] == 1)])
    late = build_instance([{"gpu": 2}], [job("j", 2, 1, {"gpu": 1}, batch=2, arrival=2)], horizon=3)
    assert [plan.time for plan in plans(late, late.jobs[0])] == [1]
    assert len(plans(late, late.jobs[0], first=0)) == 6


def test_of_many_slots_no_schedules_are_listed():
    long = build_instance([{"gpu": 2}], [job("j", 1, 1, {"gpu": 1}, arrival=499)], horizon=501)
    with pytest.raises(InputError, match="at most 500 slots"):
        plans(long, long.jobs[0])
    longest = build_instance([{"gpu": 2}], [job("j", 1, 1, {"gpu": 1})], horizon=500)
    assert len(plans(longest, longest.jobs[0])) == 500


def test_reservations_reduce_the_capacity():
    reserved = [[{"gpu": 1}], [{}]]
    instance = build_instance([{"gpu": 2}], [job("j", 2, 1, {"gpu": 1}, batch=2)], horizon=2, reserved=reserved)
    assert [plan.time for plan in plans(instance, instance.jobs[0])] == [2, 2]
    assert best_packing(instance) == best_by_slots(instance) == 1


def test_constants_of_the_prices():
    # n = 1 and 2, T sum C = 2, mu = 2: L = min(1/4, 16/8); U = max(1/1, 16/1)
    prices = tariff(SMALL_LARGE, "printed", F(1), F(1))
    assert (prices.lowest, prices.highest, prices.full_share) == (F(1, 4), {"gpu": F(16)}, 1)
    assert tariff(SMALL_LARGE, "repaired", F(1, 3), F(2)).lowest == F(1, 8)
    assert tariff(SMALL_LARGE, "repaired", F(1, 3), F(2)).full_share == F(2, 3)
    assert fastest(SMALL_LARGE.jobs[1]) == 1
    table = {"kind": "table", "values": [9, 4, 0]}
    # c_i = 1, two slots; from slot 1 on: the printed argument is max(0, 2 - 2) + 1 = 1, the repaired one 2
    late = job("late", 2, 0, {"gpu": 2}, {"gpu": 1}, arrival=1, utility=table)
    instance = build_instance([{"gpu": 3}], [job("early", 1, 1, {"gpu": 3}), late], horizon=4)
    assert tariff(instance, "printed", F(1), F(1)).highest == {"gpu": F(9, 3)}
    assert tariff(instance, "denominators", F(1), F(1)).highest == {"gpu": F(4, 1)}
    # T sum C = 12, n = 3 and 6, mu = 4: L = 1/(2 4 3) without late, which is worth 0 at the horizon
    assert lowest(instance) == F(1, 24) and lowest(instance, every=True) == 0


def test_algorithm_1_by_hand():
    out = run(SMALL_LARGE)
    first, second = out.steps
    assert first.payoff == (F(3, 4), F(3, 4)) and first.plan is not None
    assert second.payoff == (0, 0) and second.plan is None
    assert not fits(SMALL_LARGE, out.rho, plans(SMALL_LARGE, SMALL_LARGE.jobs[1])[0])
    assert out.price((0, 0, "gpu")) == (2, 2)
    assert (out.primal, out.start, out.dual) == (1, (F(1, 2), F(1, 2)), (F(19, 4), F(19, 4)))
    assert out.growth(first) == (F(17, 4), F(17, 4)) and out.growth(second) == (0, 0)
    assert best_packing(SMALL_LARGE) == best_by_slots(SMALL_LARGE) == 16
    # with both in the other order, the large one pays 2/4 and is admitted; the price is U = 16 for the small one
    turned = build_instance([{"gpu": 2}], [job("large", 2, 16, {"gpu": 1}, batch=2), job("small", 1, 1, {"gpu": 1})])
    assert [step.payoff[0] for step in run(turned).steps] == [F(31, 2), 0]
    assert run(turned).price((0, 0, "gpu")) == (16, 16)


def test_slack_takes_the_most_expensive_schedule_within_its_factor():
    # L = 1/16 over the slack; one GPU of four in use makes a price (U/L)^(1/3) times as high: 16, 48, 1600 to the third
    jobs = [job("first", 1, 1, {"gpu": 1}), job("second", 1, 1, {"gpu": 1})]
    instance = build_instance([{"gpu": 4}, {"gpu": 4}], jobs)
    for slack, same in ((1, False), (3, False), (100, True)):
        first, second = run(instance, "repaired", F(1, 4), F(slack)).steps
        assert (first.plan.use == second.plan.use) == same


def test_it_agrees_with_the_production_policy():
    seen = 0

    def compare(case: OfInstance) -> None:
        nonlocal seen
        try:
            out = run(case.instance)
        except Undecided:
            return
        if out is None or tied(out):
            return
        seen += 1
        policy = Policy("dmlrs.pd_ors", {"theta": "exact", "bounds": "printed", "fineness": "exact"})
        assert policy.run(case.instance).objective == out.primal

    draw(strategies.cases(), size(40, 40, 3000), 5, compare)
    assert seen > 5


def tied(out: Outcome) -> bool:
    """Return whether some job had two schedules of its best payoff (or a payoff of 0)."""
    for step in out.steps:
        payoffs = [
            plan.utility - out.cost(plan.use, step.before)[0]
            for plan in plans(out.instance, step.job)
            if fits(out.instance, step.before, plan)
        ]
        if payoffs and (payoffs.count(max(payoffs)) > 1 or max(payoffs) == 0):
            return True
    return False
