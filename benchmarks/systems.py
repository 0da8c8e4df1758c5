"""Time and memory of exact ratios of systems, next to a plain loop.

python benchmarks/systems.py [--list 5]

Each row runs in a process of its own. The plain loop lists the same steps as tuples of fractions and applies
Bellman-Ford to them one by one, the textbook method.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

import schedproof as sp

sys.path.append(str(Path(__file__).parents[1]))
from tests.tiny import systems

SLOW = 100_000  # steps above which the plain loop is not tried


def plain(system: Any) -> Fraction:
    """Return the largest ratio of a cycle: a loop over steps in fractions."""
    start = ((system.start(), Fraction(1)),)
    numbers, todo, steps = {(start, system.offline()): 0}, [(start, system.offline())], []
    for pair in todo:
        belief, offline = pair
        for request in system.requests(offline):
            after: defaultdict[Any, Fraction] = defaultdict(Fraction)
            cost = Fraction(0)
            for state, weight in belief:
                given = system.answer(state, request)
                for p, then, paid in [(1, *given)] if isinstance(given, tuple) else given:
                    after[then] += weight * p
                    cost += weight * p * paid
            new = tuple(sorted(after.items(), key=repr))
            for then, paid in system.moves(offline, request):
                if (new, then) not in numbers:
                    numbers[new, then] = len(numbers)
                    todo.append((new, then))
                steps.append((numbers[pair], numbers[new, then], cost, Fraction(paid)))
    ratio = Fraction(0)
    while cycle := positive(len(numbers), steps, ratio):
        ratio = sum(step[2] for step in cycle) / sum(step[3] for step in cycle)
    return ratio


def positive(nodes: int, steps: list[Any], ratio: Fraction) -> list[Any]:
    """Return a cycle whose cost is more than the ratio times the optimum, or nothing."""
    total, into, changed = [Fraction(0)] * nodes, dict[int, Any](), True
    while changed:
        changed = False
        for step in steps:
            tail, head, own, other = step
            if total[tail] + own - ratio * other > total[head]:
                total[head], into[head], changed = total[tail] + own - ratio * other, step, True
        seen: dict[int, int] = {}
        for root in into:
            node, path = root, []
            while node in into and node not in seen:
                seen[node] = root
                path.append(node)
                node = into[node][0]
            if node in path:
                return [into[each] for each in path[path.index(node) :]]
    return []


def measured(run: Callable[[Any], Any], system: Any) -> tuple[Any, float, float]:
    """Return the result, the processor seconds and the megabytes of this process."""
    sp.prove(systems.LRU())  # imports
    began = process_time()
    result = run(system)
    return result, process_time() - began, getrusage(RUSAGE_SELF).ru_maxrss / 1024


def proven(system: Any) -> tuple[Fraction | None, tuple[int, int]]:
    proof = sp.prove(system)
    return proof.exact, proof.graph.size


def proven_rule(present: int) -> tuple[Fraction | None, tuple[int, int]]:
    proof = sp.prove("a_online", machines=2, sizes=2, present=present)
    return proof.exact, proof.graph.size


def alone(run: Callable[[Any], Any], system: Any) -> tuple[Any, float, float]:
    with ProcessPoolExecutor(1) as pool:
        return pool.submit(measured, run, system).result()


def row(name: str, system: Any) -> str:
    (ratio, (states, steps)), seconds, memory = alone(proven, system)
    cells = [name, ratio, f"{states:,}", f"{steps:,}", f"{seconds:.2f}", f"{steps / seconds:,.0f}", f"{memory:.0f}"]
    if steps <= SLOW:
        again, seconds, memory = alone(plain, system)
        assert again == ratio
        cells += [f"{seconds:.2f}", f"{steps / seconds:,.0f}", f"{memory:.0f}"]
    else:
        cells += ["not tried"] * 3
    return f"| {' | '.join(map(str, cells))} |"


def main(longest: int) -> None:
    rows = [(f"move-to-front, list of {n}", systems.MoveToFront(n)) for n in range(3, longest + 1)]
    rows += [(f"marking, {k} of {n} pages", systems.Marking(k, n)) for k, n in ((2, 3), (3, 4), (3, 5), (4, 5), (5, 6))]
    rows += [
        (f"double coverage, {k} servers, {n} points", systems.DoubleCoverage(n, k)) for k in (2, 3) for n in (5, 7)
    ]
    print("| system | ratio | states | steps | s | steps a second | MB | loop: s | steps a second | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, system in rows:
        print(row(name, system), flush=True)
    for present in (4, 6, 8, 10):
        (ratio, (states, steps)), seconds, memory = alone(proven_rule, present)
        cells = f"{states:,} | {steps:,} | {seconds:.2f} | {steps / seconds:,.0f} | {memory:.0f}"
        print(f"| a_online, 2 machines, sizes 1 and 2, {present} jobs present | {ratio} | {cells} | | | |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", type=int, default=4, help="items of the longest list")
    main(parser.parse_args().list)
