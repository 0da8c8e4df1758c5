"""Section III-C: how tight the bound of Theorem 1's proof is, and what the choice of y(1) changes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

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
    with_settings,
    worst,
)
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.readings import readings
from schedproof.proofs_checks.strategies import multiserver as points
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, ONE, Staircase, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Gain, Matrix, nothing, project
from schedproof.reference.multiserver_constants import bounds, diameter, exact, farthest

Vector = tuple[Fraction, ...]
Radius = Callable[[Started], tuple[Fraction, Fraction]]  # of Y around y(1), and G, squared

# --- tight ------------------------------------------------------------------------------------------------------------


def in_a_cube(case: Staircase, share: Fraction = ONE) -> Finding:
    """OGASched on a port and a node for each slot, each port coming once: R = rho G sqrt(T); squares.

    rho is the largest distance of a point of Y from y(1), G the norm of one job's gradient, the step rho/(G sqrt(T)).
    """
    cube = draw.one_by_one(case.slots, case.side, case.length, case.start)
    wide, steep = farthest(cube.instance, cube.start), case.length**2
    run = oga.play(cube.instance, cube.start, oga.constant(oga.exact_root(wide / (steep * case.slots))))
    most = share**2 * wide * max(run.norms) * case.slots
    return Finding(run.least_regret**2, most, "equal" if share == 1 else "at most", "R^2, (rho G)^2 T")


def in_a_ball(case: Staircase, share: Fraction = ONE) -> Finding:
    """Projected ascent in a ball of diameter D around (y(1) + y*)/2, along orthogonal gradients: R = D G sqrt(T).

    The step is e = D/(G sqrt(T)), and y* = y(1) + e sum g_t. Each y(t) is in the ball: nothing is projected.
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
    most = share**2 * wide * inner(gradients[0], gradients[0]) * case.slots
    return Finding(regret**2, most, "equal" if share == 1 else "at most", "R^2, (D G)^2 T")


TIGHT_PROOF = Proof(
    """
    At most: (42) with its best step, whatever y(1) in Y is; |y(1) - y*| <= rho takes the place of diam(Y) in (41).
    Attained: let g_1, ..., g_T be orthogonal, of length G, and e = rho/(G sqrt(T)). Without a projection y(t) = y(1) +
    e (g_1 + ... + g_(t-1)). Take y* = y(1) + e sum g_t. Then g_t (y* - y(t)) = e G^2 for each t, and R = T e G^2 = rho
    G sqrt(T). It remains that some Y has all these points, and none that is farther than rho from y(1). One is the ball
    with the diameter from y(1) to y*: y(t) is e G sqrt(T)/2 from its centre for each t, and rho = D. Others are cubes
    with sides along the g_t, each slot's side not having been moved along before: from a corner with sides of e G, rho
    = D, and from the centre with sides of 2 e G, rho = D/2. Such a cube is Y for T ports, each alone on a node with c =
    a, each of which comes once, with a linear gain and no overhead.
    """,
    answers={
        "G of Theorem 1 is over all arrivals, and longer where several ports come at once.": "So the bound is "
        "attained in (5), (6) where at most one job comes a slot, or with the step of the largest norm so far. With "
        "G over all arrivals it is attained for T = 1, and up to a factor of 2 for each T >= 4 (theta_gap_repaired); "
        "whether exactly, we do not know.",
        "The instance grows with T.": "It must: in a fixed dimension n < T not all gradients are orthogonal. The "
        "claim is about the class of all Y of diameter D.",
        "With other steps the regret is the same in this example.": "Yes; but (42) is larger for any other step.",
    },
)


def turned_axes(count: int, turns: Vector) -> list[Vector]:
    """An orthonormal basis in rationals: the unit vectors, neighbours turned by the angles 2 arctan(t) in turn."""
    axes = [[ONE if i == j else ZERO for j in range(count)] for i in range(count)]
    for n, t in enumerate(turns):
        cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        one, other = axes[n], axes[n + 1]
        axes[n] = [cos * a + sin * b for a, b in zip(one, other, strict=True)]
        axes[n + 1] = [cos * b - sin * a for a, b in zip(one, other, strict=True)]
    return [tuple(axis) for axis in axes]


def inner(one: Vector | list[Fraction], other: Vector | list[Fraction]) -> Fraction:
    """The inner product."""
    return sum((a * b for a, b in zip(one, other, strict=True)), ZERO)


