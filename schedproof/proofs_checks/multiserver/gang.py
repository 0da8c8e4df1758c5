"""Section III-E: the solution space with gangs, and sublinear regret.

Two solution spaces are judged. The printed space requires only that at least m_l tasks of each port have sum y > 0. The
text describes all or nothing: a port launches with at least m_l tasks or not at all, and each started task gets at
least its minimum. The minimum is ``minimum`` of the instance's tasks; without a minimum, a started task has no best y.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product
from operator import add, le

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.strategies import multiserver_gangs as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_gangs import Game
from schedproof.proofs_checks.strategies.multiserver_runs import ONE
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import bound39, bounds

LINEAR_GAIN: Premise[OfInstance] = Premise(
    "the gain is linear, so that tasks can be taken apart", lambda case: case.instance.utilities["gpu"].kind == "linear"
)

GANGS: Premise[OfInstance] = Premise(
    "gang scheduling: some port has tasks", lambda case: any(port.tasks for port in case.instance.ports)
)
LAUNCHABLE: Premise[OfInstance] = Premise("a launch is possible", lambda case: any(map(any, launches(case.instance))))
CONTENTION: Premise[OfInstance] = Premise("two ports that cannot both launch", lambda case: contend(case))

Started = tuple[bool, ...]  # which tasks get something, port by port


def by_port(instance: Instance, started: Started) -> list[Started]:
    ends = [sum(len(port.tasks) for port in instance.ports[:n]) for n in range(len(instance.ports) + 1)]
    return [started[a:b] for a, b in pairwise(ends)]


def subsets(instance: Instance) -> list[Started]:
    return list(product((False, True), repeat=sum(len(port.tasks) for port in instance.ports)))


def enough(instance: Instance, started: Started, or_none: bool) -> bool:
    """Whether each port has at least m_l started tasks, or none if allowed."""
    rows = zip(by_port(instance, started), instance.ports, strict=True)
    return all(sum(row) >= port.minimum_tasks or (or_none and not any(row)) for row, port in rows)


def launches(instance: Instance) -> list[Started]:
    """Launches: per port, no task or at least m_l tasks, whose minima fit the node."""
    need = [task.minimum["gpu"] for port in instance.ports for task in port.tasks]

    def fits(started: Started) -> bool:
        taken = [a for a, there in zip(need, started, strict=True) if there]
        return not taken or sum(taken) <= instance.nodes[0].capacity["gpu"]

    return [started for started in subsets(instance) if enough(instance, started, or_none=True) and fits(started)]


def launch_ports(case: OfInstance) -> list[tuple[bool, ...]]:
    return [tuple(map(any, by_port(case.instance, launch))) for launch in launches(case.instance)]


def contend(case: OfInstance) -> bool:
    result = launch_ports(case)
    return (True, False) in result and (False, True) in result and (True, True) not in result


REGIMES = (
    Regime("two ports that cannot both launch", contend),
    Regime[OfInstance](
        "a port may leave a task out", lambda c: any(0 < p.minimum_tasks < len(p.tasks) for p in c.instance.ports)
    ),
    Regime[OfInstance]("a port that cannot launch", lambda c: not all(map(any, zip(*launch_ports(c), strict=True)))),
)

NONCONVEX = Claim(
    "multiserver.gang_nonconvex",
    ZHAO24.at("section III-E"),
    "With gang scheduling Y is no longer a convex set.",
    Domain(OfInstance, draw.gang_cases(), REGIMES),
    severity="slip",
)
REPAIRED = NONCONVEX.repair(
    "The printed Y is convex, but not closed. With all or nothing it is not convex, if a launch is possible.",
    small=True,
)


@NONCONVEX.reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", where=(GANGS,))
@REPAIRED.false_variant("the printed is not")
def printed_set(case: OfInstance) -> Finding:
    """The printed Y is not convex: midpoints can have a forbidden set of tasks.

    (5) and (6) are convex, and the tasks with sum y > 0 at a midpoint are those of either end. So Y is convex exactly
    if the union of any two allowed sets of tasks is allowed. The measured value is the number of pairs of sets whose
    union is not allowed.
    """
    return Finding(_forbidden_unions(case.instance), ONE, "at least", "unions that are not allowed")


PRINTED_CONVEX_PROOF = """
The constraints 0 <= y <= a and the capacities are convex. At a point between y and z a task has a positive sum exactly
if its sum is positive at y or at z. So each port has at least as many such tasks as at y, which is at least m_l.
Coq, core: rows.v printed_gang_convex. Outside: the linear rows of the printed Y, and that it is not closed. Bounds and
capacities are linear (proposition1_convex).
- *An indicator in a constraint is not convex.* A set of the form f >= m is convex if f does not fall along mixtures.
Here f at a midpoint is at least f at both ends.
- *Y is not closed.* Convexity does not require it; a best allocation may not exist.
"""


@REPAIRED.reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", PRINTED_CONVEX_PROOF)
def printed_convex(case: OfInstance) -> Finding:
    return Finding(_forbidden_unions(case.instance), ZERO, "at most", "unions that are not allowed")


ALL_OR_NOTHING_PROOF = """
Take a possible launch and give each of its tasks exactly its minimum b > 0. This y and 0 are in Y. y/2 is not in Y, as
the same tasks have started with b/2 < b.
Coq, core: rows.v all_or_nothing_not_convex. Outside: that the set of all or nothing has the gap below its minimum. A
possible launch gives some task exactly its minimum b.
- *Tasks might have no minimum.* Then a started task may get any positive amount, no best allocation exists, and Y is
the printed set.
- *y/2 might be read as a launch of fewer tasks.* No task of y/2 has 0, so all of them have started.
"""


@NONCONVEX.reading(
    "all or nothing",
    "0 or m_l tasks of a port; a started task gets its minimum; a launch is possible.",
    ALL_OR_NOTHING_PROOF,
    also=REPAIRED,
    where=(LAUNCHABLE,),
)
@NONCONVEX.false_variant("with all or nothing it is convex", convex=True, also=REPAIRED)
def all_or_nothing(case: OfInstance, convex: bool = False) -> Answer:
    """The number of launches; if there are several, Y is not convex."""
    if not LAUNCHABLE.met(case):
        return Outside(LAUNCHABLE)
    result = Fraction(sum(map(any, launches(case.instance))))
    return Finding(result, ZERO if convex else ONE, "at most" if convex else "at least", "launches")


def _forbidden_unions(instance: Instance) -> Fraction:
    allowed = printed_sets(instance)
    unions = {tuple(a or b for a, b in zip(one, other, strict=True)) for one in allowed for other in allowed}
    return Fraction(len(unions - set(allowed)))


def printed_sets(instance: Instance) -> list[Started]:
    """The sets of tasks with sum y > 0: at least m_l of each port.

    Each amount may be arbitrarily small.
    """
    return [started for started in subsets(instance) if enough(instance, started, or_none=False)]


DETERMINISTIC = Claim(
    "multiserver.gang_deterministic",
    ZHAO24.at("section III-E, for a deterministic rule such as (31)"),
    "With all or nothing and two ports that cannot both launch, every deterministic rule has a regret of "
    "at least T v w/(v + w), linear in T. Here v and w are the rewards of the two launches.",
    Domain(Game, draw.games(), (*REGIMES[:2], Regime[Game]("several slots", lambda case: (case.slots or 0) > 2))),
)

ANY_RULE_PROOF = """
Let the port come that the rule has not launched (any port, if it launched none). So the rule earns 0 in every slot. If
the first port came n times, the better of the two fixed launches earns max(n v, (T - n) w). This is least if both are
equal, and then it is T v w/(v + w). The argument holds for every way of computing the launch and its allocation.
Coq, core: rows.v gang_deterministic. Outside: the rule, its launches and its regret. The launch of a deterministic rule
is known before the slot, so the adversary sends a job of the port that is not launched. In the theorem, n of T jobs are
of the first port.
- *A rule may learn the pattern.* No such rule exists: the trajectory is made from the rule itself. The rule is
deterministic, so the adversary knows its next launch.
- *The bound does not hold for randomised rules.* True: `gang_sublinear` has a randomised rule with sublinear regret.
"""


@DETERMINISTIC.reading(
    "the game",
    "The rule may depend on everything before the slot.",
    ANY_RULE_PROOF,
    where=(CONTENTION,),
)
@DETERMINISTIC.false_variant("eleven tenths of it", share=Fraction(11, 10))
def any_rule(case: Game, share: Fraction = ONE) -> Answer:
    """Every deterministic rule has regret at least T v w/(v + w).

    v and w are the largest rewards of a launch of the two ports, with gain y and no overhead.
    """
    assert case.slots is not None
    if not contend(case):
        return Outside(CONTENTION)
    v, w = map(max, zip(*(earnings(case.instance, launch) for launch in launches(case.instance)), strict=True))
    least = share * case.slots * v * w / (v + w or ONE)  # nobody earns anything where both are 0
    return Finding(game(case.instance, case.slots), least, "at least", "the value of the game, and T v w/(v + w)")


Row = tuple[Fraction, ...]


def earnings(instance: Instance, launch: Started) -> Row:
    """Each port's reward in its slots, for the demands of its started tasks."""
    gain, overhead = instance.utilities["gpu"], instance.overhead["gpu"]
    given = (
        sum((task.demand["gpu"] for task, there in zip(port.tasks, row, strict=True) if there), ZERO)
        for port, row in zip(instance.ports, by_port(instance, launch), strict=True)
    )
    return tuple(gain.value(amount)[0] - overhead * amount for amount in given)


