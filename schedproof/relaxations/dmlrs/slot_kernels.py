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
All kernels are in one file, because numba's cache does not notice changes in other files. Each type and form of call of
numpy's functions compiles anew, so all arrays come from ``np.full``.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel, njit

ROUNDING = 2.0**-52  # rounding margin relative to a sum's magnitude, for each of its terms
ARTIFICIAL, MORE_WORKERS, MORE_PS, PATTERNS = 0, 1, 2, 3  # columns of the pattern LP; the patterns come last
POOL_SIZE = 512  # patterns kept for the next number of workers
NONE, FOUND, FULL = 0, 1, 2  # results of `core`

inlined = njit(cache=True, inline="always")


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

    columns: np.ndarray  # workers, parameter servers, number of patterns and cost of each column, shape (4, columns)
    used: np.ndarray  # number of columns, shape (1,)
    pattern_workers: np.ndarray  # each group's pattern in a column, shape (columns, G)
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
def power(front: np.ndarray, count: int, most: int, most_ps: int) -> np.ndarray:
    """Return the frontier f of ``count`` equal machines, by (max, +) squaring."""
    total, power = np.full(most + 1, -1), np.full(most + 1, -1)
    total[0] = 0
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
    result = np.full(one.size, -1)
    for a in range(one.size):
        held = one[a]
        if held < 0:
            break
        for b in range(one.size - a):
            more = other[b]
            if more < 0:
                break
            both = min(held + more, most_ps)
            if both > result[a + b]:
                result[a + b] = both
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
    together = np.full((machines.size, limit + 1), -1)
    everyone = np.full(limit + 1, -1)
    everyone[0] = 0
    for g in range(machines.size):
        copy(power(front[g], machines[g], limit, most_ps), together[g])
        everyone = combine(everyone, together[g], most_ps)
    groups = Groups(machines, front, together, worker_cost, ps_cost, by_worker, by_ps)
    columns = np.full((4, PATTERNS + POOL_SIZE), 0.0)
    columns[0, MORE_WORKERS] = columns[1, MORE_PS] = -1.0
    patterns = (PATTERNS + POOL_SIZE, machines.size)
    pool = Pool(columns, np.full(1, PATTERNS), np.full(patterns, 0), np.full(patterns, 0))
    cost = np.full(limit + 1, np.inf)
    workers, ps = np.full((limit + 1, machines.size), 0), np.full((limit + 1, machines.size), 0)
    cost[0] = 0.0
    for n in range(1, limit + 1):
        if everyone[n] < needed[n]:
            break
        if not greedy(groups, n, needed[n], workers[n], ps[n]):
            cheapest(groups, n, needed[n], pool, workers[n], ps[n])
        cost[n] = total(groups, workers[n], ps[n])
    return cost, workers, ps


@inlined
def cheapest(groups: Groups, n: int, target: int, pool: Pool, workers: np.ndarray, ps: np.ndarray) -> None:
    """Find the groups' shares of a cheapest placement when `greedy` found none."""
    prices, heaviest = prices_of_two(groups, n, target, pool)
    best = np.inf
    w, s = np.full(groups.machines.size, 0), np.full(groups.machines.size, 0)
    for ps_first in range(2):
        for g in range(groups.machines.size):
            w[g] = groups.machines[g] * pool.pattern_workers[heaviest, g]
            s[g] = groups.machines[g] * pool.pattern_ps[heaviest, g]
        if repair(groups, n, target, w, s, ps_first == 1):
            price = total(groups, w, s)
            if price < best:
                best = price
                copy(w, workers)
                copy(s, ps)
    lam, mu, bound = prices.lam, prices.mu, prices.bound
    margin = ROUNDING * (groups.machines.size + 16) * (lam * n + mu * target + bound)
    gap = min(margin, best - bound)
    scale = lam + mu
    if scale <= 0:
        scale = groups.worker_cost[groups.by_worker[-1]] + groups.ps_cost[groups.by_ps[-1]]
    size = 64 * groups.machines.size
    while bound + margin < best:  # any result within a gap is optimal; usually the first gap suffices
        states, cost = np.full((6, size), 0), np.full(size, 0.0)
        result = core(groups, n, target, prices, gap + margin, states, cost, workers, ps)
        if result == FULL:
            size *= 2
        elif result == FOUND or gap == best - bound:
            break
        else:
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
    for g in range(workers.size):
        workers[g], ps[g] = 0, 0
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
    more_workers, more_ps = n, target
    for g in range(workers.size):
        more_workers -= workers[g]
        more_ps -= ps[g]
    for i in range(workers.size - 1, -1, -1):
        g, h = groups.by_worker[i], groups.by_ps[i]
        gone_workers, gone_ps = max(0, min(-more_workers, workers[g])), max(0, min(-more_ps, ps[h]))
        workers[g] -= gone_workers
        ps[h] -= gone_ps
        more_workers += gone_workers
        more_ps += gone_ps
    for turn in range(2):
        if (turn == 0) == ps_first:
            for g in groups.by_ps:
                added = max(0, min(more_ps, together[g, workers[g]] - ps[g]))
                ps[g] += added
                more_ps -= added
        else:
            for g in groups.by_worker:
                while more_workers > 0 and workers[g] < n and together[g, workers[g] + 1] >= ps[g]:
                    workers[g] += 1
                    more_workers -= 1
    return more_workers <= 0 and more_ps <= 0


