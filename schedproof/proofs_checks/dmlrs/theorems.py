"""The competitive ratio: claims theorem5_ratio and theorem6_ratio.

Theta is exact here, which is the best that Algorithm 4 can do; the probabilities of Theorems 5 and 6 are judged apart.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.builders import build_instance, job
from schedproof.proofs_checks.dmlrs.enclosures import logarithm, neatly_up, square_root
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.literal import Outcome, demand, spots
from schedproof.proofs_checks.dmlrs.optimum import offline
from schedproof.proofs_checks.dmlrs.regimes import outcome
from schedproof.proofs_checks.dmlrs.schedules import plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, table

ONE, TENTH = Fraction(1), Fraction(1, 10)
Gain = Callable[[Instance, Fraction], Fraction]

# --- as printed ------------------------------------------------------------------------------------------------------


def gain_29(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (29) that any job meets: W_2 = min(F, C/alpha, C/beta) on the empty cluster."""
    rows = (3 * (len(instance.resources) * len(instance.machines) + 1)) / delta
    found = []
    for one in instance.jobs:
        sizes = [instance.machines[h].capacity[r] / d for _, h, r in spots(instance) for d in demand(one, r) if d]
        half = [3 * end / (2 * min([Fraction(one.batch_size), *sizes])) for end in logarithm(rows)]
        found.append(1 + half[1] - square_root((half[0] ** 2 + 2 * half[0], half[1] ** 2 + 2 * half[1]))[0])
    return max(found)


def gain_30(instance: Instance, delta: Fraction) -> Fraction:
    """At least the largest G_delta of (30) that any job meets: W_1 = v c_e for one sample."""
    least = min(one.external_time for one in instance.jobs)
    half = logarithm(3 / delta)[1] / least
    return 1 + half + square_root((half**2 + 2 * half, half**2 + 2 * half))[1]


def printed_factor(out: Outcome) -> Fraction:
    """At least max(1, max_r ln(U^r/L)), which Lemma 10 has for eps."""
    return max([ONE, *(logarithm(high / out.tariff.lowest)[1] for high in out.tariff.highest.values())])


def ratio(
    case: Case,
    gain: Gain = gain_29,
    worker: Fraction | None = None,
    most: Fraction | None = None,
    share: Fraction = ONE,
) -> Finding | None:
    """OPT <= (6 G/delta) max_r(1, ln(U^r/L)) P_I, for PD-ORS with exact Theta.

    Parameters
    ----------
    worker, most
        The largest share of a machine's resource that one worker or PS, and one job in a slot, may hold for the case to
        count (None: any).
    """
    out = outcome(case)
    if out is None or not _small(case.instance, worker, most):
        return None
    delta = Fraction(case.data.get("delta", 1))
    claimed = 6 * gain(case.instance, delta) / delta * printed_factor(out) * out.primal
    return Finding(offline(case), neatly_up(share * claimed), "at most", "OPT, and the ratio times what PD-ORS earns")


def _small(instance: Instance, worker: Fraction | None, most: Fraction | None) -> bool:
    machines = instance.machines
    if worker is not None:
        pairs = [(machines[h].capacity[r], r) for _, h, r in spots(instance)]
        if any(d > worker * size for size, r in pairs for one in instance.jobs for d in demand(one, r)):
            return False
    if most is None:
        return True
    uses = (plan.use for one in instance.jobs for plan in plans(instance, one))
    return all(a <= most * machines[h].capacity[r] for use in uses for (_, h, r), a in use.items())


def swallow(workers: int, value: int, delta: Fraction) -> Case:
    """A cheap job takes a whole machine in the only slot, worker by worker; a dear one comes for the same."""
    jobs = [job(n, workers, v, {"gpu": 1}, batch=workers) for n, v in (("cheap", 1), ("dear", value))]
    return Case(build_instance([{"gpu": workers}], jobs), {"delta": delta, "plan": [[1, 0, 0, workers, 1]]})


def ladder(steps: int, base: int, delta: Fraction) -> Case:
    """Jobs that each hold 1/steps of the only machine in the only slot, each ``base`` times as dear as the one before.

    The first ``steps`` fill the machine; then as many come that are worth U = L base^steps each. The values start at
    10^-18, the least that a file may say.
    """
    cheap = [job(f"cheap{n}", 1, base**n * Decimal("1e-18"), {"gpu": 1}) for n in range(steps)]
    worth = base**steps * Decimal("1e-18") / (2 * steps)
    dear = [job(f"dear{n}", 1, worth, {"gpu": 1}) for n in range(steps)]
    plan = [[n, 0, 0, 1, 1] for n in range(steps, 2 * steps)]
    return Case(build_instance([{"gpu": steps}], cheap + dear), {"delta": delta, "plan": plan})


_DELTAS = st.sampled_from((ONE, Fraction(1, 2), TENTH))


@st.composite
def _tempted(pick: Any, **settings: Any) -> Case:
    """A tiny instance and delta."""
    return Case(pick(draw.instances(reserved=False, **settings)), {"delta": pick(_DELTAS)})


@st.composite
def _families(pick: Any) -> Case:
    """`swallow` or `ladder`, from harmless to harmful."""
    if pick(st.booleans()):
        return swallow(pick(st.sampled_from((1, 2, 10, 20))), 10 ** pick(st.integers(1, 6)), pick(_DELTAS))
    return ladder(10, pick(st.sampled_from((10, 1000, 5000))), pick(_DELTAS))


_CASES = st.one_of(_tempted(), _tempted(roomy=True, scenes=("plain", "slow")), _families())
_REGIMES = (
    *regimes.of_run("printed"),
    regimes.SEVERAL_MACHINES,
    regimes.SEVERAL_SLOTS,
    regimes.SEVERAL_RESOURCES,
    regimes.LATE,
    Regime("one worker small", lambda c: _small(c.instance, TENTH, None)),
    Regime("one job small", lambda c: _small(c.instance, TENTH, TENTH)),
)


def _readings(gain: Gain) -> tuple[Reading, ...]:
    return (
        Reading("any demand", "As the theorem states it.", at(ratio, gain=gain)),
        Reading("one worker small", "alpha, beta <= C/10, as Appendix C assumes.", at(ratio, gain=gain, worker=TENTH)),
        Reading(
            "one job small",
            "And a job takes at most C/10 in a slot, as its proof puts it.",
            at(ratio, gain=gain, worker=TENTH, most=TENTH),
        ),
    )


THEOREM5 = Claim(
    id="dmlrs.theorem5_ratio",
    source="paper 001, section 4.4, Theorem 5 (the ratio), and Appendix C",
    statement="PD-ORS with 0 < G <= 1 of (29) is (6 G/delta) max_r(1, ln(U^r/L))-competitive.",
    readings=_readings(gain_29),
    regimes=_REGIMES,
    strategy=_CASES,
    planted=(Planted("a hundredth of the ratio", at(ratio, share=Fraction(1, 100))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem5_ratio_repaired",
)
THEOREM6 = Claim(
    id="dmlrs.theorem6_ratio",
    source="paper 001, section 4.4, Theorem 6 (the ratio), and Appendix C",
    statement="PD-ORS with G > 1 of (30) is (6 G/delta) max_r(1, ln(U^r/L))-competitive.",
    readings=_readings(gain_30),
    regimes=_REGIMES,
    strategy=_CASES,
    planted=(Planted("a hundredth of the ratio", at(ratio, gain=gain_30, share=Fraction(1, 100))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem6_ratio_repaired",
)

CLAIMS = table(THEOREM5, THEOREM6)
