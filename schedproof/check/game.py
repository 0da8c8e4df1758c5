"""Check an adversary's strategy: ``python -I game.py STRATEGY``.

Each game's rules are rewritten here from its definition, in rationals; only the standard library is used. A strategy is
a list of positions, each with the adversary's move. Every answer of the algorithm leads to a later position of the
list, or the adversary stops with a payoff of at least the value.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import accumulate, combinations, islice, pairwise
from math import inf, lcm
from pathlib import Path
from stat import S_ISREG
from typing import Any

MOST_BYTES, MOST_STEPS = 1 << 23, 5 * 10**6  # of a file, and of a check
MOST_BITS = 10**4  # bits of common denominators
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
Position = tuple[Any, ...]


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


def count(value: Any, least: int = 0, most: int = 10**9) -> int:
    fine = type(value) is int and least <= value <= most
    need(fine, f"expected a whole number from {least} to {most}, found {value!a:.40}")
    return int(value)


def counts(value: Any) -> list[int]:
    need(isinstance(value, list), "expected a list of whole numbers")
    return [count(each) for each in value]


def size(value: Any) -> int:
    """Return the number of values in a row."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(size, inside))


class Steps:
    """The steps that a check has taken."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, count: int) -> None:
        self.count += count
        need(self.count <= MOST_STEPS, f"the check takes more than {MOST_STEPS} steps")


def common(values: Iterable[Fraction], others: int = 1) -> int:
    """Return a common denominator, also of ``others``."""
    for value in values:
        others = lcm(others, value.denominator)
        need(others.bit_length() <= MOST_BITS, f"expected numbers of at most {MOST_BITS} bits")
    return others


class Rules:
    """A game with finitely many answers of the algorithm; each leads to a position."""

    start: Position

    def position(self, row: Any) -> Position:
        raise NotImplementedError

    def answers(self, row: Any) -> Iterator[Position]:
        raise NotImplementedError

    def payoff(self, after: Position, row: Any) -> Fraction | float:
        raise NotImplementedError

    def prove(self, moves: Any, place: dict[Position, int], value: Fraction) -> None:
        """Check that every answer leads to a later position, or to at least the value."""
        steps = Steps()
        for n, row in enumerate(moves):
            after, each = None, size(row)
            for after in self.answers(row):
                steps.add(each)
                if after not in place:
                    enough = self.payoff(after, row) >= value
                    need(enough, f"position {n}: an answer ends the game with a payoff below {value!s:.60}")
                else:
                    need(place[after] > n, f"position {n}: an answer leads to an earlier position")
            need(after is not None, f"position {n}: the algorithm has no answer")


class BinStretching(Rules):
    """Items are put into m bins and would fit into m; the payoff is the largest load."""

    statement = (
        "No deterministic online algorithm for bin stretching with {bins} bins has a stretching factor below {}."
    )

    def __init__(self, setting: Any) -> None:
        fields(setting, "bins capacity")
        self.bins, self.capacity = count(setting["bins"], 1, 1000), count(setting["capacity"], 1)
        self.start = ((0,) * self.bins, ())

    def position(self, row: Any) -> Position:
        fields({**row, "packing": None}, "loads items send packing")
        loads, items = (tuple(sorted(counts(row[name]))) for name in ("loads", "items"))
        need(len(loads) == self.bins, "loads: expected a load for each bin")
        return loads, items

    def answers(self, row: Any) -> Iterator[Position]:
        (loads, items), item = self.position(row), count(row["send"], 1)
        for n in range(self.bins):
            yield tuple(sorted((*loads[:n], loads[n] + item, *loads[n + 1 :]))), tuple(sorted((*items, item)))

    def payoff(self, after: Position, row: Any) -> Fraction:
        bins = [counts(held) for held in row["packing"]] if "packing" in row else []
        packed = tuple(sorted(item for held in bins for item in held))
        fits = len(bins) <= self.bins and all(sum(held) <= self.capacity for held in bins)
        need(fits and packed == after[1], f"packing: at a stop, expected all items in {self.bins} bins")
        return Fraction(max(after[0][-1], self.capacity), self.capacity)


class Offers(Rules):
    """Each job is admitted or rejected before the next; capacity limits admitted jobs."""

    statement = (
        "No deterministic online policy that admits or rejects each job for good before it sees the next has a "
        "competitive ratio below {} for equal jobs of utilities {values}, of which {fits} fill the only machine."
    )

    def __init__(self, setting: Any) -> None:
        fields(setting, "fits values")
        self.fits, self.values = count(setting["fits"], 1), {*counts(setting["values"])}
        need(min(self.values, default=0) > 0, "setting.values: expected at least one utility, all above 0")
        self.start = (0, 0, ())

    def position(self, row: Any) -> Position:
        fields(row, "admitted earned best offer")
        return count(row["admitted"]), count(row["earned"]), tuple(sorted(counts(row["best"])))

    def answers(self, row: Any) -> Iterator[Position]:
        (admitted, earned, offers), value = self.position(row), row["offer"]
        need(value in self.values, "offer: expected one of the utilities in setting.values")
        top = tuple(sorted((*offers, value), reverse=True)[: self.fits])[::-1]
        yield admitted, earned, top
        if admitted < self.fits:
            yield admitted + 1, earned + value, top

    def payoff(self, after: Position, row: Any) -> Fraction | float:
        _, earned, offers = after
        return Fraction(sum(offers), earned) if earned else inf


class ArrivingJobs(Rules):
    """One-chunk jobs arrive in each slot, then at most one chunk runs per worker.

    A job costs 1 for each slot at whose start it is unfinished. An idle worker never helps the algorithm, so no worker
    idles. The offline schedule keeps each chunk on one worker.
    """

    statement = (
        "No deterministic online algorithm for jobs of one chunk on {workers} workers has a competitive ratio below {} "
        "for the total JCT."
    )

    def __init__(self, setting: Any) -> None:
        fields(setting, "workers")
        self.workers = count(setting["workers"], 1)
        self.start = (0, (), (), 0)

    def position(self, row: Any) -> Position:
        fields({**row, "schedule": None}, "slot arrived left paid arrive schedule")
        arrived = tuple(sorted(tuple(counts(job)) for job in row["arrived"]))
        return count(row["slot"]), arrived, tuple(sorted(counts(row["left"]))), count(row["paid"])

    def jobs(self, row: Any) -> list[tuple[int, int]]:
        new = [(row["slot"], length) for length in counts(row["arrive"])]
        return [(slot, count(length, 1)) for slot, length in [*row["arrived"], *new]]

    def answers(self, row: Any) -> Iterator[Position]:
        slot, _, left, paid = self.position(row)
        alive = [*left, *counts(row["arrive"])]
        arrived = tuple(sorted(self.jobs(row)))
        for idle in combinations(range(len(alive)), max(0, len(alive) - self.workers)):
            kept = {*idle}
            rest = (length - (n not in kept) for n, length in enumerate(alive))
            yield slot + 1, arrived, tuple(sorted(length for length in rest if length)), paid + len(alive)

    def payoff(self, after: Position, row: Any) -> Fraction:
        _, _, left, paid = after
        need(not left, "the adversary stops before all jobs are done")
        jobs, plan = self.jobs(row), row.get("schedule", [])
        need(len(plan) <= self.workers, "schedule: expected at most one row for each worker")
        ran: list[list[tuple[int, int]]] = [[] for _ in jobs]
        for worker, line in enumerate(plan):
            for slot, job in enumerate(line):
                if type(job) is int and 0 <= job < len(jobs):  # other workers are idle
                    ran[job].append((slot, worker))
        total = 0
        for (arrival, length), slots in zip(jobs, ran, strict=True):
            fine = len(slots) == length and min(slots)[0] >= arrival and len({worker for _, worker in slots}) == 1
            need(fine, "schedule: expected each job on one worker for its length, from its arrival on")
            total += max(slots)[0] + 1 - arrival
        return Fraction(paid, total)


class Starts(Rules):
    """In each slot at most one task arrives; a free unit may then start a task.

    A task runs to its end. When the adversary stops, the waiting tasks run in order of length, which costs least. The
    offline schedule starts each task without overlaps.
    """

    statement = (
        "No deterministic online policy for (1)-(8) without preemption has a competitive ratio below {}, with tasks of "
        "{sizes} slots on one unit."
    )

    def __init__(self, setting: Any) -> None:
        fields(setting, "sizes")
        self.sizes = [count(size, 1) for size in setting["sizes"]]
        self.start = (0, (), (), 0, 0)

    def position(self, row: Any) -> Position:
        fields({**row, "starts": None}, "slot arrived waiting free ended send starts")
        arrived = tuple(tuple(counts(task)) for task in row["arrived"])
        slot, free, ended = (count(row[name]) for name in ("slot", "free", "ended"))
        return slot, arrived, tuple(sorted(counts(row["waiting"]))), free, ended

    def answers(self, row: Any) -> Iterator[Position]:
        (slot, arrived, waiting, free, ended), size = self.position(row), count(row["send"])
        need(size in (0, *self.sizes), "send: expected 0 or one of the sizes in setting.sizes")
        came, there = ((*arrived, (slot, size)), [*waiting, size]) if size else (arrived, list(waiting))
        yield slot + 1, came, tuple(sorted(there)), free, ended
        for chosen in {*there} if free <= slot else ():
            rest = sorted(there)
            rest.remove(chosen)
            yield slot + 1, came, tuple(rest), slot + chosen, ended + slot + chosen

    def payoff(self, after: Position, row: Any) -> Fraction:
        slot, arrived, waiting, free, ended = after
        starts = counts(row.get("starts", []))
        need(len(starts) == len(arrived) > 0, "starts: at a stop of the adversary, expected a start for each task")
        runs = sorted((start, start + size) for start, (_, size) in zip(starts, arrived, strict=True))
        fine = all(start >= arrival for start, (arrival, _) in zip(starts, arrived, strict=True))
        fine = fine and all(later[0] >= before[1] for before, later in pairwise(runs))
        need(fine, "starts: a task starts before its arrival, or two tasks overlap")
        came, begin = sum(arrival for arrival, _ in arrived), max(slot, free)
        rest = begin * len(waiting) + sum(accumulate(sorted(waiting)))
        return Fraction(ended + rest - came, sum(end for _, end in runs) - came)


class Regret(Rules):
    """A policy commits an allocation, then the adversary draws which ports arrive.

    The regret is the reward of the best fixed allocation for all slots' port counts, minus the policy's reward. The
    policy's mean reward in a slot is at most the largest reward for the ports' arrival probabilities. Some trajectory
    has at least the mean regret.
    """

    statement = (
        "No online policy that commits its allocations to this system, deterministic or not, has a regret below {} on "
        "all arrivals in {slots} slots."
    )

    def __init__(self, setting: Any) -> None:
        fields(setting, "slots pools")
        self.slots, self.pools = count(setting["slots"], 1), []
        for pool in setting["pools"]:
            fields(pool, "gain capacity demand")
            amounts = [rational(each) for each in (pool["gain"], pool["capacity"], *pool["demand"])]
            need(min(amounts) >= 0, "setting.pools: expected amounts >= 0")
            self.pools.append(amounts)
        self.ports, self.unit = len(self.pools[0]) - 2, common(each for pool in self.pools for each in pool)
        need(all(len(pool) == 2 + self.ports for pool in self.pools), "setting.pools: expected a demand for each port")
        self.start = (0, (0,) * self.ports)

    def position(self, row: Any) -> Position:
        fields(row, "slot came draws")
        return count(row["slot"]), tuple(counts(row["came"]))

    def most(self, weights: list[Any]) -> Fraction:
        """Return the largest reward of an allocation for given weights of the ports."""
        total = Fraction(0)
        for gain, left, *demand in self.pools:
            for weight, wish in sorted(zip(weights, demand, strict=True), reverse=True):
                total += gain * weight * min(wish, left)
                left -= min(wish, left)
        return total

    def prove(self, moves: Any, place: dict[Position, int], value: Fraction) -> None:
        """Compute the mean regret from the last position to the first."""
        regret, steps = [Fraction(0)] * len(moves), Steps()
        for n in reversed(range(len(moves))):
            slot, came = self.position(moves[n])
            draws = [(rational(draw["probability"]), counts(draw["comes"])) for draw in moves[n]["draws"]]
            long = common((q for q, _ in draws), self.unit).bit_length()
            steps.add(size(self.pools) * (1 + len(draws)) * (20 + long // 10))
            fair = all(len(who) == self.ports and {*who} <= {0, 1} for _, who in draws)
            fair = fair and min(q for q, _ in draws) >= 0 and sum(q for q, _ in draws) == 1
            need(fair, f"position {n}: expected draws whose probabilities sum to 1")
            for q, who in draws:
                after = [a + b for a, b in zip(came, who, strict=True)]
                later = place.get((slot + 1, tuple(after)), -1)
                need(later > n or slot + 1 == self.slots, f"position {n}: a draw leads to no position")
                regret[n] += q * (self.most(after) if slot + 1 == self.slots else regret[later])
            regret[n] -= self.most([sum(q * who[port] for q, who in draws) for port in range(self.ports)])
            common(regret[n : n + 1])
        need(regret[0] >= value, f"the mean regret is {regret[0]!s:.60}, not {value!s:.60}")


GAMES: dict[str, Any] = {
    "bin_stretching": BinStretching,
    "dmlrs.offers": Offers,
    "preemptive.arrivals": ArrivingJobs,
    "placement.starts": Starts,
    "multiserver.regret": Regret,
}


def check(file: str) -> dict[str, Any]:
    """Return the statement that a strategy's file proves; else raise `Refused`."""
    given = read(file)
    fields(given, "version game setting value moves")
    name, value, moves = given["game"], rational(given["value"]), given["moves"]
    need(given["version"] == 1, "version: expected 1")
    need(isinstance(name, str) and name in GAMES, f"game: expected one of {', '.join(GAMES)}")
    try:
        game = GAMES[name](given["setting"])
        place = {game.position(row): n for n, row in enumerate(moves)}
        need(len(place) == len(moves) > 0, "moves: expected at least one position, and each position once")
        need(place.get(game.start) == 0, "moves: the first position is not the start of the game")
        game.prove(moves, place, value)
        statement = game.statement.format(value, **given["setting"])
    except Refused:
        raise
    except Exception as error:  # any exception: the file is untrusted
        raise Refused(f"malformed input: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    return {"statement": statement, "game": name, "value": str(value), "positions": len(moves)}


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    return [f"proven: {result['statement']}", f"{result['positions']} positions"]


if __name__ == "__main__":
    try:
        need(len(sys.argv) == 2, "usage: python -I game.py STRATEGY")
        print(*lines(check(*sys.argv[1:])), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
