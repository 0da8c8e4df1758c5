"""Kernels of OGASched: gradient (30), step, projection (32), reward, totals.

A *row* is a (node, resource) pair: the amounts of the node's ports in consecutive entries. Ports without demand pad
a row to a multiple of eight, so that vectors of doubles leave no remainder. `Rows` describes all rows of a cluster.

**The projection of a row** is y = clip(z - tau, 0, a). Here tau = 0 if sum clip(z, 0, a) <= c, else a root of
sum clip(z - tau, 0, a) = c. The sum is nonincreasing in tau and linear between breakpoints. Newton's step from the last
slot's tau nearly always finds the root's piece after two sums, without sorting. A step that leaves the bracket is
repeated from the bracket's other end; if this fails the bracket is halved. With u = 2^-53, w the padded width and e =
(w + 4) u:

- Every y is z - tau, rounded, then clipped. So 0 <= y <= a exactly, and y has relative error at most u against
  clip(z - tau, 0, a). No breakpoint z - a is formed: an amount is free if clipping does not change it.
- The target sum is (1 - 5e) c, and a computed sum within 4e c of the target is accepted. A sum of w doubles >= 0 has
  relative error at most (w - 1) u in any order, up to terms in u^2. The exact sum of the y is at most
  (1 - e) (1 + (w + 2) u) c < c, and at least (1 - 10e) c.
- clip(z - tau, 0, a) is the exact projection onto its own sum, and no entry of the projections onto two sums differs by
  more than the sums do. Hence every y is within

      11 (w + 4) 2^-53 c

  of the projection, for any size of z. If sum clip(z, 0, a) <= (1 - 10e) c, y = clip(z, 0, a) exactly.
- If |z| is much larger than c, the spacing of doubles near tau is too coarse. When Newton's step reaches tau's last
  digits and the root is known to lie within 2^-38 tau, tau becomes the origin and the search continues in small
  numbers. For amounts above the root and within a factor of two of tau, z - tau is exact. For larger amounts, y is as
  large as z - tau, and the rounding adds another u of y. Each move shrinks the remainder of tau by 2^38 at least,
  until it is about c. The bound allows five moves, enough for |z| = 10^40 c.

**Reproducibility.** Rows are grouped in blocks that do not depend on the number of threads; the blocks' sums are added
in the order of the blocks. Within a row sums use eight lanes, in the order that `lanes` fixes. With fastmath the
kernels are a tenth faster, but results then change with the number of threads and with numba's cache.

All functions are in this file because numba's cache does not detect a change in another file. They take no references
to arrays (``_nrt``), because counting references in every thread costs more than the rows.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, log, sqrt
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, prange, types
from numba.core import cgutils
from numba.extending import intrinsic

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import njit

LANES = 8  # doubles in the widest vector
NONE = 4  # utility 0, after the four of (54), for gains of the other reading
NOTHING, SLOT, ALL = range(3)  # divisor of a step's size: 1, |g_t|, or the root of the sum of |g_s|^2, s <= t
MOST_SUMS = 10_000  # limit of sums for a root; 2100 halvings separate any two doubles
SMALLEST_CAPACITY = 2.0**-900  # smaller doubles lose digits, so no amount is accurate enough
LINES = 8  # of the work array of one row:
AMOUNT, HERE, PULL, DEMAND, POINT, KEPT = range(6)  # y(t), x(t), the ports' part of g, a, z, y(t + 1);
GAIN, SQUARE = 6, 7  # terms of sums
FINEST_STEP = 2.0**-40  # relative to tau; a smaller step moves the origin
NEWTON_STEPS = 8  # after these, every second step is a halving

CACHED = {"cache": True, "error_model": "numpy"}
PLAIN = CACHED | {"_nrt": False}
LOOPS = dict.fromkeys(("comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion"), False)


class Rows(NamedTuple):
    """All rows of a cluster.

    P padded ports of nodes, R nodes, K resources, C copies, W = C + 8 columns including padding.

    Attributes
    ----------
    begin, port
        (R + 1,) and (P,): node r's copies are ``port[begin[r]:begin[r + 1]]``, increasing; columns C to W - 1 pad. Row
        k of node r starts at ``K begin[r] + k (begin[r + 1] - begin[r])`` of an allocation.
    block
        (B + 1,): block b holds the nodes ``block[b]`` to ``block[b + 1] - 1``.
    demand, overhead
        (K, W) a and (K,) beta.
    capacity, kind, alpha
        (R, K): c_r^k and the utility f_r^k; `NONE` if gains are per total.
    port_kind, port_alpha
        (K,): f_k of a port's total; `NONE` if gains are per node.
    factors
        The number of factors 1 + y that can be multiplied without overflow, a multiple of eight.
    """

    begin: Array
    port: Array
    block: Array
    demand: Array
    capacity: Array
    kind: Array
    alpha: Array
    port_kind: Array
    port_alpha: Array
    overhead: Array
    factors: Array


class State(NamedTuple):
    """State of a run, changed in place.

    Totals of y(t) (K, W), tau (R, K), sum of |g|^2 (1,).
    """

    totals: Array
    tau: Array
    measured: Array


# --- sums in a fixed order --------------------------------------------------------------------------------------------


def lanes(operation: str, neutral: float) -> Callable[[Array, Array, Array, Array], Array]:
    """Compile (work, line, begin, width): a line's sum or product in eight lanes.

    The code is LLVM because numba has no vector sum. The lanes are combined as ((0+4)+(2+6)) + ((1+5)+(3+7)), and no
    flag allows another order.
    """
    if config.DISABLE_JIT:
        return in_python(operation, neutral)

    @intrinsic
    def reduced(typing: Array, work: Array, line: Array, begin: Array, width: Array) -> Array:
        def emit(context: Array, builder: Array, signature: Array, arguments: Array) -> Array:
            table, line, begin, width = arguments
            array = context.make_array(signature.args[0])(context, builder, table)
            columns = builder.extract_value(array.shape, 1)
            start = builder.gep(array.data, [builder.add(builder.mul(line, columns), begin)])
            vector = ir.VectorType(ir.DoubleType(), LANES)
            vectors = builder.bitcast(start, vector.as_pointer())
            result = cgutils.alloca_once_value(builder, ir.Constant(vector, [neutral] * LANES))
            combine = getattr(builder, operation)
            with cgutils.for_range(builder, builder.udiv(width, width.type(LANES))) as loop:
                eight = builder.load(builder.gep(vectors, [loop.index]), align=8)
                builder.store(combine(builder.load(result), eight), result)
            value = builder.load(result)
            half = LANES
            while half > 1:
                half //= 2
                ends = (ir.Constant(ir.VectorType(ir.IntType(32), half), list(range(i, i + half))) for i in (0, half))
                value = combine(*(builder.shuffle_vector(value, value, end) for end in ends))
            return builder.extract_element(value, ir.IntType(32)(0))

        return types.float64(work, types.intp, types.intp, types.intp), emit

    reduced.as_python = in_python(operation, neutral)
    return reduced


def in_python(operation: str, neutral: float) -> Callable[[Array, Array, Array, Array], Array]:
    """Return the function, with equal digits, for runs without compilation."""
    combine = {"fadd": np.add, "fmul": np.multiply}[operation]

    def reduced(work: Array, line: Array, begin: Array, width: Array) -> Array:
        value = np.full(LANES, neutral)
        for at in range(begin, begin + (width & -LANES), LANES):
            value = combine(value, work[line, at : at + LANES])
        while value.size > 1:
            value = combine(*np.split(value, 2))
        return value[0]

    return reduced


added, multiplied = lanes("fadd", 0.0), lanes("fmul", 1.0)


# --- one row, in the lines of its work array --------------------------------------------------------------------------


@njit(**PLAIN)
def clip_and_sum(work: Array, width: Array, tau: Array) -> Array:
    """Store clip(z - tau, 0, a); return its sum and the number of unclipped amounts."""
    free = 0
    for i in range(width & -LANES):
        amount = work[POINT, i] - tau
        kept = amount if amount > 0.0 else 0.0
        kept = kept if kept < work[DEMAND, i] else work[DEMAND, i]
        free += kept == amount
        work[KEPT, i] = kept
    return added(work, KEPT, 0, width), free


@njit(**PLAIN)
def shift(work: Array, width: Array, origin: Array) -> None:
    """Move the origin of the point's amounts."""
    for i in range(width):
        work[POINT, i] -= origin


