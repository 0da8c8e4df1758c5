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
All kernels are in one file, because numba's cache does not notice changes in other files. Their arrays come from the
caller, because numpy's functions take long to compile.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import njit

ROUNDING = 2.0**-52  # rounding margin relative to a sum's magnitude, for each of its terms
ARTIFICIAL, MORE_WORKERS, MORE_PS, PATTERNS = 0, 1, 2, 3  # columns of the pattern LP; the patterns come last
POOL_SIZE = 512  # patterns kept for the next number of workers
NONE, FOUND, FULL = 0, 1, 2  # results of `core`

inner = njit(inner=True, _nrt=False)  # _nrt=False: no allocations


class Groups(NamedTuple):
    """Groups of equal machines at equal prices."""

    machines: np.ndarray  # number of machines of each group, shape (G,)
    front: np.ndarray  # f of one machine of each group, shape (G, W + 1); -1 where so many workers do not fit
    worker_cost: np.ndarray  # p_w, shape (G,)
    ps_cost: np.ndarray
    by_worker: np.ndarray  # the groups by increasing p_w
    by_ps: np.ndarray


class PatternLP(NamedTuple):
    """The pattern LP: its columns, and arrays for the simplex method."""

    columns: np.ndarray  # workers, parameter servers, number of patterns and cost of each column, shape (4, columns)
    used: np.ndarray  # number of columns, shape (1,)
    pattern_workers: np.ndarray  # each group's pattern in a column, shape (columns, G)
    pattern_ps: np.ndarray
    basis: np.ndarray  # shape (3,)
    inverse: np.ndarray  # shape (3, 3)
    point: np.ndarray
    duals: np.ndarray
    rounded_workers: np.ndarray  # the groups' shares in a column, shape (G,)
    rounded_ps: np.ndarray

    @classmethod
    def of(cls, groups: int) -> PatternLP:
        """Return the LP without patterns."""
        columns, patterns = np.zeros((4, PATTERNS + POOL_SIZE)), _integers(2, PATTERNS + POOL_SIZE, groups)
        columns[[0, 1], [MORE_WORKERS, MORE_PS]] = -1.0
        simplex = *_integers(1, 3), np.empty((3, 3)), np.empty(3), np.empty(3)
        return cls._make([columns, np.array([PATTERNS]), *patterns, *simplex, *_integers(2, groups)])


class States(NamedTuple):
    """Arrays for at most ``size`` patterns and ``size`` states."""

    pattern_w: np.ndarray  # the groups' patterns, shape (size,)
    pattern_s: np.ndarray
    at_w: np.ndarray  # each state's total, shape (size,)
    at_s: np.ndarray
    parent: np.ndarray
    chosen: np.ndarray  # pattern
    cost: np.ndarray
    start: np.ndarray  # first pattern of each group, shape (G + 1,)
    order: np.ndarray  # of the groups
    low_w: np.ndarray  # least and most workers and parameter servers of the remaining groups
    high_w: np.ndarray
    low_s: np.ndarray
    high_s: np.ndarray
    base: np.ndarray
    where: np.ndarray  # the state of each total, shape (F + 1, S(F) + 1)
    together: np.ndarray  # f of all machines of a group together, shape (G, F + 1)
    one: np.ndarray  # frontiers, shape (2, F + 1)
    all: np.ndarray

    @classmethod
    def of(cls, size: int, groups: int, limit: int, most_ps: int) -> States:
        """Return arrays for totals up to (``limit``, ``most_ps``)."""
        states, numbers = [*_integers(6, size), np.empty(size)], [*_integers(6, groups + 1), np.empty(groups)]
        frontiers = *_integers(1, groups, limit + 1), *_integers(2, 2, limit + 1)
        return cls._make([*states, *numbers, *_integers(1, limit + 1, most_ps + 1), *frontiers])


def _integers(count: int, *shape: int) -> np.ndarray:
    return np.zeros((count, *shape), dtype=np.int64)


class Multipliers(NamedTuple):
    """The multipliers lambda and mu of the pattern LP, and the bound that they prove."""

    lam: float
    mu: float
    bound: float


