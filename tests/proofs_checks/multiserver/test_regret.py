"""What the regret claims compute: families worked by hand, games and constants against brute force, adversaries run."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import isqrt, log, sqrt

import pytest
from hypothesis import assume, given, settings

from schedproof.core.claim import Case
from schedproof.proofs_checks.multiserver.gang import by_port, contend, gangs, launches, printed
from schedproof.proofs_checks.multiserver.gang_regret import LN2, as_ports, earnings, game, weights
from schedproof.proofs_checks.multiserver.literal import Letter
from schedproof.proofs_checks.multiserver.oga import constant, play
from schedproof.proofs_checks.multiserver.regret_algorithm1 import printed_run
from schedproof.proofs_checks.multiserver.regret_bounds import bound39
from schedproof.proofs_checks.multiserver.regret_cases import climb, hand_over, started
from schedproof.proofs_checks.multiserver.regret_constant import bounds, exact, fitting, theorem1
from schedproof.proofs_checks.multiserver.regret_decay import best_start, tuned
from schedproof.proofs_checks.multiserver.regret_steps import drift, step53
from schedproof.proofs_checks.multiserver.regret_tight import any_policy, every_graph
from schedproof.proofs_checks.multiserver.rows import shift
from schedproof.proofs_checks.multiserver.scale import member, regret_of_copies, repeated
from schedproof.proofs_checks.multiserver.slot_steps import FAMILIES, breakpoints, log2, repeats, stairs
from schedproof.proofs_checks.multiserver.step_growth import grows, overshoot
from schedproof.proofs_checks.strategies import multiserver as strategies
from tests.support import size

FEW = settings(max_examples=size(15, 40, 2000), deadline=None, database=None)

# --- Theorem 1 and its steps -----------------------------------------------------------------------------------------


@given(started(slots=fitting(bounds)))
@FEW
def test_the_number_of_slots_makes_the_step_rational(case):
    wide, steep = bounds(case.instance, "node")
    assume(wide and steep)
    slots = fitting(bounds)(case.instance, 100)

    def rational(count: int) -> bool:
        square = wide / (steep * count)
        return all(isqrt(part) ** 2 == part for part in (square.numerator, square.denominator))

    assert slots == max(filter(rational, range(1, 101)), default=100)


def test_theorem1_by_hand():
    # T = 4, eta = 1/2: the regret is 1 + 3/4 + 1/2 + 1/4, and (39) is 2 sqrt(4)
    for constants in (bounds, exact):
        finding = theorem1(hand_over(4), constants)
        assert (finding.measured, finding.claimed) == (F(5, 2) ** 2, 16)
    assert theorem1(hand_over(5)) is None  # eta = 1/sqrt(5)


def test_the_drift_by_hand():
    # m = 2, a step of length 1/2: p1 twice, then p0, p0, p1, ...; p0's jobs move the shared gpu by 1/4, p1's by 1/2
    case = drift(2)
    assert case.instance.arrivals.tolist() == [[0, 1]] * 2 + [[1, 0], [1, 0], [0, 1]] * 2
    # it has nothing, 1/2, then 0, 1/8, 3/4 and again
    finding = step53(case)
    assert finding.measured == 4 - (F(1, 2) + 2 * (F(1, 8) + F(3, 4)))
    assert finding.claimed**2 > bound39(case.instance) == 2 * 8 * 5 > (finding.claimed - F(1, 1000)) ** 2


def test_each_round_of_the_drift_loses_more_than_one():
    for number in (4, 8):
        rounds = (2 * number**2 - number) // 3
        finding = step53(drift(number))
        assert finding.measured >= rounds * (1 + F(1, 4 * number)) - F(number - 1, 2)
    assert finding.violated


def test_the_overshoot_by_hand():
    finding = grows(overshoot(F(1, 8)), same=True)
    assert (finding.measured, finding.claimed) == (F(3, 10) ** 2, F(4, 45) ** 2)
    assert grows(climb(8)).excess == 0 and grows(climb(5)) is None  # steps of sqrt(2/5)


def test_algorithm1_gives_all_of_the_node_to_one_port():
    run = printed_run(climb(3), Letter())
    assert run is None  # eta = sqrt(2/3)
    run = printed_run(climb(8), Letter())
    assert [y[0][0] for y in run.decided] == [0] + [1] * 7


# --- decayed steps ---------------------------------------------------------------------------------------------------


def lost(jobs: list[int], first: float, decay: float) -> float:
    """The regret on the node of `hand_over`, in doubles; a job of port 0, 1 or none (2) in each slot."""
    y, step, earned = [0.0, 0.0], first, 0.0
    for port in jobs:
        if port < 2:
            earned += y[port]
            z = [y[n] + step * (n == port) for n in (0, 1)]
            share = min(1.0, max(0.0, (1 + z[0] - z[1]) / 2))
            y = z if sum(z) <= 1 else [share, 1 - share]
        step *= decay
    return max(jobs.count(0), jobs.count(1)) - earned


@pytest.mark.parametrize("first", [1e-3, 0.02, 0.5, 5.0, 1e3, 1e6, 1e12])
def test_some_trajectory_hurts_every_first_step(first):
    """The two trajectories of `best_start`, run against the policy: one of them has the regret that is shown."""
    slots, wait, decay = 4200, 1500, 0.995
    finding = best_start(Case(None, {"decay": F(199, 200), "slots": slots, "wait": wait}))
    big = max(0, min(slots, int(log(first / 2) / -log(decay)) + 1)) if first >= 2 else 0
    swapped = [n % 2 for n in range(big + 1)] + [2] * (slots - big - 1)
    frozen = [0] * min(slots, big + wait) + [1] * max(0, slots - big - wait)
    assert max(lost(swapped, first, decay), lost(frozen, first, decay)) >= float(finding.measured)
    assert finding.violated and 0 <= float(finding.claimed) - 2 * sqrt(slots) <= 1e-3


def test_the_factor_of_the_best_first_step():
    case = climb(8)
    finding = tuned(Case(case.instance, {**case.data, "decay": F(1, 2)}))
    factor = sqrt((1 - 2**-8) / (8 * 0.5 * 2**-7))
    assert 0 <= float(finding.claimed) - factor * 4 <= 1e-3  # the next thousandth


# --- tightness and scale ---------------------------------------------------------------------------------------------


def test_the_mean_of_fair_signs():
    for slots in range(1, 9):
        mean = F(sum(abs(sum(signs)) for signs in product((-1, 1), repeat=slots)), 2**slots)
        assert any_policy(Case(None, {"slots": slots})).measured == (mean / 2) ** 2


def test_all_trajectories_are_tried():
    # one port, T = 2: the regret of two jobs is 1 + (1 - 1) with eta = 1, and (39) is 2
    finding = every_graph(climb(2))
    assert (finding.measured, finding.claimed) == (1, F(4, 10**4))


def test_the_members_of_the_families():
    complete, regular, own = (member(kind, 8, 4) for kind in ("complete", "regular", "own"))
    assert [len(c.instance.nodes) for c in (complete, regular, own)] == [1, 8, 4]
    assert [sum(len(p.nodes) for p in c.instance.ports) for c in (complete, regular, own)] == [8, 16, 8]
    assert complete.data["start"] == [[F(0)]] * 7 + [[F(1)]]
    for case, nodes in ((complete, 1), (regular, 8), (own, 4)):
        run = play(case.instance, case.data["start"], constant(F(1, 2)))
        assert run.shown_regret == nodes * F(5, 2)  # as that of one node, by hand


def test_repeated_nodes():
    case = climb(3)
    case = Case(case.instance, {**case.data, "times": 2, "fixed": [[F(1)]], "step": F(1, 2)})
    large, start, fixed = repeated(case)
    assert [n.name for n in large.nodes] == ["n0_0", "n0_1"] and large.ports[0].nodes == (0, 1)
    assert (start, fixed) == (((0,), (0,)), ((1,), (1,)))
    finding = regret_of_copies(case)
    assert finding.measured == finding.claimed == 2 * F(3, 2)


# --- steps counted ---------------------------------------------------------------------------------------------------


@given(strategies.rows(most=8))
@FEW
def test_sorted_breakpoints_find_tau(case):
    row = case.data["z"], case.data["a"], case.data["c"]
    assert breakpoints(*row)[0] == shift(*row)


def test_each_turn_cuts_one_port():
    for ports in (1, 2, 3, 5, 9):
        assert repeats(stairs(ports)) == list(range(ports, 0, -1))
    assert repeats((F(1),) * 4) == [4]
    assert [log2(n) for n in (1, 2, 3, 4, 5)] == [0, 1, 2, 2, 3]
    assert FAMILIES["nodes"](4).bound == 3


# --- gangs -----------------------------------------------------------------------------------------------------------


def test_what_may_start():
    one = gangs([[1, 1], [2]], [1, 1], 2)
    assert [by_port(one, s) for s in printed(one)] == [
        [(False, True), (True,)],
        [(True, False), (True,)],
        [(True, True), (True,)],
    ]
    sizes = [earnings(one, s) for s in launches(one)]
    assert sorted(sizes) == [(0, 0), (0, 2), (1, 0), (1, 0), (2, 0)]
    assert contend(Case(one)) and not contend(Case(gangs([[1], [1]], [1, 1], 2)))


def naive(options, ports, slots, counts, earned):
    """The value of the game without tables and with every launch."""
    if not slots:
        return max(sum(w * n for w, n in zip(row, counts, strict=True)) for row in options) - earned
    return min(
        max(
            naive(
                options,
                ports,
                slots - 1,
                [n + b for n, b in zip(counts, x, strict=True)],
                earned + sum(w * b for w, b in zip(row, x, strict=True)),
            )
            for x in product((0, 1), repeat=ports)
        )
        for row in options
    )


def test_the_value_of_the_game():
    for instance in (gangs([[1], [1]], [1, 1], 1), gangs([[1], [2]], [1, 1], 2), gangs([[1, 1], [1]], [2, 1], 2)):
        options = [earnings(instance, launch) for launch in launches(instance)]
        for slots in (1, 2):
            assert game(instance, slots) == naive(options, 2, slots, [0, 0], F(0))
    assert [game(gangs([[1], [1]], [1, 1], 1), n) for n in (1, 2, 4, 8)] == [1, 1, 2, 4]
    assert game(gangs([[1], [1]], [1, 1], 2), 4) == 0


def test_tasks_as_ports():
    instance = as_ports(gangs([[1, 2], [1]], [1, 1], 2, [[1, 0], [0, 1]]))
    assert instance.arrivals.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert [p.demand["gpu"] for p in instance.ports] == [1, 2, 1]


def test_the_expected_regret_of_weights():
    # launches: none, p1, p0; p0 comes twice: it is drawn with 1/3 and then with 3/2 of 7/2
    instance = gangs([[1], [1]], [1, 1], 1, [[1, 0], [1, 0]])
    finding = weights(Case(instance, {"rate": F(1, 2)}))
    assert finding.measured == 2 - F(1, 3) - F(3, 7)
    assert finding.claimed == F(1, 2) + LN2 * 2 * 2 and float(LN2) > log(2)
