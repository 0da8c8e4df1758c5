from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from schedproof.core.errors import InputError, ProgramError
from schedproof.core.results.run import Run
from schedproof.core.results.slope import log_log_slope
from schedproof.core.runtime.context import Context
from schedproof.instances.multiserver import Instance, Schedule, from_json
from schedproof.instances.multiserver.reward import Account
from schedproof.online.multiserver.constants import diameter_squared, rationals, steepest_squared
from schedproof.online.multiserver.oga_sched import oga_sched
from schedproof.online.multiserver.regret import Regret, regret
from schedproof.online.multiserver.slot_optimum import SlotOptimum
from schedproof.relaxations.multiserver.bounds import stationary_bound
from tests.online.multiserver.literal import played, started
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports

GAINS = ("node", "total")
GAP = Fraction(1, 10**7)


def prefix(instance: Instance, slots: int) -> Instance:
    """Return the system with only the first slots; the copies are unchanged."""
    short = replace(instance, arrivals=instance.arrivals[:slots])
    short.__dict__.update(copies=instance.copies, graph=instance.graph)
    return short


@pytest.mark.parametrize("gain", GAINS)
def test_after_any_arrivals_the_last_point_is_a_solve_from_scratch(gain: str) -> None:
    for seed in range(size(1, 2, 20)):
        value = tiny_multiserver(seed, ports=2, nodes=2, copies=1)
        for arrivals in product(product((0, 1), repeat=2), repeat=size(2, 2, 3)):
            instance = from_json(value | {"arrivals": [list(row) for row in arrivals]})
            schedule = played(oga_sched(gain=gain), instance, gain=gain)
            found, bound = regret(schedule, gap=GAP), stationary_bound(instance, gain=gain, gap=GAP)
            low, high = found.optimum[-1]
            assert low <= bound.exact and Fraction(bound.details["value"]) * (1 - Fraction(1, 10**12)) <= high
            assert float(high - low) <= 2e-7 * max(1.0, float(high))
            earned = schedule.reward(instance)
            assert found.lower[-1] <= high - earned[0] and low - earned[1] <= found.upper[-1]
            assert float(found.upper[-1] - found.lower[-1]) <= float(high - low) + 1e-9


@pytest.mark.parametrize("gain", GAINS)
def test_every_point_equals_that_of_its_prefix(gain: str) -> None:
    for seed in range(size(1, 3, 40)):
        instance = tiny_ports(seed, horizon=40, copies=1 + seed % 2)
        schedule = played(oga_sched(step="anytime", gain=gain), instance, gain=gain)
        found = regret(schedule, points=12)
        allocations = np.concatenate(list(schedule.blocks()))
        assert found.slots[0] == 1 and found.slots[-1] == 40 and (np.diff(found.slots) > 0).all()
        for slots, optimum, reward in zip(found.slots.tolist(), found.optimum, found.reward, strict=True):
            short = prefix(instance, slots)
            bound = stationary_bound(short, gain=gain, gap=GAP)
            assert optimum[0] <= bound.exact and bound.details["value"] <= float(optimum[1]) * (1 + 1e-12), seed
            account = Account(short, gain)
            account.add(allocations[:slots])
            low, high = account.reward()
            assert reward[0] <= high and low <= reward[1], seed
            assert float(reward[1] - reward[0]) < 1e-9


def test_streamed_blocks_of_any_size_give_the_same_curve(tmp_path: Path) -> None:
    horizon = size(300, 600, 200_000)
    value = tiny_multiserver(3, ports=2, nodes=2)
    np.save(tmp_path / "arrivals.npy", np.random.default_rng(0).integers(0, 2, (horizon, 2)).astype(np.uint8))
    instance = from_json(value | {"arrivals": np.load(tmp_path / "arrivals.npy", mmap_mode="r")})
    policy, passes = oga_sched(), []
    whole = played(policy, instance)

    def blocks() -> Iterator[np.ndarray]:
        passes.append(1)
        started(policy, instance)
        for block in instance.blocks(97):
            yield policy.play(block)

    streamed = Schedule.by("policy", instance, blocks)
    streamed.__dict__["review"] = whole.review
    one, other = regret(whole, points=30), regret(streamed, points=30)
    assert passes == [1]
    assert one.optimum == other.optimum and np.array_equal(one.slots, other.slots)
    for mine, theirs in zip(one.reward, other.reward, strict=True):
        assert mine[0] <= theirs[1] and theirs[0] <= mine[1]


