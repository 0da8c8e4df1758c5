"""Cases of the dmlrs ratio claims: instances on which PD-ORS does badly.

Each case has a comparison schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import PositiveShare
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.strategies.covering import fractions
from schedproof.proofs_checks.strategies.dmlrs import PRICES, Capped, Grained, OfInstance, Priced, instances
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job

Plan = tuple[tuple[int, int, int, int, int], ...]  # rows (job, slot, machine, workers, parameter servers)
DELTAS = st.sampled_from(fractions("1 1/2 1/10"))
BASES = st.sampled_from((20, 100, 1000))
MACHINE_SIZE = 20  # jobs that the machine of a crowd holds


@dataclass(frozen=True)
class Compared(OfInstance):
    plan: Plan


@dataclass(frozen=True)
class Tempted(OfInstance):
    """An instance and delta; without a plan, PD-ORS is compared with the optimum."""

    delta: PositiveShare
    plan: Plan | None = None


def swallow(workers: int, value: int, delta: Fraction) -> Tempted:
    """A job of small utility fills the only slot before a valuable job arrives.

    The job of small utility takes the machine worker by worker.
    """
    jobs = [job(n, workers, v, {"gpu": 1}, batch=workers) for n, v in (("cheap", 1), ("dear", value))]
    return Tempted(build_instance([{"gpu": workers}], jobs), delta, ((1, 0, 0, workers, 1),))


def ladder(steps: int, base: int, delta: Fraction) -> Tempted:
    """Jobs of 1/steps of the only machine, each ``base`` times as valuable.

    There is one slot. The first ``steps`` jobs fill the machine; then as many jobs come with U = L base^steps each. The
    values start at 10^-18, the least that a file may hold.
    """
    cheap = [job(f"cheap{n}", 1, base**n * Decimal("1e-18"), {"gpu": 1}) for n in range(steps)]
    worth = base**steps * Decimal("1e-18") / (2 * steps)
    dear = [job(f"dear{n}", 1, worth, {"gpu": 1}) for n in range(steps)]
    plan = tuple((n, 0, 0, 1, 1) for n in range(steps, 2 * steps))
    return Tempted(build_instance([{"gpu": steps}], cheap + dear), delta, plan)


def _rising(jobs: int, base: int, steps: int) -> Instance:
    """Jobs of 1/k of a machine: ``steps`` jobs raise the price to U, then k earn U.

    L = 1/(2 k) and U = L base^steps. The n-th job earns a hundredth more than the price L base^n that it meets, but
    the first one earns 1.
    """
    met = [Decimal(base) ** n / (2 * jobs) for n in range(steps + 1)]
    values = [Decimal(1), *((v * Decimal("1.01")).quantize(Decimal("1e-6")) for v in met[1:-1])]
    top = met[-1].quantize(Decimal("1e-6"))
    rows = [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values + [top] * jobs)]
    return build_instance([{"gpu": jobs}], rows)


def climb(jobs: int, base: int) -> Capped:
    """The tight case of the repaired bound with D_0: k - 1 jobs raise the price to U.

    Each takes one k-th of a machine.
    """
    return Capped(_rising(jobs, base, jobs - 1), Fraction(1, jobs), Fraction(1))


def whole_climb(jobs: int, base: int) -> Grained:
    """The tight case for the price for equal jobs: all k jobs raise the price to U."""
    return Grained(_rising(jobs, base, jobs), Fraction(1, jobs), Fraction(1), Fraction(1, jobs))


def tempted_cases(**settings: Any) -> st.SearchStrategy[Tempted]:
    return st.builds(Tempted, instances(reserved=False, **settings), DELTAS)


@st.composite
def families(draw: st.DrawFn) -> Tempted:
    if draw(st.booleans()):
        return swallow(draw(st.sampled_from((1, 2, 10, 20))), 10 ** draw(st.integers(1, 6)), draw(DELTAS))
    return ladder(10, draw(st.sampled_from((10, 1000, 5000))), draw(DELTAS))


def climbs() -> st.SearchStrategy[Capped]:
    return st.builds(climb, st.integers(2, 4), BASES)


def whole_climbs() -> st.SearchStrategy[Grained]:
    return st.builds(whole_climb, st.integers(2, 4), BASES)


@st.composite
def rivals(draw: st.DrawFn) -> Priced:
    """Two jobs of similar utility that each need more than half of the machine."""
    size = draw(st.integers(3, 5))
    needs = [draw(st.integers(size // 2 + 1, size - 1)) for _ in range(2)]
    rows = [job(f"j{n}", need, draw(st.integers(2, 3)), {"gpu": 1}, batch=need) for n, need in enumerate(needs)]
    return Priced(build_instance([{"gpu": size}], rows), (draw(st.sampled_from(PRICES)),))


def patient(short: Decimal) -> Compared:
    """Two slots, a valuable job of three, and a job of little value in one slot.

    The job of three slots cannot finish; the other job earns 0 after one slot.
    """
    rows = [job("patient", 3, 100, {"gpu": 1}), job("short", 1, 1, {"gpu": 1})]
    rows[1]["utility"] = {"kind": "table", "values": [short, 0]}
    return Compared(build_instance([{"gpu": 100}], rows, 2), ((1, 0, 0, 1, 1),))


def small_crowds() -> st.SearchStrategy[OfInstance]:
    return crowds().map(lambda case: OfInstance(case.instance))


def tempting_crowds() -> st.SearchStrategy[Tempted]:
    return st.builds(lambda case, delta: Tempted(case.instance, delta, case.plan), crowds(), DELTAS)


@st.composite
def crowds(draw: st.DrawFn) -> Compared:
    """Many small jobs for one machine.

    The jobs are those of `patient`, or have values in any order, or each earns just above the price that it meets.
    """
    values: list[Any]
    kind = draw(st.sampled_from(("patient", "any", "any", "rising", "rising")))
    if kind == "patient":
        return patient(draw(st.sampled_from([Decimal("0.01"), Decimal("0.05"), Decimal(1)])))
    if kind == "any":
        values = draw(st.lists(st.integers(1, 6), min_size=MACHINE_SIZE // 2, max_size=3 * MACHINE_SIZE // 2))
    else:
        base = draw(st.sampled_from([Decimal(b) for b in ("1.2", "1.25", "1.3")]))
        met = [base**n / (2 * MACHINE_SIZE) for n in range(MACHINE_SIZE + 1)]
        values = [max(Decimal(1), (v * Decimal("1.05")).quantize(Decimal("0.01"))) for v in met[:-1]]
        values += [met[-1].quantize(Decimal("0.01"))] * draw(st.integers(1, MACHINE_SIZE))
    jobs = [job(f"j{n}", 1, value, {"gpu": 1}) for n, value in enumerate(values)]
    best = sorted(range(len(values)), key=lambda n: -values[n])[:MACHINE_SIZE]
    return Compared(build_instance([{"gpu": MACHINE_SIZE}], jobs), tuple((n, 0, 0, 1, 1) for n in sorted(best)))
