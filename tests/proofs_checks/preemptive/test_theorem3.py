from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod

import pytest

import schedproof as sp
from schedproof.core.claims import cases
from schedproof.core.claims.claim import Outside
from schedproof.core.errors import InputError
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import (
    Piece,
    fractional_cost,
    pieces,
    plan_pieces,
    total_jct,
)
from schedproof.proofs_checks.preemptive.shared.premises import WITHIN_REPAIRED
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.preemptive.theorem3 import ILP, against_minlp, fluid_objective
from schedproof.proofs_checks.strategies import preemptive_traps
from schedproof.proofs_checks.strategies.preemptive import Online, build_instance, edge, job
from schedproof.proofs_checks.strategies.preemptive_stragglers import Stragglers
from schedproof.proofs_checks.strategies.preemptive_traps import Knockout, Ladder, Trap, ladder
from schedproof.reference.preemptive import Options, Order, a_online

ORDERS: tuple[Order, ...] = ("static", "residual")


def test_the_pool_is_a_trap_for_the_static_order_only() -> None:
    case = Trap(Fraction(2), 20).online
    totals = {}
    for order in ORDERS:
        run = sp.policy("a_online", order=order, speed="2").run(case.instance)
        totals[order] = run.objective
        assert not run.violations
        assert run.objective == a_online(case.instance, Options(order=order, speed=Fraction(2))).total_jct
    assert totals["static"] == 1681540 > 2 * total_jct(pieces(case, whole_slots=True)) > 2 * totals["residual"]


def test_a_remote_cloud_changes_no_number() -> None:
    case = Trap(Fraction(2), 20).online
    raw = json.loads(cases.text(cases.to_json(case)))
    raw["instance"]["servers"].append({"name": "cloud", "cloud": True})
    for row in raw["instance"]["jobs"]:
        row["upload_delay"]["cloud"] = 900_000
    raw["instance"]["horizon"] = 3_000_000
    far = cases.from_json(raw, Online)
    assert far.instance.cloud is not None
    assert against_minlp(far) == against_minlp(case) and against_minlp(case).measured == 1681540


@pytest.mark.parametrize("speed", [Fraction(6, 5), Fraction(2), Fraction(7, 2)])
def test_every_job_of_the_pool_is_priced_with_all_earlier_jobs(speed: Fraction) -> None:
    n, unit = 12, speed.denominator
    out = a_online(Trap(speed, n).online.instance, Options(speed=speed))
    assert [chunk.alpha for chunk in out.chunks] == [(1 + i) * unit * (n**3 + n - i) for i in range(n)]
    assert out.total_jct == out.alpha_total


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ([(0, 0, 0)], "chunk_work at b chunk 0"),
        ([(0, 0, 0), (1, 0, 1)], "after_upload at b on e at 1"),
        ([(0, 0, 0), (1, 0, 2)], "one_chunk_per_worker at e worker 0 at 2"),
        ([(0, 0, 0), (1, 0, 3)], "storage at e in slot 1"),
    ],
)
def test_a_plan_that_is_not_feasible_is_refused(plan: list[tuple[int, int, int]], why: str) -> None:
    jobs = [job("a", 3, {"e": 0}, chunk_size=1), job("b", 1, {"e": 1}, arrival=1, chunk_size=1)]
    with pytest.raises(InputError, match=why):
        plan_pieces(build_instance([edge("e", storage=1)], jobs), plan)


def by_hand(case: Stragglers) -> tuple[Fraction, Fraction]:
    h, m, n, s, slots = case.groups, case.waiting, case.short, case.speed, 2 * case.speed.denominator
    pause = (case.chunks - 1) * slots
    online = slots * m * (h + 1) // 2 + m * (m * slots + n * pause) + n * pause
    return Fraction(online), (m + h) * (m * slots - 1 + s * slots) + n * (h * pause + 1 + s * pause)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("speed", [Fraction(6, 5), Fraction(2), Fraction(7, 2)])
def test_the_stragglers_cost_equals_the_proofs(speed: Fraction, order: Order) -> None:
    for chunks in (2, 3, 5):
        case = Stragglers(speed, chunks, 3, 11)
        run = sp.policy("a_online", order=order, speed=speed).run(case.online.instance)
        assert not run.violations
        assert (run.objective, total_jct(pieces(case.online, whole_slots=True))) == by_hand(case)


@pytest.mark.parametrize(
    ("speed", "groups", "short", "least"),
    [(2, 20, 1350, Fraction(17, 5)), (10, 46, 1400, Fraction(29, 10))],
)
def test_with_four_chunks_d_max_is_seen(speed: int, groups: int, short: int, least: Fraction) -> None:
    case = Stragglers(Fraction(speed), 4, groups, short)
    run = sp.policy("a_online", order="residual", speed=speed).run(case.online.instance)
    shown = total_jct(pieces(case.online, whole_slots=True))  # checked there
    assert not run.violations and (run.objective, shown) == by_hand(case)
    assert least <= run.objective / shown < run.guarantee.value == 4 * Fraction(speed, speed - 1)
    assert set(run.guarantee.premises.values()) == {"yes"} and all(
        premise.met(case.online) for premise in WITHIN_REPAIRED
    )


@pytest.mark.parametrize(
    "case",
    [
        Trap(Fraction(2), 5001),
        Stragglers(Fraction(2), 2, 1, 10**9),
        Stragglers(Fraction(2), 10**9, 10**9, 1),
        Knockout(Fraction(2), 2, 10**9, 1),
        Knockout(Fraction(2), 2, 2, 10**9),
        Knockout(Fraction(2), 10**9, 1, 1),
    ],
)
def test_a_too_large_member_is_rejected_before_it_is_built(case: Trap | Stragglers | Knockout) -> None:
    with pytest.raises(InputError, match="at most 5,000 chunks"):
        _ = case.online