@njit(**PLAIN)
def largest(work: Array, width: Array) -> Array:
    """Return the point's largest amount."""
    highest = work[POINT, 0]
    for i in range(width):
        highest = max(highest, work[POINT, i])
    return highest


@njit(**PLAIN)
def project_row(work: Array, width: Array, capacity: Array, start: Array) -> Array:
    """Store the projection of z onto {0 <= y <= demand, sum y <= capacity}.

    The error bound is the module's; z is scratch afterwards. ``start`` is a guess of tau >= 0. Returns tau, the next
    guess.
    """
    unit = (width + 4) * 2.0**-53
    target = capacity * (1.0 - 5.0 * unit)
    slack = capacity * 4.0 * unit
    low, high = 0.0, np.inf  # the bracket
    up, down = np.inf, -np.inf  # Newton's steps from the bracket's ends
    tight = False  # whether the sum exceeds the capacity at some known tau >= 0
    origin, tau = 0.0, start
    for turn in range(MOST_SUMS if capacity >= SMALLEST_CAPACITY else 0):
        total, free = clip_and_sum(work, width, tau)
        excess = total - target
        if abs(excess) <= slack or (excess < 0.0 and tau == 0.0 and not tight):
            return origin + tau
        if excess > 0.0:
            tight, low, up = True, tau, excess / free if free > 0 else np.inf
        else:
            high, down = tau, excess / free if free > 0 else -np.inf
        if not tight:  # decrease tau until the sum exceeds the capacity, or to 0
            step = down if -down >= FINEST_STEP * tau else -2.0 * FINEST_STEP * tau
            tau = tau + step if turn < NEWTON_STEPS and tau + step > 0.0 else 0.0
            continue
        from_low = up <= -down
        end, step = (low, up) if from_low else (high, down)
        if abs(step) >= FINEST_STEP * abs(end) and not low < end + step < high:
            end, step = (high, down) if from_low else (low, up)
        if abs(step) < FINEST_STEP * abs(end):
            if high - low <= 4.0 * FINEST_STEP * abs(end):
                shift(work, width, end)
                origin, low, high, end = origin + end, low - end, high - end, 0.0
            else:  # a point just above the root gives a narrow bracket
                step = copysign(2.0 * FINEST_STEP * end, step)
        tau = end + step
        if not low < tau < high or (turn >= NEWTON_STEPS and turn % 2 == 0):
            high = min(high, largest(work, width))  # the sum is 0 at the largest amount
            tau = low + 0.5 * (high - low)
            if not low < tau < high:  # no double between low and high
                shift(work, width, low)
                origin, low, high = origin + low, 0.0, high - low
                tau = 0.5 * high
    for i in range(width):  # almost no capacity, or nan, which has no projection
        work[KEPT, i] = 0.0
    return 0.0


