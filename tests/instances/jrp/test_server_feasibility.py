from __future__ import annotations

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.instances.jrp.server_feasibility import Need, fits, resources
from tests.support import size

F = Fraction
TENTHS = st.integers(0, 60).map(lambda n: F(n, 10))
NEEDS = st.lists(st.tuples(TENTHS, TENTHS), max_size=5)


def needs(*pairs: tuple[object, object]) -> list[Need]:
    return [(F(str(c)), F(str(b))) for c, b in pairs]


def keeps_ten(need: Need, got: Need) -> bool:
    """Whether one job meets (10); a part of size 0 takes no time."""
    time = F(0)
    for n, r in zip(need, got, strict=True):
        if n and r <= 0:
            return False
        time += n / r if n else 0
    return time <= 1


def granted(compute: Fraction, bandwidth: Fraction, some: list[Need]) -> bool:
    """Whether `resources` satisfies (8)-(10) and (13)."""
    got = resources(compute, bandwidth, some)
    within = sum(c for c, _ in got) <= compute and sum(b for _, b in got) <= bandwidth
    positive = all(c >= 0 and b >= 0 for c, b in got)
    return within and positive and len(got) == len(some) and all(map(keeps_ten, some, got))


# --- against (10) itself ----------------------------------------------------------------------------------------------


def least_bandwidth(compute: int, some: list[Need], grid: int) -> Fraction | None:
    """The least total bandwidth over splits of the compute in steps of 1/grid."""
    best = None
    for cut in product(range(1, grid + 1), repeat=len(some) - 1):
        if sum(cut) >= grid:
            continue
        parts = [F(compute * n, grid) for n in (*cut, grid - sum(cut))]
        if all(r > c for r, (c, _) in zip(parts, some, strict=True)):
            total = sum((b / (1 - c / r) for r, (c, b) in zip(parts, some, strict=True)), F(0))
            best = total if best is None else min(best, total)
    return best


def test_agrees_with_every_cut_of_the_compute() -> None:
    found = {True: 0, False: 0}
    for seed in range(size(15, 36, 600)):
        rng = random.Random(seed)
        jobs = 2 + seed % 2
        some = [(F(rng.randrange(1, 20), 10), F(rng.randrange(1, 20), 10)) for _ in range(jobs)]
        compute = int(2 * sum(c for c, _ in some)) + rng.randrange(1, 5)
        least = least_bandwidth(compute, some, 120 if jobs == 2 else 40)
        assert least is not None
        for times in (F(1), F(101, 100), F(2)):
            assert fits(F(compute), least * times, some)
        for times in (F(1, 2), F(8, 10)):
            assert not fits(F(compute), least * times, some), (seed, times)
        found[True] += 1
    for seed in range(size(20, 60, 1000)):  # a single job: solved by hand
        rng = random.Random(seed)
        c, b = F(rng.randrange(1, 20), 7), F(rng.randrange(1, 20), 11)
        compute = c + F(rng.randrange(0, 9), 3)
        if compute == c:
            assert not fits(compute, F(10**9), [(c, b)])
            found[False] += 1
        else:
            least = b / (1 - c / compute)
            assert fits(compute, least, [(c, b)]) and not fits(compute, least - F(1, 10**40), [(c, b)])
    assert min(found.values()) > 0


@given(TENTHS, TENTHS, TENTHS, TENTHS, TENTHS, TENTHS)
def test_two_jobs_are_algebra(compute: F, bandwidth: F, c: F, b: F, e: F, d: F) -> None:
    # sqrt(p) + sqrt(q) <= sqrt(s) is p + q <= s and 4 p q <= (s - p - q)^2.
    u, v = compute - c - e, bandwidth - b - d
    rest = u * v - c * b - e * d
    expected = u >= 0 and v >= 0 and rest >= 0 and 4 * c * b * e * d <= rest**2
    assert fits(compute, bandwidth, [(c, b), (e, d)]) == expected


