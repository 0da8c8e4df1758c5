from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start
from schedproof.instances.placement.checker import violations
from schedproof.proofs_checks.placement import program_schedules, skip_reward, window_optimal
from schedproof.proofs_checks.placement.shared.enumeration import completion_time, latest, least_cost
from schedproof.proofs_checks.placement.shared.pending import best, play
from schedproof.proofs_checks.strategies.placement import OfInstance, Scheduled, build, instances
from schedproof.proofs_checks.strategies.placement_runs import Ahead, Choosing, Starved
from schedproof.proofs_checks.trials import draw
from tests.support import size


def checked(instance: Instance) -> int | None:
    ways = [
        [
            Start(task.index, n, mode.allocation, slot)
            for n in task.clusters
            for mode in task.modes
            for slot in range(task.arrival, instance.horizon)
        ]
        for task in instance.tasks
    ]
    found = []
    for starts in product(*ways):
        schedule = Schedule.of(starts, instance, DecidedBy("test", {}, 0))
        if not violations(schedule, instance):
            found.append(int(schedule.objective(instance)))
    return min(found, default=None)


def test_the_enumeration_agrees_with_the_checker():
    seen: list[Instance] = []
    draw(instances(most=2), size(25, 36, 200), 0, seen.append)
    values = set()
    for instance in seen:
        found = least_cost(instance)
        assert (found and found[0]) == checked(instance)
        values.add(found)
    assert None in values and len(values) > 3


def test_two_tasks_with_closed_intervals():
    two = build([(0, [0], [((1,), 1)])] * 2, [(1,)], 9)
    assert least_cost(two) == (3,) and least_cost(two, held=1) == (4,)
    assert least_cost(two, horizon=1) is None and latest(two) == 2


def test_leaving_a_task_out_is_cheaper_with_closed_intervals_too():
    # The page's remark: 3 + 4 with both tasks, 5 + 1 without the first, by T = 5.
    instance = build([(0, [0], [((1,), 3)]), (1, [0], [((1,), 1)])], [(1,)], 5)

    def cost(task, start):
        phi = completion_time(task, start)
        return (instance.horizon - task.arrival,) if phi is None else phi

    assert least_cost(instance, held=1) == (7,) and least_cost(instance, cost, held=1) == (6,)
    assert program_schedules.long_enough(OfInstance(instance)).measured == 6


def test_two_pending_tasks_of_three():
    # Durations 9, 8 and 1: 8, then 1, then 9 with P = 2; shortest first without a limit.
    three = build([(0, [0], [((1,), d)]) for d in (9, 8, 1)], [(1,)], 99)
    assert best(three, 2) == 8 + 9 + 18 and best(three, 3) == least_cost(three, horizon=18)[0] == 1 + 9 + 18


def test_the_quotient_tends_to_1_plus_2c():
    def optimum(case: Ahead) -> int:
        p, length, n = case.window, case.slots, case.short
        return n * (n + 1) // 2 + p * n + length * p * (p + 1) // 2

    for case in (Ahead(1, 3, 2), Ahead(2, 2, 2), Ahead(2, 4, 1)):
        assert least_cost(case.instance(), horizon=latest(case.instance()))[0] == optimum(case)
        assert window_optimal.gap(case).measured == case.short * (case.slots - 1)
    far = Ahead(10, 3 * 10**6, 10**6)
    assert abs(1 + F(far.short * (far.slots - 1), optimum(far)) - 7) < F(1, 100)


def test_play_by_hand():
    starts = play(Starved(3).case(), choose_what_fits=True)
    assert [starts[j][1] for j in range(4)] == [4, 0, 1, 2]
    first = Choosing(Starved(3).case().instance, 2, (0,))
    assert [play(first, choose_what_fits=True)[j][1] for j in range(4)] == [0, 1, 2, 3]
    assert play(first, choose_what_fits=False, idle=5)[0][1] == 5


def test_dropped_rewards_do_not_distinguish_the_orders():
    # The example of the answer: tasks of 3 slots and of 1 slot in either order.
    two = build([(0, [0], [((1,), 3)]), (0, [0], [((1,), 1)])], [(1,)], 99)
    orders = [Scheduled(two, ((0, 0, 1), (0, 0, 0))), Scheduled(two, ((0, 0, 0), (0, 0, 3)))]
    assert [case.completion_times for case in orders] == [5, 7]
    assert [skip_reward.rewards_add_up(case, handed_on=False).measured for case in orders] == [-3, -3]
    assert [skip_reward.rewards_add_up(case).measured for case in orders] == [-5, -7]
