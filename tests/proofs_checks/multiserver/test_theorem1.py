from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F
from itertools import product
from math import isqrt, log, sqrt

import pytest
from hypothesis import assume, given, settings

from schedproof.core.claims.claim import Outside
from schedproof.proofs_checks.multiserver import worst_case
from schedproof.proofs_checks.multiserver.best_regret import any_policy
from schedproof.proofs_checks.multiserver.linear_nodes import regret_of_copies, with_copies
from schedproof.proofs_checks.multiserver.sublinear_ports import like_a_root, per_node
from schedproof.proofs_checks.multiserver.theorem1 import step53, theorem1
from schedproof.proofs_checks.multiserver.theorem1_algorithm1 import printed_run
from schedproof.proofs_checks.multiserver.theorem1_decayed import best_first_step, best_start
from schedproof.proofs_checks.multiserver.theta_gap import every_graph
from schedproof.proofs_checks.strategies import multiserver_runs as runs
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import corner, network
from schedproof.reference.multiserver_constants import bound39, bounds, diameter51, exact, farthest
from tests.support import size

FEW = settings(max_examples=size(15, 15, 2000), deadline=None, database=None)

# --- Theorem 1 and its steps -----------------------------------------------------------------------------------------


@given(runs.started_cases(slots=runs.fitting(bounds)))
@FEW
def test_the_number_of_slots_makes_the_step_rational(case):
    wide, steep = bounds(case.instance, "node")
    assume(wide and steep)
    slots = runs.fitting(bounds)(case.instance, 100)

    def rational(count: int) -> bool:
        square = wide / (steep * count)
        return all(isqrt(part) ** 2 == part for part in (square.numerator, square.denominator))

    assert slots == max(filter(rational, range(1, 101)), default=100)


def test_theorem1_by_hand():
    # T = 4, eta = 1/2: the regret is 1 + 3/4 + 1/2 + 1/4, and (39) is 2 sqrt(4)
    for constants in (bounds, exact):
        finding = theorem1(runs.two_port_contention(4), constants)
        assert (finding.measured, finding.claimed) == (F(5, 2) ** 2, 16)
    assert isinstance(theorem1(runs.two_port_contention(5)), Outside)  # eta = 1/sqrt(5)


def test_the_drift_by_hand():
    # m = 2, a step of length 1/2: p1 twice, then p0, p0, p1, ...; p0's jobs move the shared gpu by 1/4, p1's by 1/2
    case = runs.drift(2)
    assert case.instance.arrivals.tolist() == [[0, 1]] * 2 + [[1, 0], [1, 0], [0, 1]] * 2
    # it has nothing, 1/2, then 0, 1/8, 3/4 and again
    finding = step53(case)
    assert finding.measured == 4 - (F(1, 2) + 2 * (F(1, 8) + F(3, 4)))
    assert finding.claimed**2 > bound39(case.instance) == 2 * 8 * 5 > (finding.claimed - F(1, 1000)) ** 2


def test_each_round_of_the_drift_loses_more_than_one():
    for number in (4, 8):
        rounds = (2 * number**2 - number) // 3
        finding = step53(runs.drift(number))
        assert finding.measured >= rounds * (1 + F(1, 4 * number)) - F(number - 1, 2)
    assert finding.violated


def test_the_step_53_may_shrink_if_one_port_arrives_twice():
    # gain ln(y + 1), beta = 0.8: a step of length 1 from 1/8 leads to 1, where the gradient is three times as long
    gain = {"gpu": {"kind": "log", "alpha": 1}}
    instance = runs.build_instance([1], [[0]], [[1], [1]], beta=Decimal("0.8"), utilities=gain)
    run = oga.play(instance, ((F(1, 8),),), oga.step53(diameter51(instance), 2))
    assert [gradient[0][0] for gradient in run.gradients] == [F(4, 45), F(-3, 10)]


def test_algorithm1_gives_the_whole_node_to_one_port():
    with pytest.raises(oga.NoExactRun):
        printed_run(runs.single_port(3))  # eta = sqrt(2/3)
    run = printed_run(runs.single_port(8))
    assert [y[0][0] for y in run.decided] == [0] + [1] * 7


# --- decayed steps ---------------------------------------------------------------------------------------------------


def lost(jobs: list[int], first: float, decay: float) -> float:
    """Regret of `two_port_contention` in doubles; slots have port 0, 1 or none (2)."""
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
    slots, wait, decay = 4200, 1500, 0.995
    finding = best_start(runs.Decaying(F(199, 200), slots=slots, wait=wait))
    big = max(0, min(slots, int(log(first / 2) / -log(decay)) + 1)) if first >= 2 else 0
    swapped = [n % 2 for n in range(big + 1)] + [2] * (slots - big - 1)
    frozen = [0] * min(slots, big + wait) + [1] * max(0, slots - big - wait)
    assert max(lost(swapped, first, decay), lost(frozen, first, decay)) >= float(finding.measured)
    assert finding.violated and 0 <= float(finding.claimed) - 2 * sqrt(slots) <= 1e-3


