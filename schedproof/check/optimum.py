"""Check the proof of an integer optimum: ``python -I optimum.py INSTANCE PROOF``.

The rows of a program are written here from the instance, in integers: one function for each program, which shares no
code with any model. The checker is one standard-library file. A proof has two parts. A point satisfies the rows for
schedules with the value as objective. A branching tree proves that the rows for better schedules have no point: a
branch splits at an integer, x <= v or x >= v + 1. Each leaf has multipliers of rows, and no point in the leaf's ranges
satisfies the weighted sum.

A last argument ``--steps=N`` limits the check to N steps, of about a microsecond each.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from itertools import accumulate, islice
from math import gcd, isqrt, lcm
from operator import le, sub
from pathlib import Path
from stat import S_ISREG
from typing import Any

MOST_BYTES, MOST_STEPS = 1 << 24, 2 * 10**6
MOST_BITS = 4096  # bits of a number
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
DIGITS, TINY = Context(prec=60), Fraction(1, 10**50)  # digits of exp, correctly rounded, and a margin
GRID = 10**12  # irrational values are rounded to multiples of 1/GRID
FINEST = 10**6  # the least improvement is 1/FINEST
Terms = dict[int, Any]  # number of a column -> coefficient


class Refused(Exception):
    """A reason, in one sentence, why the certificate proves nothing."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