TIGHT = Claim(
    id="multiserver.worst_case_tight",
    source=ZHAO24.at("section III-C, (42), for the best step"),
    statement="For online projected ascent on closed convex sets Y within rho of y(1), gradients of norm at most G "
    "and the step rho/(G sqrt(T)), the worst regret is exactly rho G sqrt(T), for each T; rho = D = diam(Y) for some "
    "of them, D/2 for others.",
    readings=(
        Reading(
            "Y of (5) and (6)",
            "OGASched, at most one job a slot: a port and a node for each slot; from a corner of Y or from its centre.",
            in_a_cube,
            proof=TIGHT_PROOF,
        ),
        Reading("any orthogonal gradients", "A ball of diameter D = rho.", in_a_ball, proof=TIGHT_PROOF),
    ),
    domain=Domain(
        Staircase,
        draw.staircases(),
        (
            Regime("from the centre", lambda case: case.start == HALF),
            Regime("from a corner", lambda case: case.start == 0),
            Regime("many slots", lambda case: case.slots > 5),
            Regime("turned axes", lambda case: any(case.turns)),
        ),
    ),
    false_variants=(
        FalseVariant("99/100 of it is enough, in a cube", with_settings(in_a_cube, share=Fraction(99, 100))),
        FalseVariant("99/100 of it is enough, in a ball", with_settings(in_a_ball, share=Fraction(99, 100))),
    ),
)

# --- y(1) -------------------------------------------------------------------------------------------------------------


@regimes.of_exact_runs
def within(case: Started, radius: Radius, zero: bool = True, share: Fraction = ONE) -> Answer:
    """With the step rho/(G sqrt(T)), sum_t g_t (y - y(t)) <= rho G sqrt(T) for the best y in Y; squares.

    Parameters
    ----------
    radius
        rho and G, squared.
    zero
        Only runs from y(1) = 0.
    """
    instance = case.instance
    if zero and any(map(any, case.start)):
        return Outside("y(1) = 0")
    wide, steep = radius(case)
    step = oga.exact_root(wide / (steep * instance.horizon)) if steep else ZERO
    run = oga.play(instance, case.start, oga.constant(step))
    most = share**2 * wide * steep * instance.horizon
    return Finding(
        max(run.linear_regret, ZERO) ** 2, most, "at most", "squares of the regret's bound and of rho G sqrt(T)"
    )


def half51(instance: Instance, gain: Gain = "node") -> tuple[Fraction, Fraction]:
    """sum_k max_l a_l^k sum_r c_r^k, which is half of (51) squared, and (48)."""
    wide, steep = bounds(instance, gain)
    return wide / 2, steep


def of_bounds(case: Started) -> tuple[Fraction, Fraction]:
    """The bounds of max |y| and max |grad q|."""
    return half51(case.instance)


def of_constants(case: Started) -> tuple[Fraction, Fraction]:
    """The largest distance from y(1), and max |grad q|."""
    return around(case.start)(case.instance, "node")


def around(start: Matrix) -> Callable[[Instance, Gain], tuple[Fraction, Fraction]]:
    """The constants in a ball around y(1)."""
    return lambda instance, gain: (farthest(instance, start), exact(instance, gain)[1])


def centred(case: Started, share: Fraction = ONE) -> Answer:
    """If all of Y is within D/2 of y(1), R <= D G sqrt(T)/2 with half the step; squares."""
    if 4 * farthest(case.instance, case.start) != diameter(case.instance):
        return Outside("Y is within diam(Y)/2 of y(1)")
    return within(case, of_constants, zero=False, share=share)


RADIUS_PROOF = Proof(
    """
    (41), repaired, has |y(1) - y*|^2 in it, before (41)(ii) takes diam(Y)^2 for it. Let rho be at least |y(1) - y| for
    all y in Y: R <= rho^2/(2 eta) + eta T G^2/2, which is rho G sqrt(T) for eta = rho/(G sqrt(T)). From y(1) = 0, rho
    is max |y|, and |y|^2 <= sum a^k y <= sum_k a^k sum_r c_r^k by (5) and (6): half of (51) squared, so that R <=
    (39)/sqrt(2). If Y is within D/2 of y(1), rho = D/2, the step is half of D/(G sqrt(T)), and R <= D G sqrt(T)/2.
    """,
    answers={
        "Is it not Theorem 1 with other constants?": "Yes: its proof gives more for a y(1) that may be chosen, and "
        "Algorithm 1 leaves y(1) open.",
        "Does the gain of sqrt(2) hold for diam(Y) itself?": "No: `worst_case_zero_or_diameter`; where the nodes "
        "have all that is demanded, max |y| = diam(Y).",
        "Y need not have a centre.": "Then rho > D/2: for three ports on one node, a = c = 1, rho^2 is 2/3 at best, "
        "D^2 = 2.",
    },
)


def zero_or_diameter(case: OfInstance, low: Fraction = HALF, high: Fraction = ONE) -> Answer:
    """diam(Y)^2/2 <= max |y|^2 <= diam(Y)^2."""
    instance = case.instance
    wide, most = diameter(instance), farthest(instance, nothing(instance))
    return worst(
        [Finding(most, low * wide, "at least", "from below"), Finding(most, high * wide, "at most", "from above")]
    )


ZERO_OR_DIAMETER_PROOF = Proof(
    """
    0 is in Y, so that max |y| <= diam(Y). For y, z in Y, (y - z)^2 <= y^2 + z^2 entry by entry, as y, z >= 0: diam(Y)^2
    <= 2 max |y|^2. The upper end is attained where no node is contended, Y being a box with the diagonal from 0 to a;
    the lower one for two ports on one node with a = c, by (a, 0) and (0, a).
    """,
    answers={
        "(51) loses more than this.": "It does, where demands exceed capacities (`diameter51_sharp`); here are the "
        "constants themselves.",
        "Why is the sqrt(2) of the bounds lost?": "(51) counts y and z apart, which costs a factor of 2 in the "
        "square; in a box no two points are so far apart.",
    },
)