def test_the_theorem_holds_for_its_step_in_rationals() -> None:
    for seed in range(size(2, 8, 100)):
        instance = tiny_ports(seed, horizon=20)
        found = regret(played(oga_sched(), instance), points=5)
        numbers = rationals(instance)
        for name in ("printed", "sharper"):
            assert found.squares[name] == diameter_squared(numbers, name) * steepest_squared(numbers, name)
            assert found.bound(name) == pytest.approx(np.sqrt(float(found.squares[name]) * found.slots))
        assert found.within("sharper") and found.within("printed"), seed
        square = found.squares["sharper"] * instance.horizon
        assert found.upper[-1] <= found.guarantee and square <= found.guarantee**2 <= square + Fraction(1, 1000)
    too_much = replace(found, optimum=(*found.optimum[:-1], (Fraction(10**6), Fraction(10**6))))
    assert not too_much.within()


def test_a_run_that_responds_has_no_regret_to_speak_of() -> None:
    instance = tiny_ports(0, horizon=30)
    found = regret(played(SlotOptimum(), instance))
    assert found.upper[-1] < 0 and found.within()
    with pytest.raises(InputError, match="at least 8 points with positive regret for a slope, found"):
        found.slope()
    assert "none, expected at least 8 points" in found.lines()[-1]


def test_a_run_has_its_schedules_regret_in_both_readings() -> None:
    instance = tiny_ports(0, horizon=20)
    schedule = played(oga_sched(gain="total"), instance, gain="total")
    options = {"gain": "total"}
    run = Run.of("multiserver.oga_sched", options, instance, schedule, oga_sched(**options).guarantee(instance), 0.0)
    told: list[str] = []
    context = Context(progress=lambda message, done=None: told.append(message))
    with pytest.raises(ProgramError, match=r"gain=node: the multiserver.oga_sched run used gain=total"):
        regret(run, gain="node")
    with pytest.raises(ProgramError, match="no regret is reported, the objective of the run's schedule is"):
        regret(replace(run, objective=Fraction(0)))
    by_total, by_node = regret(run, points=9, context=context), regret(schedule, gain="node")
    assert by_total.gain == "total" and by_node.gain == "node"
    assert by_total.optimum[-1][0] <= stationary_bound(instance, gain="total").exact
    assert by_node.optimum[-1][0] <= stationary_bound(instance, gain="node").exact
    assert by_total.optimum[-1] != by_node.optimum[-1]
    points = len(by_total.slots)
    assert points <= 9 and len(told) == points + 1  # the whole horizon is also reported before its solve
    assert (
        told[-1] == f"{float(by_total.lower[-1]):.6g} to {float(by_total.upper[-1]):.6g}, {points} of {points} points"
    )


@pytest.mark.parametrize("gain", GAINS)
def test_the_enclosure_at_any_time_contains_the_final_value(gain: str) -> None:
    schedule = played(oga_sched(gain=gain), tiny_ports(0, horizon=20), gain=gain)
    kept = list[Regret]()
    whole = regret(schedule, points=6, context=Context(keep=kept.append))
    assert [found.slots[-1] for found in kept] == [20] * len(kept) and len(kept) == len(whole.slots) + 1
    assert kept[0].optimum[-1][0] == 0 < whole.optimum[-1][0] <= whole.optimum[-1][1] < kept[0].optimum[-1][1]
    assert [found.left for found in kept[1:]] == [*reversed(range(len(whole.slots)))]
    for found in kept[1:]:
        points = [whole.slots.tolist().index(slot) for slot in found.slots]
        assert found.optimum == tuple(whole.optimum[i] for i in points)
        assert found.reward == tuple(whole.reward[i] for i in points)


def test_at_the_time_limit_the_regret_of_the_horizon_is_known() -> None:
    schedule = played(oga_sched(), tiny_ports(0, horizon=20))
    whole, found = regret(schedule, points=6), regret(schedule, points=6, context=Context(time_limit=0.0))
    assert found.slots.tolist() == [20] and found.left == len(whole.slots) - 1
    assert whole.lower[-1] <= found.upper[-1] and found.lower[-1] <= whole.upper[-1]
    assert found.lines()[-1] == f"time limit reached before {found.left} more points of the curve"
    assert found.to_json()["left"] == found.left and found.plot().get_xlabel() == "t (slots)"