@njit(**PLAIN)
def ascent_step(work: Array, width: Array, kind: Array, alpha: Array, eta: Array, factors: Array) -> Array:
    """Set z = y + eta g with the row's supergradient g = x(t) f'(y) + pull.

    Returns the sum of x(t) f(y), in which a product replaces a sum of logarithms, and |g|^2.
    """
    size = width & -LANES
    scale = alpha
    if kind == 0:  # linear
        for i in range(size):
            here = work[HERE, i]
            g = here * alpha + work[PULL, i]
            work[POINT, i] = work[AMOUNT, i] + eta * g
            work[SQUARE, i] = g * g
            work[GAIN, i] = here * work[AMOUNT, i]
    elif kind == 1:  # log
        for i in range(size):
            here, above = work[HERE, i], 1.0 + work[AMOUNT, i]
            g = here * (alpha / above) + work[PULL, i]
            work[POINT, i] = work[AMOUNT, i] + eta * g
            work[SQUARE, i] = g * g
            work[GAIN, i] = above if here > 0.0 else 1.0
    elif kind == 2:  # reciprocal
        scale = 1.0 / alpha
        for i in range(size):
            here, inverse = work[HERE, i], 1.0 / (work[AMOUNT, i] + alpha)
            g = here * (inverse * inverse) + work[PULL, i]
            work[POINT, i] = work[AMOUNT, i] + eta * g
            work[SQUARE, i] = g * g
            work[GAIN, i] = here * (work[AMOUNT, i] * inverse)
    elif kind == 3:  # poly
        for i in range(size):
            here, root = work[HERE, i], sqrt(1.0 + work[AMOUNT, i])
            g = here * (0.5 * alpha / root) + work[PULL, i]
            work[POINT, i] = work[AMOUNT, i] + eta * g
            work[SQUARE, i] = g * g
            work[GAIN, i] = here * (root - 1.0)
    else:
        for i in range(size):
            g = work[PULL, i]
            work[POINT, i] = work[AMOUNT, i] + eta * g
            work[SQUARE, i] = g * g
            work[GAIN, i] = 0.0
    norm = added(work, SQUARE, 0, width)
    if kind != 1:
        return scale * added(work, GAIN, 0, width), norm
    gain = 0.0
    for begin in range(0, width, factors):
        gain += log(multiplied(work, GAIN, begin, min(factors, width - begin)))
    return scale * gain, norm


# --- ports ------------------------------------------------------------------------------------------------------------