def unreadable(path: str | Path, error: Exception) -> Refused:
    kinds = {RecursionError: "it is nested too deeply", InvalidOperation: "an exponent is too large"}
    why = kinds.get(type(error)) or " ".join(str(error).split(";")[0].split())[:200] or type(error).__name__
    return Refused("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"{path}: cannot be read: {why}"))


def content(path: str | Path, most: int) -> bytes:
    need(S_ISREG(Path(path).stat().st_mode), "expected a regular file")  # a pipe or a device may never end
    with Path(path).open("rb") as stream:
        found = b"".join(islice(iter(lambda: stream.read(1 << 20), b""), (most >> 20) + 1))
    need(len(found) <= most, f"the file has more than {most} bytes")
    return found


def read(path: str, most: int = MOST_BYTES) -> Any:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in one object")
        return dict(pairs)

    try:
        text = content(path, most).decode("utf-8-sig")
        need(text.strip(), "expected a JSON object, found an empty file")
        value = json.loads(text, parse_float=Decimal, parse_constant=rational, object_pairs_hook=unique_keys)
        need(isinstance(value, dict), "expected a JSON object")
        return value
    except (OSError, ValueError, ArithmeticError, RecursionError, MemoryError, Refused) as error:
        raise unreadable(path, error) from None


def fields(value: Any, names: str) -> None:
    need(isinstance(value, dict) and value.keys() == {*names.split()}, f"expected the fields: {names or 'none'}")


def amount(value: Any) -> Fraction:
    """Return a number of an instance, >= 0."""
    fine = type(value) is int or (isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 400)
    number = Fraction(value if fine else -1)
    need(number >= 0, f"expected a number >= 0, found {value!a:.40}")
    return number


def count(value: Any, least: int = 0, most: int = 10**9) -> int:
    fine = type(value) is int and least <= value <= most
    need(fine, f"expected a whole number from {least} to {most}, found {value!a:.40}")
    return int(value)


def named(rows: Any) -> dict[str, Any]:
    """Return rows by their unique names."""
    found = {row["name"]: row for row in rows}
    need(len(found) == len(rows) and all(isinstance(name, str) for name in found), "expected each name once")
    return found


def listed(names: Any, known: Iterable[str] | None = None) -> list[str]:
    """Return a list of distinct known names."""
    fine = isinstance(names, list) and all(isinstance(name, str) for name in names) and len({*names}) == len(names)
    need(fine and (known is None or {*names} <= {*known}), "expected a list of names of the instance, each once")
    return list(names)


def shares(row: Any, names: list[str]) -> list[Fraction]:
    """Return an amount of each resource."""
    need({*row} <= {*names}, "amounts: expected names of resources")
    return [amount(row.get(name, 0)) for name in names]


def up(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)


def root_below(square: Fraction) -> Fraction:
    """Return the square root if rational, else a lower bound within `TINY`."""
    one = TINY.denominator
    return Fraction(isqrt(square.numerator * square.denominator * one**2), square.denominator * one)


def root_above(square: Fraction) -> Fraction:
    root = root_below(square)
    return root if root**2 == square else root + TINY


class Steps:
    """The steps left to a check."""

    def __init__(self, most: int) -> None:
        self.most, self.left = most, most

    def add(self, count: int) -> None:
        self.left -= count
        need(self.left >= 0, f"the check takes more than {self.most} steps; allow more with --steps=N or --time-limit")


def common(numbers: Iterable[Fraction]) -> int:
    """Return a common denominator."""
    result = 1
    for number in numbers:
        result = lcm(result, number.denominator)
        need(
            (result * abs(number.numerator)).bit_length() <= MOST_BITS, f"expected numbers of at most {MOST_BITS} bits"
        )
    return result


class Rows:
    """Integer columns in ranges, and rows low <= sum <= high; open sides are None.

    Infeasible and redundant rows are written like any other.
    """

    def __init__(self, steps: Steps) -> None:
        self.low: list[int] = []
        self.high: list[int] = []
        self.rows: list[tuple[int | None, int | None, dict[int, int]]] = []
        self.goal, self.constant = dict[int, int](), 0  # a point's value, in parts of the grid
        self.cutoff: int | None = None  # the row that requires the limit
        self.cones: list[tuple[Fraction, Fraction, list[tuple[int, Fraction, Fraction]]]] = []
        self.steps = steps

    def column(self, high: int = 1, low: int = 0) -> int:
        """Add a column and return its number."""
        self.steps.add(2)
        self.low.append(low)
        self.high.append(high)
        return len(self.low) - 1

    def row(self, terms: Terms, low: Any = None, high: Any = None) -> None:
        self.steps.add(2 + 4 * len(terms))
        scale = common(Fraction(a) for a in terms.values())
        whole = {j: int(a * scale) for j, a in terms.items() if a}
        divisor = gcd(*whole.values()) or 1  # of the integer coefficients; the sides are rounded
        sides = (
            None if low is None else up(low * Fraction(scale, divisor)),
            None if high is None else high * scale // divisor,
        )
        self.rows.append((*sides, {j: a // divisor for j, a in whole.items()}))

    def pack(self, terms: Terms, most: Fraction) -> None:
        """Add a row of terms >= 0, and rows implied by rounding its coefficients down."""
        self.row(terms, high=most)
        scale = common([*terms.values(), most])
        for part in sorted({int(a * scale) for a in terms.values() if a and most % a}):
            self.row({j: int(a * scale) // part for j, a in terms.items()}, high=int(most * scale) // part)

    def cone(self, compute: Fraction, bandwidth: Fraction, parts: list[tuple[int, Fraction, Fraction]]) -> None:
        """Add the cone of a server: (compute - A)(bandwidth - B) >= K^2.

        Also A <= compute and B <= bandwidth. A and B are the sums of a x and b x over the parts (column of x, a, b),
        and K that of sqrt(a b) x.
        """
        self.cones.append((compute, bandwidth, parts))

    def tangent(self, n: Any, p: Fraction, q: Fraction) -> None:
        """Add p (compute - A) + q (bandwidth - B) >= 2 sqrt(p q) K, rounded; see `cone`."""
        need(
            type(n) is int and 0 <= n < len(self.cones) and min(p, q) >= 0,
            "tangents: expected numbers of servers, and multipliers >= 0",
        )
        compute, bandwidth, parts = self.cones[n]
        self.steps.add(50 * len(parts))
        terms = {j: GRID * (p * a + q * b + 2 * root_below(p * q * a * b)) // 1 for j, a, b in parts}
        self.pack(terms, GRID * (p * compute + q * bandwidth))

    def require_inside(self, point: list[int]) -> None:
        """Refuse a point outside a cone.

        Terms with equal a / b add up to one root; several irrational roots are rounded up.
        """
        for compute, bandwidth, parts in self.cones:
            sums = dict[Any, tuple[Fraction, Fraction]]()
            for j, a, b in parts:
                key = (a / b if b else None) if point[j] else 0
                old = sums.get(key, (Fraction(0), Fraction(0)))
                sums[key] = old[0] + a * point[j], old[1] + b * point[j]
            left = compute - sum(a for a, _ in sums.values()), bandwidth - sum(b for _, b in sums.values())
            squares = [a * b for a, b in sums.values() if a * b]
            most = squares[0] if len(squares) == 1 else sum(map(root_above, squares)) ** 2
            need(min(left) >= 0 and left[0] * left[1] >= most, "point: a server misses a deadline")

    def require_met(self, point: Any) -> None:
        """Refuse a point that breaks a range or a row."""
        need(
            isinstance(point, list) and len(point) == len(self.low),
            "point: expected one number for each column",
        )
        ranges = zip(self.low, point, self.high, strict=True)
        need(
            all(type(x) is int and low <= x <= high for low, x, high in ranges),
            "point: expected integers within the ranges of their columns",
        )
        for low, high, terms in self.rows:
            self.steps.add(2 + len(terms))
            total = sum(a * point[j] for j, a in terms.items())
            need((low is None or low <= total) and (high is None or total <= high), "point: a row is violated")
        self.require_inside(point)

    def require_none(self, tree: Any) -> None:
        """Refuse a tree that leaves a point.

        Entries in preorder: branches [column, v] and leaves [[row, times], ...].
        """
        low, high, later, done = [*self.low], [*self.high], list[tuple[int, int, int]](), list[tuple[int, int, int]]()
        need(isinstance(tree, list) and tree, "tree: expected a list of entries")
        for n, entry in enumerate(tree):
            self.steps.add(2)
            if entry and type(entry[0]) is int:
                j, v = entry
                need(
                    0 <= j < len(low) and type(v) is int and low[j] <= v < high[j],
                    f"tree[{n}]: expected a column and a value inside its range",
                )
                later.append((j, v, len(done)))
                done.append((j, low[j], high[j]))
                high[j] = v
                continue
            self.require_contradiction(entry, low, high, n)
            need(bool(later) == (n < len(tree) - 1), "tree: expected one leaf more than branches")
            if later:
                j, v, depth = later.pop()
                while len(done) > depth:
                    k, low[k], high[k] = done.pop()
                done.append((j, low[j], high[j]))
                low[j] = v + 1
        need(not later, "tree: expected one leaf more than branches")

    def require_contradiction(self, leaf: Any, low: list[int], high: list[int], n: int) -> None:
        """Refuse multipliers if a point of the ranges satisfies the rows' weighted sum."""
        left, least = dict[int, int](), 0
        for i, times in leaf:
            need(
                type(i) is int and 0 <= i < len(self.rows) and type(times) is int,
                f"tree[{n}]: expected numbers of rows, and integer multipliers",
            )
            need(times.bit_length() <= MOST_BITS, f"expected numbers of at most {MOST_BITS} bits")
            below, above, terms = self.rows[i]
            side = above if times > 0 else below
            need(side is not None, f"tree[{n}]: expected multiplier 0 for a row without this bound")
            self.steps.add(2 + len(terms))
            least -= times * int(side or 0)
            for j, a in terms.items():
                left[j] = left.get(j, 0) + times * a
        self.steps.add(len(left))
        least += sum(a * (low[j] if a > 0 else high[j]) for j, a in left.items())
        need(least > 0, f"tree[{n}]: the multipliers of this leaf prove no contradiction")


def stairs(rows: Rows, first: int, last: int) -> dict[int, int]:
    """Return columns for "done by time t", first <= t < last."""
    done = {t: rows.column() for t in range(first, last)}
    for t in range(first, last - 1):
        rows.row({done[t]: 1, done[t + 1]: -1}, high=0)
    return done


def twins(jobs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield neighbouring jobs that differ only in name; they may be done in order."""
    latest = dict[str, str]()
    for name, job in jobs.items():
        said = json.dumps(job | {"name": ""}, sort_keys=True, default=repr)
        if said in latest:
            yield latest[said], name
        latest[said] = name


def in_order(rows: Rows, done: dict[str, dict[int, int]], jobs: dict[str, Any]) -> None:
    """Order twins: whenever the next job is done, the first job is done too."""
    for first, next in twins(jobs):
        for t in done[first].keys() & done[next].keys():
            rows.row({done[first][t]: -1, done[next][t]: 1}, high=0)


def grouped(pairs: Iterable[tuple[Any, tuple[int, Any]]]) -> Iterator[tuple[Any, Terms]]:
    """Yield terms by key."""
    found: dict[Any, Terms] = {}
    for key, (j, a) in pairs:
        found.setdefault(key, {})[j] = a
    yield from found.items()


def slack_of(limit: Fraction | None, least: Iterable[int], horizon: int) -> int:
    """Return by how much a cost may exceed its minimum if all others are minimal."""
    return horizon if limit is None else int((limit - sum(least)) // 1)


def placement(instance: Any, asked: Any, apart: bool, limit: Fraction | None, steps: Steps) -> Rows:
    """Write the rows of (1)-(8), and the row cost <= limit.

    There is a column for each possible start of a task, by cluster, mode and slot.

    A task costs at most the limit minus the least costs of all other tasks. A mode has no columns if another mode needs
    no more of any resource and no more slots.
    """
    rows, names, horizon = Rows(steps), listed(instance["resources"]), count(instance["horizon"])
    breaks = [(row["machine"], count(row["start"]), count(row["end"])) for row in instance.get("breaks", ())]
    clusters, tasks = named(instance["clusters"]), named(instance["tasks"])
    room = {n: shares(cluster["capacity"], names) for n, cluster in clusters.items()}
    ways = dict[str, list[tuple[str, int, list[Fraction]]]]()
    for name, task in tasks.items():
        each = [(count(row["slots"], 1), shares(row["allocation"], names)) for row in task["durations"]]
        lowest = shares(task["minimum"], names)
        need(len({tuple(x) for _, x in each}) == len(each), "durations: expected each allocation once")
        need(
            all(a >= b for _, x in each for a, b in zip(x, lowest, strict=True)),
            "durations: expected allocations of at least the task's minimum",
        )
        steps.add(len(each) ** 2 * len(names))
        modes = list[tuple[int, list[Fraction]]]()
        for d, x in sorted(each):
            if not any(all(map(le, y, x)) for _, y in modes):
                modes.append((d, x))
        allowed = listed(task["clusters"], clusters)
        ways[name] = [(n, d, x) for n in allowed for d, x in modes if all(map(le, x, room[n]))]
    least = {name: min((d for _, d, _ in mine), default=horizon + 1) for name, mine in ways.items()}
    slack = slack_of(limit, least.values(), horizon)
    starts, done = list[tuple[int, str, int, int, list[Fraction]]](), dict[str, dict[int, int]]()
    for name, task in tasks.items():
        arrival, columns = count(task["arrival"]), dict[int, list[int]]()
        last = min(horizon - arrival, least[name] + slack)
        for n, d, x in ways[name]:
            for t in range(arrival, arrival + last - d + 1):
                steps.add(len(breaks))
                if any(m in (n, "*") and start < t + d and t < end for m, start, end in breaks):
                    continue
                j = rows.column()
                starts.append((j, n, t, d, x))
                columns.setdefault(t + d - arrival, []).append(j)
        rows.row({j: 1 for each in columns.values() for j in each}, 1, 1)
        before, done[name] = dict[int, int](), stairs(rows, least[name], last)
        for t, j in done[name].items():
            before |= dict.fromkeys(columns.get(t, ()), 1)
            rows.row(before | {j: -1}, 0, 0)
            rows.goal[j] = -1
        rows.constant += last
    in_order(rows, done, tasks)
    for _, terms in grouped(((n, t), (j, 1)) for j, n, t, _, _ in starts):
        rows.row(terms, high=1)
    held = (((n, k, s), (j, a)) for j, n, t, d, x in starts for k, a in enumerate(x) if a for s in range(t, t + d))
    for (n, k, _), terms in grouped(held):
        rows.pack(terms, room[n][k])
    return rows


def preemptive(instance: Any, asked: Any, apart: bool, limit: Fraction | None, steps: Steps) -> Rows:
    """Write the rows of (2), and the row total JCT <= limit.

    The columns are training by place and slot, and stored chunks.

    A place is a single worker, if chunks stay and ``apart`` is true; otherwise all workers of a type on a server, which
    is a relaxation. Times are slots after a job's arrival. A job that is done by t trains nothing from t on. Its
    completion t is at least the average slot of its units of work, plus (W/D + 1)/2 for work W of D chunks, as a slot
    completes at most D units. If chunks stay, a worker completes at most floor((t - delay) / p) chunks of p slots. In
    the cloud at the edge's rate a chunk may run when its upload ends, if a parameter server is free.
    """
    stay, whole = asked["chunks"] == "pinned", asked["reading"] == "ceil_chunk"
    need(stay or asked["chunks"] == "floating", "parameters.chunks: expected pinned or floating")
    need(
        whole or (asked["reading"] == "ceil_job" and not stay),
        "parameters.reading: expected ceil_chunk, or ceil_job with floating chunks",
    )
    need(asked["ps_release"] in ("printed", "none"), "parameters.ps_release: expected printed or none")
    need(not instance.get("restart"), "restart: expected none, as program (2) does not count interruptions")
    breaks = [(row["machine"], count(row["start"]), count(row["end"])) for row in instance.get("breaks", ())]
    rows, speed, horizon = Rows(steps), rational(asked["speed"]), count(instance["horizon"])
    need(speed > 0, "parameters.speed: expected a number above 0")
    servers, jobs = named(instance["servers"]), named(instance["jobs"])
    clouds = [name for name, server in servers.items() if server.get("cloud")]
    need(len(clouds) < 2 and "*" not in servers, "servers: expected at most one cloud, and no server named '*'")
    edge = {name: server for name, server in servers.items() if name not in clouds}
    places, helpers = list[tuple[str, str, int]](), list[tuple[str, str, int]]()
    for name, server in edge.items():
        for kind, n in server["workers"].items():
            steps.add(count(n))
            places += [(name, kind, 1)] * n if apart and stay else [(name, kind, n)] * (n > 0)
        by_type = server["parameter_servers"]
        by_type = by_type if isinstance(by_type, dict) else {"*": by_type}
        helpers += [(name, kind, count(n)) for kind, n in by_type.items()]

    def duration(job: Any, on_edge: bool) -> Fraction:
        sync = 2 * amount(job["gradient_size"]) / amount(job["bandwidth"]) if on_edge else Fraction(0)
        times = count(job["epochs"], 1) * count(job["minibatches"], 1)
        return times * (amount(job["minibatch_time"]) + amount(job["update_time"]) + sync) / speed

    def delay(job: Any, name: str) -> Any:
        delays = job["upload_delay"]
        return delays.get(name, delays.get("*") if name in edge else None)

    ways, far, least = dict[str, list[tuple[int, int]]](), dict[str, int | None](), dict[str, int]()
    for name, job in jobs.items():
        need({*job["upload_delay"]} <= {*servers, "*"}, "upload_delay: expected names of servers")
        types, p = listed(job["worker_types"]), up(duration(job, True))
        steps.add(len(places))
        late = ((w, delay(job, place[0])) for w, place in enumerate(places) if place[1] in types)
        ways[name] = [(w, count(d)) for w, d in late if d is not None]
        far[name] = next((count(delay(job, c)) for c in clouds if delay(job, c) is not None), None)
        cloud = [] if (away := far[name]) is None else [away + up(duration(job, False))]
        least[name] = min([d + p for _, d in ways[name]] + cloud, default=horizon + 1)
    slack = slack_of(limit, least.values(), horizon)
    trains, serves = list[tuple[Any, tuple[int, int]]](), list[tuple[Any, tuple[int, int]]]()
    ends = dict[str, dict[int, int]]()
    for name, job in jobs.items():
        arrival, chunks, away = count(job["arrival"]), count(job["chunks"], 1), far[name]
        p, q = up(duration(job, True)), up(duration(job, False))
        need(q > 0, "expected minibatch_time + update_time > 0 in each job")
        work = chunks * p if whole else up(chunks * duration(job, True))
        helped = listed(job.get("ps_types") or [])
        first, last = least[name], min(least[name] + slack, horizon - arrival)
        done = ends[name] = stairs(rows, first, last)
        rows.goal |= dict.fromkeys(done.values(), -1)
        rows.constant += last
        runs = dict[int, int]()
        for t in range(last):  # slots in which the job needs a parameter server of a server
            steps.add(2 + len(helpers))
            open_to = [
                (h, n)
                for h, (place, kind, n) in enumerate(helpers)
                if (wait := delay(job, place)) is not None and (wait <= t or asked["ps_release"] == "none")
                if kind == "*" or not helped or kind in helped
            ]
            in_cloud = away is not None and (away <= t or asked["ps_release"] == "none")
            if in_cloud or any(n >= len(jobs) for _, n in open_to):
                continue
            runs[t], help = rows.column(), {h: rows.column() for h, _ in open_to}
            rows.row(dict.fromkeys(help.values(), 1) | {runs[t]: -1}, 0, 0)
            serves += [((h, arrival + t), (j, 1)) for h, j in help.items()]
            if t in done:
                rows.row({runs[t]: 1, done[t]: 1}, high=1)
        held, busy, together = dict[int, int](), dict[int, Any](), list[tuple[int, tuple[int, int]]]()
        beyond = [] if stay or away is None else [(len(places), away)]  # the cloud, whose workers are unlimited
        for w, wait in ways[name] + beyond:
            many = chunks if w == len(places) else places[w][2]
            here = {t: rows.column(min(many, chunks)) for t in range(wait, last)}
            if not here:
                continue
            if stay:
                holds = rows.column(chunks)
                held[holds] = p
                rows.row(dict.fromkeys(here.values(), 1) | {holds: -p}, 0, 0)
                steps.add(2 * (1 + last - first))
                by = {t: many * (max(0, t - wait) // p) for t in range(first, last + 1)}
                rows.row({holds: 1} | {done[t]: by[t + 1] - by[t] for t in done}, high=by.get(last, 0))
            else:
                held |= dict.fromkeys(here.values(), 1)
                together += [(t, (j, 1)) for t, j in here.items()]
            for t, j in here.items():
                if w < len(places):
                    trains.append(((w, arrival + t), (j, 1)))
                busy[j] = 2 * t + 1 + Fraction(work, chunks)
                for other, most in ((done.get(t), min(many, chunks)), (runs.get(t), 0)):
                    if other is not None:
                        rows.row({j: 1, other: most or -min(many, chunks)}, high=most)
        for t, terms in grouped(together):
            rows.row(terms | ({done[t]: chunks} if t in done else {}), high=chunks)
        if stay and away is not None and away + p <= last:
            j = rows.column(chunks)
            held[j], busy[j] = p, 2 * p * (away + p)
            if away + p - 1 in done:
                rows.row({j: 1, done[away + p - 1]: chunks}, high=chunks)
        if away is not None and away + q <= last:
            j = rows.column()
            held[j], busy[j] = work, 2 * work * (away + q)
            if away + q - 1 in done:
                rows.row({j: 1, done[away + q - 1]: 1}, high=1)
        rows.row(held, work, work)
        rows.row(busy | dict.fromkeys(done.values(), 2 * work), high=2 * work * last)
    in_order(rows, ends, jobs)
    for (w, t), terms in grouped(trains):
        steps.add(len(breaks))
        closed = any(name in (places[w][0], "*") and start <= t < end for name, start, end in breaks)
        rows.row(terms, high=0 if closed else places[w][2])
    for (h, _), terms in grouped(serves):
        rows.row(terms, high=helpers[h][2])
    return rows


def jrp(instance: Any, asked: Any, apart: bool, limit: Fraction | None, steps: Steps) -> Rows:
    """Write the rows of (5)-(13), and the row accepted jobs >= limit.

    The columns are accepted jobs, and the servers of their data nodes.

    A job's data d on a server takes compute and bandwidth with a d / compute + b d / bandwidth <= 1 by (10). A server's
    capacity allows grants for all its data if and only if its cone holds.
    """
    rows, servers, jobs = Rows(steps), named(instance["servers"]), named(instance["jobs"])
    stored, parts = list[tuple[str, tuple[int, Any]]](), {name: list[Any]() for name in servers}
    accepted = dict[str, dict[int, int]]()
    for job in jobs.values():
        y = rows.column()
        rows.goal[y], accepted[job["name"]] = 1, {0: y}
        rate, a, b = Fraction(0), Fraction(0), Fraction(0)
        if job.get("deadline") is not None:
            rate = count(job["epochs"]) / (amount(job["minibatch_size"]) * amount(job["deadline"]))
            a = rate * amount(job["minibatch_work"])
            b = rate * amount(job["parameter_size"]) / amount(job["sync_period"])
        for node in named(job["data_nodes"]).values():
            size = amount(node["size"])
            there = {name: rows.column() for name in listed(node["servers"], servers)}
            rows.row(dict.fromkeys(there.values(), 1) | {y: -1}, 0, 0)
            for name, j in there.items():
                stored.append((name, (j, size)))
                parts[name].append((j, a * size, b * size))
    in_order(rows, accepted, jobs)
    for name, terms in grouped(stored):
        rows.pack(terms, amount(servers[name]["storage"]))
    for name, server in servers.items():
        rows.cone(amount(server["compute"]), amount(server["bandwidth"]), parts[name])
    return rows


def utility(u: Any, time: int, grid: int) -> int:
    """Return a job's utility after so many slots, in parts of the grid, rounded up."""
    if u["kind"] == "table":
        return up(amount(u["values"][min(time, len(u["values"])) - 1]) * grid)
    if u["kind"] in ("constant", "linear"):
        return up(max(Fraction(0), amount(u["value"]) - time * amount(u.get("slope", 0))) * grid)
    need(u["kind"] == "sigmoid", "utility.kind: expected table, constant, linear or sigmoid")
    top, late = amount(u["theta1"]), amount(u["theta2"]) * (time - amount(u["theta3"]))
    if not late:
        return up(top / 2 * grid)
    late = max(Fraction(-1000), min(late, Fraction(1000)))
    power = DIGITS.exp(DIGITS.divide(Decimal(late.numerator), Decimal(late.denominator)))
    return up(top / (1 + Fraction(power) * (1 - TINY)) * grid)


def grid_of(instance: Any) -> int:
    """Return a grid on which utilities are integers; `GRID` if one is irrational."""
    if instance["family"] != "dmlrs":
        return 1
    rules = [job["utility"] for job in instance["jobs"]]
    if any(rule["kind"] == "sigmoid" and amount(rule["theta2"]) and amount(rule["theta1"]) for rule in rules):
        return GRID
    keys = ("value", "slope", "theta1")
    numbers = [rule[key] for rule in rules for key in keys if key in rule] + [
        v for r in rules for v in r.get("values", ())
    ]
    return 2 * lcm(*(amount(number).denominator for number in numbers))


class Training:
    """A job: arrival, most workers, demands, work, and utilities in parts of the grid."""

    def __init__(self, job: Any, names: list[str], horizon: int, grid: int) -> None:
        self.arrival, self.batch = count(job["arrival"]), count(job["batch_size"], 1)
        self.work, self.gamma = count(job["epochs"]) * count(job["samples"]), amount(job["workers_per_ps"])
        self.needs = [*zip(range(len(names)), shares(job["worker"], names), shares(job["ps"], names), strict=True)]
        links = [amount(job[f"bandwidth_{which}ternal"]) for which in ("in", "ex")]
        need(links[0] >= links[1], "expected bandwidth_internal >= bandwidth_external in each job")
        exchange = 2 * amount(job["model_size"]) * self.gamma / self.batch
        self.inside, self.outside = (amount(job["sample_time"]) + exchange / link for link in links)
        soonest = self.arrival + up(self.work * self.inside / self.batch) - 1
        self.utility_at = {t: utility(job["utility"], t + 1 - self.arrival, grid) for t in range(soonest, horizon)}
        falling = sorted(self.utility_at.values(), reverse=True)
        need([*self.utility_at.values()] == falling, "utility: expected values that never increase")
        self.most = max(falling, default=0)
        fewest = (Fraction(self.servers(n), n) for n in range(1, self.batch + 1))
        self.served = [*accumulate(fewest, min)]  # least parameter servers per worker, for up to 1, 2, ... workers

    def servers(self, workers: int) -> int:
        return up(workers / self.gamma)

    def fitting(self, room: list[Fraction], served: bool) -> int:
        """Return the most workers that fit, with or without their parameter servers."""

        def fits(n: int) -> bool:
            return all(n * a + served * self.servers(n) * b <= room[k] for k, a, b in self.needs)

        return next((n for n in range(self.batch, 0, -1) if fits(n)), 0)


def dmlrs(instance: Any, asked: Any, apart: bool, limit: Fraction | None, steps: Steps) -> Rows:
    """Write the rows of (3)-(7), and the row utility >= limit.

    The columns are jobs' last slots, workers and parameter servers.

    In a slot a job runs together on one machine, at the internal rate, or apart, at the external rate. A job that runs
    apart may use a single machine, which is a relaxation. Utilities do not increase over time, so a job may count as
    done in a later slot. A job's utility is at least the limit minus the largest utilities of all other jobs.
    """
    rows, names, grid = Rows(steps), listed(instance["resources"]), grid_of(instance)
    horizon, machines = count(instance["horizon"], 1), named(instance["machines"])
    steps.add(horizon * len(machines) * (1 + len(names)))
    stock = [shares(machine["capacity"], names) for machine in machines.values()]
    reserved = instance.get("reserved") or [[{}] * len(machines)] * horizon
    need(len(reserved) == horizon, "reserved: expected a row for each slot")
    held = [[shares(row, names) for row in slot] for slot in reserved]
    free = [[[*map(sub, *two)] for two in zip(stock, slot, strict=True)] for slot in held]
    need(all(x >= 0 for slot in free for room in slot for x in room), "reserved: expected at most the capacity")
    steps.add(sum(200 * horizon + 10 * count(job["batch_size"]) for job in instance["jobs"]))
    known = named(instance["jobs"])
    jobs, lasts = (
        {name: Training(job, names, horizon, grid) for name, job in known.items()},
        dict[str, dict[int, int]](),
    )
    slack = sum(job.most for job in jobs.values()) - (0 if limit is None else up(limit * grid))
    used, together = list[tuple[Any, tuple[int, Any]]](), list[tuple[Any, tuple[int, Any]]]()

    def placed(job: Training, t: int, h: int, most: int, served: Fraction) -> tuple[int, int]:
        """Return workers and parameter servers on a machine in a slot, with a least ratio."""
        w, s = rows.column(most), rows.column(job.servers(job.batch))
        together.extend(((t, h, k), (w, a + served * b)) for k, a, b in job.needs if a + served * b)
        used.extend(((t, h, k), pair) for k, a, b in job.needs for pair in ((w, a), (s, b)) if pair[1])
        return w, s

    for name, job in jobs.items():
        last = lasts[name] = {t: rows.column() for t, value in job.utility_at.items() if value >= job.most - slack}
        rows.goal |= {j: job.utility_at[t] for t, j in last.items()}
        rows.row(dict.fromkeys(last.values(), 1), 0 if slack >= job.most else 1, 1)
        rates = dict[int, Fraction]()
        for t in range(job.arrival, max(last, default=-1) + 1):
            modes, spread, serving = dict[int, int](), dict[int, int](), dict[int, Fraction]()
            for h, room in enumerate(free[t]):
                steps.add(4 * job.batch * len(names))
                if alone := job.fitting(room, True):
                    mode, (w, s) = rows.column(), placed(job, t, h, alone, job.served[alone - 1])
                    rows.row({w: 1, mode: -alone}, high=0)
                    rows.row({w: job.served[alone - 1], s: -1}, high=0)
                    modes[mode], rates[w] = 1, 1 / job.inside
                w, s = placed(job, t, h, job.fitting(room, False), Fraction(0))
                spread[w], serving[w], serving[s], rates[w] = 1, job.served[-1], Fraction(-1), 1 / job.outside
            mode, later = rows.column(), (j for k, j in last.items() if k >= t)
            rows.row(spread | {mode: -job.batch}, high=0)
            rows.row(serving, high=0)
            rows.row(modes | {mode: 1} | dict.fromkeys(later, -1), high=0)
        rows.row(rates | dict.fromkeys(last.values(), -job.work), low=0)
        rows.row(dict.fromkeys(rates, 1) | dict.fromkeys(last.values(), -up(job.work * job.inside)), low=0)
    for first, next in twins(known):
        for t in lasts[next]:
            earlier = {j: sign for sign, one in ((1, first), (-1, next)) for k, j in lasts[one].items() if k <= t}
            rows.row(earlier, low=0)
    for (t, h, k), terms in grouped(used):
        rows.row(terms, high=free[t][h][k])
    for (t, h, k), terms in grouped(together):
        rows.pack(terms, free[t][h][k])
    return rows


Writer = Callable[[Any, Any, bool, Fraction | None, Steps], Rows]
PROGRAMS: dict[str, tuple[Writer, int, str]] = {  # writer of the rows, direction of better, parameters
    "placement.exact": (placement, -1, ""),
    "preemptive.minlp2": (preemptive, -1, "chunks reading ps_release speed"),
    "jrp.exact": (jrp, 1, ""),
    "dmlrs.exact": (dmlrs, 1, ""),
}
JOINED = ("preemptive.minlp2",)  # programs whose rows may combine places


def rows_within(
    instance: Any, program: str, asked: Any, limit: Fraction | None, steps: Steps, apart: bool, tangents: Any
) -> Rows:
    """Return the rows of a program for points at the limit, or better."""
    write, better, parameters = PROGRAMS[program]
    fields(asked, parameters)
    rows = write(instance, asked, apart, limit, steps)
    if limit is not None:
        side = limit * grid_of(instance) - rows.constant
        rows.cutoff = len(rows.rows)
        rows.row(rows.goal, **{"low" if better > 0 else "high": side})
    for n, p, q in tangents:
        rows.tangent(n, rational(p), rational(q))
    return rows


def check(instance: str, proof: str, *, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return the statement proven of an instance, or of a witness's instance."""
    about, given, steps = read(instance), read(proof), Steps(most_steps)
    about = about.get("instance", about)  # a witness has its instance in this field
    fields(given, "version program parameters value point apart tangents tree")
    program, asked, value = given["program"], given["parameters"], given["value"]
    need(given["version"] == 1, "version: expected 1")
    need(isinstance(program, str) and program in PROGRAMS, f"program: expected one of {', '.join(PROGRAMS)}")
    need(type(given["apart"]) is bool, "apart: expected true or false")
    try:
        need(
            about["family"] == PROGRAMS[program][0].__name__,
            f"{program} needs a {PROGRAMS[program][0].__name__} instance",
        )
        grid, limit = grid_of(about), None
        if value is None:
            need(given["point"] is None, "point: expected null, as the value is null")
        else:
            best = rational(value)
            need(
                (best * grid).denominator == 1,
                "value: no schedule has this objective, as it is off the grid of objectives",
            )
            rows_within(about, program, asked, best, steps, True, ()).require_met(given["point"])
            limit = best + Fraction(PROGRAMS[program][1], min(grid, FINEST))
        rows_within(about, program, asked, limit, steps, given["apart"], given["tangents"]).require_none(given["tree"])
    except Refused:
        raise
    except Exception as error:  # any exception: the files are untrusted
        raise Refused(f"malformed input: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    told = "".join(f", {name}={asked[name]}" for name in asked)
    near = f", up to 1/{FINEST}" if value is not None and grid > FINEST else ""
    end = "there is no schedule" if value is None else f"the optimum is {value}{near}"
    return {"statement": f"{program}{told}: {end}", "program": program, "value": value, "parameters": asked}


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    return ["proven: " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in result["statement"])]


if __name__ == "__main__":
    try:
        asked = re.fullmatch("--steps=([0-9]{1,18})", sys.argv[-1])
        files = sys.argv[1:-1] if asked else sys.argv[1:]
        need(len(files) == 2, "usage: python -I optimum.py INSTANCE PROOF [--steps=N]")
        print(*lines(check(*files, most_steps=int(asked[1]) if asked else MOST_STEPS)), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
