from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import schedproof as sp
from schedproof.adversary.doubt import Doubted
from schedproof.adversary.lift import CHECKED, Formula, along, expression, fit, lifts
from schedproof.adversary.objective import objective
from schedproof.core.errors import SchedproofError
from schedproof.core.results.run import policy
from schedproof.proofs_checks.preemptive.theorem3_dmax import quotient
from schedproof.proofs_checks.preemptive.theorem3_lower_bound import far_above
from schedproof.proofs_checks.strategies.preemptive_stragglers import Stragglers
from schedproof.proofs_checks.strategies.preemptive_traps import Trap
from tests.support import size
from tests.witnesses import witness

SIZES = range(1, 12)


def test_a_quotient_of_polynomials_is_found_reduced_and_with_its_limit() -> None:
    formula = Formula((1, 0, 3), (2, 5, 1))
    values = [formula.at(n) or Fraction(0) for n in SIZES]
    found = fit(SIZES, values)
    assert found is not None and (found.top, found.bottom, found.limit) == ((1, 0, 3), (2, 5, 1), 3)
    assert found.fitted_on == 5 and found.words() == "(1 + 3 k^2) / (2 + 5 k + k^2)"
    assert fit(SIZES, [Fraction(2 * n, 4 * n) for n in SIZES]) == Formula((1,), (2,), 1)
    assert [Formula((0, 0, 1), (1, 1)).limit, Formula((1,), (0, 1)).limit] == [inf, 0]


def test_one_value_off_the_formula_gives_no_formula() -> None:
    values = [Fraction(2 * n + 1, n) for n in SIZES]
    assert fit(SIZES, values) is not None
    for wrong in range(len(values) - CHECKED, len(values)):
        beside = [value + (n == wrong) for n, value in enumerate(values)]
        assert fit(SIZES, beside) is None
    assert fit(SIZES[:5], values[:5]) is None  # too few are left to be checked
    assert fit(SIZES, [Fraction(2) ** n for n in SIZES]) is None


def test_the_formula_may_start_at_a_later_size() -> None:
    lift = along("k", SIZES, lambda n: Fraction(max(3, n)))
    assert (
        lift.since == 3 and lift.formula is not None and lift.formula.limit == inf and "from k = 3 on" in lift.sentence
    )


def test_the_pool_witness_of_theorem_3_lifts_to_1_plus_2_over_eps() -> None:
    pool = witness("preemptive.theorem3_minlp-pool")
    member, limits = Trap(Fraction(2), len(pool.case.instance.jobs)), {}
    assert member.online.instance.sha256 == pool.case.instance.sha256  # the witness is a member of the family
    for eps in (1, 2, 3, 4):
        step = eps + 2  # so that N speed/(1 + speed) is whole
        lift = along(
            "N", range(step, 14 * step, step), lambda n, eps=eps: far_above(Trap(Fraction(1 + eps), n)).measured
        )
        assert lift.formula is not None and lift.formula.fitted_on == 9 and len(lift.sizes) == 13
        limits[Fraction(eps)] = Fraction(lift.formula.limit)
    first = {eps: limits[eps] for eps in (Fraction(1), Fraction(2))}
    guess = expression(first)
    assert guess is not None and guess.words("eps") == "(2 + eps) / (eps)"
    assert all(guess.at(eps) == limit == 1 + 2 / eps for eps, limit in limits.items())
    assert expression(limits | {Fraction(5): Fraction(7, 4)}) is None


def test_the_stragglers_lift_to_d_max_at_every_speed() -> None:
    for chunks, speed in ((2, Fraction(3, 2)), (3, Fraction(2)), (4, Fraction(10))):
        lift = along("h", range(1, size(10, 10, 12)), lambda h, d=chunks, s=speed: quotient(Stragglers(s, d, h, h**2)))
        assert lift.formula is not None and lift.formula.limit == chunks


JOB = {"arrival": 0, "chunks": 1, "epochs": 1, "minibatches": 1, "worker_types": ["w"], "minibatch_time": 1}
JOB |= {"update_time": 0, "gradient_size": 0, "bandwidth": 1, "upload_delay": {"edge": 0, "cloud": 2}}
SERVERS = [{"name": "edge", "workers": {"w": 1}, "parameter_servers": 9}, {"name": "cloud", "cloud": True}]
ALONE = {"version": 1, "family": "preemptive", "servers": SERVERS, "jobs": [JOB | {"name": "j1"}]}


def test_an_instance_is_lifted_along_the_change_that_raises_its_ratio() -> None:
    near = JOB | {"name": "j1", "upload_delay": {"edge": 0, "cloud": 1}}
    document, most = ALONE | {"jobs": [near], "horizon": size(20, 20, 60)}, size(3, 3, 5)
    found = {
        lift.words: lift for lift in lifts(objective(policy("srtf"), "preemptive", "minlp2"), document, SIZES[:most])
    }
    copies = found["k copies of jobs[0]"]  # srtf never uses the cloud
    assert copies.values[0] == 1 < copies.values[-1] == sp_ratio(document, most)


class Fitting:
    """The objective is the number of jobs, if each has three slots of the horizon."""

    enough = inf

    def judge(self, instance: Any) -> Doubted:
        if instance.horizon < 3 * len(instance.jobs):
            raise SchedproofError("no room")
        return Doubted(Fraction(len(instance.jobs)))


def test_the_horizon_grows_if_copies_do_not_fit() -> None:
    found = {lift.words: lift for lift in lifts(Fitting(), ALONE | {"horizon": 3}, SIZES[:6])}
    assert list(found) == ["k copies of jobs[0], k times the horizon"]
    assert found.popitem()[1].values == tuple(SIZES[:6])
    roomy = [lift.words for lift in lifts(Fitting(), ALONE | {"horizon": 18}, SIZES[:6])]
    assert roomy == ["k copies of jobs[0]"]


class Coupled:
    """n jobs, the first of m chunks: 2 n m / (n m + n + m)."""

    enough = inf

    def judge(self, instance: Any) -> Doubted:
        n, m = len(instance.jobs), instance.jobs[0].chunks
        return Doubted(Fraction(2 * n * m, n * m + n + m))


def test_copies_and_a_number_grow_together_if_both_are_better_than_each() -> None:
    found = {lift.words: lift for lift in lifts(Coupled(), ALONE | {"horizon": 60}, SIZES)}
    alone, both = found.pop("k copies of jobs[0]"), found.pop("k copies of jobs[0], jobs[0].chunks = k")
    assert alone.formula is not None and alone.formula.limit == 1
    assert both.formula is not None and (both.formula.limit, both.formula.words()) == (2, "(2 k) / (2 + k)")
    assert list(found) == ["jobs[0].chunks = k"]  # in pairs with other numbers chunks stay as they are


def test_a_number_that_grows_in_proportion_gives_a_family() -> None:
    document = ALONE | {"jobs": [JOB | {"name": "j1", "chunks": 3}], "horizon": 60}
    words = [lift.words for lift in lifts(Coupled(), document, SIZES)]
    assert {"k copies of jobs[0], jobs[0].chunks = k", "k copies of jobs[0], jobs[0].chunks = 3 k"} <= {*words}


def sp_ratio(document: dict[str, object], count: int) -> Fraction:
    from schedproof.instances import from_json

    (job,) = document["jobs"]  # type: ignore[misc]
    instance = from_json(document | {"jobs": [job | {"name": f"j{n}"} for n in range(count)]})
    best = sp.program("preemptive.minlp2").solve(instance).schedule().objective(instance)
    return Fraction(count * (count + 1) // 2) / best