@njit(cache=True, _nrt=False, scratch=("rows",))
def several(front: np.ndarray, count: int, most_ps: int, rows: np.ndarray) -> int:
    """Compute the frontiers f of rows[0] with 1, 2, ... more equal machines.

    A frontier falls in steps. Before the end of a step, a machine takes over a worker of the others at no loss, so such
    entries are tried only with all workers on the machine.

    Parameters
    ----------
    front
        f of each of these machines.
    rows
        Shape (count + 1, F + 1) to keep all frontiers, or (2, F + 1) to use two rows in turn.

    Returns
    -------
    int
        The number of machines after which the frontier stays the same.
    """
    full = 0  # the first entry below most_ps
    for i in range(1, count + 1):
        old, new = rows[(i - 1) % rows.shape[0]], rows[i % rows.shape[0]]
        while full < old.size and old[full] == most_ps:
            full += 1
        for n in range(old.size):
            new[n] = old[n]
        same = True
        for w in range(min(front.size, old.size)):
            if front[w] < 0:
                break
            last = w + 1 == front.size or front[w + 1] < front[w]
            for n in range(max(w, full), old.size if last else w + 1):
                if old[n - w] < 0:
                    break
                both = min(old[n - w] + front[w], most_ps)
                if both > new[n]:
                    new[n] = both
                    same = False
        if same:
            return i
    return count


@inner
def add_up(groups: Groups, most_ps: int, together: np.ndarray, one: np.ndarray, all_: np.ndarray) -> None:
    """Compute f of each group together, and in all_[0] of all machines.

    ``one`` and ``all_`` have shape (2, F + 1).
    """
    all_[0, 0] = 0
    for n in range(1, all_.shape[1]):
        all_[0, n] = -1
    for g in range(groups.machines.size):
        one[0, 0] = 0
        for n in range(1, one.shape[1]):
            one[0, n] = -1
        last = several(groups.front[g], groups.machines[g], most_ps, one) % 2
        last_of_all = several(groups.front[g], groups.machines[g], most_ps, all_) % 2
        for n in range(one.shape[1]):
            together[g, n] = one[last, n]
            all_[0, n] = all_[last_of_all, n]


@njit(cache=True, _nrt=False, scratch=("lp", "states"))
def table(
    groups: Groups,
    needed: np.ndarray,
    lp: PatternLP,
    states: States,
    cost: np.ndarray,
    workers: np.ndarray,
    ps: np.ndarray,
) -> bool:
    """Compute B(1), B(2), ... while the workers fit, and a cheapest placement of each.

    Parameters
    ----------
    needed
        S(0), ..., S(F).
    cost
        Shape (F + 1,); B(n) is written to entry n.
    workers, ps
        Shape (F + 1, G); the groups' shares are written to row n.

    Returns
    -------
    bool
        False if ``states`` have too little space.
    """
    together, all_ = states.together, states.all
    add_up(groups, needed[needed.size - 1], together, states.one, all_)
    for n in range(1, needed.size):
        if all_[0, n] < needed[n]:
            break
        placed = greedy(groups, together, n, needed[n], workers[n], ps[n])
        if not placed and not cheapest(groups, n, needed[n], lp, states, workers[n], ps[n]):
            return False
        cost[n] = total(groups, workers[n], ps[n])
    return True


@inner
def cheapest(
    groups: Groups, n: int, target: int, lp: PatternLP, states: States, workers: np.ndarray, ps: np.ndarray
) -> bool:
    """Find a cheapest placement when `greedy` found none; False if `core` is `FULL`."""
    prices, heaviest = prices_of_two(groups, n, target, lp)
    best = np.inf
    w, s = lp.rounded_workers, lp.rounded_ps
    for ps_first in range(2):
        for g in range(w.size):
            w[g] = groups.machines[g] * lp.pattern_workers[heaviest, g]
            s[g] = groups.machines[g] * lp.pattern_ps[heaviest, g]
        if repair(groups, states.together, n, target, w, s, ps_first == 1):
            price = total(groups, w, s)
            if price < best:
                best = price
                for g in range(w.size):
                    workers[g], ps[g] = w[g], s[g]
    lam, mu, bound = prices.lam, prices.mu, prices.bound
    margin = ROUNDING * (w.size + 16) * (lam * n + mu * target + bound)
    gap = min(margin, best - bound)
    scale = lam + mu
    if scale <= 0:
        scale = groups.worker_cost[groups.by_worker[-1]] + groups.ps_cost[groups.by_ps[-1]]
    while bound + margin < best:  # any result within a gap is optimal; usually the first gap suffices
        result = core(groups, n, target, prices, gap + margin, states, workers, ps)
        if result == FULL:
            return False
        if result == FOUND or gap == best - bound:
            break
        gap = min(8 * gap + scale / 64, best - bound)
    return True


@inner
def total(groups: Groups, workers: np.ndarray, ps: np.ndarray) -> float:
    """Return the cost of the groups' shares."""
    result = 0.0
    for g in range(workers.size):
        result += groups.worker_cost[g] * workers[g] + groups.ps_cost[g] * ps[g]
    return result


