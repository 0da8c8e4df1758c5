"""Run every kernel as Python with checked indices; print the result as JSON.

The instances are small or extreme.

A script, because kernels are defined on import. Each subscript of a kernel refuses a negative index, which numpy and
numba count from the end; numpy refuses one beyond the end. The argument is the number of draws per family.
NUMBA_DISABLE_JIT=1 is needed.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
import warnings
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.core.runtime import kernels

ROOT = Path(__file__).parents[3]
DEFINED, CALLED = set[str](), set[str]()
WHOLE = (int, np.integer)
OUTSIDE: dict[str, str] = {}  # kernel -> an index that it used outside an array


def counted(index: Any) -> Any:
    """Return an index that counts from the beginning.

    Raises
    ------
    IndexError
        For a negative index.
    """
    if isinstance(index, WHOLE) and index < 0:
        raise IndexError(f"the index {index} is negative")
    return index


class Counted(ast.NodeTransformer):
    """Rewrite ``a[i, j:-1]`` as ``a[counted(i), counted(j):-1]``."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = [_counted(part) for part in parts]
        node.slice = ast.Tuple(parts, ast.Load()) if isinstance(node.slice, ast.Tuple) else parts[0]
        return node


def _counted(part: ast.expr) -> ast.expr:
    if isinstance(part, ast.Slice):
        return ast.Slice(*(end and _counted(end) for end in (part.lower, part.upper)), part.step)
    if isinstance(part, ast.UnaryOp | ast.Constant):  # a literal
        return part
    return ast.Call(ast.Name("__counted__", ast.Load()), [part], [])


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel as Python with checked indices."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = tree.body[0]
    assert isinstance(body, ast.FunctionDef)
    body.decorator_list = []
    code = ast.fix_missing_locations(Counted().visit(tree))
    ast.increment_lineno(code, function.__code__.co_firstlineno - 1)
    space = function.__globals__
    space["__counted__"] = counted
    made: dict[str, Any] = {}
    exec(compile(code, inspect.getfile(function), "exec", annotations.compiler_flag), space, made)
    python, name = made[function.__name__], f"{function.__module__}:{function.__name__}"
    DEFINED.add(name)

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        CALLED.add(name)
        try:
            return python(*arguments, **named)
        except IndexError as error:
            OUTSIDE.setdefault(name, str(error))
            raise

    call.py_func = call  # type: ignore[attr-defined]
    return call


kernels.kernel, kernels.njit = checked, lambda **options: checked

# imported after the lines above, so that the kernels are checked
import schedproof as sp  # noqa: E402
from schedproof.core.cards import registry  # noqa: E402
from schedproof.core.errors import SchedproofError  # noqa: E402
from schedproof.core.runtime.context import Context  # noqa: E402
from schedproof.instances import from_json  # noqa: E402
from schedproof.relaxations.jrp import dual  # noqa: E402

dual.STEPS = 30  # of the descent, instead of 300: every step calls the same kernels

for file in sorted((ROOT / "schedproof").rglob("*.py")):
    if "core.runtime.kernels import" in file.read_text():
        import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))

JOBS = {"preemptive": "jobs", "dmlrs": "jobs", "multiserver": "ports", "jrp": "jobs", "placement": "tasks"}
MACHINES = {
    "preemptive": "servers",
    "dmlrs": "machines",
    "multiserver": "nodes",
    "jrp": "servers",
    "placement": "clusters",
}
GAP = 3000  # slots, more than the arrays that grow have at first
FEW = {"steps": "3", "rounds": "9"}  # of ascents and searches
EXTRA = {  # options that lead to further kernels
    "preemptive.a_online": [{"order": "residual"}, {"price": "marginal"}, {"speed": "1000001/1000000"}],
    "preemptive.lp4": [{"prices": "ascent", "steps": "3"}, {"prices": "ascent", "steps": "3", "cost": "printed"}],
    "multiserver.oga_sched": [{"threads": "2"}, {"step": "anytime"}, {"gain": "total"}],
}
Document = dict[str, Any]


def one_machine(family: str, document: Document) -> None:
    """Keep one machine, and all references to it."""
    rows = document[MACHINES[family]]
    gone = {row["name"] for row in rows[1:]}
    del rows[1:]
    for row in document[JOBS[family]]:
        for part in (row, *row.get("data_nodes", [])):
            for key in ("nodes", "servers", "clusters"):
                if key in part:
                    part[key] = [name for name in part[key] if name not in gone]
        for key in ("upload_delay",):
            if key in row:
                row[key] = {name: delay for name, delay in row[key].items() if name not in gone}
    for name in gone:
        document.get("node_utilities", {}).pop(name, None)


def no_jobs(family: str, document: Document) -> None:
    """Keep no job."""
    document[JOBS[family]] = []
    if "arrivals" in document:
        document["arrivals"] = document["arrivals"][:, :0]


def one_job(family: str, document: Document) -> None:
    """Keep one job."""
    del document[JOBS[family]][1:]
    if "arrivals" in document:
        document["arrivals"] = document["arrivals"][:, :1]


