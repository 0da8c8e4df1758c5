"""Worst-case regret of policies that commit allocations: a randomised adversary.

In each slot the policy commits an allocation, any point of (5)-(6); then ports arrive or not. With linear utilities and
no overheads, only the ports' arrival counts matter of the past. The adversary is randomised, because the set of the
policy's answers is infinite. If it draws arrivals x with probability q(x), no allocation earns more in expectation than
h(sum q x), where h is the best reward for given weights of the ports. After the last slot the best fixed allocation
earns h(counts). The value is the expected regret, which some trajectory attains. The q of each position are an
exact optimum of a linear program; its dual solution is the policy's best allocation, so no adversary forces more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path

from schedproof.adversary.games import Step, Strategy
from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.instances import read
from schedproof.instances.multiserver import Instance
from schedproof.reference.simplex import solve as optimum

MOST = 2_000_000  # possible draws in all positions together
Counts = tuple[int, ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Pool:
    """A resource of a node: reward of a unit, capacity, and each port's request."""

    gain: Fraction
    capacity: Fraction
    demand: tuple[Fraction, ...]

    def to_json(self) -> dict[str, Json]:
        return {"gain": str(self.gain), "capacity": str(self.capacity), "demand": [str(a) for a in self.demand]}


def solve(above: Fraction, *, context: Context, slots: int = 4, instance: Path | None = None) -> Strategy | None:
    return Regret([Pool(ONE, ONE, (ONE, ONE))] if instance is None else _read(instance), slots).best(above, context)


def _read(file: Path) -> list[Pool]:
    given = read(file)
    if not isinstance(given, Instance):
        raise InputError(f"expected a multiserver instance, found one of family {given.family}", file=str(file))
    try:
        return pools_of(given)
    except InputError as error:
        raise error.in_file(str(file)) from None


def pools_of(given: Instance) -> list[Pool]:
    """Return the resources of the nodes; a port requests 0 at nodes without a channel.

    Raises
    ------
    InputError
        For nonlinear utilities, overheads, or gangs.
    """
    gangs = any(port.tasks for port in given.ports)
    utilities = [*given.utilities.values(), *given.node_utilities.values()]
    if gangs or any(given.overhead.values()) or any(utility.kind != "linear" for utility in utilities):
        raise InputError("expected linear utilities, no overheads and no tasks")
    pools = []
    for node in given.nodes:
        for name in given.resources:
            limit = tuple(p.demand.get(name, ZERO) if node.index in p.nodes else ZERO for p in given.ports)
            pools.append(Pool(given.utility(node.index, name).alpha, node.capacity.get(name, ZERO), limit))
    return pools


def best_reward(pools: Sequence[Pool], counts: Sequence[int]) -> Fraction:
    """Return the reward of the best fixed allocation for these arrival counts.

    The ports with most arrivals are served first.
    """
    total = ZERO
    for pool in pools:
        rest = pool.capacity
        for count, limit in sorted(zip(counts, pool.demand, strict=True), reverse=True):
            total += pool.gain * count * min(limit, rest)
            rest -= min(limit, rest)
    return total


class Regret:
    """The game on a system's pools; each port has at most one arrival in a slot."""

    name = "multiserver.regret"

    def __init__(self, pools: list[Pool], slots: int) -> None:
        self.pools, self.slots, self.ports = pools, slots, len(pools[0].demand) if pools else 0
        weighed = sum((slot + 1) ** self.ports for slot in range(slots)) << self.ports
        if weighed > MOST:
            raise InputError(
                f"slots={slots}: {self.ports} ports make {weighed} possible draws, expected at most {MOST}"
            )
        self.setting: dict[str, Json] = {"slots": slots, "pools": [pool.to_json() for pool in pools]}

    @cached_property
    def _who(self) -> list[Counts]:
        return list(product((0, 1), repeat=self.ports))

    def best(self, above: Fraction, context: Context) -> Strategy | None:
        after = {
            counts: best_reward(self.pools, counts) for counts in product(range(self.slots + 1), repeat=self.ports)
        }
        draws: dict[tuple[int, Counts], list[tuple[Counts, Fraction]]] = {}
        for slot in reversed(range(self.slots)):
            now: dict[Counts, Fraction] = {}
            for counts in product(range(slot + 1), repeat=self.ports):
                now[counts], draws[slot, counts] = self.draw(counts, after)
            after = now
            context.progress(f"slot {slot}", 1 - slot / self.slots)
        value = after[(0,) * self.ports]
        if value <= above:
            return None
        rows = tuple(self._rows(draws))
        return Strategy(self.name, self.setting, value, rows, best=True, steps=tuple(_steps(rows)))

    def draw(self, counts: Counts, after: Mapping[Counts, Fraction]) -> tuple[Fraction, list[tuple[Counts, Fraction]]]:
        """Return the value of a position, and the adversary's distribution of arrivals.

        Maximise sum q(x) V(counts + x) - sum p c - sum s a subject to sum q = 1 and gain sum q(x) x_l <= p + s_l, with
        a price p for each pool's capacity c and a price s_l for each port's request a.
        """
        values, width = [after[add_arrivals(counts, who)] for who in self._who], 1 + self.ports
        gains = values + [-each for pool in self.pools for each in (pool.capacity, *pool.demand)]
        rows = [[ONE] * len(values) + [ZERO] * (len(gains) - len(values))]
        for at, pool in enumerate(self.pools):
            for port in range(self.ports):
                row = [pool.gain * who[port] for who in self._who] + rows[0][len(values) :]
                row[len(values) + at * width] = row[len(values) + at * width + 1 + port] = -ONE
                rows.append(row)
        point, _ = optimum(gains, rows, [ONE] + [ZERO] * (len(rows) - 1))
        drawn = dict(zip(self._who, point, strict=False))
        drawn[self._who[0]] += 1 - sum(drawn.values())  # the rest: no arrival, hence no reward
        value = sum((gain * x for gain, x in zip(gains, point, strict=True)), ZERO)
        return value, [(who, q) for who, q in drawn.items() if q]

    def _rows(self, draws: Mapping[tuple[int, Counts], list[tuple[Counts, Fraction]]]) -> Iterator[dict[str, Json]]:
        here = {(0,) * self.ports}
        for slot in range(self.slots):
            reached: set[Counts] = set()
            for counts in sorted(here):
                drawn = draws[slot, counts]
                facts = [{"probability": str(q), "comes": who} for who, q in drawn]
                yield {"slot": slot, "came": counts, "draws": facts}
                reached |= {add_arrivals(counts, who) for who, _ in drawn}
            here = reached


def _steps(rows: Sequence[dict[str, Json]]) -> Iterator[Step]:
    number = {(row["slot"], row["came"]): n for n, row in enumerate(rows)}
    for n, row in enumerate(rows):
        for draw in row["draws"]:
            after = number.get((row["slot"] + 1, add_arrivals(row["came"], draw["comes"])))
            yield Step(n, after, probability=Fraction(draw["probability"]))


def add_arrivals(counts: Counts, who: Counts) -> Counts:
    return tuple(n + x for n, x in zip(counts, who, strict=True))