def test_an_infeasible_schedule_has_no_regret() -> None:
    instance = tiny_ports(0)
    broken = Schedule.of(np.full((5, *instance.graph.shape), 1e6), instance, "greedy")
    with pytest.raises(
        ProgramError, match=r"greedy: no regret is reported, the schedule is infeasible \(first violation: "
    ):
        regret(broken)


def test_regret_is_between_the_ends_of_two_enclosures() -> None:
    found = regret(played(oga_sched(), tiny_ports(0)), points=2)
    ends = (Fraction(1), Fraction(4)), (Fraction(10), Fraction(30))
    wide = replace(found, reward=ends[:1] * len(found.slots), optimum=ends[1:] * len(found.slots))
    assert set(wide.lower) == {Fraction(6)} and set(wide.upper) == {Fraction(29)}
    assert wide.middle.tolist() == [17.5] * len(found.slots)


def test_a_frame_a_picture_and_a_text() -> None:
    found = regret(played(oga_sched(step="anytime"), tiny_ports(0, horizon=60), step="anytime"), points=20)
    frame = found.to_frame()
    assert list(frame.columns) == [
        "slots",
        *(f"{name}_{end}" for name in ("reward", "optimum", "regret") for end in ("lower", "upper")),
        "bound_printed",
        "bound_sharper",
        "steps",
    ]
    assert (frame["regret_lower"] <= frame["regret_upper"]).all() and frame.attrs["gain"] == "node"
    assert frame["steps"].iloc[-1] < frame["steps"].max() + 1
    row = found.to_json()
    assert row["regret"][-1] == [float(found.lower[-1]), float(found.upper[-1])] and row["within"]["sharper"]
    assert Fraction(row["exact"][0]) == found.lower[-1]
    ax = found.plot()
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert [line.get_label() for line in ax.lines] == ["policy", "D G √t, sharper constants", "(39), printed constants"]
    assert "not positive" in " ".join(text.get_text() for text in _negative(found).plot().texts)
    assert found.lines()[0].startswith("policy: regret ")


def _negative(found: Regret) -> Regret:
    return replace(found, reward=((Fraction(10**6), Fraction(10**6)), *found.reward[1:]))


def test_the_slope_of_a_power_is_its_exponent() -> None:
    slots = np.geomspace(1, 1e6, 50)
    for power in (0.5, 1.0, -0.25):
        found = log_log_slope(slots, 3 * slots**power)
        assert found.value == pytest.approx(power) and found.high - found.low < 1e-9 and found.points == 50
    assert str(log_log_slope(slots, slots)).startswith("1.000 (95% interval 1.000 to 1.000, 50 points)")
    some = np.where(np.arange(50) % 2, slots, -1.0)
    assert log_log_slope(slots, some).points == 25
    assert log_log_slope(slots, slots, seed=1) == log_log_slope(slots, slots, seed=1)


def test_the_interval_covers_the_slope_of_points_that_hang_together() -> None:
    # Errors with autocorrelation 0.6. With independent ones the interval is half as wide.
    draws, rng, slots = size(40, 40, 1000), np.random.default_rng(1), np.geomspace(10, 1e5, 100)
    covered, naive = 0, 0
    for _ in range(draws):
        noise = rng.standard_normal(100)
        for i in range(1, 100):
            noise[i] += 0.6 * noise[i - 1]
        y = np.exp(0.5 * np.log(slots) + 0.1 * noise)
        found = log_log_slope(slots, y, seed=3)
        covered += found.low <= 0.5 <= found.high
        x = np.log(slots) - np.log(slots).mean()
        rest = np.log(y) - np.log(y).mean() - found.value * x
        naive += abs(found.value - 0.5) <= 1.96 * np.sqrt((rest**2).sum() / 98 / (x**2).sum())
    assert covered >= 0.86 * draws
    assert naive < 0.85 * draws


def test_the_slope_can_exclude_the_curves_beginning() -> None:
    found = regret(played(oga_sched(step="anytime"), tiny_ports(0, horizon=400)), points=40)
    assert found.slope(first=10).points < found.slope().points
