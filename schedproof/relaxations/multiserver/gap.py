"""Gap between a reward and a price bound: unused resources, channels, overheads.

Take the slots of one arrival pattern (for the bound on fixed allocations, all slots), n_c the number of those with copy
c, prices p, weights w, a channel's cost in a slot q = w beta + p / n_c, and x_c(t) = 1 for present
copies,

    D - P = p c - sum of x p y / n                                                          unused, of each node
          + sum of x [max over 0 <= z <= m of (f(z) - q z) - (f(y) - q y)]                  below best, of each port
          + sum of x [max_k beta T_k - sum_k w_k beta T_k]                                  uneven, of each port

with sums over slots, copies, channels. If utilities are of totals T, with slope sigma, the term *below best* is
x [f*(sigma) - (f(T) - sigma T)] plus, for each channel, x [m (sigma - q)^+ - (sigma - q) y]. If an allocation depends
on the arrivals, the averages of y over the copies' slots may exceed the capacity; then the gap to the bound on fixed
allocations has no breakdown.

Utilities are irrational. The parts are computed in doubles and reduced by `MARGIN` times the magnitudes of the
subtracted terms. So the rest of the gap, due to rounding, is a rational >= 0, and is checked against `LIMIT`. Only
prices, weights and slopes are taken from the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import Part, certificate
from schedproof.core.errors import ProgramError
from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.reward import port_totals
from schedproof.instances.multiserver.utility import LINEAR, VALUES, at_each
from schedproof.relaxations.multiserver.certificate import (
    UNITS,
    Multipliers,
    SlotCertificate,
    StationaryCertificate,
    patterns,
)
from schedproof.relaxations.multiserver.layout import BEST

UNUSED = "resources of the nodes that the present ports do not use, at their prices"
BELOW_BEST = "ports whose amounts earn less, net of cost, than the best amounts at these prices"
UNEVEN = "ports whose dominant overhead differs from the bound's"
ROUNDING = "rounding of the bound, the reward and these parts"
MARGIN, LIMIT = 2.0**-40, Fraction(1, 2**34)  # relative to the magnitudes whose differences the parts are


def parts(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    """Account for the gap: unused, below best, uneven, rounding.

    Raises
    ------
    ProgramError
        For another certificate, an infeasible schedule, or, with the bound on fixed allocations, a mean allocation
        above the capacity.
    """
    ledger = _Ledger(instance, str(bound.parameters["gain"]))
    for multipliers, counts, times, blocks in _by_multipliers(schedule, instance, bound):
        ledger.open(multipliers, counts, times)
        for block, present in blocks:
            ledger.add(block, present)
    names = [port.name for port in instance.ports]
    if (over := np.argwhere(ledger.unused < -MARGIN * ledger.stock)).size:
        r, k = over[0].tolist()
        what = f"{instance.resources[k]} of {instance.nodes[r].name}"
        raise ProgramError(
            f"no account of the gap to {bound.program}: the mean use of {what} exceeds the capacity of any "
            "fixed allocation; use the bound multiserver.slot_optimum"
        )
    unused = _less(ledger.unused, ledger.stock).ravel().tolist()
    by_port = [dict(zip(names, _less(*rows).tolist(), strict=True)) for rows in (ledger.below_best, ledger.uneven)]
    result = (
        Part.of("unused", UNUSED, others=map(Fraction, unused)),
        Part.of("below_best", BELOW_BEST, {name: Fraction(x) for name, x in by_port[0].items()}),
        Part.of("uneven", UNEVEN, {name: Fraction(x) for name, x in by_port[1].items()}),
    )
    earned = schedule.objective(instance, **bound.parameters)
    rest = bound.exact - earned - sum((part.amount for part in result), Fraction(0))
    if not 0 <= rest <= LIMIT * Fraction(ledger.size):
        raise ProgramError(f"no account of the gap: the parts leave {float(rest):.6g} unexplained, more than rounding")
    return *result, Part.of("rounding", ROUNDING, others=[rest])


def _less(amounts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    return np.maximum(amounts - MARGIN * sizes, 0)


Blocks = Iterator[tuple[np.ndarray, np.ndarray]]  # allocations (n, E, K) and presence (n, C)


def _by_multipliers(
    schedule: Schedule, instance: Instance, bound: Bound
) -> Iterator[tuple[Multipliers, np.ndarray, int, Blocks]]:
    if isinstance(bound.witness, StationaryCertificate):
        yield bound.witness.multipliers, instance.counts(), 1, _blocks_with_arrivals(schedule, instance)
        return
    proofs = certificate(bound, SlotCertificate).multipliers
    rows, times = patterns(instance)
    number = {row.tobytes(): i for i, row in enumerate(rows)}
    facts: set[int] = set()
    for block, present in _blocks_with_arrivals(schedule, instance):
        which = np.array([number[row.tobytes()] for row in present])
        for i in np.unique(which).tolist():
            mine = which == i
            slots = iter([(block[mine], present[mine])])
            yield proofs[i], rows[i].astype(np.int64), 0 if i in facts else int(times[i]), slots
            facts.add(i)


def _blocks_with_arrivals(schedule: Schedule, instance: Instance) -> Blocks:
    at = 0
    for block in schedule.blocks():
        yield block, instance.present(at, at + len(block))
        at += len(block)


class _Ledger:
    """Sums of the gap's terms, and of the magnitudes whose differences they are.

    Attributes
    ----------
    unused, stock
        (R, K): the prices of unused resources, and of the capacity.
    below_best, uneven
        (2, L): the terms of each port, and their magnitudes.
    size
        The total magnitude, for the rounding of the bound.
    """

    def __init__(self, instance: Instance, gain: str) -> None:
        graph = self._graph = instance.graph
        self._by_node = gain == "node"
        self._most = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node])
        shape = (len(graph.port), len(graph.overhead))
        self._curves = (
            (graph.kind[graph.edge_node], graph.alpha[graph.edge_node])
            if self._by_node
            else (np.broadcast_to(graph.total_kind, shape), np.broadcast_to(graph.total_alpha, shape))
        )
        self.unused, self.stock = np.zeros(graph.capacity.shape), np.zeros(graph.capacity.shape)
        self.below_best, self.uneven = np.zeros((2, len(instance.ports))), np.zeros((2, len(instance.ports)))
        self.size = 0.0

    def open(self, multipliers: Multipliers, counts: np.ndarray, times: int) -> None:
        """Use these multipliers from now on, for ``times`` slots (0: already counted)."""
        graph, prices = self._graph, multipliers.prices
        self._weights = multipliers.weights / UNITS * graph.overhead
        self._rent = prices[graph.edge_node] / np.maximum(counts, 1)[graph.edge_copy, None]
        self._cost = self._weights[graph.edge_copy] + self._rent
        kind, alpha = self._curves
        slope = np.where(kind == LINEAR, alpha, multipliers.slopes) if not self._by_node else np.zeros(0)
        self._slope = slope
        with np.errstate(divide="ignore", over="ignore"):
            best = at_each(BEST, kind, alpha, self._cost if self._by_node else slope)
        best = np.clip(best, 0, self._most) if self._by_node else np.where(kind == LINEAR, 0, np.maximum(best, 0))
        earned, paid = at_each(VALUES, kind, alpha, best), (self._cost if self._by_node else slope) * best
        self._best, self._best_size = earned - paid, earned + paid
        if not self._by_node:
            self._margin = slope[graph.edge_copy] - self._cost
        stock = times * prices * graph.capacity
        self.stock += stock
        self.unused += stock
        steepest = at_each(STEEPEST, kind, alpha, alpha) if self._by_node else slope[graph.edge_copy]
        sizes = self._most * (steepest + self._cost) * counts[graph.edge_copy, None]
        self.size += float(stock.sum()) + times * float(sizes.sum())

    def add(self, block: np.ndarray, present: np.ndarray) -> None:
        graph = self._graph
        here = present[:, graph.edge_copy]
        held = np.einsum("te,tek->ek", here, block)
        amounts = block * here[:, :, None]
        totals = port_totals(graph, block, present)
        seen = present.sum(axis=0, dtype=np.int64)  # (C,)
        kind, alpha = self._curves
        np.add.at(self.unused, graph.edge_node, -self._rent * held)
        if self._by_node:
            earned, paid = at_each(VALUES, kind, alpha, amounts).sum(axis=0), self._cost * held
            times = seen[graph.edge_copy, None]
            lost, size = times * self._best - earned + paid, times * self._best_size + earned + paid
            copy = graph.edge_copy
        else:
            earned, paid = at_each(VALUES, kind, alpha, totals).sum(axis=0), self._slope * totals.sum(axis=0)
            lost, size = seen[:, None] * self._best - earned + paid, seen[:, None] * self._best_size + earned + paid
            copy = np.arange(len(graph.port))
            filled, gone = seen[graph.edge_copy, None] * self._most, self._margin * held
            np.add.at(lost, graph.edge_copy, filled * np.maximum(self._margin, 0) - gone)
            both = self._slope[graph.edge_copy] + self._cost
            np.add.at(size, graph.edge_copy, (filled + held) * both)
        dearest = (totals * graph.overhead).max(axis=2).sum(axis=0)
        counted = (self._weights * totals.sum(axis=0)).sum(axis=1)
        for rows, parted, magnitudes, port in (
            (self.below_best, lost.sum(axis=1), size.sum(axis=1), graph.port[copy]),
            (self.uneven, dearest - counted, dearest + counted, graph.port),
        ):
            np.add.at(rows[0], port, parted)
            np.add.at(rows[1], port, magnitudes)
            self.size += float(magnitudes.sum())


# f'(0) of the four utilities (54)
STEEPEST = (lambda a, _: a, lambda a, _: a, lambda a, _: a**-2.0, lambda a, _: a / 2)
