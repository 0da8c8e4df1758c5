"""How the bound and the regret grow with the graph: claims sublinear_ports and linear_nodes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import Matrix, network
from schedproof.proofs_checks.multiserver.oga import constant, play
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter51, norm48
from schedproof.proofs_checks.multiserver.regret_cases import MANY, SHAPES, build_instance, started
from schedproof.proofs_checks.multiserver.roots import NoRun, exact_root
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, restricted, table

# --- ports -----------------------------------------------------------------------------------------------------------


def member(kind: str, ports: int, slots: int) -> Case:
    """The member of a growing family with so many ports, an even number; half of them come in each slot.

    The nodes have one gpu each, which at first belongs to a port that never comes. ``complete``: one node, for all.
    ``regular``: eight nodes for two ports each. ``own``: a node for every two ports.
    """
    nodes = {"complete": 1, "regular": 8, "own": ports // 2}[kind]
    pair = [[r for r in range(nodes) if r % (ports // 2) == p // 2] for p in range(ports)]
    reach = pair if kind != "complete" else [[0]] * ports
    comes = [p % 2 == 0 if kind != "complete" else p == 0 for p in range(ports)]
    instance = build_instance([1] * nodes, reach, [[int(x) for x in comes]] * slots)
    owner = ports - 1 if kind == "complete" else None
    start = [[Fraction(copy == owner if owner is not None else copy % 2)] for copy, _ in network(instance).edges]
    return Case(instance, {"start": start})


def growth(case: Case, regret: bool = False, claimed: int = 3) -> Finding:
    """With four times as many ports (39), or the regret of the family's run, is less than three times as large.

    What grows linearly is four times as large, and what grows like a root twice. For (39) measured and claimed are
    squares; the run has the step of the proof.
    """
    kind, ports, slots = case.data["kind"], case.data["ports"], case.data["number"] ** 2
    few, many = member(kind, ports, slots), member(kind, 4 * ports, slots)
    if regret:
        return Finding(_regret(many), claimed * _regret(few), "at most", f"{kind}: the regret with 4 n ports, with n")
    bounds = bound39(many.instance), claimed**2 * bound39(few.instance)
    return Finding(*bounds, "at most", f"{kind}: (39) with 4 n ports, with n; squares")


def _regret(case: Case) -> Fraction:
    instance = case.instance
    step = exact_root(diameter51(instance) / (norm48(instance) * instance.horizon))
    return play(instance, case.data["start"], constant(step)).shown_regret


def same_nodes(case: Case) -> Finding:
    """(39) is at most sqrt(|L|) times what it depends on but |L| and the edges, if the nodes stay the same.

    Proof
    -----
    Let the nodes, resources, utilities and overheads be given, and the largest demands. (51) does not change with the
    ports. (48) is a sum over edges, of which each node has at most |L|: it is at most |L| sum_r (beta*^2 + K
    varpi_r*^2). So (39), and with it the regret, is at most sqrt(|L|) sqrt(2 T sum max(a) c) sqrt(sum_r (beta*^2 + K
    varpi_r*^2)). For the families: ``complete`` has one edge per port, so that (39) doubles when |L| is fourfold; with
    ``regular`` the edges stay the same. The run of ``complete`` loses the sum of max(0, 1 - t eta/2), which is at least
    1/eta and at most 1/eta + 1, with eta = sqrt(2/(|L| T)) twice as small for fourfold |L|: 2/eta + 1 <= 3/eta as eta
    <= 1. That of ``regular`` is the same for each |L|.
    """
    return growth(case)


SAME_NODES = Assumption(
    "same nodes",
    "the nodes, the resources, the utilities, the overheads and the largest demands stay the same",
    lambda case: case.data["kind"] != "own",
    same_nodes,
)


@st.composite
def _families(pick: Any) -> Case:
    kind = pick(st.sampled_from(("complete", "regular", "own")))
    return Case(None, {"kind": kind, "ports": 2, "number": pick(st.integers(4, 7))})


def _of_kind(kind: str) -> Regime:
    return of_data(f"family {kind}", lambda data: data["kind"] == kind)


_KINDS = tuple(map(_of_kind, ("complete", "regular", "own")))
PORTS = Claim(
    id="multiserver.sublinear_ports",
    source="paper 002, section III-C, after (52); abstract; section V, O(sqrt(|L| T)); section VI",
    statement="The regret grows sublinearly with the number of job types.",
    readings=(
        Reading("the bound", "(39) as a function of |L|.", growth),
        Reading("the regret", "The regret with the step of the proof.", at(growth, regret=True)),
    ),
    regimes=_KINDS,
    strategy=_families(),
    planted=(Planted("it does not grow", at(growth, claimed=1)),),
    witnesses=WITNESSES,
    assumption=SAME_NODES,
    repaired_by="multiserver.sublinear_ports_repaired",
)
PORTS_REPAIRED = restricted(PORTS, regimes=_KINDS[:2], witnesses=None)

# --- nodes -----------------------------------------------------------------------------------------------------------


def repeated(case: Case) -> tuple[Instance, Matrix, Matrix]:
    """The instance with each node in so many copies, y(1) and another allocation repeated on them."""
    times, value = case.data["times"], to_json(case.instance)
    names = {node["name"]: [f"{node['name']}_{n}" for n in range(times)] for node in value["nodes"]}
    value["nodes"] = [node | {"name": name} for node in value["nodes"] for name in names[node["name"]]]
    for port in value["ports"]:
        port["nodes"] = [name for node in port["nodes"] for name in names[node]]
    own = value.get("node_utilities", {})
    if own:
        value["node_utilities"] = {name: row for node, row in own.items() for name in names[node]}
    start, fixed = (tuple(tuple(row) for row in case.data[key] for _ in range(times)) for key in ("start", "fixed"))
    return from_json(value), start, fixed


def bound_of_copies(case: Case, power: int = 2) -> Finding:
    """With each node n times, (39) is n times as large; squares.

    Proof
    -----
    (51) squared sums over nodes, (48) squared over edges: both are n times as large, and (39) is the root of T times
    their product.
    """
    large, times = repeated(case)[0], case.data["times"]
    return Finding(bound39(large), times**power * bound39(case.instance), "equal", "squares of (39)")


def regret_of_copies(case: Case, power: int = 1) -> Finding | None:
    """With each node n times, the regret of a run is n times as large, for the same constant step and a repeated y(1).

    Measured against another repeated allocation; and so is the regret (11), for the step of the proof.

    Proof
    -----
    By induction y(t) is the same on all copies of a node: then each port's totals are n times as large, k* is the same,
    and so are the gradients on the copies and the projections, row by row. The reward of such an allocation is n times
    as large, the gain per node summed over n times as many, the penalty linear in the totals. An optimum (10) may be
    taken repeated, as the mean over all permutations of the copies is feasible and not worse, q being concave: the
    regret of each trajectory is n times as large. The step of the proof is the same: (51) and (48) grow alike.
    """
    large, start, fixed = repeated(case)
    try:
        step = constant(case.data["step"])
        few, many = play(case.instance, case.data["start"], step), play(large, start, step)
    except NoRun:
        return None
    factor = case.data["times"] ** power
    return Finding(
        many.regret(fixed), factor * few.regret(case.data["fixed"]), "equal", "regrets against one allocation"
    )


@st.composite
def _repeated(pick: Any) -> Case:
    case = pick(started(slots=lambda instance, most: 4, kinds=("linear", "linear", "reciprocal")))
    return Case(case.instance, {**case.data, "times": pick(st.integers(2, 4))})


def _lossy(case: Case) -> bool:
    found = regret_of_copies(case)
    return found is not None and found.claimed > 0


NODES = Claim(
    id="multiserver.linear_nodes",
    source="paper 002, section IV-B, on Fig. 3(b)",
    statement="The regret grows linearly with |R|: with each node n times, it is n times as large.",
    readings=(
        Reading("the bound", "(39).", bound_of_copies),
        Reading("the regret", "Of each trajectory, with the step of the proof; gain per node.", regret_of_copies),
    ),
    regimes=(*SHAPES, *MANY, Regime("a regret above 0", _lossy)),
    strategy=_repeated(),
    planted=(
        Planted("it does not grow", at(regret_of_copies, power=0)),
        Planted("the bound grows like a root", at(bound_of_copies, power=1)),
    ),
)

CLAIMS = table(PORTS, PORTS_REPAIRED, NODES)
