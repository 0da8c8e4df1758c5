from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F

import pytest

from schedproof.instances.preemptive.premises import lands_in_order
from schedproof.proofs_checks.strategies.preemptive import CLOUD, build_instance, edge, job
from schedproof.reference.preemptive import Options, Outcome, a_online


def runs(out: Outcome) -> dict[str, list[tuple[F, F]]]:
    return {f"{c.job.name}/{c.index}": out.runs(c) for c in out.chunks}


def test_a_short_chunk_preempts_a_long_one() -> None:
    # long: 6 slots from 0. short at 2: (5) = (0 + 0 + 1) + 1 * 1 = 2, it runs [2, 3), long ends at 7
    out = a_online(build_instance([edge("e")], [job("long", 6, {"e": 0}), job("short", 1, {"e": 0}, arrival=2)]))
    assert runs(out) == {"long/0": [(0, 2), (3, 7)], "short/0": [(2, 3)]}
    assert [c.alpha for c in out.chunks] == [6, 2]
    assert out.alpha_total == out.beta_total == out.total_jct == 8
    assert [out.beta((0, "gpu", 0), F(t)) for t in (0, 2, 3, 6, 7)] == [1, 2, 1, 1, 0]


def test_static_and_residual_orders_differ_on_an_almost_finished_chunk() -> None:
    # at 3, long has one of its four slots left: static puts short (3) first, residual long
    jobs = [job("long", 4, {"e": 0}), job("short", 3, {"e": 0}, arrival=3)]
    static = a_online(build_instance([edge("e")], jobs))
    residual = a_online(build_instance([edge("e")], jobs), Options(order="residual"))
    assert runs(static) == {"long/0": [(0, 3), (6, 7)], "short/0": [(3, 6)]}
    assert runs(residual) == {"long/0": [(0, 4)], "short/0": [(4, 7)]}
    assert (static.chunks[1].alpha, residual.chunks[1].alpha) == (6, 4)


def test_chunks_of_one_job_spread_and_ties_go_to_the_first_worker() -> None:
    # two workers, three chunks of 2: w0 at 2/3, w1 at 2/3, then w0 again at (2 + 2)/3
    out = a_online(build_instance([edge("e", 2)], [job("j", 2, {"e": 0}, chunks=3)]))
    assert [c.worker[2] for c in out.chunks] == [0, 1, 0]
    assert [c.alpha for c in out.chunks] == [F(2, 3), F(2, 3), F(4, 3)]
    assert out.total_jct == 4


def test_an_equal_chunk_that_was_placed_earlier_preempts_when_it_lands() -> None:
    jobs = [job("first", 3, {"e": 1}), job("second", 3, {"e": 0})]
    out = a_online(build_instance([edge("e")], jobs))
    assert runs(out) == {"first/0": [(1, 4)], "second/0": [(0, 1), (4, 6)]}


def test_a_job_started_in_the_cloud_stays_there_and_a_mixed_one_pays() -> None:
    # p0 = 1 + 3 at the edge or mixed, p1 = 1 in the cloud at distance 2: 3 < 4, so all chunks go there
    away = job("j", 1, {"e": 0, "cloud": 2}, chunks=2, gradient_size=3)
    out = a_online(build_instance([edge("e"), CLOUD], [away]))
    assert [c.server.cloud for c in out.chunks] == [True, True]
    assert [c.alpha for c in out.chunks] == [F(3, 2), F(3, 2)]
    # at distance 4: edge 4 < 5; the second chunk costs 4 + 4 there and 4 + 4 in the cloud: the edge wins the tie
    near = job("j", 1, {"e": 0, "cloud": 4}, chunks=2, gradient_size=3)
    assert [c.server.cloud for c in a_online(build_instance([edge("e"), CLOUD], [near])).chunks] == [False, False]
    # the third chunk: 12 at the edge, 4 + 4 in the cloud at the mixed rate
    three = job("j", 1, {"e": 0, "cloud": 4}, chunks=3, gradient_size=3)
    out = a_online(build_instance([edge("e"), CLOUD], [three]))
    assert [c.server.cloud for c in out.chunks] == [False, False, True]
    assert out.chunks[2].work == 4


def test_rounding_speed_and_fluid() -> None:
    one = build_instance([edge("e")], [job("j", Decimal("2.5"), {"e": 0})])
    assert a_online(one).total_jct == 3
    assert a_online(one, Options(speed=F(2))).total_jct == 2
    assert a_online(one, Options(speed=F(2), whole_slots=False)).total_jct == F(5, 4)


def test_prices_with_and_without_chunks_in_transit() -> None:
    late = build_instance([edge("e")], [job("far", 1, {"e": 10}), job("near", 1, {"e": 0})])
    assert a_online(late).chunks[1].alpha == 2
    assert a_online(late, Options(price="eq5_landed")).chunks[1].alpha == 1
    assert a_online(late, Options(price="marginal")).chunks[1].alpha == 1
    assert not lands_in_order(late)


def test_storage_is_tested_before_pricing() -> None:
    both = {"e": 0, "cloud": 9}
    jobs = [job(n, 2, both, chunk_size=1, arrival=a) for n, a in (("a", 0), ("b", 1), ("c", 2))]
    out = a_online(build_instance([edge("e", storage=1), CLOUD], jobs), Options(storage=True))
    assert [c.server.name for c in out.chunks] == ["e", "cloud", "e"]  # a is complete when c arrives
    alone = build_instance([edge("e", storage=1)], [job(n, 2, {"e": 0}, chunk_size=1) for n in "ab"])
    with pytest.raises(ValueError, match="job 'b': no server can take a chunk"):
        a_online(alone, Options(storage=True))