@kernel
def cheapest_patterns(groups: Groups, lam: float, mu: float, pool: Pool) -> float:
    """Add the patterns of least reduced cost at (lambda, mu); return that cost."""
    machines, front = groups.machines, groups.front
    k = pool.used[0]
    columns = pool.columns
    columns[0, k] = columns[1, k] = columns[3, k] = 0.0
    columns[2, k] = 1.0
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
        columns[0, k] += machines[g] * at
        columns[1, k] += machines[g] * held
        columns[3, k] += machines[g] * (groups.worker_cost[g] * at + groups.ps_cost[g] * held)
    return value


@kernel
def prices_of_two(groups: Groups, n: int, target: int, pool: Pool) -> tuple[Multipliers, int]:
    """Return multipliers of the pattern LP for n workers, and its heaviest column.

    It is a primal simplex on three rows with column generation.
    """
    if pool.used[0] > PATTERNS + POOL_SIZE // 2:
        pool.used[0] = PATTERNS
    columns = pool.columns
    columns[0, ARTIFICIAL], columns[1, ARTIFICIAL], columns[2, ARTIFICIAL] = n, target, 1.0
    largest_worker, largest_ps = groups.worker_cost[groups.by_worker[-1]], groups.ps_cost[groups.by_ps[-1]]
    columns[3, ARTIFICIAL] = 10.0 * (n * largest_worker + target * largest_ps) + 1.0
    basis = np.full(3, 0)
    basis[1], basis[2] = MORE_WORKERS, MORE_PS
    best = Multipliers(0.0, 0.0, 0.0)
    inverse, vectors = np.full((3, 3), 0.0), np.full((3, 3), 0.0)
    point, duals = vectors[0], vectors[1]
    for _ in range(200):
        invert(columns, basis, inverse)
        for i in range(3):
            point[i] = inverse[i, 0] * n + inverse[i, 1] * target + inverse[i, 2]
            duals[i] = 0.0
            for j in range(3):
                duals[i] += columns[3, basis[j]] * inverse[j, i]
        lam, mu, sigma = duals[0], duals[1], duals[2]
        tolerance = 1e-11 * (abs(sigma) + abs(lam) * n + abs(mu) * target)
        entering, least = ARTIFICIAL, -tolerance
        for k in range(MORE_WORKERS, pool.used[0]):
            if k == PATTERNS and entering != ARTIFICIAL:
                break
            reduced = columns[3, k] - lam * columns[0, k] - mu * columns[1, k] - sigma * columns[2, k]
            if reduced < least:
                entering, least = k, reduced
        if entering == ARTIFICIAL:
            value = cheapest_patterns(groups, max(lam, 0.0), max(mu, 0.0), pool)
            bound = value + max(lam, 0.0) * n + max(mu, 0.0) * target
            if bound > best.bound:
                best = Multipliers(max(lam, 0.0), max(mu, 0.0), bound)
            if value - sigma >= -tolerance or pool.used[0] == PATTERNS + POOL_SIZE - 1:
                break
            entering = pool.used[0]
            pool.used[0] += 1
        leaving, ratio = -1, np.inf
        for i in range(3):
            step = 0.0
            for j in range(3):
                step += inverse[i, j] * columns[j, entering]
            if step > 1e-12 and max(point[i], 0.0) / step < ratio:
                leaving, ratio = i, max(point[i], 0.0) / step
        if leaving < 0:
            break
        basis[leaving] = entering
    heaviest, weight = PATTERNS, -1.0
    for i in range(3):
        if basis[i] >= PATTERNS and point[i] > weight:
            heaviest, weight = basis[i], point[i]
    return best, heaviest


