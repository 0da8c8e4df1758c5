from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.instances.preemptive import Instance
from schedproof.online.preemptive import worker_lists
from schedproof.online.preemptive.a_online import AOnline
from schedproof.online.preemptive.worker_lists import Chunk as Placed
from schedproof.online.preemptive.worker_lists import WorkerLists, cheapest
from schedproof.reference.preemptive import Chunk, Options, Queue, price
from tests.online.preemptive.test_a_online import VARIANTS, assert_as_reference, crowd
from tests.support import size
from tests.tiny.preemptive import driven, instance_of, job

KINDS = [(residual, marginal) for residual in (False, True) for marginal in (False, True)]


def part(slots: int, chunks: int) -> Placed:
    return Placed(slots, chunks, Fraction(1, chunks))


def one_by_one(lists: WorkerLists, seed: int, chunks: list[int], longest: int = 5) -> list[Any]:
    rng = random.Random(seed)
    log: list[Any] = []
    now = 0
    for _ in range(30):
        now += rng.choice([0, 0, 1, 3]) * (longest // 5)
        log.append(lists.advance(now).tolist())
        p, d = rng.randrange(1, longest + 1), rng.choice(chunks)
        delay = np.array([rng.choice([-1, 0, 0, 2, 5]) for _ in range(lists.place.max() + 1)])
        cost = lists.price(part(p, d), delay)
        log.append([Fraction(int(c), lists.scale) if c >= 0 else None for c in cost])
        able = np.flatnonzero(cost >= 0)
        if able.size:
            worker = int(able[np.argmin(cost[able])])
            log.append(lists.place_chunk(worker, part(p, d), int(delay[lists.place[worker]])))
            again = lists.price(part(p, d), delay, worker, cost)
            log.append(Fraction(int(again[worker]), lists.scale))
    log.append(lists.advance(2**60).tolist())
    return log


@pytest.mark.parametrize(("residual", "marginal"), KINDS)
def test_compiled_and_python_integers_agree(residual: bool, marginal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.array([2, 1, 3])
    for seed in range(size(5, 12, 300)):
        compiled = one_by_one(WorkerLists(counts, residual, marginal, seed % 3), seed, [1, 2, 3, 4])
        with monkeypatch.context() as patch:
            patch.setattr(worker_lists, "LARGEST_PRODUCT", 0)
            slow = WorkerLists(counts, residual, marginal, seed % 3)
            assert one_by_one(slow, seed, [1, 2, 3, 4]) == compiled, seed
            assert not slow._compiled


def test_few_queries_find_the_same_cheapest_workers() -> None:
    unasked = 0
    for seed in range(size(20, 60, 1000)):
        rng = random.Random(seed)
        lists = WorkerLists(np.array([3, 2, 4]), residual=bool(seed % 2), exact_growth=False)
        now = 0
        for _ in range(25):
            now += rng.choice([0, 1, 4])
            lists.advance(now)
            slots, chunks = rng.randrange(1, 6), rng.choice([1, 2, 3])
            delay = np.array([rng.choice([-1, 0, 0, 1, 3]) for _ in range(3)])
            mine = part(slots, chunks)
            every, few = lists.price(mine, delay), lists.price(mine, delay, enough=chunks)
            asked = int(np.flatnonzero(few >= 0).max(initial=-1)) + 1
            assert np.array_equal(few[:asked], every[:asked]) and np.all(few[asked:] == -1)
            unasked += int(np.sum(every[asked:] >= 0))
            for _ in range(chunks):
                if (worker := cheapest(every)) is None:
                    break
                assert cheapest(few) == worker
                lists.place_chunk(worker, mine, int(delay[lists.place[worker]]))
                for cost in (every, few):
                    lists.price(mine, delay, worker, cost)
    assert unasked, "every worker was asked each time"


@pytest.mark.parametrize(("residual", "marginal"), KINDS)
def test_switching_representations_midway_has_no_effect(
    residual: bool, marginal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, changed = np.array([2, 1, 3]), 0
    for seed in range(size(5, 12, 300)):
        compiled = one_by_one(WorkerLists(counts, residual, marginal), seed, [1, 2, 3, 4, 5])
        with monkeypatch.context() as patch:
            patch.setattr(worker_lists, "LARGEST_PRODUCT", 2 ** (10 + seed % 12))
            lists = WorkerLists(counts, residual, marginal)
            assert one_by_one(lists, seed, [1, 2, 3, 4, 5]) == compiled, seed
            changed += not lists._compiled
    assert changed


@pytest.mark.parametrize(("residual", "marginal"), KINDS)
def test_large_times_and_counts_never_overflow(residual: bool, marginal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Powers of two keep the common multiple small: all numbers reach 63 bits.
    counts, changed = np.array([2, 1]), set()
    for seed in range(size(10, 22, 600)):
        chunks, longest = [1, 2 ** (1 + seed % 29), 2 ** (seed % 17)], 10 ** (6 + seed % 10)
        lists = WorkerLists(counts, residual, marginal)
        found = one_by_one(lists, seed, chunks, longest)
        changed.add(lists._compiled)
        with monkeypatch.context() as patch:
            patch.setattr(worker_lists, "LARGEST_PRODUCT", 0)
            assert found == one_by_one(WorkerLists(counts, residual, marginal), seed, chunks, longest), seed
    assert changed == {True, False}


class Watched(WorkerLists):
    """Checks at every price that the stored maxima cover every list."""

    covered = taken_anew = 0

    def _widen(self, more: int, chunks: int, divisor: int) -> None:
        kept = self._most_time
        super()._widen(more, chunks, divisor)
        heads = self._lists.begin[self._lists.size > 0]
        assert self._most_time >= self._lists.tail_time[heads].max(initial=0)
        assert self._most_weight >= self._lists.tail_weight[heads].max(initial=0)
        self.covered += heads.size > 0
        self.taken_anew += self._most_time < kept


@pytest.mark.parametrize(("residual", "marginal"), KINDS)
def test_the_stored_length_bound_is_never_too_small(
    residual: bool, marginal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    covered = taken_anew = 0
    for seed in range(size(5, 12, 300)):
        monkeypatch.setattr(worker_lists, "LARGEST_PRODUCT", 2 ** (10 + seed % 12))
        lists = Watched(np.array([2, 1, 3]), residual, marginal, seed % 3)
        one_by_one(lists, seed, [1, 2, 3, 4, 5])
        covered, taken_anew = covered + lists.covered, taken_anew + lists.taken_anew
    assert covered and taken_anew


PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61]


@pytest.mark.parametrize(("residual", "marginal"), KINDS)
def test_prices_are_exact_when_the_common_multiple_leaves_63_bits(residual: bool, marginal: bool) -> None:
    rng = random.Random(1)
    lists = WorkerLists(np.array([1]), residual, marginal)
    options = Options("residual" if residual else "static", "marginal" if marginal else "eq5")
    queue, now = Queue(options.order), 0
    edge = instance_of(job("any")).edges[0]
    for number, d in enumerate(PRIMES):
        now += rng.choice([0, 1, 2])
        lists.advance(now)
        queue.advance(now)
        p, delay = rng.randrange(1, 5), rng.choice([0, 1, 4])
        owner = instance_of(job("j", chunks=d, arrival=now), horizon=10**6).jobs[0]
        new = Chunk(number, owner, 0, edge, (0, "gpu", 0), Fraction(now + delay), Fraction(p), {})
        cost = lists.price(part(p, d), np.array([delay]))
        assert Fraction(int(cost[0]), lists.scale) == price(queue, new, options)
        lists.place_chunk(0, part(p, d), delay)
        queue.add(new)
    assert not lists._compiled
    queue.advance()
    ends = {chunk: time for time, chunk, _, starts in lists.advance(10**6).tolist() if not starts}
    assert all(queue.completion(chunk) == end for chunk, end in ends.items() if end > now)


def coprime(seed: int) -> Instance:
    """Return jobs whose chunk counts have a common multiple beyond 63 bits."""
    rng = random.Random(seed)
    counts = (4, 9, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
    jobs = [
        job(
            f"j{d}",
            arrival=rng.randrange(4),
            chunks=d,
            minibatch_time=rng.choice([1, 1, 2]),
            upload_delay={"e": rng.randrange(3)},
        )
        for d in counts
    ]
    rng.shuffle(jobs)
    return instance_of(*jobs, workers=4, ps=20, horizon=1000)


@pytest.mark.parametrize("order", ["static", "residual"])
def test_the_policy_is_exact_when_the_common_multiple_leaves_63_bits(order: str) -> None:
    for seed in range(size(1, 1, 10)):
        instance = coprime(seed)
        assert_as_reference(instance, order, "eq5", Fraction(1))
        driven(policy := AOnline(order=order), instance)
        assert not policy._lists._compiled


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_the_policy_does_the_same_on_python_integers(order: str, price: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(size(5, 9, 200)):
        instance = crowd(seed)
        results = []
        for safe in (worker_lists.LARGEST_PRODUCT, 0):
            monkeypatch.setattr(worker_lists, "LARGEST_PRODUCT", safe)
            policy = AOnline(order=order, price=price)
            results.append((driven(policy, instance).intervals.rows(), policy.values))
            assert policy._lists._compiled == (safe > 0)
        monkeypatch.undo()
        assert results[0] == results[1], seed


@pytest.mark.parametrize(("order", "price"), VARIANTS)
def test_the_policy_is_exact_for_chunk_times_of_many_digits(order: str, price: str) -> None:
    p = 3 * 10**8
    driven(
        policy := AOnline(order=order, price=price), instance_of(job("j", chunks=3, minibatch_time=p), horizon=10**9)
    )
    assert policy.values == {(0, 0): Fraction(p, 3), (0, 1): Fraction(2 * p, 3), (0, 2): Fraction(p)}


@pytest.mark.parametrize("kind", [np.int64, object])
def test_the_first_worker_of_least_price_that_has_one(kind: type) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        cost = rng.integers(-1, 4, size=rng.integers(0, 9)).astype(kind)
        cost = np.where(cost > 2, 2**62, cost).astype(kind)
        able = [(int(units), w) for w, units in enumerate(cost) if units >= 0]
        assert cheapest(cost) == (min(able)[1] if able else None)
    assert cheapest(np.array([2**70, -1, 2**69], dtype=object)) == 2
