"""The hot loops of `ascent`: prices from a relaxed run, and use at prices.

Any prices prove a bound. `configuration_use` also computes exactly in int64. Slots of a job are counted from its
arrival. A job's ways are the kinds of workers that may train it, each with its upload delay.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel

NEVER = 1 << 62  # upload delay of a job that may not use the cloud


class Market(NamedTuple):
    """Workers of each kind, (kinds,), and r_j, D_j, p at edge and cloud, ..., (jobs,).

    Attributes
    ----------
    cloud, length
        The upload delay to the cloud, or NEVER; the number of the job's slots in the program.
    first, kind, delay
        The ways of job j are the entries ``first[j]`` to ``first[j + 1]`` of ``kind`` and ``delay``.
    """

    count: Any
    arrival: Any
    chunks: Any
    takes: Any
    takes_in_cloud: Any
    cloud: Any
    length: Any
    first: Any
    kind: Any
    delay: Any


@kernel
def marginal_densities(market: Any, order: Any, events: Any, horizon: Any) -> Any:
    """Return the value of one more worker per kind and slot, in a run by density.

    A job has the density 1/(D p). It gets at most D workers where it has landed, and leaves once it may use the cloud.

    Parameters
    ----------
    order
        The jobs by decreasing density.
    events
        (time, job) rows by time: a job lands on a kind, or leaves for the cloud.

    Returns
    -------
    array
        (kinds, slots of the run): the least density among the jobs on a kind without idle workers, or 0.
    """
    count, arrival, chunks, takes, _, cloud, _, first, kind, delay = market
    kinds, jobs = count.size, arrival.size
    rank = np.empty(jobs, dtype=np.int64)
    for n in range(jobs):
        rank[order[n]] = n
    rest = chunks * takes
    waiting, number = np.empty(jobs, dtype=np.int64), 0  # ranks, ascending
    there = np.zeros(jobs, dtype=np.bool_)
    rate = np.zeros(jobs, dtype=np.int64)
    densities = np.zeros((kinds, 1024))
    free, least = np.empty(kinds, dtype=np.int64), np.empty(kinds)
    now, seen = 0, 0
    while now < horizon and (seen < len(events) or number):
        if number == 0:
            now = min(horizon, max(now, events[seen, 0]))
        while seen < len(events) and events[seen, 0] <= now:
            j = events[seen, 1]
            seen += 1
            gone = events[seen - 1, 0] >= arrival[j] + cloud[j]
            if there[j] and gone:
                at = 0
                while waiting[at] != rank[j]:
                    at += 1
                for n in range(at, number - 1):
                    waiting[n] = waiting[n + 1]
                number -= 1
            elif not there[j] and not gone and rest[j] > 0:
                at = number
                while at > 0 and waiting[at - 1] > rank[j]:
                    waiting[at] = waiting[at - 1]
                    at -= 1
                waiting[at] = rank[j]
                number += 1
            there[j] = not gone and rest[j] > 0
        until = min(horizon, events[seen, 0]) if seen < len(events) else horizon
        for k in range(kinds):
            free[k], least[k] = count[k], 0.0
        idle, served = kinds, 0
        while served < number and idle > 0:
            j = order[waiting[served]]
            served += 1
            wanted = min(chunks[j], rest[j])
            rate[j] = 0
            for w in range(first[j], first[j + 1]):
                k = kind[w]
                part = min(wanted, free[k])
                if part > 0 and arrival[j] + delay[w] <= now:
                    wanted, free[k], rate[j] = wanted - part, free[k] - part, rate[j] + part
                    if free[k] == 0:
                        least[k] = 1.0 / (chunks[j] * takes[j])
                        idle -= 1
            if rate[j] > 0:
                until = min(until, now + max(1, rest[j] // rate[j]))
        if until > densities.shape[1]:
            grown = np.zeros((kinds, max(until, min(horizon, 2 * until))))
            for k in range(kinds):
                for t in range(min(now, densities.shape[1])):  # an idle gap may extend beyond the old end
                    grown[k, t] = densities[k, t]
            densities = grown
        for k in range(kinds):
            for t in range(now, until):
                densities[k, t] = least[k]
        kept = 0
        for n in range(number):
            j = order[waiting[n]]
            if n < served:
                rest[j] -= rate[j] * (until - now)
                there[j] = rest[j] > 0
            if n >= served and kept == n:
                kept = number
                break
            if there[j]:
                waiting[kept] = waiting[n]
                kept += 1
        number = kept
        now = until
    return densities[:, :now]


@kernel
def sum_densities(densities: Any) -> None:
    """Replace each density by the sum of running minima over its slot and later slots.

    For a job of density d, the slots of its run are the cheapest. Between two of these slots the price falls by d a
    slot, or by more while later arrivals of higher density run.
    """
    kinds, slots = densities.shape
    value, length = np.empty(slots), np.empty(slots, dtype=np.int64)
    for k in range(kinds):
        top, price = 0, 0.0
        for t in range(slots - 1, -1, -1):
            here, run = densities[k, t], 1
            while top > 0 and value[top - 1] >= here:
                top -= 1
                price -= value[top] * length[top]
                run += length[top]
            value[top], length[top] = here, run
            price += here * run
            top += 1
            densities[k, t] = max(price, 0.0)


@kernel
def look_up(prices: Any, market: Any, j: Any, start: Any, stop: Any, low: Any, where: Any) -> None:
    """Find the lowest price among a job's ways and its kind, in slots start to stop."""
    slots, offset = prices.shape[1], market.arrival[j]
    for e in range(start, stop):
        low[e] = -1  # the job has not landed yet
    for w in range(market.first[j], market.first[j + 1]):
        k = market.kind[w]
        for e in range(max(start, market.delay[w]), stop):
            price = prices[k, offset + e] if offset + e < slots else 0
            if low[e] < 0 or price < low[e]:
                low[e], where[e] = price, k