def test_the_factor_of_the_best_first_step():
    case = runs.single_port(8)
    finding = best_first_step(runs.Decaying(F(1, 2), case.instance, case.start))
    factor = sqrt((1 - 2**-8) / (8 * 0.5 * 2**-7))
    assert 0 <= float(finding.claimed) - factor * 4 <= 1e-3  # the next thousandth


# --- tightness and scale ---------------------------------------------------------------------------------------------


def test_the_mean_of_fair_signs():
    for slots in range(1, 9):
        mean = F(sum(abs(sum(signs)) for signs in product((-1, 1), repeat=slots)), 2**slots)
        assert any_policy(runs.Tight(slots=slots)).measured == (mean / 2) ** 2


def test_all_trajectories_are_tried():
    # one port, T = 2: the regret of two jobs is 1 + (1 - 1) with eta = 1, and (39) is 2
    case = runs.single_port(2)
    finding = every_graph(runs.Tight(case.instance, case.start))
    assert (finding.measured, finding.claimed) == (1, F(4, 10**4))


def test_the_regret_with_four_times_the_ports_by_hand():
    # eta = 1/4 and 1/8 for T = 16: the sum of 1 - t eta/2 over t < 2/eta; (39) is 8 and 16, equal to the root
    for ports, regret in ((2, F(9, 2)), (8, F(17, 2))):
        case = runs.complete(ports, 16)
        finding = like_a_root(case)
        assert (finding.measured, finding.claimed) == (regret**2, 32 * ports) and per_node(case.instance) == 1
        assert like_a_root(case, regret=False).excess == 0


def test_repeated_nodes():
    case = runs.single_port(3)
    case = runs.Repeated(case.instance, case.start, ((F(1),),), F(1, 2), times=2)
    large = with_copies(case)
    assert [n.name for n in large.instance.nodes] == ["n0_0", "n0_1"] and large.instance.ports[0].nodes == (0, 1)
    assert (large.start, large.fixed) == (((0,), (0,)), ((1,), (1,)))
    finding = regret_of_copies(case)
    assert finding.measured == finding.claimed == 2 * F(3, 2)


# --- worst cases -----------------------------------------------------------------------------------------------------


def test_turned_axes_are_orthonormal():
    axes = worst_case.turned_axes(4, (F(1, 2), F(1, 3), F(1, 2)))
    for i, j in product(range(4), repeat=2):
        assert worst_case.inner(axes[i], axes[j]) == (i == j)
    assert axes[0] == (F(3, 5), F(4, 5), 0, 0)


def test_the_cube_by_hand():
    # three ports, each gives its half gpu up to 2 * 1/2: nothing is earned from 0, and half of it from the centre
    for start, regret in ((F(0), 3), (F(1, 2), F(3, 2))):
        case = runs.Staircase(3, F(1, 2), F(2), start, (F(1, 2), F(0)))
        finding = worst_case.in_a_cube(case)
        assert (finding.measured, finding.claimed) == (regret**2, regret**2)
    ball = worst_case.in_a_ball(case)
    assert ball.measured == ball.claimed == (3 * F(1, 2) * 4) ** 2  # T e G^2


def test_from_zero_and_from_a_centre_by_hand():
    one = runs.single_port(1)
    assert (worst_case.within(one, worst_case.of_bounds).measured, bound39(one.instance)) == (1, 2)
    half = runs.Started(one.instance, ((F(1, 2),),))
    finding = worst_case.from_centre(half)
    assert finding.measured == finding.claimed == F(1, 4)
    assert isinstance(worst_case.from_centre(one), Outside) and isinstance(
        worst_case.within(half, worst_case.of_bounds), Outside
    )


@given(runs.started_cases(kinds=("linear",), slots=lambda instance, most: 1))
@FEW
def test_the_farthest_point_against_all_corners(case):
    # By single amounts: no point that is 0 or as full as it can be in turn is farther than `farthest`.
    try:
        most = farthest(case.instance, case.start)
    except oga.NoExactRun:
        return
    net = network(case.instance)
    orders = [lambda edges, k: edges, lambda edges, k: reversed(edges), lambda edges, k: ()]
    found = [oga.square(oga.add(corner(case.instance, o), oga.multiple(F(-1), case.start))) for o in orders]
    assert max(found) <= most
    if max(map(len, net.of_node), default=0) <= 1:  # a box: each amount by itself
        amounts = [
            (y, min(net.edge_demand(e, k), net.capacity[net.edges[e][1]][k]))
            for e, row in enumerate(case.start)
            for k, y in enumerate(row)
        ]
        assert most == sum(max(y, top - y) ** 2 for y, top in amounts)
