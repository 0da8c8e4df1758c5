"""Section III-C: tightness of Theorem 1's bound, and the choice of y(1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as points
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, ONE, Staircase, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Gain, Matrix, network, nothing, pairs, project
from schedproof.reference.multiserver_constants import PORTS, bounds, diameter, exact, farthest

CENTRED: Premise[Started] = Premise("Y is within diam(Y)/2 of y(1)", lambda case: is_centred(case))
FROM_NOTHING: Premise[Started] = Premise("y(1) = 0", lambda case: not any(map(any, case.start)))

TIGHT = Claim(
    "multiserver.worst_case_tight",
    ZHAO24.at("section III-C, (42), for the best step"),
    "For online projected ascent on closed convex sets Y within rho of y(1), gradients of norm at most G "
    "and the step rho/(G sqrt(T)), the worst regret is exactly rho G sqrt(T), for each T. rho = D = "
    "diam(Y) for some of these sets, D/2 for others.",
    Domain.of(
        Staircase,
        draw.staircases(),
        {
            "from the centre": lambda case: case.start == HALF,
            "from a corner": lambda case: case.start == 0,
            "many slots": lambda case: case.slots > 5,
            "turned axes": lambda case: any(case.turns),
        },
    ),
)

TIGHT_PROOF = """
The upper bound is (42) with its best step, for every y(1) in Y; |y(1) - y*| <= rho replaces diam(Y) in (41). It is
attained as follows. Let g_1, ..., g_T be orthogonal, of length G, and e = rho/(G sqrt(T)). Without a projection y(t) =
y(1) + e (g_1 + ... + g_(t-1)). Take y* = y(1) + e sum g_t. Then g_t (y* - y(t)) = e G^2 for each t, and R = T e G^2 =
rho G sqrt(T). It remains to give a Y that contains all these points and no point farther than rho from y(1). An example
of Y is the ball with the diameter from y(1) to y*. Each y(t) is at distance e G sqrt(T)/2 from its centre, and rho = D.
Others are cubes with sides along the g_t; each slot moves along another side. From a corner with sides of e G, rho = D.
From the centre with sides of 2 e G, rho = D/2. Such a cube is Y for T ports on separate nodes with c = a. Each port
comes once, with a linear gain and no overhead.
- *G of Theorem 1 is over all arrivals, and longer if several ports come at once.* So the bound is attained in (5), (6)
if at most one job comes a slot, or with the step of the largest norm so far. With G over all arrivals it is attained
for T = 1. For each T >= 4 it is attained up to a factor of 2 (theta_gap_repaired); whether it is attained exactly is
unknown.
- *The instance grows with T.* Yes: in a fixed dimension n < T not all gradients are orthogonal. The claim is about the
class of all Y of diameter D.
- *With other steps the regret is the same in this example.* Yes; but (42) is larger for any other step.
"""


@TIGHT.reading(
    "Y of (5) and (6)",
    "OGASched, at most one job a slot: a port and a node for each slot; from a corner of Y or from its centre.",
    TIGHT_PROOF,
    where=(Premise("y(1) is 0 or the centre", lambda case: case.start in (0, HALF)),),
)
@TIGHT.false_variant("99/100 of it is enough, in a cube", share=Fraction(99, 100))
def in_a_cube(case: Staircase, share: Fraction = ONE) -> Finding:
    """R = rho G sqrt(T) with one port and one node per slot; squares are compared."""
    cube = draw.one_by_one(case.slots, case.side, case.length, case.start)
    wide, steep = farthest(cube.instance, cube.start), case.length**2
    run = oga.play(cube.instance, cube.start, oga.constant(oga.exact_root(wide / (steep * case.slots))))
    limit = share**2 * wide * max(run.norms) * case.slots
    return Finding(run.least_regret**2, limit, "equal" if share == 1 else "at most", "R^2, (rho G)^2 T")


@TIGHT.reading("any orthogonal gradients", "The set is a ball of diameter D = rho.", TIGHT_PROOF)
@TIGHT.false_variant("99/100 of it is enough, in a ball", share=Fraction(99, 100))
def in_a_ball(case: Staircase, share: Fraction = ONE) -> Finding:
    """R = D G sqrt(T) in a ball of diameter D around (y(1) + y*)/2.

    The step is e = D/(G sqrt(T)), and y* = y(1) + e sum g_t. Each y(t) is in the ball, so no projection takes place.
    """
    turned = turned_axes(case.slots, case.turns)
    gradients = [tuple(case.length * entry for entry in axis) for axis in turned]
    step = case.side
    y, best = [ZERO] * case.slots, [step * sum(column) for column in zip(*gradients, strict=True)]
    wide, regret = inner(best, best), ZERO
    for gradient in gradients:
        away = [2 * a - b for a, b in zip(y, best, strict=True)]
        if inner(away, away) > wide:
            raise AssertionError("y(t) is not in the ball")
        regret += inner(gradient, best) - inner(gradient, y)
        y = [a + step * g for a, g in zip(y, gradient, strict=True)]
    limit = share**2 * wide * inner(gradients[0], gradients[0]) * case.slots
    return Finding(regret**2, limit, "equal" if share == 1 else "at most", "R^2, (D G)^2 T")


Vector = tuple[Fraction, ...]


def turned_axes(count: int, turns: Vector) -> list[Vector]:
    """A rational orthonormal basis.

    The unit vectors are turned in neighbouring pairs by the angles 2 arctan(t) in turn.
    """
    axes = [[ONE if i == j else ZERO for j in range(count)] for i in range(count)]
    for n, t in enumerate(turns):
        cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        one, other = axes[n], axes[n + 1]
        axes[n] = [cos * a + sin * b for a, b in zip(one, other, strict=True)]
        axes[n + 1] = [cos * b - sin * a for a, b in zip(one, other, strict=True)]
    return [tuple(axis) for axis in axes]


def inner(one: Vector | list[Fraction], other: Vector | list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), ZERO)


@st.composite
def cases(pick: st.DrawFn) -> Started:
    """Runs with rational steps for one of the pairs of constants.

    The runs start from 0, from the middle of a box, or from any point.
    """
    linear = pick(st.booleans())
    kinds = ("linear",) if linear else draw.RATIONAL
    case: Started = pick(draw.started_cases(kinds=kinds, slots=lambda instance, most: 1))
    start = pick(st.sampled_from((nothing(case.instance), case.start, halfway(case.instance))))
    pair = around(start) if linear and pick(st.booleans()) else half51
    slots = draw.fitting(pair)(case.instance, draw.LONG if linear else draw.BENT)
    rows = [[pick(st.sampled_from((0, 1, 1))) for _ in case.instance.ports] for _ in range(slots)]
    return Started(draw.with_arrivals(case.instance, rows), start)


FAMILIES = st.sampled_from(
    [
        draw.single_port(1),
        draw.single_port(9),
        Started(draw.single_port(1).instance, ((HALF,),)),
        Started(draw.single_port(16).instance, ((HALF,),)),
        draw.complete(2, 2),
        draw.complete(2, 8),
    ]
)
ANY_START = Domain(
    Started,
    st.one_of(cases(), cases(), FAMILIES),
    (*regimes.RUNS, *regimes.MANY, Regime("y(1) is a centre", lambda case: is_centred(case))),
)
FROM_ZERO = Claim(
    "multiserver.worst_case_from_zero",
    ZHAO24.at("section III-C, Theorem 1, for y(1) = 0"),
    "From y(1) = 0 the regret (11) is at most (39)/sqrt(2), with a step that is smaller by sqrt(2).",
    ANY_START.but(regimes=(*(r for r in regimes.RUNS if r is not regimes.STARTED), *regimes.MANY)),
)
FROM_CENTRE = Claim(
    "multiserver.worst_case_from_centre",
    ZHAO24.at("section III-C, Theorem 1, for another y(1)"),
    "If Y is within diam(Y)/2 of y(1), half the step gives a regret of at most diam(Y) max |grad q| "
    "sqrt(T)/2; if it is within rho, the step rho/(max |grad q| sqrt(T)) gives rho max |grad q| sqrt(T).",
    ANY_START,
)

Radius = Callable[[Started], tuple[Fraction, Fraction]]  # of Y around y(1), and G, squared

RADIUS_PROOF = """
(41), repaired, contains |y(1) - y*|^2, which (41)(ii) replaces by diam(Y)^2. Let rho be at least |y(1) - y| for all y
in Y. Then R <= rho^2/(2 eta) + eta T G^2/2, which is rho G sqrt(T) for eta = rho/(G sqrt(T)). From y(1) = 0, rho is max
|y|. By (5) and (6), |y|^2 <= sum a^k y <= sum_k a^k sum_r c_r^k, which is half of (51) squared. So R <= (39)/sqrt(2).
If Y is within D/2 of y(1), rho = D/2, the step is half of D/(G sqrt(T)), and R <= D G sqrt(T)/2.
Coq: oga_regret.v oga_best_step, oga_from_zero, oga_from_zero_constants. Objects: instance, oga, next, project,
gradient, oga_regret, around, steep, concave_gain. In words: rho is any bound of the distances from y(1); from a centre
it is diam(Y)/2.
- *Is it not Theorem 1 with other constants?* Yes: its proof gives a better bound for a chosen y(1), and Algorithm 1
leaves y(1) open.
- *Does the gain of sqrt(2) hold for diam(Y) itself?* No: `worst_case_zero_or_diameter`. If the nodes can meet all
demands, max |y| = diam(Y).
- *Y need not have a centre.* Then rho > D/2: for three ports on one node, a = c = 1, rho^2 is 2/3 at best, D^2 = 2.
"""


def of_bounds(case: Started) -> tuple[Fraction, Fraction]:
    return half51(case.instance)


def of_constants(case: Started) -> tuple[Fraction, Fraction]:
    """The largest distance from y(1) in Y, and max |grad q|."""
    return around(case.start)(case.instance, "node")


@lru_cache(maxsize=4)
def run_within(case: Started, radius: Radius) -> oga.OgaRun:
    wide, steep = radius(case)
    step = oga.exact_root(wide / (steep * case.instance.horizon)) if steep else ZERO
    return oga.play(case.instance, case.start, oga.constant(step))


@FROM_CENTRE.reading(
    "from a centre",
    "The step is half that of Theorem 1's proof.",
    RADIUS_PROOF,
    where=(CENTRED, regimes.exact(run_within, radius=of_constants)),
)
@FROM_CENTRE.false_variant("19/20 of it, from a centre", share=Fraction(19, 20))
def from_centre(case: Started, share: Fraction = ONE) -> Answer:
    if not is_centred(case):
        return Outside(CENTRED)
    return within(case, of_constants, zero=False, share=share)


@FROM_ZERO.reading(
    "their bounds",
    "sqrt(sum a c) replaces (51); (48) is unchanged.",
    RADIUS_PROOF,
    radius=of_bounds,
    where=(FROM_NOTHING, regimes.exact(run_within, radius=of_bounds)),
)
@FROM_ZERO.reading(
    "the constants",
    "max |y| replaces diam(Y), with max |grad q|: R <= max |y| G sqrt(T).",
    RADIUS_PROOF,
    radius=of_constants,
    where=(FROM_NOTHING, regimes.exact(run_within, radius=of_constants)),
)
@FROM_ZERO.false_variant("from any y(1)", radius=of_bounds, zero=False)
@FROM_ZERO.false_variant("19/20 of it", radius=of_bounds, share=Fraction(19, 20))
@FROM_ZERO.false_variant("19/20 of it, the constants", radius=of_constants, share=Fraction(19, 20))
@FROM_CENTRE.reading(
    "from any y(1)",
    "rho is the largest distance of a point of Y.",
    RADIUS_PROOF,
    radius=of_constants,
    zero=False,
    where=(regimes.exact(run_within, radius=of_constants),),
)
@FROM_CENTRE.false_variant("19/20 of it, from any y(1)", radius=of_constants, zero=False, share=Fraction(19, 20))
@regimes.of_exact_runs
def within(case: Started, radius: Radius, zero: bool = True, share: Fraction = ONE) -> Answer:
    """sum_t g_t (y - y(t)) <= rho G sqrt(T) for the best y in Y.

    The step is rho/(G sqrt(T)). The check compares squares.

    Parameters
    ----------
    radius
        rho and G, squared.
    zero
        Only runs from y(1) = 0.
    """
    if zero and not FROM_NOTHING.met(case):
        return Outside(FROM_NOTHING)
    wide, steep = radius(case)
    limit = share**2 * wide * steep * case.instance.horizon
    return Finding(
        max(run_within(case, radius).linear_regret, ZERO) ** 2,
        limit,
        "at most",
        "squares of the regret's bound and of rho G sqrt(T)",
        relative=True,
    )


def is_centred(case: Started) -> bool:
    return 4 * farthest(case.instance, case.start) == diameter(case.instance)


def halfway(instance: Instance) -> Matrix:
    """Half of the projection of the demands.

    This point is the centre of Y if the nodes hold all demands.
    """
    return oga.multiple(HALF, project(instance, points.demands(instance)))


def around(start: Matrix) -> Callable[[Instance, Gain], tuple[Fraction, Fraction]]:
    return lambda instance, gain: (farthest(instance, start), exact(instance, gain)[1])


def half51(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    """Return half of the squared diameter (51), and the squared norm (48)."""
    wide, steep = bounds(instance, gain)
    return wide / 2, steep


ZERO_OR_DIAMETER = Claim(
    "multiserver.worst_case_zero_or_diameter",
    ZHAO24.at("section III-C, (49)-(51), for y(1) = 0"),
    "diam(Y)/sqrt(2) <= max |y| <= diam(Y), and both ends are attained. From y(1) = 0 the factor sqrt(2) "
    "that the bound (51) gains need not hold for diam(Y) itself.",
    Domain(
        OfInstance,
        st.one_of(points.instances(), st.just(draw.complete(2, 1).instance)).map(OfInstance),
        (*regimes.SHAPES, Regime[OfInstance]("a box", lambda case: is_box(case))),
    ),
)

ZERO_OR_DIAMETER_PROOF = """
As 0 is in Y, max |y| <= diam(Y). For y, z in Y, (y - z)^2 <= y^2 + z^2 in each entry, as y, z >= 0. So diam(Y)^2 <= 2
max |y|^2. The upper end is attained if no node is contended: Y is then a box with the diagonal from 0 to a. The lower
end is attained for two ports on one node with a = c, by (a, 0) and (0, a).
Coq, core: rows.v zero_or_diameter, zero_or_diameter_ends. Outside: that the sets which attain both ends are Y of these
graphs. Without contention Y is the box [0, a]. For two ports on one node with a = c, (a, 0) and (0, a) are in Y.
- *(51) loses more than this.* Yes, if demands exceed capacities (`diameter51_sharp`). This claim is about the
constants themselves.
- *Why is the sqrt(2) of the bounds lost?* (51) counts y and z separately, which costs a factor of 2 in the square. In
a box no two points have that distance.
"""


FEW_PORTS: Premise[OfInstance] = Premise(
    f"{PORTS} jobs at a node at most, so that its vertices can be listed",
    lambda case: all(len(edges) <= PORTS for edges, _, _ in pairs(network(case.instance))),
)


@ZERO_OR_DIAMETER.reading(
    "over Y", "Squares are compared, by the vertices of each row.", ZERO_OR_DIAMETER_PROOF, where=(FEW_PORTS,)
)
@ZERO_OR_DIAMETER.false_variant("95/100 of diam(Y)^2", high=Fraction(19, 20))
@ZERO_OR_DIAMETER.false_variant("11/20 of diam(Y)^2 at least", low=Fraction(11, 20))
def zero_or_diameter(case: OfInstance, low: Fraction = HALF, high: Fraction = ONE) -> Answer:
    instance = case.instance
    wide, limit = diameter(instance), farthest(instance, nothing(instance))
    return worst(
        [Finding(limit, low * wide, "at least", "from below"), Finding(limit, high * wide, "at most", "from above")]
    )


def is_box(case: OfInstance) -> bool:
    return zero_or_diameter(case, high=Fraction(99, 100)) != zero_or_diameter(case)