def in_decimals(compute: F, bandwidth: F, some: list[Need]) -> bool | None:
    """Decide the test in 300 digits, or return None if they do not suffice."""
    u, v = compute - sum(c for c, _ in some), bandwidth - sum(b for _, b in some)
    if u < 0 or v < 0:
        return False
    with localcontext(prec=300):
        gap = root(u * v) - sum((root(c * b) for c, b in some), Decimal(0))
        return None if abs(gap) < Decimal("1e-250") else gap > 0


def root(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / value.denominator).sqrt()


@given(TENTHS, TENTHS, NEEDS)
def test_agrees_with_three_hundred_digits(compute: F, bandwidth: F, some: list[Need]) -> None:
    compute, bandwidth = compute * 4, bandwidth * 4
    expected = in_decimals(compute, bandwidth, some)
    assert expected is None or fits(compute, bandwidth, some) == expected


# --- ties -------------------------------------------------------------------------------------------------------------

HAIR = F(1, 10**30)


@pytest.mark.parametrize(
    ("compute", "bandwidth", "some"),
    [
        (4, 4, needs((1, 1), (1, 1))),  # 2 x 2 left, 1 + 1 needed
        (6, 6, needs((1, 1), (2, 2))),  # 3 x 3 left, 1 + 2 needed
        (2, 8, needs((1, 4))),
        (7, 10, needs((1, 4), (1, 1), (1, 1))),  # 4 x 4 left, 2 + 1 + 1 needed
    ],
)
def test_ties_of_rational_roots(compute: int, bandwidth: int, some: list[Need]) -> None:
    assert fits(F(compute), F(bandwidth), some) and granted(F(compute), F(bandwidth), some)
    assert not fits(F(compute) - HAIR, F(bandwidth), some)
    assert not fits(F(compute), F(bandwidth) - HAIR, some)
    assert fits(F(compute) + HAIR, F(bandwidth), some) and granted(F(compute) + HAIR, F(bandwidth), some)


def test_ties_of_irrational_roots_of_one_kind() -> None:
    # sqrt 2 + 2 sqrt 2 + sqrt(2)/3 against sqrt(200/9): all of it sqrt 2 times a rational, 10/3.
    some = needs((1, 2), (4, 2), ("1/3", "2/3"))
    compute, bandwidth = 5 + F(1, 3) + F(10, 3), 4 + F(2, 3) + F(20, 3)
    assert fits(compute, bandwidth, some) and granted(compute, bandwidth, some)
    assert not fits(compute, bandwidth - HAIR, some)
    assert fits(compute, bandwidth + HAIR, some) and granted(compute, bandwidth + HAIR, some)


def test_near_ties_of_incommensurable_roots() -> None:
    # sqrt 2 + sqrt 3 against what is a hair above and below it: 300 digits tell, doubles cannot.
    some = needs((2, 1), (3, 1))
    with localcontext(prec=80):
        edge = F((Decimal(2).sqrt() + Decimal(3).sqrt()) ** 2)  # of u v; u is 1
    for hair in (F(1, 10**20), HAIR, F(1, 10**60)):
        assert fits(F(6), 2 + edge + hair, some) and not fits(F(6), 2 + edge - hair, some)
        assert granted(F(6), 2 + edge + hair, some)
    with pytest.raises(ValueError, match="cannot meet"):
        resources(F(6), 2 + edge - HAIR, some)


def test_a_near_tie_of_many_roots_with_a_rational_sum_in_sight() -> None:
    # sqrt(10^40 + 1) is 10^20 and 5e-21: not 10^20.
    large = 10**20
    some = [(F(large**2 + 1), F(1))]
    assert not fits(some[0][0] + large, F(1 + large), some)
    assert fits(some[0][0] + large, F(1 + large) + F(1, large), some)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=5), st.sampled_from([1, 2, 6]))