def game(instance: Instance, slots: int) -> Fraction:
    """The least regret that a deterministic rule can guarantee, by enumeration.

    Every rule and every trajectory is tried. In each slot the rule chooses a launch and gives its tasks all that they
    may get; then the adversary chooses the arriving ports.
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
            return max(launch_value(row, counts) for row in options) - earned
        after = [(x, tuple(map(add, counts, x))) for x in arrivals]
        return min(max(value(left - 1, now, earned + launch_value(row, x)) for x, now in after) for row in options)

    return value(slots, (0,) * len(options[0]), ZERO)


def launch_value(row: Row, counts: tuple[int, ...]) -> Fraction:
    return sum((w * n for w, n in zip(row, counts, strict=True)), ZERO)


SUBLINEAR = Claim(
    "multiserver.gang_sublinear",
    ZHAO24.at("section III-E"),
    "With gangs, and at most one job per port and slot as in (3), an online algorithm of subgradient "
    "ascent and mirror ascent has a sublinear regret. In the printed Y with a linear gain, it is at most "
    "(39), each task counted as a port, + W. With all or nothing and the demand for each started task, it is at "
    "most W (e T/2 + ln N/e) in expectation, at any rate e > 0. N is the number of launches, and W the range of a "
    "slot's reward.",
    Domain(
        Game,
        draw.rated_games(),
        (
            *REGIMES,
            Regime[Game]("many slots", lambda case: case.instance.horizon > 6),
            Regime[Game]("fewer slots than 2 ln N", lambda c: c.instance.horizon == 1 < len(launches(c.instance))),
            Regime[Game](
                "a negative reward",
                lambda c: reward_range([earnings(c.instance, n) for n in launches(c.instance)])[0] < 0,
            ),
        ),
        (Premise("(3): at most one job per port and slot", lambda case: case.instance.arrivals.max() <= 1),),
    ),
)

LN2 = Fraction(694, 1000)  # at least ln 2

PRINTED_RULE_PROOF = """
Let y0 be in Y. Each y of (5) and (6) becomes a point of Y if it moves towards y0, as tasks with a positive amount at y0
then have a positive amount. So (5) and (6) are the closure of Y. The closure is convex, and the reward is concave in
the amounts of all tasks together, as a port's totals are sums. So theorem1_constant holds on the closure, against its
best point. This point is at least as good as every point of Y. The rule's points are in Y. By concavity a slot's reward
is at least (1 - 1/T) q(y(t)) + q(y0)/T, at most W/T less than q(y(t)).
- *Y is not closed, so a best fixed y need not exist in it.* The regret is bounded against the best point of the
closure, which earns at least as much.
- *In Y a task may start with almost no resources.* The formula allows such a start; so the other reading is judged too.
- *m_l(t) may change with t.* Then the formula's Y changes as well; y0 with every task started is in each such Y.
"""


@SUBLINEAR.reading(
    "the printed Y",
    "At least m_l tasks of each port have sum y > 0, in each slot: OGA, mixed with a point of Y.",
    PRINTED_RULE_PROOF,
    where=(LINEAR_GAIN,),
)
@SUBLINEAR.false_variant("a third of it, the printed Y", share=Fraction(1, 3))
def printed_rule(case: Game, share: Fraction = ONE) -> Answer:
    """In the printed Y, the rule (1 - 1/T) y(t) + y0/T has regret at most (39) + W.

    y(t) is OGA's on the closure, y0 a point of Y, W the range of a slot's reward. With a linear gain a task counts as
    a port. The measured value is the sum of g_t (y - y(t)) for the best y. The step, rounded down to 1 - 2^-20 of it,
    costs a factor 1 + 2^-20.
    """
    gain = case.instance.utilities["gpu"]
    if gain.kind != "linear":
        return Outside(LINEAR_GAIN)
    tasks = as_ports(case.instance)
    least = [[min(task.demand["gpu"] for task in port.tasks) / 9 / len(port.tasks)] for port in tasks.ports]
    wide, steep = bounds(tasks)
    run = oga.play(tasks, least, oga.constant(oga.root_below(wide / (steep * tasks.horizon))))
    part = Fraction(1, tasks.horizon)
    played = [oga.add(oga.multiple(1 - part, y), oga.multiple(part, least)) for y in run.decided]
    weight = oga.add(*run.gradients)
    lost = oga.dot(weight, oga.best_linear(tasks, weight)) - sum(map(oga.dot, run.gradients, played), ZERO)
    ones = [[ONE]] * len(tasks.ports)
    range_ = abs(gain.alpha - case.instance.overhead["gpu"]) * oga.dot(oga.best_linear(tasks, ones), ones)
    limit = (1 + 1 / oga.SHORT) / 2 * oga.root_above(bound39(tasks)) + range_
    return Finding(lost, share * limit, "at most", "the regret's bound, and (39) of tasks as ports + W")


WEIGHTS_PROOF = """
Let w be the least reward of a slot. Let g_i = (q - w)/W in [0, 1] for launch i, E the expected sum of g, and Phi the
sum of weights, which all stay positive. In a slot Phi grows by the factor 1 + e (p g) <= exp(e p g), so ln Phi <= ln
N + e E at the end. Also ln Phi >= sum ln(1 + e g_i) >= sum (e g_i - e^2 g_i^2/2), as ln(1 + a) >= a - a^2/2 for a >= 0.
So sum g_i - E <= ln N/e + e T/2 for each i. Multiplied by W this is the regret, in which w cancels.
- *A launch may leave amounts open.* The statement gives each task its demand. With OGA inside each launch, its regret
on the launch's part of Y, a closed convex set, is added (theorem1_constant).
- *Rewards may be negative, and a weight with them.* A weight is negative only if w is omitted: 1 + e q/W is below 0 if
q < -W/e, for example for T < 2 ln N and the best e. With w the factors are at least 1.
- *The regret (11) has no expectation.* A deterministic rule needs no expectation, and no deterministic rule is
sublinear (`gang_deterministic`). The sentence does not state that the algorithm is deterministic.
- *N is exponential in the number of tasks.* The sentence claims a regret, no running time; ln N is at most the number
of tasks times ln 2.
"""


@SUBLINEAR.reading(
    "all or nothing",
    "0 or m_l tasks of a port, with their minima: launches drawn by multiplicative weights (mirror ascent"
    " with the entropy). Each task gets its demand or 0; any rate.",
    WEIGHTS_PROOF,
)
@SUBLINEAR.false_variant("half of it, all or nothing", share=Fraction(1, 2))
def weights(case: Game, share: Fraction = ONE) -> Finding:
    """Multiplicative weights over N launches: expected regret <= W (e T/2 + ln N/e).

    This holds for any rate e > 0. A slot's reward q is in [w, w + W]. A launch is drawn with probability proportional
    to its weight, which grows by the factor 1 + e (q - w)/W. With e = sqrt(2 ln N/T) the bound is W sqrt(2 T ln N). If
    a launch leaves amounts open, it has its own OGA on its convex part of Y, whose regret (39) is added. The
    trajectory does not depend on the draws.
    """
    instance, rate = case.instance, case.rate
    assert rate is not None
    options = [earnings(instance, launch) for launch in launches(instance)]
    low, high = reward_range(options)
    weight, expected, totals = [ONE] * len(options), ZERO, [ZERO] * len(options)
    for x in map(tuple, instance.arrivals.tolist()):
        earned = [launch_value(row, x) for row in options]
        expected += sum((w * q for w, q in zip(weight, earned, strict=True)), ZERO) / sum(weight)
        totals = [a + q for a, q in zip(totals, earned, strict=True)]
        weight = [w * (1 + rate * (q - low) / (high - low or ONE)) for w, q in zip(weight, earned, strict=True)]
    logarithm = LN2 * (len(options) - 1).bit_length()
    limit = (high - low) * (rate * instance.horizon / 2 + logarithm / rate)
    return Finding(max(totals) - expected, share * limit, "at most", "the expected regret, and its bound")


def as_ports(instance: Instance) -> Instance:
    value = to_json(instance)
    ports = [(p, task) for p, port in enumerate(value["ports"]) for task in port["tasks"]]
    value["ports"] = [
        {"name": f"t{n}", "demand": task["demand"], "nodes": value["ports"][p]["nodes"], "tasks": [task]}
        for n, (p, task) in enumerate(ports)
    ]
    return from_json(value | {"arrivals": [[row[p] for p, _ in ports] for row in value["arrivals"]]})


def reward_range(options: list[Row]) -> tuple[Fraction, Fraction]:
    least = (sum((min(q, ZERO) for q in row), ZERO) for row in options)
    return min(least), max(sum((max(q, ZERO) for q in row), ZERO) for row in options)
