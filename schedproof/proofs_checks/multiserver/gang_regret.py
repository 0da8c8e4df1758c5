"""Gang scheduling, section III-E: can a rule keep a sublinear regret? Claim gang_sublinear."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.multiserver.gang import REGIMES, Started, by_port, gang_cases, launches, printed
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.oga import ZERO, add, best_linear, constant, dot, play, scaled
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter51, norm48
from schedproof.proofs_checks.multiserver.roots import SHORT, root_above, root_below
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, table

ONE, LN2 = Fraction(1), Fraction(694, 1000)  # at least ln 2
Row = tuple[Fraction, ...]

# --- deterministic rules ---------------------------------------------------------------------------------------------


def earnings(instance: Instance, launch: Started) -> Row:
    """What each port earns when it comes: the demands of its tasks that started."""
    return tuple(
        sum((task.demand["gpu"] for task, there in zip(port.tasks, row, strict=True) if there), ZERO)
        for port, row in zip(instance.ports, by_port(instance, launch), strict=True)
    )


def weighed(row: Row, counts: tuple[int, ...]) -> Fraction:
    """What a launch earns when the ports come so often."""
    return sum((w * n for w, n in zip(row, counts, strict=True)), ZERO)


def game(instance: Instance, slots: int) -> Fraction:
    """The least regret that a deterministic rule can guarantee: every rule and every trajectory is tried.

    In each slot the rule chooses a launch, and gives its tasks all they may get; then the ports are chosen that come.
    """
    rows = {earnings(instance, launch) for launch in launches(instance)}
    return _value(tuple(sorted(row for row in rows if not any(_below(row, other) for other in rows))), slots)


def _below(row: Row, other: Row) -> bool:
    return row != other and all(a <= b for a, b in zip(row, other, strict=True))


@lru_cache(maxsize=256)
def _value(options: tuple[Row, ...], slots: int) -> Fraction:
    arrivals = list(product((0, 1), repeat=len(options[0])))

    @cache
    def value(left: int, counts: tuple[int, ...], earned: Fraction) -> Fraction:
        if not left:
            return max(weighed(row, counts) for row in options) - earned
        return min(max(value(left - 1, plus(counts, x), earned + weighed(row, x)) for x in arrivals) for row in options)

    return value(slots, (0,) * len(options[0]), ZERO)


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The sum."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def any_rule(case: Case, claimed: int = 3) -> Finding | None:
    """All or nothing: with four times the slots the value of the game is less than three times as large.

    If two ports cannot both launch, let the one come that has not: the rule earns 0, and one of the two came in half of
    the slots. So the value is at least T/2 times what the lesser of them earns, and it is linear in T.
    """
    if "slots" not in case.data:
        return None
    few, many = (game(case.instance, case.data["slots"] * n) for n in (1, 4))
    return Finding(many, claimed * few, "at most", "the values of the game with 4 n slots, with n")


def printed_rule(case: Case, share: Fraction = ONE) -> Finding | None:
    """In the printed Y the rule (1 - 1/T) y(t) + y0/T has regret at most (39) + W, y(t) being OGA's on the closure.

    y0 is a point of Y, W the range of a slot's reward. Gains are linear here, so that a task counts as a port; measured
    is the sum of g_t (y - y(t)) for the best y. (The step, rounded down to 1 - 2^-20 of it, costs a factor 1 + 2^-20.)

    Proof
    -----
    Let y0 be in Y. Each y of (5) and (6) becomes a point of Y when it is moved towards y0, as the tasks that get
    something at y0 get something then: (5) and (6) are the closure of Y. It is convex, and the reward is concave in the
    amounts of all tasks together, a port's totals being sums. So theorem1_constant holds on the closure, against its
    best point, which no point of Y beats. The rule's points are in Y, and by concavity a slot's reward is at least (1 -
    1/T) q(y(t)) + q(y0)/T, at most W/T less than q(y(t)).
    """
    instance = case.instance
    if "slots" in case.data or not printed(instance):
        return None
    tasks = as_ports(instance)
    least = [[min(task.demand["gpu"] for task in port.tasks) / 9 / len(port.tasks)] for port in tasks.ports]
    step = root_below(diameter51(tasks) / (norm48(tasks) * tasks.horizon))
    run = play(tasks, least, constant(step))
    part = Fraction(1, tasks.horizon)
    played = [add(scaled(1 - part, y), scaled(part, least)) for y in run.decided]
    weight = add(*run.gradients)
    lost = dot(weight, best_linear(tasks, weight)) - sum(map(dot, run.gradients, played), ZERO)
    largest = dot(best_linear(tasks, [[ONE]] * len(tasks.ports)), [[ONE]] * len(tasks.ports))
    most = (1 + 1 / SHORT) / 2 * root_above(bound39(tasks)) + largest
    return Finding(lost, share * most, "at most", "the regret's bound, and (39) + W")


def as_ports(instance: Instance) -> Instance:
    """Each task a port of its own, which comes when its port does."""
    value = to_json(instance)
    ports = [(p, task) for p, port in enumerate(value["ports"]) for task in port["tasks"]]
    value["ports"] = [
        {"name": f"t{n}", "demand": task["demand"], "nodes": value["ports"][p]["nodes"], "tasks": [task]}
        for n, (p, task) in enumerate(ports)
    ]
    return from_json(value | {"arrivals": [[row[p] for p, _ in ports] for row in value["arrivals"]]})


# --- a randomised one ------------------------------------------------------------------------------------------------


def weights(case: Case, share: Fraction = ONE) -> Finding:
    """Multiplicative weights over N launches: the expected regret is at most W (e T/2 + ln N/e) for any rate e > 0.

    q is in [0, W]. A launch is drawn with probability proportional to its weight, which grows by the factor 1 + e q/W.
    With e = sqrt(2 ln N/T) this is W sqrt(2 T ln N). Where a launch leaves amounts open, each launch has its own OGA on
    its convex part of Y, whose regret (39) is added. The trajectory does not depend on the draws.

    Proof
    -----
    Let g_i = q/W of launch i, E the expected sum of g, Phi the sum of weights. In a slot Phi grows by 1 + e (p g) <=
    exp(e p g), so that ln Phi <= ln N + e E at the end; and ln Phi >= sum ln(1 + e g_i) >= sum (e g_i - e^2 g_i^2/2).
    So sum g_i - E <= ln N/e + e T/2. With OGA inside, compare with the launch of the best fixed allocation: its OGA
    earns at most D G sqrt(T) less than that, by theorem1_constant on the launch's part of Y, a closed convex set.
    """
    instance, rate = case.instance, case.data["rate"]
    options = [earnings(instance, launch) for launch in launches(instance)]
    top = max(sum(row, ZERO) for row in options) or ONE
    weight, expected, totals = [ONE] * len(options), ZERO, [ZERO] * len(options)
    for x in map(tuple, instance.arrivals.tolist()):
        earned = [weighed(row, x) for row in options]
        expected += sum((w * q for w, q in zip(weight, earned, strict=True)), ZERO) / sum(weight)
        totals = [a + q for a, q in zip(totals, earned, strict=True)]
        weight = [w * (1 + rate * q / top) for w, q in zip(weight, earned, strict=True)]
    logarithm = LN2 * (len(options) - 1).bit_length()
    most = top * (rate * instance.horizon / 2 + logarithm / rate)
    return Finding(max(totals) - expected, share * most, "at most", "the expected regret, and its bound")


@st.composite
def _games(pick: Any) -> Case:
    case = pick(gang_cases())
    return Case(case.instance, {"slots": pick(st.integers(1, 2))})


@st.composite
def _drawn(pick: Any) -> Case:
    """Trajectories of up to twelve slots, some with one port only."""
    case = pick(gang_cases(slots=pick(st.integers(1, 12))))
    rows = case.instance.arrivals.tolist()
    rows = [[1, 0] for _ in rows] if pick(st.booleans()) else rows
    instance = from_json(to_json(case.instance) | {"arrivals": rows})
    return Case(instance, {"rate": pick(st.sampled_from((Fraction(1, 4), Fraction(1, 2), ONE)))})


SUBLINEAR = Claim(
    id="multiserver.gang_sublinear",
    source="paper 002, section III-E",
    statement="With gangs a deterministic rule of (sub)gradient ascent or mirror ascent retains a sublinear regret.",
    readings=(
        Reading("all or nothing", "None or m_l tasks of a port, with their minima; any deterministic rule.", any_rule),
        Reading("the printed Y", "At least m_l tasks of each port have sum y > 0, in each slot.", printed_rule),
    ),
    regimes=(
        *REGIMES,
        of_data("a game", lambda d: "slots" in d),
        Regime("many slots", lambda c: c.instance.horizon > 6),
    ),
    strategy=st.one_of(_games(), _drawn()),
    planted=(
        Planted("the value does not grow", at(any_rule, claimed=1)),
        Planted("a fifth of it, as printed", at(printed_rule, share=Fraction(1, 5))),
    ),
    witnesses=WITNESSES,
    repaired_by="multiserver.gang_sublinear_repaired",
    small_repair=True,
)
SUBLINEAR_REPAIRED = Claim(
    id="multiserver.gang_sublinear_repaired",
    source="paper 002, section III-E, repaired",
    statement=(
        "With all or nothing a randomised rule, multiplicative weights over the N launches (mirror ascent with the "
        "entropy) with OGA within each, has an expected regret of at most W sqrt(2 T ln N) + D G sqrt(T), W the range "
        "of a slot's reward."
    ),
    readings=(Reading("fixed amounts", "Each task gets its demand or nothing, as in the trials; any rate.", weights),),
    regimes=(*REGIMES, Regime("many slots", lambda c: c.instance.horizon > 6)),
    strategy=_drawn(),
    planted=(Planted("a third of it", at(weights, share=Fraction(1, 3))),),
)

CLAIMS = table(SUBLINEAR, SUBLINEAR_REPAIRED)
