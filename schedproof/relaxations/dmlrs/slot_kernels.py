"""The hot loops of `slot_table`: least costs of n workers, S(n) parameter servers.

A group is m machines with the same free amounts and the same prices. On one of them w workers leave room for f(w)
parameter servers, and a worker costs p_w, a parameter server p_s. For n = 1, 2, ..., F and S = S(n), compute

    B(n) = min sum_g p_w w_g + p_s s_g   with   sum_g w_g = n,  sum_g s_g = S,  (w_g, s_g) in the group's m-fold sum,

where equalities lose no generality, because workers or parameter servers can be removed from a placement. Three steps,
each exact or a bound:

1. `greedy`: the cheapest machines for workers and for parameter servers; optimal if both fit.
2. `prices_of_two`: the pattern LP. A column has a pattern for each group, equal on all its machines. A simplex method
   on three rows solves its dual (lambda, mu) and keeps its columns for the next n. For any lambda, mu >= 0 the
   pattern's reduced cost

       r_g(w, s) = (p_w - lambda) w + (p_s - mu) s - m min over patterns of the same

   is nonnegative, and a placement costs lambda n + mu S + sum_g (m min) + sum_g r_g. So a placement of cost
   at most U uses only patterns with r_g <= U - (lambda n + mu S + sum_g (m min)), the gap.
3. `core`: all combinations of patterns with reduced costs within a gap, group by group, equal totals merged. The gap
   grows until a combination is found. This combination is optimal, and nearly always attains the bound.

Integer costs below 2^53 stay exact in all returned sums: lambda and mu only prune, with a margin above their rounding.
All kernels are in one file, because numba's cache does not notice changes in other files.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel

ROUNDING = 2.0**-52  # rounding margin relative to a sum's magnitude, for each of its terms
ARTIFICIAL, MORE_WORKERS, MORE_PS = -1, -2, -3  # columns of the pattern LP other than patterns
POOL_SIZE = 512  # columns kept for the next number of workers


class Groups(NamedTuple):
    """Groups of equal machines at equal prices."""

    machines: np.ndarray  # number of machines of each group, shape (G,)
    front: np.ndarray  # f of one machine of each group, shape (G, W + 1); -1 where so many workers do not fit
    together: np.ndarray  # f of all machines of a group together, shape (G, F + 1)
    worker_cost: np.ndarray  # p_w, shape (G,)
    ps_cost: np.ndarray
    by_worker: np.ndarray  # the groups by increasing p_w
    by_ps: np.ndarray


class Pool(NamedTuple):
    """Columns of the pattern LP."""

    workers: np.ndarray  # workers of each column, shape (POOL_SIZE,)
    ps: np.ndarray
    cost: np.ndarray
    used: np.ndarray  # number of columns, shape (1,)
    pattern_workers: np.ndarray  # each group's pattern in a column, shape (POOL_SIZE, G)
    pattern_ps: np.ndarray


class Multipliers(NamedTuple):
    """The multipliers lambda and mu of the pattern LP, and the bound that they prove."""

    lam: float
    mu: float
    bound: float


@kernel
def copy(values: np.ndarray, out: np.ndarray) -> None:
    """Copy values to the front of an array; a slice would take longer to compile."""
    for i in range(values.size):
        out[i] = values[i]


@kernel
def largest(values: np.ndarray) -> float:
    """Return the largest value; numba's ``max`` would take longer to compile."""
    result = values[0]
    for value in values:
        result = max(result, value)
    return result


@kernel
def power(front: np.ndarray, count: int, most: int, most_ps: int) -> np.ndarray:
    """Return the frontier f of ``count`` equal machines, by (max, +) squaring."""
    total = np.full(most + 1, -1, dtype=np.int64)
    total[0] = 0
    power = np.full(most + 1, -1, dtype=np.int64)
    for w in range(min(most + 1, front.size)):
        power[w] = front[w]
    rest = count
    while rest > 0:
        if rest & 1:
            total = combine(total, power, most_ps)
        rest >>= 1
        if rest:
            power = combine(power, power, most_ps)
    return total