def one_slot(family: str, document: Document) -> None:
    """Keep one slot, in which all jobs arrive."""
    for row in document[JOBS[family]]:
        if "arrival" in row:
            row["arrival"] = 0
    if "horizon" in document:
        document["horizon"] = 1
    if "arrivals" in document:
        document["arrivals"] = document["arrivals"][:1]


def gap(family: str, document: Document) -> None:
    """Let half of the jobs arrive after a long time without any."""
    rows = document[JOBS[family]]
    if "horizon" in document:
        document["horizon"] += GAP
        for row in rows[len(rows) // 2 :]:
            row["arrival"] += GAP
    if "arrivals" in document:
        arrivals = document["arrivals"]
        document["arrivals"] = np.concatenate([arrivals, np.zeros_like(arrivals), arrivals])


def largest_allocations(family: str, document: Document) -> None:
    """Keep only each task's last allocation: a cluster may only have room for its minimum."""
    for row in document[JOBS[family]]:
        if "durations" in row:
            del row["durations"][:-1]


def as_drawn(family: str, document: Document) -> None:
    """Keep everything."""


def everything(family: str, document: Document) -> None:
    """Run all policies, and compute all bounds, on one instance."""
    try:
        instance = from_json(document)
    except SchedproofError:
        return
    card = registry.family(family)
    for kind, make in (("policy", policy), ("bound", bound)):
        for id, entry in card.entries(kind):
            few = {option.name: FEW[option.name] for option in entry.options if option.name in FEW}
            for options in ({}, *EXTRA.get(id, ())):
                with suppress(SchedproofError):
                    make(id, instance, few | options)


def policy(id: str, instance: Any, options: dict[str, str]) -> None:
    run = sp.policy(id, **options).run(instance, seed=1)
    run.schedule.violations(instance)


def bound(id: str, instance: Any, options: dict[str, str]) -> None:
    sp.bound(id, instance, **options)


def simulator(draws: int) -> None:
    """Run the compiled environments: rules, a game, and a training."""
    from schedproof.online.placement.environments import of_instance, of_settings, rule
    from schedproof.online.placement.game import Game
    from schedproof.online.placement.heuristics import Minimum, Random
    from schedproof.online.placement.kernels import mask, step
    from schedproof.online.placement.rule_kernels import play, play_anew, propose_all
    from schedproof.online.placement.table import Table
    from schedproof.workloads.placement import PRESETS
    from schedproof.workloads.placement import draws as drawn
    from schedproof.workloads.placement.settings import configure

    for seed in range(draws):
        context = Context(seed=seed)
        for each in (Random(window=1 + seed, context=context), Minimum(context=context), Table()):
            s = configure(PRESETS["tiny"], {"tasks": str(1 + seed), "clusters": str(1 + seed % 3)})
            kinds = [kind.name for kind in drawn.kinds(s)]
            world, state = of_settings(s, 2)
            plan = rule(each, world, kinds, [seed, seed + 1])
            play_anew(world, state, plan, seed, 0)
            shape = state.queue.shape
            choice, allocation = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            weight, numbers = np.zeros(shape), np.arange(2)
            for _ in range(3):
                propose_all(world, state, plan, choice, weight, allocation)
                step(
                    world,
                    state,
                    choice,
                    weight,
                    allocation,
                    seed,
                    numbers,
                    np.zeros(2, np.int64),
                    np.zeros(2, np.int64),
                )
            mask(world, state, np.zeros((*state.pending.shape, len(world.amounts)), np.bool_))
            document = registry.generate("placement", "tiny", seed, {})
            largest_allocations("placement", document)
            instance = from_json(document)
            world, state = of_instance(instance, window=1 + seed)
            play(world, state, rule(each, world, [task.kind for task in instance.tasks], [seed]))
        game = Game("tiny", 1 + seed, {"tasks": str(1 + seed)})
        game.begin(seed)
        while not game.complete and not game.late:
            game.act([int(np.flatnonzero(game.mask(n))[-1]) for n in range(len(game.clusters))])


def training(draws: int) -> None:
    """Let random choices act in a training's environments, and replay them."""
    from schedproof.online.placement.environments import of_settings
    from schedproof.online.placement.kernels import NONE, renew, replay
    from schedproof.online.placement.tapfinger.arrays import blank
    from schedproof.online.placement.tapfinger.kernels import act, allow, drop_dominated, observe
    from schedproof.workloads.placement import PRESETS
    from schedproof.workloads.placement.settings import configure

    for seed in range(draws):
        rng = np.random.default_rng(seed)
        settings = {"tasks": str(1 + 5 * seed), "clusters": str(1 + seed % 3)}
        world, state = of_settings(configure(PRESETS["tiny"], settings), 2, window=1 + seed)
        for e in range(2):
            renew(world, state, e, seed, e)
        entry = np.arange(1, 1 + len(world.amounts))  # place 0 of the grid: no start
        allocation = np.concatenate([[NONE], entry - 1])
        allowed = np.zeros((*state.queue.shape, allocation.size), np.bool_)
        candidate, space = world.work > 0, np.zeros_like(entry)
        kinds = np.arange(len(world.work))
        seen, index = blank(world, state, len(kinds)), np.zeros(state.arrival.shape[1], np.int64)
        granted = np.zeros(state.queue.shape, np.bool_)
        passed, total = np.zeros((2, 2), np.int64)
        for _ in range(20):
            observe(world, state, kinds, np.ones(world.capacity.shape[1]), index, seen)
            choice = np.where(state.can.any(axis=2), np.argmax(state.can * rng.random(state.can.shape), axis=2), NONE)
            allow(world, state, entry, choice, allowed)
            drop_dominated(world, state, entry, candidate, space, choice, allowed)
            grid = np.argmax(allowed * rng.random(allowed.shape), axis=2)
            score = rng.random(choice.shape)
            act(world, state, allocation, choice, score, grid, granted, passed, total, seed, np.array([2]))
        replay(
            world, state, *(getattr(state, name).copy() for name in ("key", "slot", "start", "cluster", "allocation"))
        )


def projections(draws: int) -> None:
    """Project points of all sizes onto clusters and rows."""
    from schedproof.online.multiserver.projection import project, project_row

    for seed in range(draws):
        rng, graph = np.random.default_rng(seed), sp.generate("multiserver", seed=seed).graph
        for scale in (0.0, 1.0, 1e20, 1e300):
            project(scale * rng.normal(size=graph.shape), graph)
            for width in (1, 9):
                demand = rng.random(width)
                for capacity in (0.0, 1e-300, demand.sum() / 2):
                    project_row(scale * (1 + 1e-9 * rng.normal(size=width)), demand, capacity)


def flows() -> None:
    """Compute the potentials of a flow with and without a negative cycle, and of no node."""
    from schedproof.core.solvers.potentials import potentials

    nothing = np.zeros(0, np.int64)
    potentials(*[nothing] * 5, 0)
    for flow in (0, 1):
        arcs = np.array([[0, 1, 2, 0], [1, 2, 0, 2]]), np.full(4, 2), np.array([1, -5, 1, 3]), np.full(4, flow)
        with suppress(SchedproofError):
            potentials(*arcs[0], *arcs[1:], 3)


def slots_of_dmlrs(draws: int) -> None:
    """Place workers on groups of machines at random prices."""
    from schedproof.relaxations.dmlrs.slot_kernels import Groups, Multipliers, States, core, several
    from schedproof.relaxations.dmlrs.slot_table import cheapest_shares, shares

    rng = np.random.default_rng(1)
    for turn in range(20 * draws):
        groups, limit = int(rng.integers(1, 5)), int(rng.integers(1, 7)) if turn else 64
        machines = rng.integers(1, 4, groups)
        front = np.sort(rng.integers(-1, 5, (groups, int(rng.integers(1, limit + 2)))), axis=1)[:, ::-1].copy()
        front[:, 0] = np.maximum(front[:, 0], 0)
        needed = np.sort(rng.integers(0, 5, limit + 1))
        needed[0] = 0
        prices = rng.random((2, groups)) * 9
        cost, workers, ps = cheapest_shares(Groups(machines, front, *prices, *prices.argsort()), needed)
        for n in np.flatnonzero(cost < np.inf):
            for g in range(groups):
                list(shares(front[g], int(machines[g]), int(workers[n, g]), int(ps[n, g])))
    front = np.array([[3, 2, 1, 0]])
    rows = np.full((65, 65), -1)
    rows[0, 0] = 0
    last = several(front[0], 64, 128, rows)
    groups_of_one = Groups(np.array([64]), front, np.ones(1), np.ones(1), *[np.zeros(1, np.int64)] * 2)
    for size in (100, 4000):
        states, placement = States.of(size, 1, 64, 128), np.zeros((2, 1), np.int64)
        states.together[0] = rows[last]
        core(groups_of_one, 40, 40, Multipliers(0.0, 0.0, 0.0), np.inf, states, *placement)


def main() -> None:
    """Print the kernels that were defined and called, and the indices outside."""
    draws = int(sys.argv[1])
    warnings.simplefilter("ignore")  # hashes overflow, on purpose
    for family, setting in (*((family, {}) for family in JOBS), ("preemptive", {"cloud": "no"})):
        for seed in range(draws):
            document = registry.generate(family, "tiny", seed, setting)
            for change in (as_drawn, largest_allocations, gap, one_slot, one_job, no_jobs, one_machine):
                changed = deepcopy(document)
                change(family, changed)
                everything(family, changed)
    lines = {"jobs": str(20 + 10 * draws), "servers": "2", "cloud": "no", "types": "1", "hours": "8"}
    instance = from_json(registry.generate("preemptive", "tiny", 0, lines))
    policy("preemptive.offline", instance, {"rounds": "3"})
    simulator(draws)
    projections(draws)
    flows()
    slots_of_dmlrs(draws)
    sp.best_ratio(sizes=2, present=3)
    training(draws)
    print(json.dumps({"defined": sorted(DEFINED), "called": sorted(CALLED), "outside": OUTSIDE}))


if __name__ == "__main__":
    main()
