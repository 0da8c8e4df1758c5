"""How good the bound is: claims theta_gap ("of Theta(H_G sqrt(T))") and best_regret ("the best regret")."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import from_json, to_json
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.oga import ZERO, constant, play
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter, diameter51, largest_norm
from schedproof.proofs_checks.multiserver.regret_cases import MANY, SHAPES, climb, hand_over, if_there, started
from schedproof.proofs_checks.multiserver.regret_constant import bounds, exact, fitting
from schedproof.proofs_checks.multiserver.roots import NoRun, exact_root
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, table

SMALL = Fraction(1, 100)  # a constant of the Omega

# --- a lower bound ---------------------------------------------------------------------------------------------------


def every_graph(case: Case, share: Fraction = SMALL) -> Finding | None:
    """The regret (11) with the step of the proof is at least a hundredth of (39), on each instance; squares.

    Measured is the largest of sum_t g_t (y - y(t)) over all trajectories of so many slots, which is at least (11).
    """
    if case.instance is None or case.instance.horizon * len(case.instance.ports) > 6:
        return None
    regrets = []
    for row in product((0, 1), repeat=case.instance.horizon * len(case.instance.ports)):
        width = len(case.instance.ports)
        arrivals = [list(row[n : n + width]) for n in range(0, len(row), width)]
        instance = from_json(to_json(case.instance) | {"arrivals": arrivals})
        try:
            wide, steep = bounds(instance, "node")
            step = exact_root(wide / (steep * instance.horizon)) if steep else ZERO
            regrets.append(play(instance, case.data["start"], constant(step)).linear_regret)
        except NoRun:
            return None
    most = max(*regrets, ZERO)
    return Finding(
        most**2, share**2 * bound39(case.instance), "at least", "squares of the regret and of its share of (39)"
    )


def some_graph(case: Case, share: Fraction = Fraction(1, 2)) -> Finding | None:
    """On `hand_over`, T = m^2 >= 4, the regret is at least half of (39), which is 2 m there.

    Proof
    -----
    (51) and (48) are sqrt(2) both, so that eta = 1/sqrt(T). In each slot the first port is raised by eta and both are
    lowered by eta/2 to fit the node: it has min(t eta/2, 1) after t slots. The fixed allocation that gives it all earns
    1 in each slot. So the regret is the sum over t = 0, ..., T - 1 of max(0, 1 - t eta/2), which is at least the
    integral from 0 to 2/eta, 1/eta = sqrt(T), as 2/eta = 2 sqrt(T) <= T. And (39) is 2 sqrt(T). (T need not be a
    square.)
    """
    if "number" not in case.data:
        return None
    shown = hand_over(case.data["number"] ** 2)
    step = Fraction(1, case.data["number"])
    regret = play(shown.instance, shown.data["start"], constant(step)).shown_regret
    return Finding(regret, share * exact_root(bound39(shown.instance)), "at least", "the regret and its share of (39)")


# --- the best one? ---------------------------------------------------------------------------------------------------


def any_policy(case: Case, share: Fraction = Fraction(1, 12)) -> Finding | None:
    """On the node of `hand_over` no policy, not even a randomised one, has a regret below sqrt(T/12); squares.

    Measured is (E|S|/2)^2, S the sum of T fair signs; E|S| = T C(T - 1, floor((T - 1)/2))/2^(T - 1).

    Proof
    -----
    In each slot let one job come, of either port with probability 1/2, whatever happened before. y(t) is chosen without
    it, so that the policy expects (y_1 + y_2)/2 <= 1/2 a slot, at most T/2 in all. The better of the two fixed
    allocations earns max(n_1, n_2) = T/2 + |S|/2. So the expected regret is at least E|S|/2, and some trajectory has as
    much. By Hoelder's inequality T = E S^2 <= (E|S|)^(2/3) (E S^4)^(1/3), and E S^4 = 3 T^2 - 2 T: E|S| >= sqrt(T/3).
    As (39) is 2 sqrt(T), no order of T is lost, only a factor of at most 4 sqrt(3).
    """
    if "slots" not in case.data:
        return None
    slots = case.data["slots"]
    mean = Fraction(slots * comb(slots - 1, (slots - 1) // 2), 2 ** (slots - 1))
    return Finding((mean / 2) ** 2, share * slots, "at least", "squares")


def no_smaller(case: Case) -> Finding | None:
    """H_G is not larger than with diam(Y) itself in place of its bound (51): their squares."""
    if case.instance is None:
        return None
    try:
        return Finding(diameter51(case.instance), diameter(case.instance), "at most", "(51) and diam(Y), squared")
    except NoRun:
        return None


def with_constants(case: Case, share: Fraction = Fraction(1)) -> Finding | None:
    """With eta = diam(Y)/(max |grad q| sqrt(T)), R <= diam(Y) max |grad q| sqrt(T) <= H_G sqrt(T); squares.

    Proof
    -----
    theorem1_constant's proof with D = diam(Y) and G = max |grad q| has this as its last step but one; (51) and (48) are
    upper bounds of the two. The quotient of the bounds has no limit: for a port with a = n on a node with c = 1, (51)
    is sqrt(2 n) and diam(Y) is 1.
    """
    if case.instance is None:
        return None
    try:
        wide, steep = exact(case.instance, "node")
        step = exact_root(wide / (steep * case.instance.horizon)) if steep else ZERO
        run = play(case.instance, case.data["start"], constant(step))
    except NoRun:
        return None
    most = share**2 * wide * largest_norm(case.instance) * case.instance.horizon
    return Finding(
        max(run.linear_regret, ZERO) ** 2, most, "at most", "squares of the regret's bound and of D G sqrt(T)"
    )


_FEW = started(slots=lambda instance, most: fitting(bounds)(instance, 3), ports=2, resources=1)
_FALLING = climb(2, alpha=Decimal("0.28"), beta=Decimal("0.96"))
_NUMBERS = st.integers(2, 8).map(lambda m: Case(None, {"number": m}))
_SLOTS = st.integers(1, 200).map(lambda slots: Case(None, {"slots": slots}))
_LINEAR = started(slots=fitting(exact), kinds=("linear",))


def _wanted(case: Case) -> bool:
    """Whether nothing is worth its overhead."""
    i = case.instance
    return all(i.utilities[name].steepest <= i.overhead[name] for name in i.resources)


_GAP = (
    *if_there((SHAPES[1], SHAPES[3], Regime("nothing is worth its overhead", _wanted))),
    of_data("a family in T", lambda d: "number" in d),
)
THETA = Claim(
    id="multiserver.theta_gap",
    source="paper 002, section III-C, after (51)",
    statement="The suboptimality gap between OGASched and the offline optimum is of Theta(H_G sqrt(T)).",
    readings=(
        Reading("each graph", "At least a constant share of it on each instance.", every_graph),
        Reading("some graph", "At least a constant share of it on some instances, for each T.", some_graph),
    ),
    regimes=_GAP,
    strategy=st.one_of(_FEW, _FEW, st.just(_FALLING), _NUMBERS),
    planted=(Planted("all of it", at(some_graph, share=Fraction(1))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.theta_gap_repaired",
    small_repair=True,
)
THETA_REPAIRED = Claim(
    id="multiserver.theta_gap_repaired",
    source="paper 002, section III-C, after (51), repaired",
    statement=(
        "The regret is O(H_G sqrt(T)) on each instance, and for each T >= 4 it is at least H_G sqrt(T)/2 on some: two "
        "ports on one node, from a y(1) that gives all to the port that does not come."
    ),
    readings=(Reading("some graph", "The node of two ports.", some_graph),),
    regimes=(of_data("many slots", lambda d: d["number"] > 5), of_data("few slots", lambda d: d["number"] < 4)),
    strategy=_NUMBERS,
    planted=(Planted("six tenths of it", at(some_graph, share=Fraction(3, 5))),),
)
_BEST = (
    *if_there((*SHAPES, *MANY)),
    of_data("many slots", lambda d: d.get("slots", 0) > 100),
)
BEST = Claim(
    id="multiserver.best_regret",
    source="paper 002, section III-C, after (52)",
    statement="To the best of our knowledge, O(H_G sqrt(T)) is the best regret for non-linear rewards.",
    readings=(
        Reading("in T", "No policy has a regret of a smaller order in T.", any_policy),
        Reading("the factor", "No smaller factor than H_G has been shown, by the same proof at least.", no_smaller),
    ),
    regimes=_BEST,
    strategy=st.one_of(_SLOTS, _LINEAR),
    planted=(Planted("T/5", at(any_policy, share=Fraction(1, 5))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.best_regret_repaired",
    small_repair=True,
)
BEST_REPAIRED = Claim(
    id="multiserver.best_regret_repaired",
    source="paper 002, section III-C, after (52), repaired",
    statement=(
        "The regret is at most diam(Y) max |grad q| sqrt(T), which may be smaller than H_G sqrt(T) by any factor; no "
        "policy has a regret of a smaller order in T."
    ),
    readings=(
        Reading("in T", "No policy has a regret of a smaller order in T.", any_policy),
        Reading("the factor", "The constants themselves, in the step as well.", with_constants),
    ),
    regimes=_BEST,
    strategy=st.one_of(_SLOTS, _LINEAR, st.integers(2, 5).map(lambda m: hand_over(m * m))),
    planted=(
        Planted("T/5", at(any_policy, share=Fraction(1, 5))),
        Planted("half of it", at(with_constants, share=Fraction(1, 2))),
    ),
)

CLAIMS = table(THETA, THETA_REPAIRED, BEST, BEST_REPAIRED)