@st.composite
def cases(pick: st.DrawFn) -> Started:
    """Runs with rational steps for one of the pairs of constants; from 0, from the middle of a box, from anywhere."""
    linear = pick(st.booleans())
    kinds = ("linear",) if linear else draw.RATIONAL
    case: Started = pick(draw.started(kinds=kinds, slots=lambda instance, most: 1))
    start = pick(st.sampled_from((nothing(case.instance), case.start, halfway(case.instance))))
    pair = around(start) if linear and pick(st.booleans()) else half51
    slots = draw.fitting(pair)(case.instance, draw.LONG if linear else draw.BENT)
    rows = [[pick(st.sampled_from((0, 1, 1))) for _ in case.instance.ports] for _ in range(slots)]
    return Started(draw.with_arrivals(case.instance, rows), start)


def halfway(instance: Instance) -> Matrix:
    """Half of the projection of the demands: the centre of Y, if the nodes have all that is demanded."""
    return oga.scaled(HALF, project(instance, points.demands(instance)))


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
    (
        *regimes.RUNS,
        *regimes.MANY,
        Regime("y(1) is a centre", lambda case: isinstance(centred(case), Finding)),
    ),
)
FROM_ZERO = Claim(
    id="multiserver.worst_case_from_zero",
    source=ZHAO24.at("section III-C, Theorem 1, for y(1) = 0"),
    statement="From y(1) = 0 the regret (11) is at most (39)/sqrt(2), with a step that is smaller by sqrt(2).",
    readings=readings(
        within,
        ("their bounds", "sqrt(sum a c) in the place of (51), and (48).", {"radius": of_bounds}),
        (
            "the constants",
            "max |y| in the place of diam(Y), and max |grad q|: R <= max |y| G sqrt(T).",
            {"radius": of_constants},
        ),
        proof=RADIUS_PROOF,
    ),
    domain=ANY_START.but(regimes=(*(r for r in regimes.RUNS if r is not regimes.STARTED), *regimes.MANY)),
    false_variants=(
        FalseVariant("from any y(1)", with_settings(within, radius=of_bounds, zero=False)),
        FalseVariant("19/20 of it", with_settings(within, radius=of_bounds, share=Fraction(19, 20))),
        FalseVariant("19/20 of it, the constants", with_settings(within, radius=of_constants, share=Fraction(19, 20))),
    ),
)
FROM_CENTRE = Claim(
    id="multiserver.worst_case_from_centre",
    source=ZHAO24.at("section III-C, Theorem 1, for another y(1)"),
    statement="If Y is within diam(Y)/2 of y(1), half the step gives a regret of at most diam(Y) max |grad q| "
    "sqrt(T)/2; if it is within rho, the step rho/(max |grad q| sqrt(T)) gives rho max |grad q| sqrt(T).",
    readings=(
        Reading("from a centre", "Half the step of Theorem 1's proof.", centred, proof=RADIUS_PROOF),
        Reading(
            "from any y(1)",
            "rho is the largest distance of a point of Y.",
            with_settings(within, radius=of_constants, zero=False),
            proof=RADIUS_PROOF,
        ),
    ),
    domain=ANY_START,
    false_variants=(
        FalseVariant("19/20 of it, from a centre", with_settings(centred, share=Fraction(19, 20))),
        FalseVariant(
            "19/20 of it, from any y(1)", with_settings(within, radius=of_constants, zero=False, share=Fraction(19, 20))
        ),
    ),
)
ZERO_OR_DIAMETER = Claim(
    id="multiserver.worst_case_zero_or_diameter",
    source=ZHAO24.at("section III-C, (49)-(51), for y(1) = 0"),
    statement="diam(Y)/sqrt(2) <= max |y| <= diam(Y), and both ends are attained: from y(1) = 0 the sqrt(2) that the "
    "bound (51) gains need not be there for diam(Y) itself.",
    readings=(
        Reading("over Y", "Squares, by the vertices of each row.", zero_or_diameter, proof=ZERO_OR_DIAMETER_PROOF),
    ),
    domain=Domain(
        OfInstance,
        st.one_of(points.instances(), st.just(draw.complete(2, 1).instance)).map(OfInstance),
        (
            *regimes.SHAPES,
            Regime[OfInstance](
                "a box", lambda case: zero_or_diameter(case, high=Fraction(99, 100)) != zero_or_diameter(case)
            ),
        ),
    ),
    false_variants=(
        FalseVariant("95/100 of diam(Y)^2", with_settings(zero_or_diameter, high=Fraction(19, 20))),
        FalseVariant("11/20 of diam(Y)^2 at least", with_settings(zero_or_diameter, low=Fraction(11, 20))),
    ),
)
