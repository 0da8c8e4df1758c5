"""Section III-E: the solution space with gangs, and whether a rule can keep a sublinear regret.

Two solution spaces are judged. The printed one asks only that at least m_l tasks of each port get something, sum y > 0.
The one that the text describes, all or nothing: a port launches with at least m_l tasks or not at all, and a task that
starts gets at least its minimum (``minimum`` of the instance's tasks; a started task with no minimum has no best y).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product
from operator import add, le

from hypothesis import strategies as st

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.strategies import multiserver_gangs as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_gangs import Game
from schedproof.proofs_checks.strategies.multiserver_runs import ONE
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import bound39, bounds

Started = tuple[bool, ...]  # which tasks get something, port by port
Row = tuple[Fraction, ...]
LN2 = Fraction(694, 1000)  # at least ln 2

# --- the solution space -----------------------------------------------------------------------------------------------


def printed_set(case: OfInstance) -> Answer:
    """The printed Y is not convex: for two of its sets of tasks, midpoints have a set that is not among them.

    The amounts (5), (6) are convex, and the tasks with sum y > 0 at a midpoint are those of either end: Y is convex
    exactly if with any two sets of tasks their union is allowed. Measured is the number of pairs for which it is not.
    """
    found = _forbidden_unions(case.instance)
    return Outside("TODO") if found is None else Finding(found, ONE, "at least", "unions that are not allowed")


def all_or_nothing(case: OfInstance) -> Answer:
    """With all or nothing, Y is not convex as soon as some launch is possible. Measured is how many launches are."""
    found = _possible(case.instance)
    return Finding(found, ONE, "at least", "launches") if found else Outside("TODO")


ALL_OR_NOTHING_PROOF = Proof(
    """
    Take a launch that is possible and give each of its tasks exactly its minimum b > 0. This y and 0 are in Y, and y/2
    is not, as the same tasks have started with b/2 < b.
    """,
    answers={"TODO": "TODO"},
)


def printed_convex(case: OfInstance) -> Answer:
    """The printed Y is convex."""
    found = _forbidden_unions(case.instance)
    return Outside("TODO") if found is None else Finding(found, ZERO, "at most", "unions that are not allowed")


PRINTED_CONVEX_PROOF = Proof(
    """
    0 <= y <= a and the capacities are convex. At a point between y and z a task has sum y > 0 exactly if it has at y or
    at z, so that each port has at least as many such tasks as at y: at least m_l.
    """,
    answers={"TODO": "TODO"},
)


def _by_half(case: OfInstance) -> Answer:
    """False: y/2 is in Y with y."""
    found = _possible(case.instance)
    return Finding(found, ZERO, "at most", "launches") if found else Outside("TODO")


def _forbidden_unions(instance: Instance) -> Fraction | None:
    allowed = printed(instance)
    unions = {tuple(a or b for a, b in zip(one, other, strict=True)) for one in allowed for other in allowed}
    return Fraction(len(unions - set(allowed))) if allowed else None


def _possible(instance: Instance) -> Fraction:
    return Fraction(sum(map(any, launches(instance))))


def by_port(instance: Instance, started: Started) -> list[Started]:
    """The tasks of each port."""
    ends = [sum(len(port.tasks) for port in instance.ports[:n]) for n in range(len(instance.ports) + 1)]
    return [started[a:b] for a, b in pairwise(ends)]


def subsets(instance: Instance) -> list[Started]:
    """Every set of tasks."""
    return list(product((False, True), repeat=sum(len(port.tasks) for port in instance.ports)))


def enough(instance: Instance, started: Started, or_none: bool) -> bool:
    """Whether at least m_l tasks of each port get something, or perhaps none."""
    rows = zip(by_port(instance, started), instance.ports, strict=True)
    return all(sum(row) >= port.minimum_tasks or (or_none and not any(row)) for row, port in rows)


def printed(instance: Instance) -> list[Started]:
    """The sets of tasks that may be those with sum y > 0: at least m_l of each port, with as little as one likes."""
    return [started for started in subsets(instance) if enough(instance, started, or_none=False)]


def launches(instance: Instance) -> list[Started]:
    """All or nothing: none or at least m_l tasks of each port, whose minima fit the node together."""
    need = [task.minimum["gpu"] for port in instance.ports for task in port.tasks]

    def fits(started: Started) -> bool:
        return sum(a for a, there in zip(need, started, strict=True) if there) <= instance.nodes[0].capacity["gpu"]

    return [started for started in subsets(instance) if enough(instance, started, or_none=True) and fits(started)]


def launched(case: OfInstance) -> list[tuple[bool, ...]]:
    """Of each launch, which ports are in it."""
    return [tuple(map(any, by_port(case.instance, launch))) for launch in launches(case.instance)]


def contend(case: OfInstance) -> bool:
    """Whether there are launches of each port, but none of both."""
    found = launched(case)
    return (True, False) in found and (False, True) in found and (True, True) not in found


# --- the regret -------------------------------------------------------------------------------------------------------


def any_rule(case: Game, claimed: int = 3) -> Answer:
    """All or nothing: with four times the slots the value of the game is less than three times as large.

    If two ports cannot both launch, let the one come that has not: the rule earns 0, and one of the two came in half of
    the slots. So the value is at least T/2 times what the lesser of them earns, and it is linear in T.
    """
    if case.slots is None:
        return Outside("TODO")
    few, many = (game(case.instance, case.slots * n) for n in (1, 4))
    return Finding(many, claimed * few, "at most", "the values of the game with 4 n slots, with n")


def printed_rule(case: Game, share: Fraction = ONE) -> Answer:
    """In the printed Y the rule (1 - 1/T) y(t) + y0/T has regret at most (39) + W, y(t) being OGA's on the closure.

    y0 is a point of Y, W the range of a slot's reward. Gains are linear here, so that a task counts as a port; measured
    is the sum of g_t (y - y(t)) for the best y. (The step, rounded down to 1 - 2^-20 of it, costs a factor 1 + 2^-20.)
    """
    if case.slots is not None or not printed(case.instance):
        return Outside("TODO")
    tasks = as_ports(case.instance)
    least = [[min(task.demand["gpu"] for task in port.tasks) / 9 / len(port.tasks)] for port in tasks.ports]
    wide, steep = bounds(tasks)
    run = oga.play(tasks, least, oga.constant(oga.root_below(wide / (steep * tasks.horizon))))
    part = Fraction(1, tasks.horizon)
    played = [oga.add(oga.scaled(1 - part, y), oga.scaled(part, least)) for y in run.decided]
    weight = oga.add(*run.gradients)
    lost = oga.dot(weight, oga.best_linear(tasks, weight)) - sum(map(oga.dot, run.gradients, played), ZERO)
    ones = [[ONE]] * len(tasks.ports)
    largest = oga.dot(oga.best_linear(tasks, ones), ones)
    most = (1 + 1 / oga.SHORT) / 2 * oga.root_above(bound39(tasks)) + largest
    return Finding(lost, share * most, "at most", "the regret's bound, and (39) + W")


PRINTED_RULE_PROOF = Proof(
    """
    Let y0 be in Y. Each y of (5) and (6) becomes a point of Y when it is moved towards y0, as the tasks that get
    something at y0 get something then: (5) and (6) are the closure of Y. It is convex, and the reward is concave in the
    amounts of all tasks together, a port's totals being sums. So theorem1_constant holds on the closure, against its
    best point, which no point of Y beats. The rule's points are in Y, and by concavity a slot's reward is at least (1 -
    1/T) q(y(t)) + q(y0)/T, at most W/T less than q(y(t)).
    """,
    answers={"TODO": "TODO"},
)


def weights(case: Game, share: Fraction = ONE) -> Finding:
    """Multiplicative weights over N launches: the expected regret is at most W (e T/2 + ln N/e) for any rate e > 0.

    q is in [0, W]. A launch is drawn with probability proportional to its weight, which grows by the factor 1 + e q/W.
    With e = sqrt(2 ln N/T) this is W sqrt(2 T ln N). Where a launch leaves amounts open, each launch has its own OGA on
    its convex part of Y, whose regret (39) is added. The trajectory does not depend on the draws.
    """
    instance, rate = case.instance, case.rate
    assert rate is not None
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


WEIGHTS_PROOF = Proof(
    """
    Let g_i = q/W of launch i, E the expected sum of g, Phi the sum of weights. In a slot Phi grows by 1 + e (p g) <=
    exp(e p g), so that ln Phi <= ln N + e E at the end; and ln Phi >= sum ln(1 + e g_i) >= sum (e g_i - e^2 g_i^2/2).
    So sum g_i - E <= ln N/e + e T/2. With OGA inside, compare with the launch of the best fixed allocation: its OGA
    earns at most D G sqrt(T) less than that, by theorem1_constant on the launch's part of Y, a closed convex set.
    """,
    answers={"TODO": "TODO"},
)


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
    best = [row for row in rows if not any(row != other and all(map(le, row, other)) for other in rows)]
    return _value(tuple(sorted(best)), slots)


@lru_cache(maxsize=256)
def _value(options: tuple[Row, ...], slots: int) -> Fraction:
    arrivals = list(product((0, 1), repeat=len(options[0])))

    @cache
    def value(left: int, counts: tuple[int, ...], earned: Fraction) -> Fraction:
        if not left:
            return max(weighed(row, counts) for row in options) - earned
        after = [(x, tuple(map(add, counts, x))) for x in arrivals]
        return min(max(value(left - 1, now, earned + weighed(row, x)) for x, now in after) for row in options)

    return value(slots, (0,) * len(options[0]), ZERO)


def as_ports(instance: Instance) -> Instance:
    """Each task a port of its own, which comes when its port does."""
    value = to_json(instance)
    ports = [(p, task) for p, port in enumerate(value["ports"]) for task in port["tasks"]]
    value["ports"] = [
        {"name": f"t{n}", "demand": task["demand"], "nodes": value["ports"][p]["nodes"], "tasks": [task]}
        for n, (p, task) in enumerate(ports)
    ]
    return from_json(value | {"arrivals": [[row[p] for p, _ in ports] for row in value["arrivals"]]})


REGIMES = (
    Regime("two ports that cannot both launch", contend),
    Regime[OfInstance](
        "a port may leave a task out", lambda c: any(0 < p.minimum_tasks < len(p.tasks) for p in c.instance.ports)
    ),
    Regime[OfInstance]("a port that cannot launch", lambda c: not all(map(any, zip(*launched(c), strict=True)))),
)
HALF_IN_Y = FalseVariant("with all or nothing it is convex", _by_half)
ALL_OR_NOTHING = Reading(
    "all or nothing",
    "None or m_l tasks of a port; a started task gets its minimum.",
    all_or_nothing,
    proof=ALL_OR_NOTHING_PROOF,
)
NONCONVEX = Claim(
    id="multiserver.gang_nonconvex",
    source=ZHAO24.at("section III-E"),
    statement="With gang scheduling Y is no longer a convex set.",
    readings=(Reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", printed_set), ALL_OR_NOTHING),
    domain=Domain(OfInstance, draw.gang_cases(), REGIMES),
    false_variants=(HALF_IN_Y,),
    repair=Repair(
        statement="The printed Y is convex, though not closed; with all or nothing it is not, if a launch is possible.",
        readings=(
            Reading(
                "the printed Y",
                "At least m_l tasks of each port have sum y > 0.",
                printed_convex,
                proof=PRINTED_CONVEX_PROOF,
            ),
            ALL_OR_NOTHING,
        ),
        false_variants=(HALF_IN_Y, FalseVariant("the printed is not", printed_set)),
        small=True,
    ),
)
MANY_SLOTS = Regime[Game]("many slots", lambda case: case.instance.horizon > 6)
SUBLINEAR = Claim(
    id="multiserver.gang_sublinear",
    source=ZHAO24.at("section III-E"),
    statement="With gangs a deterministic rule of (sub)gradient ascent or mirror ascent retains a sublinear regret.",
    readings=(
        Reading("all or nothing", "None or m_l tasks of a port, with their minima; any deterministic rule.", any_rule),
        Reading(
            "the printed Y",
            "At least m_l tasks of each port have sum y > 0, in each slot.",
            printed_rule,
            proof=PRINTED_RULE_PROOF,
        ),
    ),
    domain=Domain(
        Game,
        st.one_of(draw.games(), draw.drawn()),
        (*REGIMES, Regime[Game]("a game", lambda case: case.slots is not None), MANY_SLOTS),
    ),
    false_variants=(
        FalseVariant("the value does not grow", with_settings(any_rule, claimed=1)),
        FalseVariant("a fifth of it, as printed", with_settings(printed_rule, share=Fraction(1, 5))),
    ),
    repair=Repair(
        statement="With all or nothing a randomised rule, multiplicative weights over the N launches (mirror ascent "
        "with the entropy) with OGA within each, has an expected regret of at most W sqrt(2 T ln N) + D G sqrt(T), W "
        "the range of a slot's reward.",
        readings=(
            Reading(
                "fixed amounts",
                "Each task gets its demand or nothing, as in the trials; any rate.",
                weights,
                proof=WEIGHTS_PROOF,
            ),
        ),
        domain=Domain(Game, draw.drawn(), (*REGIMES, MANY_SLOTS)),
        false_variants=(FalseVariant("a third of it", with_settings(weights, share=Fraction(1, 3))),),
        small=True,
    ),
)