def test_the_jobs_of_a_knockout_are_counted_before_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    monkeypatch.setattr(preemptive_traps, "require_small", counts.append)
    case = Knockout(Fraction(3, 2), 3, 2, 1)
    assert len(case.online.instance.jobs) == counts[-1] >= counts[0]


def rounds_by_hand(case: Knockout) -> tuple[Fraction, Fraction]:
    w, rounds, fast, slow = case.width, case.rounds, case.speed.denominator, case.speed.numerator
    online = shown = before = 0
    for i in range(rounds):
        waiting = case.scale * (2 * w - 1) * (w - 1) ** (rounds - 1 - i) * w**i
        runs, rest = divmod((waiting - before) * w**2, 2 * w - 1)
        groups, before = w ** (2 * (rounds - 1 - i)) * (w - 1) ** (2 * i), waiting
        assert not rest
        online += groups * (2 * w - 1) * waiting * (waiting + 1) // 2
        shown += groups * (2 * w - 1) * runs * (runs + 1) // 2
    online += (w - 1) ** (2 * rounds) * before * (before + 1) // 2
    return Fraction(fast * online), Fraction(slow * shown)


def test_the_knockout_cost_equals_the_proofs_and_approaches_4_over_the_speed() -> None:
    for case in (Knockout(Fraction(2), 2, 3, 1), Knockout(Fraction(3, 2), 3, 1, 2)):
        run = sp.policy("a_online", order="residual", speed=case.speed).run(case.online.instance)
        shown = total_jct(pieces(case.online, whole_slots=True))
        assert not run.violations and (run.objective, shown) == rounds_by_hand(case)
    near = []
    for w in (2, 4, 8):
        online, shown = rounds_by_hand(Knockout(Fraction(2), w, w**3, w**2))
        near.append(online / shown)
    assert near == sorted(near) and Fraction(3, 2) < near[-1] < 2


@pytest.mark.parametrize("order", ["static", "residual"])
def test_a_ladders_cost_equals_its_shares_in_the_objective_of_4(order: Order) -> None:
    stops, length = [1, 1, 2], 1000
    case = ladder(stops, length)
    out = outcome(case, order=order, whole_slots=False)
    mine = fractional_cost([Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks])
    shares = [Fraction(prod(stops[: k + 1]), prod(m + 1 for m in stops[: k + 1])) for k in range(len(stops))]
    servers = len(case.instance.servers)
    least = length * servers * sum((2 * k + 1) * share for k, share in enumerate(shares)) / 2
    assert least < mine < least + 2 * len(case.instance.jobs)
    shown = 2 * length * servers * sum(m * share for m, share in zip(stops, shares, strict=True)) / 2
    short = sum(job.chunk_time == 2 for job in case.instance.jobs)
    assert fractional_cost(pieces(case, whole_slots=False)) == shown + 2 * (len(case.instance.jobs) - short) + short


def test_a_ladder_is_summed_up_as_by_rationals() -> None:
    case = Ladder(Fraction(3), 10**6)
    share, online, shown, shown_in_all = Fraction(1), Fraction(0), Fraction(0), Fraction(0)
    for k, m in enumerate(case.stops):
        share *= Fraction(m, m + 1)
        online, shown = online + (2 * k + 1) * share, shown + m * share
        shown_in_all += (m * case.length + 2) * share + share / m
    assert len(case.stops) < 20 and online > 3 * shown
    assert case.costs == (floor(case.length * online / 2), ceil(shown_in_all))
    assert not fluid_objective(case).violated and fluid_objective(Ladder(Fraction(4), 10**9)).violated
    assert not fluid_objective(Ladder(Fraction(4), 10**7)).violated  # the short jobs cost too much


def test_fewer_levels_do_not_pass_the_goal() -> None:
    for goal in (Fraction(1), Fraction(2), Fraction(5, 2)):
        levels = len(Ladder(goal, 1).stops)
        best = Fraction(0)
        for stops in product(range(1, 4), repeat=levels - 1):
            shares = [Fraction(prod(stops[: k + 1]), prod(m + 1 for m in stops[: k + 1])) for k in range(levels - 1)]
            spent = sum((m * share for m, share in zip(stops, shares, strict=True)), Fraction(0))
            best = max(best, sum((2 * k + 1) * share for k, share in enumerate(shares)) / spent if spent else best)
        assert best <= goal


def test_a_goal_that_no_ladder_reaches_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preemptive_traps, "MOST_LEVELS", 1000)
    with pytest.raises(InputError, match="expected a goal that 1,000 levels reach"):
        _ = Ladder(Fraction(5), 1).stops


def test_a_cases_type_follows_its_fields() -> None:
    domain = ILP.domain
    case = Ladder(Fraction(4), 7)
    assert domain.read(cases.to_json(case)) == case
    listed = ladder([1], 5)
    assert cases.to_json(domain.read(cases.to_json(listed))) == cases.to_json(listed)
    with pytest.raises(InputError, match="Online"):
        domain.read({"data": {"goal": "4"}})
    with pytest.raises(InputError, match="length"):
        domain.read({"data": {"goal": "4", "length": 0}})
    assert isinstance(ILP.ask(ILP.read_as("slot start"), case), Outside)