@kernel
def invert(columns: np.ndarray, basis: np.ndarray, result: np.ndarray) -> None:
    """Invert the 3 x 3 matrix of a basis, by cofactors."""
    for i in range(3):
        for j in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            c, d = basis[(j + 1) % 3], basis[(j + 2) % 3]
            result[j, i] = columns[a, c] * columns[b, d] - columns[a, d] * columns[b, c]
    determinant = 0.0
    for j in range(3):
        determinant += columns[0, basis[j]] * result[j, 0]
    for i in range(3):
        for j in range(3):
            result[i, j] /= determinant


@kernel
def core(
    groups: Groups,
    n: int,
    target: int,
    prices: Multipliers,
    gap: float,
    states: np.ndarray,
    cost: np.ndarray,
    workers: np.ndarray,
    ps: np.ndarray,
) -> int:
    """Find the cheapest pattern combination with total reduced cost <= ``gap``.

    Returns `FOUND`; `NONE` if no combination exists; `FULL` if ``states`` (6, size) and ``cost`` (size,) have too few
    entries. States are totals (workers, parameter servers) so far, with their least cost. A state is dropped when its
    reduced costs exceed the gap, or when the remaining groups cannot complete it to exactly (n, S).
    """
    machines, front, together = groups.machines, groups.front, groups.together
    worker_cost, ps_cost = groups.worker_cost, groups.ps_cost
    lam, mu = prices.lam, prices.mu
    pattern_w, pattern_s = states[0], states[1]
    at_w, at_s = states[2], states[3]
    parent, chosen = states[4], states[5]
    start = np.full(machines.size + 1, 0)
    base = np.full(machines.size, 0.0)
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
                if filled == pattern_w.size:
                    return FULL
                pattern_w[filled], pattern_s[filled] = w, s
                filled += 1
        start[g + 1] = filled
    order = np.full(machines.size, 0)  # groups with a single choice come first
    for g in range(machines.size):
        i = g
        while i > 0 and start[order[i - 1] + 1] - start[order[i - 1]] > start[g + 1] - start[g]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = g
    low_w, high_w = np.full(machines.size + 1, 0), np.full(machines.size + 1, 0)
    low_s, high_s = np.full(machines.size + 1, 0), np.full(machines.size + 1, 0)
    for i in range(machines.size - 1, -1, -1):
        a, b = start[order[i]], start[order[i] + 1]
        if a == b:
            return NONE
        least_w = most_w = pattern_w[a]
        least_s = most_s = pattern_s[a]
        for p in range(a + 1, b):
            least_w, most_w = min(least_w, pattern_w[p]), max(most_w, pattern_w[p])
            least_s, most_s = min(least_s, pattern_s[p]), max(most_s, pattern_s[p])
        low_w[i], high_w[i] = low_w[i + 1] + least_w, high_w[i + 1] + most_w
        low_s[i], high_s[i] = low_s[i + 1] + least_s, high_s[i + 1] + most_s
    at_w[0], at_s[0], cost[0] = 0, 0, 0.0
    where = np.full((n + 1, target + 1), -1)
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
                    if end == cost.size:
                        return FULL
                    result = where[w, s] = end
                    at_w[end], at_s[end] = w, s
                    end += 1
                elif cost[result] <= price:
                    continue
                cost[result], parent[result], chosen[result] = price, k, p
        first, last = begin, end
        if first == last:
            return NONE
    k = where[n, target]
    if k < first:
        return NONE
    for i in range(machines.size - 1, -1, -1):
        workers[order[i]], ps[order[i]] = pattern_w[chosen[k]], pattern_s[chosen[k]]
        k = parent[k]
    return FOUND


@kernel
def shared_out(front: np.ndarray, count: int, workers: int, ps: int) -> np.ndarray:
    """Return a group's share by machine, the first machines full; shape (count, 2)."""
    rest = np.full((count + 1, workers + 1), -1)  # frontier of the first machines, by their number
    rest[0, 0] = 0
    one = np.full(workers + 1, -1)
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
    result = np.full((count, 2), 0)
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
