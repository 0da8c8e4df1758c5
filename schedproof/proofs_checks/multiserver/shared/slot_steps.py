"""Numbers of steps in a slot: Algorithm 1, lines 4-31, and sorted breakpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from schedproof.reference.multiserver_projection import ZERO, Numbers

EASY: Numbers = (Fraction(1),)  # a row in which no port is cut


@dataclass(frozen=True)
class Slot:
    """A slot on a complete graph: its sizes, and z of each row in descending order.

    The sizes are those of ports, nodes and resources. Demands are at least the capacity, 1, so the while loop of
    Algorithm 1 has one turn.
    """

    ports: int
    nodes: int
    resources: int
    row: Numbers

    @property
    def bound(self) -> int:
        """The bound |L| log2(2 K sum |R_l|); the factor 2 keeps the logarithm positive."""
        return self.ports * log2(2 * self.resources * self.ports * self.nodes)


def log2(number: int) -> int:
    return (number - 1).bit_length()


def repeats(row: Numbers) -> list[int]:
    """The sizes |B3| in the repeat loop of lines 19-31, for a descending row.

    The capacity is 1.
    """
    sizes, rest = [], len(row)
    while True:
        sizes.append(rest)
        half = (sum(row[:rest], ZERO) - 1) / rest
        first = next((n for n in range(rest) if row[n] < half), rest)
        if first == rest:
            return sizes
        rest = first


def stairs(ports: int) -> Numbers:
    """A row in which each turn of the repeat loop cuts one port.

    With tau_1 = z_1 - 1, z_m = tau_(m-1) - m d_m gives tau_m = tau_(m-1) - d_m, so port m is below tau_m. Port m - 1
    is not, because d_m = (m - 2) d_(m-1). OGASched reaches such rows: if only the first port comes, the others have z
    = y.
    """
    row, tau, drop = [Fraction(2)], Fraction(1), Fraction(1, 10**60)
    for m in range(2, ports + 1):
        drop *= max(1, m - 2)
        row.append(tau - m * drop)
        tau -= drop
    return tuple(row)


FAMILIES: dict[str, Callable[[int], Slot]] = {
    "nodes": lambda n: Slot(1, n, 1, EASY),
    "resources": lambda n: Slot(1, 1, n, EASY),
    "stairs": lambda n: Slot(n, 1, 1, stairs(n)),
    "even": lambda n: Slot(n, 1, 1, (Fraction(1),) * n),
}


def one_row(slot: Slot) -> int:
    """Return the steps of lines 7-31 for one (r, k), sequentially.

    The steps are the sort and, in each turn, (38) and the check of B3.
    """
    return slot.ports * log2(slot.ports) + sum(2 * size for size in repeats(slot.row))


def all_rows(slot: Slot) -> int:
    return slot.nodes * slot.resources * one_row(slot)


def depth(slot: Slot) -> int:
    """Return the steps of lines 4-31 with a processor per channel and resource.

    Sums and extrema are taken in a tree. Steps: a port's totals, the largest of K, then for all (r, k) at once the
    sort, counted as log2 of the ports. Each turn of the repeat loop adds the sum of (38), y, and the search for the
    first negative y.
    """
    row = log2(slot.ports) + sum(2 * log2(size) + 2 for size in repeats(slot.row))
    return log2(slot.nodes) + log2(slot.resources) + 2 + row


def prefixes(numbers: Numbers) -> tuple[list[Fraction], int]:
    """Prefix sums, and the rounds of a parallel scan with a processor per number."""
    sums, reach, rounds = list(numbers), 1, 0
    while reach < len(sums):
        sums = [s + sums[n - reach] if n >= reach else s for n, s in enumerate(sums)]
        reach, rounds = 2 * reach, rounds + 1
    return sums, rounds


def in_parallel(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, int]:
    """Return tau of `breakpoints`, and the rounds with a processor per breakpoint.

    Sorting counts as log2; a tree finds the first sum above c; products, tau and y take a round each.
    """
    ends = sorted([(z, 1) for z in point] + [(z - a, -1) for z, a in zip(point, demand, strict=True)], reverse=True)
    slopes, rounds = prefixes([Fraction(change) for _, change in ends])
    below = [*(end for end, _ in ends[1:]), min(ZERO, ends[-1][0])]
    levels, more = prefixes([s * (end - low) for s, (end, _), low in zip(slopes, ends, below, strict=True)])
    total = 2 * log2(len(ends)) + rounds + more + 3
    first = next((n for n, level in enumerate(levels) if level > capacity), None)
    if first is None:
        return ZERO, total
    before = levels[first - 1] if first else ZERO
    return max(ZERO, ends[first][0] - (capacity - before) / slopes[first]), total


def breakpoints(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, int]:
    """Return tau with sum clip(z - tau, 0, a) = c, and one step per breakpoint.

    tau is 0 if the row is slack. The breakpoints z and z - a are sorted once, in 2 m ceil(log2 2 m) steps. Going down,
    the sum is ``level + slope`` times the distance of tau below the last breakpoint.
    """
    ends = sorted([(z, 1) for z in point] + [(z - a, -1) for z, a in zip(point, demand, strict=True)], reverse=True)
    level, slope, steps = ZERO, 0, len(ends) * log2(len(ends))
    for (end, change), below in zip(ends, [*(end for end, _ in ends[1:]), min(ZERO, ends[-1][0])], strict=True):
        slope += change
        steps += 1
        reach = level + slope * (end - below)
        if reach > capacity:
            return max(ZERO, end - (capacity - level) / slope), steps
        level = reach
    return ZERO, steps