def test_ties_are_accepted_and_smaller_capacities_rejected(pairs: list[tuple[int, int]], kind: int) -> None:
    # c b = kind r^2 for each, so that the roots' sum is sqrt(kind) times a whole number.
    some = [(F(kind * r * w), F(r, w)) for r, w in pairs]
    total = sum(r for r, _ in pairs)
    compute = sum(c for c, _ in some) + kind * total
    bandwidth = sum(b for _, b in some) + total
    assert granted(compute, bandwidth, some)
    assert not fits(compute - HAIR, bandwidth, some) and not fits(compute, bandwidth - HAIR, some)
    with pytest.raises(ValueError, match="cannot meet all these needs"):
        resources(compute - HAIR, bandwidth, some)


# --- needs of nothing, and any numbers --------------------------------------------------------------------------------


def test_needs_of_one_thing_only_add_up_plainly() -> None:
    some = needs((1, 0), (0, 2), (2, 0), (0, 0))
    assert granted(F(3), F(2), some)
    assert not fits(F(3) - HAIR, F(2), some) and not fits(F(3), F(2) - HAIR, some)
    mixed = [*some, (F(1), F(1))]
    assert granted(F(6), F(3) + F(1, 2), mixed) and not fits(F(6), F(3) + F(1, 2) - HAIR, mixed)
    assert granted(F(0), F(0), []) and granted(F(5), F(0), needs((5, 0))) and granted(F(0), F(0), needs((0, 0)))
    assert not fits(F(100), F(0), needs((1, 1))) and not fits(F(0), F(100), needs((0, 1), (1, 0)))
    assert not fits(F(1), F(100), needs((1, 1))), "all of the compute, no time left to communicate"


@given(TENTHS, TENTHS, NEEDS)
def test_feasible_needs_are_granted_and_others_rejected(compute: F, bandwidth: F, some: list[Need]) -> None:
    compute, bandwidth = compute * 4, bandwidth * 4
    if fits(compute, bandwidth, some):
        assert granted(compute, bandwidth, some)
    else:
        with pytest.raises(ValueError, match="cannot meet all these needs in time"):
            resources(compute, bandwidth, some)


@given(TENTHS, TENTHS, NEEDS, st.integers(0, 4), TENTHS, TENTHS)
def test_more_of_a_server_is_never_worse_and_more_to_do_never_better(
    compute: F, bandwidth: F, some: list[Need], which: int, more: F, other: F
) -> None:
    compute, bandwidth = compute * 4, bandwidth * 4
    if fits(compute, bandwidth, some):
        assert fits(compute + more, bandwidth + other, some)
        assert fits(compute, bandwidth, some[:which] + some[which + 1 :])
        assert fits(compute, bandwidth, some[::-1])
    else:
        assert not fits(compute, bandwidth, [*some, (more, other)])
        grown = [(c + more, b + other) if n == which else (c, b) for n, (c, b) in enumerate(some)]
        assert not fits(compute, bandwidth, grown)
    for times in (F(1, 7), F(10**15)):
        assert fits(compute * times, bandwidth, [(c * times, b) for c, b in some]) == fits(compute, bandwidth, some)


@pytest.mark.parametrize("scale", [F(10) ** power for power in (-200, -80, -50, 50, 80, 200)])
def test_numbers_beyond_doubles_under_a_root(scale: Fraction) -> None:
    some = [(2 * scale, 3 * scale), (scale, scale)]
    with localcontext(prec=60):
        edge = F((Decimal(6).sqrt() + 1) ** 2) / 5  # of v; u is 5
    assert granted(8 * scale, (4 + edge + HAIR) * scale, some)
    assert not fits(8 * scale, (4 + edge - HAIR) * scale, some)


def test_needs_of_very_different_sizes_are_granted() -> None:
    some = needs((1, 1), ("1/1000000000000000000000000000000", 1), ("1e-25", "1e-25"), (0, 1), (1, 0))
    assert granted(F(5), F(7), some)
