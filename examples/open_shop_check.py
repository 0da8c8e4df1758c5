"""Check a strategy for the open shop's game of arrivals with the standard library.

python -I examples/open_shop_check.py game STRATEGY

`schedproof check-game STRATEGY --plugin examples/open_shop.py` runs this file. An idle machine with work never helps an
algorithm, so only busy answers are followed. The file has no rows of programs.
"""

import json
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path


def after(slot, left, ends):
    """Yield the remaining work after a slot and the completions, all machines busy."""
    machines = range(len(left[0]) if left else 0)
    for chosen in product(*([j for j, times in enumerate(left) if times[i]] or [None] for i in machines)):
        rest = tuple(tuple(time - (chosen[i] == j) for i, time in enumerate(times)) for j, times in enumerate(left))
        done = (slot + 1 if any(left[j]) and not any(rest[j]) else end for j, end in enumerate(ends))
        yield rest, tuple(done)


@cache
def least(arrived, slot=0, left=(), ends=()):
    """Return the least total completion time of arrivals known in advance."""
    here = tuple(times for at, times in arrived[len(ends) :] if at == slot)
    left, ends = left + here, ends + (0,) * len(here)
    if len(ends) == len(arrived) and not any(map(any, left)):
        return sum(ends)
    return min(least(arrived, slot + 1, *position) for position in after(slot, left, ends))


def game(strategy):
    """Check that every answer leads to a later row, or ends at value times the least cost."""
    given = json.loads(Path(strategy).read_text(encoding="utf-8"))
    setting, value, moves = given["setting"], Fraction(given["value"]), given["moves"]
    need(given["game"] == "open_shop.arrivals", "it is a strategy for another game")
    place = {tuple(tuples(row[name]) for name in ("slot", "arrived", "left", "ends")): n for n, row in enumerate(moves)}
    need(
        place.get((0, (), (), ())) == 0 and len(place) == len(moves),
        "the first row is not the start, or a row occurs twice",
    )
    for n, (row, (slot, arrived, left, ends)) in enumerate(zip(moves, place, strict=True)):
        new = tuples(row["arrive"])
        arrived += tuple((slot, times) for times in new)
        fits = all(len(times) == setting["machines"] and 0 < max(times) <= setting["longest"] for times in new)
        need(fits and all(min(times) >= 0 for times in new), f"row {n}: no such job may arrive")
        need(
            len(arrived) <= setting["jobs"] and (slot < setting["slots"] or not new), f"row {n}: too many, or too late"
        )
        for rest, done in after(slot, left + new, ends + (0,) * len(new)):
            if place.get((slot + 1, arrived, rest, done), 0) > n:
                continue
            finished = arrived and not any(map(any, rest))
            need(finished and sum(done) >= value * least(arrived), f"row {n}: an answer keeps the payoff below {value}")
    print(f"No deterministic online algorithm for the concurrent open shop has a ratio below {value}.")


def tuples(value):
    """Return integers, and lists of them as tuples."""
    need(isinstance(value, list) or type(value) is int, f"expected whole numbers, found {value}")
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def need(holds, sentence):
    """Refuse the strategy unless ``holds``."""
    if not holds:
        sys.exit(sentence)


if __name__ == "__main__":
    sys.exit(2) if sys.argv[1] != "game" else game(sys.argv[2])
