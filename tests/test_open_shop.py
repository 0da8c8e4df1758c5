from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.adversary.lift import along
from schedproof.check import bound as checker
from schedproof.core.cards import own_checker
from schedproof.core.certificates import program_bound
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.files import write_json
from tests.command_line import plugged_in, with_plug_in
from tests.support import size

schedproof = partial(with_plug_in, "open_shop")
MOST_LINES = 141


@pytest.fixture(scope="module")
def shop() -> Iterator[Any]:
    with plugged_in("open_shop") as module:
        yield module


def of(*jobs: tuple[int, tuple[int, ...], int], shop: Any) -> Any:
    rows = [
        {"name": f"j{n}", "weight": weight, "times": list(times), "arrival": arrival}
        for n, (weight, times, arrival) in enumerate(jobs)
    ]
    file = {"version": 1, "family": "open_shop", "machines": len(jobs[0][1]), "jobs": rows}
    return shop.Shop.from_json(file)


def test_it_is_one_readable_file(shop: Any) -> None:
    assert len(Path(shop.__file__).read_text().splitlines()) <= MOST_LINES


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_bound_optimum_and_policies_are_in_order(data: st.DataObject, shop: Any) -> None:
    one = data.draw(shop.SHOP.strategy("tiny"))
    bound, best = sp.bound(shop.parallel, one), shop.exact.solve(one, "best_order").exact
    bound.check(one)
    schedule = shop.exact.solve(one).schedule()
    assert bound.exact <= best == schedule.objective(one) == shop.SHOP.schedule.best(one)
    assert not schedule.violations(one)
    for policy in ("mussq", "sebf"):
        run = sp.policy(f"open_shop.{policy}").run(one)
        assert run.feasible and run.objective >= best
        if bound.exact:
            assert run.ratio(bound).exact == run.objective / bound.exact
    assert sp.policy("open_shop.mussq").run(one).objective <= 2 * bound.exact


def test_arriving_jobs_are_reordered(shop: Any) -> None:
    one = of((1, (4, 4), 0), (3, (1, 1), 2), shop=shop)
    run = sp.policy("open_shop.mussq").run(one)
    assert run.feasible and run.schedule.ends(one) == [5, 3] and run.objective == 5 + 3 * 3
    assert shop.SHOP.schedule.best(one) == 5 + 3 * 3
    with pytest.raises(SchedproofError, match="without arrivals"):
        shop.SHOP.schedule.best_order(one)
    for seed in range(5):
        later = sp.generate("open_shop", "online", seed)
        bound = sp.bound(shop.parallel, later)
        assert all(sp.policy(name).run(later).ratio(bound).exact >= 1 for name in ("mussq", "sebf"))


def test_a_certificate_is_proven_by_the_standard_library(shop: Any, tmp_path: Path) -> None:
    one = sp.generate("open_shop", "online", 2)
    bound = sp.bound(shop.parallel, one)
    write_json(tmp_path / "shop.json", one.to_json())
    write_bound(tmp_path / "bound.json", bound)
    files = str(tmp_path / "shop.json"), str(tmp_path / "bound.json")
    assert Fraction(checker.check(*files)["value"]) == bound.exact
    row = json.loads((tmp_path / "bound.json").read_text())
    row["value"] = f"{bound.exact + 1}/1"
    write_json(tmp_path / "bound.json", row)
    with pytest.raises(checker.Refused):
        checker.check(*files)


def test_the_bound_of_many_jobs_is_found_in_time(shop: Any) -> None:
    one = sp.generate("open_shop", "large", 1, jobs="120", machines="10")
    bound = sp.bound(shop.parallel, one, time_limit=300)
    run = sp.policy("mussq").run(one)
    assert run.feasible and 1 <= run.ratio(bound).exact <= 2


