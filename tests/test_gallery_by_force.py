"""Gallery values that no system defines, against programs of their own: every sequence, every answer."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import inf
from pathlib import Path
from typing import Any

import cvxpy as cp
import pytest

from schedproof.core.cards.plug_ins import module_in

ROOT = Path(__file__).parents[1]
gallery = module_in(ROOT / "examples/gallery/theorems.py")
THEOREMS = {theorem.__name__: theorem for theorem in gallery.theorems()}


def stretched(bins: int, capacity: int) -> Fraction:
    """The adversary sends items that fit into the bins; the algorithm places each."""

    @cache
    def fits(items: tuple[int, ...]) -> bool:
        places = product(range(bins), repeat=len(items))
        return any(
            all(sum(s for s, p in zip(items, at, strict=True) if p == b) <= capacity for b in range(bins))
            for at in places
        )

    @cache
    def load(items: tuple[int, ...], loads: tuple[int, ...]) -> int:
        most = max(loads)
        for item in range(1, capacity + 1):
            more = tuple(sorted((*items, item)))
            if fits(more):
                answers = {tuple(sorted((*loads[:b], loads[b] + item, *loads[b + 1 :]))) for b in range(bins)}
                most = max(most, min(load(more, after) for after in answers))
        return most

    return Fraction(load((), (0,) * bins), capacity)


def admitted(unit: int, phi: int) -> Fraction | float:
    """Two jobs of all offered ones fit; an offer is accepted or refused at once."""

    @cache
    def ratio(left: int, earned: int, best: tuple[int, ...]) -> Fraction | float:
        now = Fraction(sum(best), earned) if earned else inf if best else Fraction(0)
        worst = [now]
        for value in range(unit, phi * unit + 1):
            after = tuple(sorted((*best, value)))[-2:]
            if after != best:
                accepted = [ratio(left - 1, earned + value, after)] if left else []
                worst.append(min([ratio(left, earned, after), *accepted]))
        return max(worst)

    return ratio(2, 0, ())


def started(n: int) -> Fraction:
    """At most one job of 1 or n slots arrives in a slot; the total flow time without preemption."""
    slots, sizes = 2 * n - 1, (1, n)

    def least(jobs: tuple[tuple[int, int], ...]) -> int:
        def total(order: Any) -> int:
            time = cost = 0
            for arrival, size in order:
                time = max(time, arrival) + size
                cost += time - arrival
            return cost

        return min(map(total, permutations(jobs)))

    best = cache(least)

    @cache
    def ratio(now: int, jobs: tuple[tuple[int, int], ...], waiting: tuple[int, ...], free: int, ended: int) -> Any:
        time, cost = max(now, free), ended - sum(arrival for arrival, _ in jobs)
        for size in waiting:  # sorted
            time += size
            cost += time
        worst = [Fraction(cost, best(jobs)) if jobs else Fraction(0)]
        for size in (0, *(sizes if len(jobs) <= n else ())) if now < slots else ():
            more = (*jobs, (now, size)) if size else jobs
            queue = tuple(sorted((*waiting, *([size] if size else []))))
            answers = [ratio(now + 1, more, queue, free, ended)]
            for i in range(len(queue)) if free <= now else ():
                left = queue[:i] + queue[i + 1 :]
                answers.append(ratio(now + 1, more, left, now + queue[i], ended + now + queue[i]))
            worst.append(min(answers))
        return max(worst)

    return ratio(0, (), (), 0, 0)


def mean_regret(rounds: int) -> Fraction:
    """The mean over all sequences: each forecast loses half a round against random outcomes."""
    best = [min(sum(outcomes), rounds - sum(outcomes)) for outcomes in product((0, 1), repeat=rounds)]
    return Fraction(rounds, 2) - Fraction(sum(best), len(best))


def shared(n: int) -> Fraction:
    """Round robin in time, against every order."""

    def robin(sizes: tuple[int, ...]) -> Fraction:
        left, time, total = [Fraction(size) for size in sizes], Fraction(0), Fraction(0)
        while left:
            least = min(left)
            time += least * len(left)
            total += time * left.count(least)
            left = [work - least for work in left if work > least]
        return total

    def one_by_one(sizes: tuple[int, ...]) -> int:
        return min(sum(sum(order[: i + 1]) for i in range(n)) for order in permutations(sizes))

    return max(robin(sizes) / one_by_one(sizes) for sizes in combinations_with_replacement(range(1, 5), n))


BY_FORCE: list[tuple[str, Callable[..., Any], dict[str, int]]] = [
    ("bin_stretching", stretched, {"bins": 2, "capacity": 3}),
    ("bin_stretching", stretched, {"bins": 2, "capacity": 4}),
    ("stretching_three_bins", stretched, {"bins": 3, "capacity": 3}),
    ("admission_lower_bound", admitted, {"unit": 2, "phi": 4}),
    ("nonpreemptive_lower_bound", started, {"n": 3}),
    ("nonpreemptive_lower_bound", started, {"n": 4}),
    ("regret", mean_regret, {"rounds": 4}),
    ("regret", mean_regret, {"rounds": 8}),
    ("equal_shares", shared, {"n": 2}),
    ("equal_shares", shared, {"n": 3}),
]


@pytest.mark.parametrize(("name", "force", "size"), BY_FORCE)
def test_every_sequence_and_answer_gives_the_value(name: str, force: Callable[..., Any], size: dict[str, int]) -> None:
    assert force(**size) == gallery.computed(THEOREMS[name], size)


@pytest.mark.parametrize("a", [2, 3])
def test_the_least_energy_is_that_of_the_convex_program(a: int) -> None:
    theorem = THEOREMS["average_rate"]
    for jobs in [*combinations(theorem.JOBS[::3], 3)][::3]:
        work = cp.Variable((len(jobs), 4), nonneg=True)  # of each job in each slot
        inside = [work[j, t] == 0 for j, (start, end, _) in enumerate(jobs) for t in range(4) if not start <= t < end]
        done = [cp.sum(work[j]) == job[2] for j, job in enumerate(jobs)]
        energy = cp.Problem(cp.Minimize(cp.sum(cp.power(cp.sum(work, axis=0), a))), inside + done).solve()
        assert float(theorem.least(jobs, a)) == pytest.approx(energy, rel=1e-5)


def test_the_potential_of_double_coverage_fails_below_its_ratio() -> None:
    """Every step from every reachable pair, listed here."""
    system = THEOREMS["double_coverage_potential"].DoubleCoverage(5, 2)

    def potential(servers: Any, others: Any) -> Any:
        return 2 * sum(abs(x - y) for x, y in zip(servers, others, strict=True)) + servers[1] - servers[0]

    least, todo, seen = Fraction(0), [(system.start(), system.offline())], set()
    while todo:
        if (pair := todo.pop()) in seen:
            continue
        seen.add(pair)
        for request in system.requests(pair[1]):
            servers, cost = system.answer(pair[0], request)
            for others, optimum in dict(system.moves(pair[1], request)).items():
                increase = cost + potential(servers, others) - potential(*pair)
                assert increase <= 2 * optimum
                least = max(least, Fraction(increase) / optimum if optimum else least)
                todo.append((servers, others))
    assert least == gallery.computed(THEOREMS["double_coverage_potential"], {"n": 5, "k": 2}) == 2