@inner
def greedy(groups: Groups, together: np.ndarray, n: int, target: int, workers: np.ndarray, ps: np.ndarray) -> bool:
    """Place workers and parameter servers where each is cheapest; True if both fit."""
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


@inner
def repair(
    groups: Groups, together: np.ndarray, n: int, target: int, workers: np.ndarray, ps: np.ndarray, ps_first: bool
) -> bool:
    """Remove the excess, dearest first; add the rest, cheapest first; return success."""
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


@inner
def cheapest_patterns(groups: Groups, lam: float, mu: float, lp: PatternLP) -> float:
    """Add the patterns of least reduced cost at (lambda, mu); return that cost."""
    machines, front = groups.machines, groups.front
    k = lp.used[0]
    columns = lp.columns
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
        lp.pattern_workers[k, g], lp.pattern_ps[k, g] = at, held
        columns[0, k] += machines[g] * at
        columns[1, k] += machines[g] * held
        columns[3, k] += machines[g] * (groups.worker_cost[g] * at + groups.ps_cost[g] * held)
    return value


@inner
def prices_of_two(groups: Groups, n: int, target: int, lp: PatternLP) -> tuple[Multipliers, int]:
    """Return multipliers of the pattern LP for n workers, and its heaviest column.

    It is a primal simplex on three rows with column generation.
    """
    if lp.used[0] > PATTERNS + POOL_SIZE // 2:
        lp.used[0] = PATTERNS
    columns = lp.columns
    columns[0, ARTIFICIAL], columns[1, ARTIFICIAL], columns[2, ARTIFICIAL] = n, target, 1.0
    largest_worker, largest_ps = groups.worker_cost[groups.by_worker[-1]], groups.ps_cost[groups.by_ps[-1]]
    columns[3, ARTIFICIAL] = 10.0 * (n * largest_worker + target * largest_ps) + 1.0
    basis, inverse, point, duals = lp.basis, lp.inverse, lp.point, lp.duals
    basis[0], basis[1], basis[2] = ARTIFICIAL, MORE_WORKERS, MORE_PS
    best = Multipliers(0.0, 0.0, 0.0)
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
        for k in range(MORE_WORKERS, lp.used[0]):
            if k == PATTERNS and entering != ARTIFICIAL:
                break
            reduced = columns[3, k] - lam * columns[0, k] - mu * columns[1, k] - sigma * columns[2, k]
            if reduced < least:
                entering, least = k, reduced
        if entering == ARTIFICIAL:
            value = cheapest_patterns(groups, max(lam, 0.0), max(mu, 0.0), lp)
            bound = value + max(lam, 0.0) * n + max(mu, 0.0) * target
            if bound > best.bound:
                best = Multipliers(max(lam, 0.0), max(mu, 0.0), bound)
            if value - sigma >= -tolerance or lp.used[0] == PATTERNS + POOL_SIZE - 1:
                break
            entering = lp.used[0]
            lp.used[0] += 1
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


@inner
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


@inner
def core(
    groups: Groups,
    n: int,
    target: int,
    prices: Multipliers,
    gap: float,
    states: States,
    workers: np.ndarray,
    ps: np.ndarray,
) -> int:
    """Find the cheapest pattern combination with total reduced cost <= ``gap``.

    Returns `FOUND`; `NONE` if no combination exists; `FULL` if ``states`` have too few entries. States are totals
    (workers, parameter servers) so far, with their least cost. A state is dropped when its reduced costs exceed the
    gap, or when the remaining groups cannot complete it to exactly (n, S).
    """
    machines, front, together = groups.machines, groups.front, states.together
    worker_cost, ps_cost = groups.worker_cost, groups.ps_cost
    lam, mu = prices.lam, prices.mu
    pattern_w, pattern_s = states.pattern_w, states.pattern_s
    at_w, at_s, cost = states.at_w, states.at_s, states.cost
    parent, chosen = states.parent, states.chosen
    start, order, base, where = states.start, states.order, states.base, states.where
    low_w, high_w, low_s, high_s = states.low_w, states.high_w, states.low_s, states.high_s
    start[0] = 0
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
    for g in range(machines.size):
        i = g
        while i > 0 and start[order[i - 1] + 1] - start[order[i - 1]] > start[g + 1] - start[g]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = g  # groups with a single choice come first
    last = machines.size
    low_w[last] = high_w[last] = low_s[last] = high_s[last] = 0
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
    for w in range(n + 1):
        for s in range(target + 1):
            where[w, s] = -1
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
    k = first  # no other state is left
    for i in range(machines.size - 1, -1, -1):
        workers[order[i]], ps[order[i]] = pattern_w[chosen[k]], pattern_s[chosen[k]]
        k = parent[k]
    return FOUND