def test_many_initial_rows_give_a_bound_that_a_time_limit_improves(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = sp.generate("open_shop", "large", 1, jobs="40", machines="5")
    best = sp.bound(shop.parallel, one)
    monkeypatch.setattr(program_bound, "LARGEST", 500)
    first = sp.bound(shop.parallel, one)
    first.check(one)
    assert first.details["ended"] == "more than 500 terms" and first.details["generated"] == 40
    prices = {name: (work, pay) for name, work, pay in mussq_prices(one)}
    assert len(prices) == 40 and float(first.exact) == pytest.approx(sum(w * y for w, y in prices.values()), rel=1e-9)
    assert first.exact < sp.bound(shop.parallel, one, time_limit=60).exact == best.exact


def mussq_prices(one: Any) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Return MUSSQ's rows in rationals: the last job, f_i(S), and y."""
    left, weights = [*one.jobs], {job.index: Fraction(job.weight) for job in one.jobs}
    while left:
        work = [sum(job.times[i] for job in left) for i in range(one.machines)]
        i = max(range(one.machines), key=work.__getitem__)
        last = min((job for job in left if job.times[i]), key=lambda job: weights[job.index] / job.times[i])
        pay = weights[last.index] / last.times[i]
        yield last.index, Fraction(work[i] ** 2 + sum(job.times[i] ** 2 for job in left), 2), pay
        for job in left:
            weights[job.index] -= pay * job.times[i]
        left.remove(last)


def test_its_claims_are_judged(shop: Any) -> None:
    verdicts = {result.claim.id: result.verdict for result in sp.verify(family="open_shop", budget=size(1, 1, 10))}
    assert verdicts == {"open_shop.two": "argued", "open_shop.sebf_two": "refuted", "open_shop.one_order": "argued"}


def test_the_worst_of_two_jobs_is_a_third_worse(tmp_path: Path) -> None:
    items = tmp_path / "shop.json"
    jobs = [{"name": name, "weight": 1, "times": [1, 1]} for name in "ab"]
    items.write_text(json.dumps({"version": 1, "family": "open_shop", "machines": 2, "jobs": jobs}))
    more = ["--against", "open_shop.exact", "--jobs", 1, "--store", tmp_path / "worst.sqlite", "--json"]
    found = schedproof("worst", "mussq", items, "--free", "jobs[*].times[*]=0..2", *more)
    assert found["exact"] == "4/3" and found["complete"] and found["looked_at"][0] == 3**4


def test_the_factor_two_of_mussq_is_tight_along_a_family_of_two_machines(shop: Any) -> None:
    kind = shop.SHOP.schedule

    def ratio(k: int) -> Fraction:
        one = of((2, (1, k * k), 0), *[(k, (k, 1), 0)] * (k + 1), shop=shop)
        others_first = kind.by("mine", one, kind.in_order(one, [*range(1, k + 2), 0]))
        assert not others_first.violations(one)
        return Fraction(sp.policy("open_shop.mussq").run(one).objective) / others_first.objective(one)

    lift = along("k + 1 others", range(2, 14), ratio)
    assert lift.formula is not None and lift.formula.limit == 2 and max(lift.values) < 2


def test_arrivals_force_something_upon_every_algorithm(shop: Any) -> None:
    forced = [sp.game("open_shop.arrivals", jobs=jobs, slots=2, longest=2) for jobs in (1, 2, 3)]
    assert [game.value for game in forced] == [1, 1, Fraction(9, 8)] and all(game.best for game in forced)


def test_the_standard_library_checker_accepts_only_unchanged_strategies(shop: Any, tmp_path: Path) -> None:
    file, script = tmp_path / "strategy.json", Path(shop.__file__).with_name("open_shop_check.py")
    given = json.loads(json.dumps(sp.game("open_shop.arrivals", jobs=3, slots=2, longest=2).to_file()))
    rows = given["moves"]

    def told(**changes: Any) -> str:
        write_json(file, given | changes)
        return own_checker.run(script, "game", str(file))[1]

    def changed(n: int, jobs: Any) -> str:
        return told(moves=[*rows[:n], rows[n] | {"arrive": jobs}, *rows[n + 1 :]])

    assert "has a ratio below 9/8." in told()
    assert "has a ratio below 9/8. (as open_shop_check.py" in schedproof("check-game", file, "--json")["statement"]
    assert "keeps the payoff below 8/7" in told(value="8/7") and "another game" in told(game="open_shop.other")
    assert all("an answer keeps" in told(moves=rows[:n] + rows[n + 1 :]) for n in (1, 7, len(rows) - 1))
    assert all("no such job" in changed(0, jobs) for jobs in ([[0, 3]], [[0, 0]], [[1]])) and "too many" in changed(
        0, [[1, 1]] * 4
    )
    assert "no such job" in changed(1, [[-1, 1]]) and "whole numbers" in changed(0, [[0.5, 1]])


def test_a_table_becomes_a_shop(tmp_path: Path, shop: Any) -> None:
    table = tmp_path / "coflows.csv"
    table.write_text("name,weight,arrival,m1,m2\na,1,0,3,4\nb,2,1,1,0\n")
    one, report = sp.trace("coflows", [table])
    assert [(job.name, job.weight, job.arrival, job.times) for job in one.jobs] == [
        ("a", 1, 0, (3, 4)),
        ("b", 2, 1, (1, 0)),
    ]
    assert report == {"jobs": 2}
    table.write_text("name,weight,arrival,m1\na,heavy,0,3\n")
    with pytest.raises(SchedproofError, match=r"coflows\.csv.*heavy"):
        sp.trace("coflows", [table])