@njit(**PLAIN)
def value_and_slope(kind: Array, alpha: Array, amount: Array) -> Array:
    """Return the utility f of (54) and its slope f' at an amount."""
    if kind == 0:
        return alpha * amount, alpha
    if kind == 1:
        return alpha * log(1.0 + amount), alpha / (1.0 + amount)
    if kind == 2:
        return amount / (alpha * (amount + alpha)), 1.0 / ((amount + alpha) * (amount + alpha))
    if kind == 3:
        root = sqrt(1.0 + amount)
        return alpha * (root - 1.0), 0.5 * alpha / root
    return 0.0, 0.0


@njit(**PLAIN)
def port_terms(rows: Array, totals: Array, present: Array, t: Array, forces: Array) -> Array:
    """Return the part of the reward that depends on ports' totals; fill ``forces``.

    ``forces`` (K + 1, W) gets this part of the supergradient, 0 for ports that did not arrive. If gains are per total,
    the part is f_k' of the total. At k*, the first resource of largest overhead, beta is subtracted. The last row of
    ``forces`` is x(t).
    """
    resources = rows.overhead.size
    reward = 0.0
    for port in range(present.shape[1]):
        forces[resources, port] = present[t, port]
        if present[t, port] == 0:
            for k in range(resources):
                forces[k, port] = 0.0
            continue
        worst = 0
        highest = -1.0
        for k in range(resources):
            gain, forces[k, port] = value_and_slope(rows.port_kind[k], rows.port_alpha[k], totals[k, port])
            reward += gain
            overhead = rows.overhead[k] * totals[k, port]
            if overhead > highest:
                worst, highest = k, overhead
        forces[worst, port] -= rows.overhead[worst]
        reward -= highest
    return reward


# --- rows and ports, in and out of the work array ---------------------------------------------------------------------


@njit(**PLAIN)
def fetch(values: Array, at: Array, width: Array, work: Array, line: Array) -> None:
    """Copy a row of an allocation into a line of the work array."""
    at = np.uintp(at)  # for a signed index numba tests whether it is negative
    for i in range(np.uintp(width)):
        work[line, i] = values[at + i]


@njit(**PLAIN)
def store(work: Array, line: Array, values: Array, at: Array, width: Array) -> None:
    """Copy a line of the work array into a row of an allocation."""
    at = np.uintp(at)
    for i in range(np.uintp(width)):
        values[at + i] = work[line, i]


@njit(**PLAIN)
def gather(table: Array, k: Array, port: Array, begin: Array, width: Array, work: Array, line: Array) -> None:
    """Copy ``table[k]`` at a node's ports into a line of the work array.

    The ports are consecutive in a full graph.
    """
    first = np.uintp(port[begin])
    if port[begin + width - 1] - port[begin] == width - 1:
        for i in range(np.uintp(width)):
            work[line, i] = table[k, first + i]
    else:
        for i in range(width):
            work[line, i] = table[k, port[begin + i]]


@njit(**PLAIN)
def scatter(work: Array, line: Array, table: Array, k: Array, port: Array, begin: Array, width: Array) -> None:
    """Add a line of the work array to ``table[k]`` at a node's ports."""
    first = np.uintp(port[begin])
    if port[begin + width - 1] - port[begin] == width - 1:
        for i in range(np.uintp(width)):
            table[k, first + i] += work[line, i]
    else:
        for i in range(width):
            table[k, port[begin + i]] += work[line, i]


# --- blocks of nodes --------------------------------------------------------------------------------------------------


@njit(**PLAIN)
def step_block(
    rows: Array,
    b: Array,
    forces: Array,
    eta: Array,
    tau: Array,
    amounts: Array,
    after: Array,
    totals: Array,
    work: Array,
    moves: Array,
) -> Array:
    """Return the gain of y(t), and |g|^2, in a block's rows.

    If ``moves``, also write y(t + 1) to ``after``, which may be ``amounts``, and the totals of y(t + 1).
    """
    resources = rows.overhead.size
    for k in range(resources):
        for column in range(totals.shape[1]):
            totals[k, column] = 0.0
    gain = 0.0
    norm = 0.0
    for r in range(rows.block[b], rows.block[b + 1]):
        begin, width = rows.begin[r], rows.begin[r + 1] - rows.begin[r]
        if width == 0:
            continue
        gather(forces, resources, rows.port, begin, width, work, HERE)
        arrived = False
        for i in range(width):
            arrived |= work[HERE, i] != 0.0
        for k in range(resources):
            at = begin * resources + k * width
            fetch(amounts, at, width, work, AMOUNT)
            if arrived:
                gather(forces, k, rows.port, begin, width, work, PULL)
                more, square = ascent_step(work, width, rows.kind[r, k], rows.alpha[r, k], eta, rows.factors)
                gain += more
                norm += square
            if arrived and moves:
                gather(rows.demand, k, rows.port, begin, width, work, DEMAND)
                tau[r, k] = project_row(work, width, rows.capacity[r, k], tau[r, k])
            if moves:
                line = KEPT if arrived else AMOUNT
                store(work, line, after, at, width)
                scatter(work, line, totals, k, rows.port, begin, width)
    return gain, norm