@kernel
def select(values: Any, rank: Any) -> float:
    """Select the number of a rank (from 0) in ascending order; reorders the array."""
    low, high = 0, values.size - 1
    while low < high:
        a, b, c = values[low], values[(low + high) // 2], values[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i, j = i + 1, j - 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            break
    return values[rank]


@kernel
def lp_use(prices: Any, market: Any, half: Any, values: Any, used: Any) -> float:
    """Return the total cost in the LP of (4) if each job buys its best slots.

    Parameters
    ----------
    half
        1 to include half of the processing time, else 0.
    values
        alpha_j, (jobs,): the previous values, which limit the search; overwritten by the new ones.
    used
        The numbers of used workers are added to this array, of the same shape as the prices.
    """
    _, arrival, chunks, takes, takes_in_cloud, cloud, length, first, _, delay = market
    total, slots = 0.0, prices.shape[1]
    low, where = np.empty(1024), np.empty(1024, dtype=np.int64)
    for j in range(arrival.size):
        p, spread, extra = takes[j], float(chunks[j]), half * (takes[j] + 1) / 2.0
        begin, end = NEVER, min(length[j], cloud[j])
        for w in range(first[j], first[j + 1]):
            begin = min(begin, delay[w])
        begin = min(begin, end)
        stop = end if cloud[j] < NEVER else min(end, max(begin + 2 * p, int(values[j] * spread) + 2))
        while True:
            if stop > low.size:
                low, where = np.empty(2 * stop), np.empty(2 * stop, dtype=np.int64)
            look_up(prices, market, j, begin, stop, low, where)
            for e in range(begin, stop):
                low[e] = (e + extra) / spread + p * low[e]
            if cloud[j] < NEVER:
                break
            best = select(low[begin:stop].copy(), p - 1)
            if stop == end or stop + extra >= best * spread:
                break
            stop = min(end, 2 * stop, int(best * spread - extra) + 2)
        if cloud[j] == NEVER:
            ties = p
            for e in range(begin, stop):
                ties -= low[e] < best
            for e in range(begin, stop):
                if low[e] < best or (low[e] == best and ties > 0):
                    ties -= low[e] == best
                    total += low[e] * spread / p
                    if arrival[j] + e < slots:
                        used[where[e], arrival[j] + e] += spread
            values[j] = best
            continue
        sorted_ = begin + np.argsort(low[begin:stop])
        extra, rest, n, e = half * (takes_in_cloud[j] + 1) / 2.0, 1.0, 0, cloud[j]
        while rest > 1e-12 and (n < sorted_.size or e < length[j]):
            away = (e + extra) / spread if e < length[j] else np.inf
            if n < sorted_.size and low[sorted_[n]] < away:
                best, at = low[sorted_[n]], sorted_[n]
                part = min(rest, 1.0 / p)
                if arrival[j] + at < slots:
                    used[where[at], arrival[j] + at] += spread * part * p
                n += 1
            else:
                best, part, e = away, min(rest, 1.0 / takes_in_cloud[j]), e + 1
            total, rest = total + spread * best * part, rest - part
        values[j] = best
    return total


@kernel
def sift(heap: Any, place: Any) -> None:
    """Move an entry down the heap until no child is larger."""
    moved = heap[place]
    below = 2 * place + 1
    while below < heap.size:
        if below + 1 < heap.size and heap[below + 1] > heap[below]:
            below += 1
        if heap[below] <= moved:
            break
        heap[place] = heap[below]
        place, below = below, 2 * below + 1
    heap[place] = moved


@kernel
def configuration_use(prices: Any, market: Any, slot: Any, moves: Any, values: Any, used: Any) -> Any:
    """Return the total cost if each job chooses its last slot and cheap slots before.

    A chunk chooses among the slots before the job's completion.

    Parameters
    ----------
    prices
        In doubles or in units of int64.
    slot
        The cost of a slot of waiting, in the same unit.
    moves
        Whether a chunk may move, and so use the cloud for free in any slot after landing there.
    values
        The cost of each job, overwritten, (jobs,).
    used
        The numbers of used workers are added to this array, of the same shape as the prices.
    """
    _, arrival, chunks, takes, takes_in_cloud, cloud, _, first, _, delay = market
    total, slots = slot * 0, prices.shape[1]
    low, where = np.empty(1024, dtype=prices.dtype), np.empty(1024, dtype=np.int64)
    for j in range(arrival.size):
        p, begin, done = takes[j], NEVER, 0
        known = cloud[j] < NEVER
        best = (cloud[j] + takes_in_cloud[j]) * slot if known else total
        for w in range(first[j], first[j + 1]):
            begin = min(begin, delay[w])
        end = max(begin, slots - arrival[j]) + p if begin < NEVER else 0  # p free slots have passed
        dearest, paid, cheap = slot * 0, slot * 0, np.empty(p, dtype=prices.dtype)
        e, seen = begin, begin
        while e < end and not (known and (e + 1) * slot >= best):
            if e == seen:
                seen = min(end, max(2 * e, e + p))
                if seen > low.size:
                    low, where = np.empty(2 * seen, dtype=prices.dtype), np.empty(2 * seen, dtype=np.int64)
                look_up(prices, market, j, begin, seen, low, where)
                if moves:
                    for free in range(max(begin, cloud[j]), seen):
                        low[free], where[free] = 0, -1
            n = e - begin
            if n < p:
                cheap[n] = low[e]
                paid += low[e]
                if n == p - 1:
                    for place in range(p // 2 - 1, -1, -1):
                        sift(cheap, place)
            elif low[e] < cheap[0]:
                paid += low[e] - cheap[0]
                cheap[0] = low[e]
                sift(cheap, 0)
            elif cheap[0] == 0:
                break
            e += 1
            if n >= p - 1 and (not known or e * slot + chunks[j] * paid < best):
                best, done, dearest, known = e * slot + chunks[j] * paid, e, cheap[0], True
        values[j] = best
        total += best
        ties = p
        for e in range(begin, done):
            ties -= low[e] < dearest
        for e in range(begin, done):
            if low[e] < dearest or (low[e] == dearest and ties > 0):
                ties -= low[e] == dearest
                if where[e] >= 0 and arrival[j] + e < slots:
                    used[where[e], arrival[j] + e] += chunks[j]
    return total