@kernel
def combine(one: np.ndarray, other: np.ndarray, most_ps: int) -> np.ndarray:
    """Return the frontier f of two sets of machines together."""
    result = np.full(one.size, -1, dtype=np.int64)
    for a in range(one.size):
        if one[a] < 0:
            break
        for b in range(one.size - a):
            if other[b] < 0:
                break
            result[a + b] = max(result[a + b], min(one[a] + other[b], most_ps))
    return result


@kernel
def table(
    machines: np.ndarray,
    front: np.ndarray,
    worker_cost: np.ndarray,
    ps_cost: np.ndarray,
    by_worker: np.ndarray,
    by_ps: np.ndarray,
    needed: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return B(0), ..., B(F) and the groups' shares of a cheapest placement of each.

    The arguments are arrays of `Groups`, and S(n). The costs have shape (F + 1,), inf if the workers do not fit.
    The groups' workers and parameter servers have shape (F + 1, G) each.
    """
    limit, most_ps = needed.size - 1, needed[needed.size - 1]
    together = np.full((machines.size, limit + 1), -1, dtype=np.int64)
    everyone = np.full(limit + 1, -1, dtype=np.int64)
    everyone[0] = 0
    for g in range(machines.size):
        copy(power(front[g], machines[g], limit, most_ps), together[g])
        everyone = combine(everyone, together[g], most_ps)
    groups = Groups(machines, front, together, worker_cost, ps_cost, by_worker, by_ps)
    pool = new_pool(machines.size)
    cost = np.full(limit + 1, np.inf)
    workers = np.zeros((limit + 1, machines.size), dtype=np.int64)
    ps = np.zeros((limit + 1, machines.size), dtype=np.int64)
    cost[0] = 0.0
    for n in range(1, limit + 1):
        if everyone[n] < needed[n]:
            break
        if not greedy(groups, n, needed[n], workers[n], ps[n]):
            cheapest(groups, n, needed[n], pool, workers[n], ps[n])
        cost[n] = total(groups, workers[n], ps[n])
    return cost, workers, ps


@kernel
def cheapest(groups: Groups, n: int, target: int, pool: Pool, workers: np.ndarray, ps: np.ndarray) -> None:
    """Find the groups' shares of a cheapest placement when `greedy` found none."""
    prices, heaviest = prices_of_two(groups, n, target, pool)
    best = np.inf
    for ps_first in range(2):
        w, s = groups.machines * pool.pattern_workers[heaviest], groups.machines * pool.pattern_ps[heaviest]
        if repair(groups, n, target, w, s, ps_first == 1):
            price = total(groups, w, s)
            if price < best:
                best = price
                copy(w, workers)
                copy(s, ps)
    lam, mu, bound = prices.lam, prices.mu, prices.bound
    margin = ROUNDING * (groups.machines.size + 16) * (lam * n + mu * target + bound)
    gap = min(margin, best - bound)
    scale = lam + mu if lam + mu > 0 else largest(groups.worker_cost) + largest(groups.ps_cost)
    while bound + margin < best:  # any result within a gap is optimal; usually the first gap suffices
        w, s = workers.copy(), ps.copy()
        if core(groups, n, target, prices, gap + margin, w, s):
            copy(w, workers)
            copy(s, ps)
            break
        if gap == best - bound:
            break
        gap = min(8 * gap + scale / 64, best - bound)


@kernel
def total(groups: Groups, workers: np.ndarray, ps: np.ndarray) -> float:
    """Return the cost of the groups' shares."""
    result = 0.0
    for g in range(workers.size):
        result += groups.worker_cost[g] * workers[g] + groups.ps_cost[g] * ps[g]
    return result


@kernel
def greedy(groups: Groups, n: int, target: int, workers: np.ndarray, ps: np.ndarray) -> bool:
    """Place workers and parameter servers where each is cheapest; True if both fit."""
    together = groups.together
    workers[:], ps[:] = 0, 0
    remaining = n
    for g in groups.by_worker:
        while remaining > 0 and workers[g] < n and together[g, workers[g] + 1] >= 0:
            workers[g] += 1
            remaining -= 1
    rest = target
    for g in groups.by_ps:
        taken = min(rest, together[g, 0])
        ps[g] = taken
        rest -= taken
        if together[g, workers[g]] < taken:
            return False
    return remaining == 0 and rest == 0


@kernel
def repair(groups: Groups, n: int, target: int, workers: np.ndarray, ps: np.ndarray, ps_first: bool) -> bool:
    """Remove the excess, dearest first; add the rest, cheapest first; return success."""
    together = groups.together
    for shares, order, wanted in ((workers, groups.by_worker, n), (ps, groups.by_ps, target)):
        surplus = shares.sum() - wanted
        for g in order[::-1]:
            gone = max(0, min(surplus, shares[g]))
            shares[g] -= gone
            surplus -= gone
    for turn in range(2):
        if (turn == 0) == ps_first:
            missing = target - ps.sum()
            for g in groups.by_ps:
                added = max(0, min(missing, together[g, workers[g]] - ps[g]))
                ps[g] += added
                missing -= added
        else:
            missing = n - workers.sum()
            for g in groups.by_worker:
                while missing > 0 and workers[g] < n and together[g, workers[g] + 1] >= ps[g]:
                    workers[g] += 1
                    missing -= 1
        if missing > 0:
            return False
    return True


@kernel
def new_pool(groups: int) -> Pool:
    return Pool(
        np.zeros(POOL_SIZE),
        np.zeros(POOL_SIZE),
        np.zeros(POOL_SIZE),
        np.zeros(1, dtype=np.int64),
        np.zeros((POOL_SIZE, groups), dtype=np.int64),
        np.zeros((POOL_SIZE, groups), dtype=np.int64),
    )


@kernel
def cheapest_patterns(groups: Groups, lam: float, mu: float, pool: Pool) -> float:
    """Add the patterns of least reduced cost at (lambda, mu); return that cost."""
    machines, front = groups.machines, groups.front
    k = pool.used[0]
    pool.workers[k] = pool.ps[k] = pool.cost[k] = 0.0
    value = 0.0
    for g in range(machines.size):
        per_worker, per_ps = groups.worker_cost[g] - lam, groups.ps_cost[g] - mu
        least, at = 0.0, 0
        if per_ps < 0:
            least = per_ps * front[g, 0]
        for w in range(1, front.shape[1]):
            if front[g, w] < 0:
                break
            price = per_worker * w + (per_ps * front[g, w] if per_ps < 0 else 0.0)
            if price < least:
                least, at = price, w
        value += machines[g] * least
        held = front[g, at] if per_ps < 0 else 0
        pool.pattern_workers[k, g], pool.pattern_ps[k, g] = at, held
        pool.workers[k] += machines[g] * at
        pool.ps[k] += machines[g] * held
        pool.cost[k] += machines[g] * (groups.worker_cost[g] * at + groups.ps_cost[g] * held)
    return value


@kernel
def prices_of_two(groups: Groups, n: int, target: int, pool: Pool) -> tuple[Multipliers, int]:
    """Return multipliers of the pattern LP for n workers, and its heaviest column.

    It is a primal simplex on three rows with column generation.
    """
    if pool.used[0] > POOL_SIZE // 2:
        pool.used[0] = 0
    much = 10.0 * (n * largest(groups.worker_cost) + target * largest(groups.ps_cost)) + 1.0
    basis = np.array([ARTIFICIAL, MORE_WORKERS, MORE_PS])
    best = Multipliers(0.0, 0.0, 0.0)
    point, duals = np.zeros(3), np.zeros(3)
    for _ in range(200):
        matrix, costs = np.zeros((3, 3)), np.zeros(3)
        for i in range(3):
            k = basis[i]
            if k >= 0:
                matrix[0, i], matrix[1, i], matrix[2, i], costs[i] = pool.workers[k], pool.ps[k], 1.0, pool.cost[k]
            elif k == ARTIFICIAL:
                matrix[0, i], matrix[1, i], matrix[2, i], costs[i] = n, target, 1.0, much
            else:
                matrix[0 if k == MORE_WORKERS else 1, i] = -1.0
        inverse = invert(matrix)
        for i in range(3):
            point[i] = inverse[i, 0] * n + inverse[i, 1] * target + inverse[i, 2]
            duals[i] = costs[0] * inverse[0, i] + costs[1] * inverse[1, i] + costs[2] * inverse[2, i]
        lam, mu, sigma = duals[0], duals[1], duals[2]
        tolerance = 1e-11 * (abs(sigma) + abs(lam) * n + abs(mu) * target)
        entering, least = -9, -tolerance
        if lam < least:
            entering, least = MORE_WORKERS, lam
        if mu < least:
            entering, least = MORE_PS, mu
        if entering == -9:
            for k in range(pool.used[0]):
                reduced = pool.cost[k] - lam * pool.workers[k] - mu * pool.ps[k] - sigma
                if reduced < least:
                    entering, least = k, reduced
        if entering == -9:
            value = cheapest_patterns(groups, max(lam, 0.0), max(mu, 0.0), pool)
            bound = value + max(lam, 0.0) * n + max(mu, 0.0) * target
            if bound > best.bound:
                best = Multipliers(max(lam, 0.0), max(mu, 0.0), bound)
            if value - sigma >= -tolerance or pool.used[0] == POOL_SIZE - 1:
                break
            entering = pool.used[0]
            pool.used[0] += 1
        column = np.zeros(3)
        if entering >= 0:
            column[0], column[1], column[2] = pool.workers[entering], pool.ps[entering], 1.0
        else:
            column[0 if entering == MORE_WORKERS else 1] = -1.0
        step = inverse @ column
        leaving, ratio = -1, np.inf
        for i in range(3):
            if step[i] > 1e-12 and max(point[i], 0.0) / step[i] < ratio:
                leaving, ratio = i, max(point[i], 0.0) / step[i]
        if leaving < 0:
            break
        basis[leaving] = entering
    heaviest, weight = 0, -1.0
    for i in range(3):
        if basis[i] >= 0 and point[i] > weight:
            heaviest, weight = basis[i], point[i]
    return best, heaviest


@kernel
def invert(m: np.ndarray) -> np.ndarray:
    """The inverse of a 3 x 3 matrix, by cofactors."""
    result = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            result[j, i] = m[a, c] * m[b, d] - m[a, d] * m[b, c]
    determinant = m[0, 0] * result[0, 0] + m[0, 1] * result[1, 0] + m[0, 2] * result[2, 0]
    for i in range(3):
        for j in range(3):
            result[i, j] /= determinant
    return result


@kernel
def core(
    groups: Groups, n: int, target: int, prices: Multipliers, gap: float, workers: np.ndarray, ps: np.ndarray
) -> bool:
    """Find the cheapest pattern combination with total reduced cost <= ``gap``.

    Returns whether a combination exists. States are totals (workers, parameter servers) so far, with their least cost.
    A state is dropped when its reduced costs exceed the gap, or when the remaining groups cannot complete it to exactly
    (n, S).
    """
    machines, front, together = groups.machines, groups.front, groups.together
    worker_cost, ps_cost, lam, mu = groups.worker_cost, groups.ps_cost, prices.lam, prices.mu
    size = 1024
    pattern_w, pattern_s = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    start = np.zeros(machines.size + 1, dtype=np.int64)
    base = np.zeros(machines.size)
    filled = 0
    for g in range(machines.size):
        per_worker, per_ps = worker_cost[g] - lam, ps_cost[g] - mu
        least = min(0.0, per_ps * front[g, 0])
        for w in range(1, front.shape[1]):
            if front[g, w] < 0:
                break
            least = min(least, per_worker * w + min(0.0, per_ps * front[g, w]))
        base[g] = machines[g] * least
        for w in range(n + 1):
            room = min(together[g, w], target)
            if room < 0:
                break
            for j in range(room + 1):
                s = j if per_ps >= 0 else room - j  # by increasing cost, until the gap is exceeded
                if per_worker * w + per_ps * s - base[g] > gap:
                    break
                if filled == size:
                    size *= 2
                    pattern_w, pattern_s = grown(pattern_w, size), grown(pattern_s, size)
                pattern_w[filled], pattern_s[filled] = w, s
                filled += 1
        start[g + 1] = filled
    order = np.zeros(machines.size, dtype=np.int64)  # groups with a single choice come first
    for g in range(machines.size):
        i = g
        while i > 0 and start[order[i - 1] + 1] - start[order[i - 1]] > start[g + 1] - start[g]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = g
    low_w, high_w = np.zeros(machines.size + 1, dtype=np.int64), np.zeros(machines.size + 1, dtype=np.int64)
    low_s, high_s = np.zeros(machines.size + 1, dtype=np.int64), np.zeros(machines.size + 1, dtype=np.int64)
    for i in range(machines.size - 1, -1, -1):
        a, b = start[order[i]], start[order[i] + 1]
        if a == b:
            return False
        least_w, most_w, least_s, most_s = pattern_w[a], pattern_w[a], pattern_s[a], pattern_s[a]
        for p in range(a + 1, b):
            least_w, most_w = min(least_w, pattern_w[p]), max(most_w, pattern_w[p])
            least_s, most_s = min(least_s, pattern_s[p]), max(most_s, pattern_s[p])
        low_w[i], high_w[i] = low_w[i + 1] + least_w, high_w[i + 1] + most_w
        low_s[i], high_s[i] = low_s[i + 1] + least_s, high_s[i + 1] + most_s
    size = 4096
    at_w, at_s = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    parent, chosen = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    cost = np.zeros(size)
    where = np.full((n + 1, target + 1), -1, dtype=np.int64)
    first, last = 0, 1
    spent = 0.0  # least reduced cost of the groups that are done
    for i in range(machines.size):
        g = order[i]
        spent += base[g]
        begin = end = last
        for k in range(first, last):
            for p in range(start[g], start[g + 1]):
                w, s = at_w[k] + pattern_w[p], at_s[k] + pattern_s[p]
                if w + low_w[i + 1] > n or w + high_w[i + 1] < n or s + low_s[i + 1] > target:
                    continue
                if s + high_s[i + 1] < target:
                    continue
                price = cost[k] + worker_cost[g] * pattern_w[p] + ps_cost[g] * pattern_s[p]
                if price - lam * w - mu * s - spent > gap:
                    continue
                result = where[w, s]
                if result < begin:
                    if end == size:
                        size *= 2
                        at_w, at_s, cost = grown(at_w, size), grown(at_s, size), grown(cost, size)
                        parent, chosen = grown(parent, size), grown(chosen, size)
                    result = where[w, s] = end
                    at_w[end], at_s[end] = w, s
                    end += 1
                elif cost[result] <= price:
                    continue
                cost[result], parent[result], chosen[result] = price, k, p
        first, last = begin, end
        if first == last:
            return False
    k = where[n, target]
    if k < first:
        return False
    for i in range(machines.size - 1, -1, -1):
        workers[order[i]], ps[order[i]] = pattern_w[chosen[k]], pattern_s[chosen[k]]
        k = parent[k]
    return True


@kernel
def grown(values: np.ndarray, size: int) -> np.ndarray:
    """Return the values in a longer array."""
    result = np.zeros(size, dtype=values.dtype)
    copy(values, result)
    return result


@kernel
def shared_out(front: np.ndarray, count: int, workers: int, ps: int) -> np.ndarray:
    """Return a group's share by machine, the first machines full; shape (count, 2)."""
    rest = np.full((count + 1, workers + 1), -1, dtype=np.int64)  # frontier of the first machines, by their number
    rest[0, 0] = 0
    one = np.full(workers + 1, -1, dtype=np.int64)
    for w in range(min(workers + 1, front.size)):
        one[w] = front[w]
    last = count  # more machines have the same frontier as this many
    for i in range(1, count + 1):
        copy(combine(rest[i - 1], one, ps), rest[i])
        same = True
        for w in range(workers + 1):
            same = same and rest[i, w] == rest[i - 1, w]
        if same:
            last = i
            break
    result = np.zeros((count, 2), dtype=np.int64)
    for i in range(count):
        others = min(count - i - 1, last)
        for w in range(workers, -1, -1):
            if one[w] >= 0 and rest[others, workers - w] >= 0:
                held = min(one[w], ps)
                if held + rest[others, workers - w] >= ps:
                    result[i, 0], result[i, 1] = w, held
                    workers -= w
                    ps -= held
                    break
    return result