@njit(**PLAIN)
def project_block(rows: Array, b: Array, point: Array, out: Array, work: Array) -> None:
    resources = rows.overhead.size
    for r in range(rows.block[b], rows.block[b + 1]):
        begin, width = rows.begin[r], rows.begin[r + 1] - rows.begin[r]
        for k in range(resources if width > 0 else 0):
            at = begin * resources + k * width
            fetch(point, at, width, work, POINT)
            gather(rows.demand, k, rows.port, begin, width, work, DEMAND)
            project_row(work, width, rows.capacity[r, k], 0.0)
            store(work, KEPT, out, at, width)


@njit(**PLAIN)
def collect(parts: Array, totals: Array) -> None:
    """Add the blocks' totals in the order of the blocks."""
    totals[:] = 0.0
    for b in range(parts.shape[0]):
        for k in range(totals.shape[0]):
            for port in range(totals.shape[1]):
                totals[k, port] += parts[b, k, port]


# --- all nodes, compiled for one thread and for many ------------------------------------------------------------------


def projections(parallel: bool) -> Callable[..., None]:
    """Compile the projection of all rows: (rows, point, out)."""

    def project(rows: Array, point: Array, out: Array) -> None:
        blocks = rows.block.size - 1
        work = np.empty((blocks, LINES, rows.demand.shape[1]))
        for b in prange(blocks):
            project_block(rows, b, point, out, work[b])

    return _compile(project, parallel)


def plays(parallel: bool) -> Callable[..., None]:
    """Compile many slots of OGASched.

    The function takes (rows, state, present, sizes, measures, out, rewards, norms). ``present`` (n, C) are the
    arrivals, ``sizes`` (n,) the step sizes, with the divisors that ``measures`` selects. It reads y of the t-th slot
    from ``out[t % m]``, m >= 1 the length of ``out``, and writes the next y to ``out[(t + 1) % m]``. It fills
    ``rewards`` and ``norms`` (n,) with the rewards and |g_t|^2.
    """

    def play(
        rows: Array,
        state: Array,
        present: Array,
        sizes: Array,
        measures: Array,
        out: Array,
        rewards: Array,
        norms: Array,
    ) -> None:
        blocks = rows.block.size - 1
        resources, columns = state.totals.shape
        parts = np.empty((blocks, resources, columns))
        sums = np.zeros((blocks, 2))  # gain and |g|^2
        work = np.empty((blocks, LINES, columns))
        forces = np.zeros((resources + 1, columns))
        for t in range(present.shape[0]):
            y = out[t % out.shape[0]]
            after = out[(t + 1) % out.shape[0]]
            reward = port_terms(rows, state.totals, present, t, forces)
            eta = sizes[t]
            if measures != NOTHING:
                for b in prange(blocks):
                    sums[b, 0], sums[b, 1] = step_block(
                        rows, b, forces, 0.0, state.tau, y, after, parts[b], work[b], False
                    )
                square = 0.0
                for b in range(blocks):
                    square += sums[b, 1]
                state.measured[0] = square + (state.measured[0] if measures == ALL else 0.0)
                eta = eta / sqrt(state.measured[0]) if state.measured[0] > 0.0 else 0.0
            for b in prange(blocks):
                sums[b, 0], sums[b, 1] = step_block(rows, b, forces, eta, state.tau, y, after, parts[b], work[b], True)
            norm = 0.0
            for b in range(blocks):
                reward += sums[b, 0]
                norm += sums[b, 1]
            collect(parts, state.totals)
            rewards[t] = reward
            norms[t] = norm

    return _compile(play, parallel)


def _compile(function: Callable[..., None], parallel: bool) -> Callable[..., None]:
    """Compile for one or for many threads.

    Each version needs its own name, the key of numba's cache.
    """
    if parallel:
        function.__qualname__ += "_in_parallel"
    threads = {"parallel": LOOPS | {"prange": True}} if parallel else {}
    compiled: Callable[..., None] = njit(**threads, **CACHED)(function)
    return compiled


project_alone, project_together = projections(parallel=False), projections(parallel=True)
play_alone, play_together = plays(parallel=False), plays(parallel=True)
