"""Hypothesis strategies for sections III and IV-A (jrp).

They draw one data node, knapsacks, a job on a server, and one server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.base.radicals import root_below
from schedproof.core.claims.cases import Amount, Inside, PositiveAmount
from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.strategies.jrp import AMPLE, OfInstance, build
from schedproof.reference.jrp import ONE, ZERO, Need

Bit = Annotated[int, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True)
class OneDataNode:
    """A data node among servers.

    Attributes
    ----------
    assignable
        A_i.
    x
        x_i^j by server.
    y
        y_k of its job.
    """

    assignable: tuple[Count, ...]
    x: tuple[Bit, ...]
    y: Bit

    def __post_init__(self) -> None:
        expect(all(j < len(self.x) for j in self.assignable), "expected servers", "assignable")


@st.composite
def data_nodes(pick: Any) -> OneDataNode:
    servers = pick(st.integers(1, 3))
    assignable = sorted(pick(st.sets(st.integers(0, servers - 1))))
    x = [pick(st.integers(0, 1)) if pick(st.booleans()) else 0 for _ in range(servers)]
    y = min(1, sum(x[j] for j in assignable)) if pick(st.booleans()) else pick(st.integers(0, 1))
    return OneDataNode(tuple(assignable), tuple(x), y)


# --- knapsacks -------------------------------------------------------------------------------------------------------


def special_case(sizes: Sequence[Any], capacities: Sequence[Any]) -> Instance:
    """JRP without deadlines: a job with one data node per item, a server per knapsack.

    Each data node may go to any server.
    """
    everywhere = range(len(capacities))
    return build([(0, 0, [(size, everywhere)]) for size in sizes], [(most, AMPLE, AMPLE) for most in capacities])


@dataclass(frozen=True)
class Items(OfInstance):
    """Multiple knapsack as a special case of JRP, and the items' profits."""

    profits: tuple[Positive, ...]

    def __post_init__(self) -> None:
        jobs = len(self.instance.jobs)
        expect(len(self.profits) == jobs, f"expected a profit of each of {jobs} items", "profits", len(self.profits))

    @property
    def sizes(self) -> list[Fraction]:
        return [job.nodes[0].size for job in self.instance.jobs]

    @property
    def capacities(self) -> list[Fraction]:
        return [server.storage for server in self.instance.servers]


@st.composite
def items(pick: Any) -> Items:
    sizes = pick(st.lists(st.sampled_from((1, 1, 2, 2, 3, Decimal("1.5"))), min_size=1, max_size=4))
    capacities = pick(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    return Items(special_case(sizes, capacities), tuple(pick(st.integers(1, 4)) for _ in sizes))


@dataclass(frozen=True)
class Sizes:
    """3 m sizes strictly between B/4 and B/2, and the bound B; their sum may be m B."""

    sizes: tuple[Positive, ...]
    bound: Positive

    def __post_init__(self) -> None:
        fit = len(self.sizes) % 3 == 0 < len(self.sizes) and all(
            self.bound < 4 * size < 2 * self.bound for size in self.sizes
        )
        expect(fit, "expected 3 m sizes strictly between B/4 and B/2", "sizes")


@st.composite
def triples(pick: Any) -> Sizes:
    """Sizes between B/4 and B/2, the last of which makes the sum m B if it can."""
    bound, many = pick(st.sampled_from((16, 20, 21))), pick(st.integers(1, 2))
    low, high = bound // 4 + 1, (bound - 1) // 2
    sizes = [pick(st.integers(low, high)) for _ in range(3 * many)]
    missing = many * bound - sum(sizes)
    for n, size in enumerate(sizes):
        sizes[n] = min(max(size + missing, low), high)
        missing += size - sizes[n]
    return Sizes(tuple(sizes), bound)


# --- a job on a server -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OnServer:
    """One job on one server, D > 0, in the paper's notation.

    T, f, g, h, tau and lambda are the job's; D is that of (1).

    Attributes
    ----------
    r_c, r_b
        The job's part of the server.
    """

    T: Amount
    f: PositiveAmount
    g: Amount
    h: Amount
    tau: PositiveAmount
    lambda_: PositiveAmount
    D: PositiveAmount
    r_c: Amount
    r_b: Amount
    epsilon: Inside

    @property
    def work(self) -> Fraction:
        """The work T D g/f of (2), in GFLOP."""
        return self.T * self.D * self.g / self.f

    @property
    def traffic(self) -> Fraction:
        """The traffic T D h/(lambda f) of (3), in Gbit."""
        return self.T * self.D * self.h / (self.lambda_ * self.f)

    @property
    def with_enough(self) -> OnServer:
        """The same with at least as much compute and bandwidth as (16) and (17) require."""
        r_b, r_c = self.traffic / (self.epsilon * self.tau), self.work / ((1 - self.epsilon) * self.tau)
        return replace(self, r_c=max(r_c, self.r_c), r_b=max(r_b, self.r_b))


@st.composite
def on_servers(pick: Any) -> OnServer:
    """Draw a job on a server, often at the limit of (10), (16) or (17).

    At the limit of (10) the time shares of computing and sending add up to exactly 1.
    """
    few = st.sampled_from([Fraction(n) for n in (1, 1, 2, 3)])
    amounts = st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 2, 4, 6)])
    letters = {letter: pick(few) for letter in ("T", "f", "tau", "lambda_", "D")}
    letters |= {letter: pick(amounts) for letter in ("g", "h", "r_c", "r_b")}
    epsilon = pick(st.sampled_from([Fraction(n, 4) for n in (1, 2, 3)]))
    case = OnServer(**letters, epsilon=epsilon)
    part = pick(st.sampled_from([None, ZERO, Fraction(1, 4), epsilon, ONE]))
    if part is None:
        return case
    # sending takes this part of the deadline, computing the rest, wherever they can
    r_c = case.work / ((1 - part) * case.tau) if part < 1 else case.r_c
    return replace(case, r_c=r_c, r_b=case.traffic / (part * case.tau) if part else case.r_b)


# --- a server --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ServerNeeds:
    compute: Amount
    bandwidth: Amount
    needs: tuple[tuple[Amount, Amount], ...]

    @property
    def spare(self) -> Need:
        """The spare resources: compute and bandwidth less the sums of c and of b."""
        return self.compute - sum(c for c, _ in self.needs), self.bandwidth - sum(b for _, b in self.needs)


@st.composite
def servers(pick: Any) -> ServerNeeds:
    """Up to three needs, and a server that is too small, exact or larger.

    The server is exact only if its resources are then rational.
    """
    amounts = st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 2, 3, 4, 8)])
    needs = [(pick(amounts), pick(amounts)) for _ in range(pick(st.sampled_from([0, 1, 2, 2, 3])))]
    if pick(st.booleans()):  # c b is a square in each need
        needs = [(c, c * pick(st.sampled_from([1, 4, Fraction(1, 4)]))) for c, _ in needs]
    theta = pick(st.sampled_from([Fraction(1, 2), ONE, Fraction(2)]))
    roots = sum((root_below(c * b, 8) for c, b in needs), ZERO)
    more = st.sampled_from([(0, 0), (0, 0), (0, 1), (1, 0), (1, -1), (-1, 0), (8, 8), *2 * [(-40, 0), (0, -40)]])
    x, y = pick(more)
    compute = sum((c for c, _ in needs), ZERO) + roots / theta + Fraction(x, 8)
    bandwidth = sum((b for _, b in needs), ZERO) + roots * theta + Fraction(y, 8)
    return ServerNeeds(max(compute, ZERO), max(bandwidth, ZERO), tuple(needs))
