from __future__ import annotations

from preemptive_start import AIMED, dispatch_of, medium, proved_by_prices, witness

import schedproof as sp


def test_under_the_premises_chunks_take_multiples_of_thirty_slots() -> None:
    aimed, drawn = medium(1, 2, 0, AIMED), medium(1, 2, 0, "as drawn")
    assert all(job.slots() % 30 == 0 and job.gradient_size == 0 for job in aimed.jobs)
    assert any(job.slots() % 30 for job in drawn.jobs)
    assert [job.arrival for job in aimed.jobs] == [job.arrival for job in drawn.jobs]


def test_the_best_order_for_a_dispatch_is_between_the_optimum_and_the_run() -> None:
    pair = witness("lemma2", "lemma2").case.instance
    run, exact = sp.policy("a_online").run(pair), sp.program("preemptive.minlp2")
    pinned = exact.add(dispatch_of(run)).solve(pair).objective
    assert exact.solve(pair).objective <= pinned <= run.objective


def test_the_prices_of_a_run_prove_a_bound() -> None:
    run = sp.policy("a_online", order="residual").run(sp.embedded("day"))
    bound = proved_by_prices(run, 0.5)
    assert bound.verify(run.instance) and 0 < bound.exact <= 31
