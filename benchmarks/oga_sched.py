"""OGASched at the paper's sizes: memory bandwidth, peers, and growth.

    python benchmarks/oga_sched.py [--slots 8000 10000] [--threads 1 2] [--longest 10000000] [--checked]

A run computes the rewards of all slots without storing allocations; the step is constant. Seconds are elapsed, the best
of three after one that compiles. The floor of a step is reading and writing y by ``np.copyto`` on as many threads.
Peers project the same points z = y(t) + eta g one after the other: the program ``multiserver.projection``, compiled
once; OSQP and PIQP, set up once; and Algorithm 1 as printed. "off" is the largest difference from the exact projection,
in units of the resource.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from time import perf_counter, process_time
from typing import Any

import numpy as np

import schedproof as sp
from schedproof.instances.multiserver import from_json
from schedproof.instances.multiserver.drive import play, system
from schedproof.instances.multiserver.schedule import review
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.printed_projection import printed_projection
from schedproof.online.multiserver.projection import Layout, project
from schedproof.workloads.multiserver import generate

PAPER = (("figure2", {"density": "full"}, "1 h on 48 cores"), ("figure2", {}, ""), ("large", {}, "15 h on 48 cores"))
PEERS_SLOTS = 20
TINY = {"ports": "2", "nodes": "2", "resources": "2", "density": "full"}


def instance_of(preset: str, settings: dict[str, str]) -> Any:
    """An instance of a preset."""
    return from_json(generate(preset, 1, settings))


def seconds(instance: Any, threads: int, repeats: int = 3) -> float:
    """Best elapsed seconds of the rewards of all slots."""
    times = []
    for _ in range(repeats):
        policy = sp.policy("oga_sched", threads=threads).build(instance)
        policy.start(system(instance))
        started = perf_counter()
        for present in instance.blocks():
            policy.earn(present)
        times.append(perf_counter() - started)
    return min(times)


def floor(entries: int, threads: int) -> float:
    """Return the seconds to copy this many doubles by ``np.copyto``; the best of many."""
    source, target = np.ones(entries), np.zeros(entries)
    parts = list(zip(np.array_split(source, threads), np.array_split(target, threads), strict=True))

    repeats = max(1, 10**7 // entries)  # some milliseconds, beside which the threads' start is nothing

    def copy(part: tuple[np.ndarray, np.ndarray]) -> None:
        for _ in range(repeats):
            np.copyto(part[1], part[0])

    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(300):
            started = perf_counter()
            list(pool.map(copy, parts))
            times.append((perf_counter() - started) / repeats)
    return min(times)


def paper(threads: list[int], slots: list[int]) -> None:
    """The paper's sizes."""
    print(f"{'preset':<18} {'entries':>8} {'slots':>6} {'threads':>7} {'seconds':>8} {'us/slot':>8}", end=" ")
    print(f"{'ns/entry':>8} {'floor us':>8} {'times':>6}  paper")
    for (preset, settings, told), horizon in zip(PAPER, (slots[0], slots[0], slots[-1]), strict=True):
        instance = instance_of(preset, settings | {"horizon": str(horizon)})
        entries = instance.graph.shape[0] * instance.graph.shape[1]
        name = " ".join([preset, *(f"{k}={v}" for k, v in settings.items())])
        for count in threads:
            took = seconds(instance, count)
            least = floor(Layout.of(instance.graph).size, count)
            each = took / horizon
            print(f"{name:<18} {entries:8} {horizon:6} {count:7} {took:8.2f} {each * 1e6:8.1f}", end=" ")
            print(f"{each / entries * 1e9:8.2f} {least * 1e6:8.1f} {each / least:6.1f}  {told}", flush=True)


def points(instance: Any) -> Iterator[np.ndarray]:
    """z of the slots of a run, (E, K) each."""
    policy = sp.policy("oga_sched").build(instance)
    policy.start(system(instance))
    eta = policy.rule.sizes(0, 1)[0]
    for present in instance.present(0, instance.horizon):
        y = policy.play(present[None])[0]
        yield y + eta * supergradient(instance.graph, y, present)


def by_program(instance: Any) -> Callable[[np.ndarray], np.ndarray]:
    """The declared program, its point a parameter of CVXPY."""
    program = sp.program("multiserver.projection", point=np.zeros(instance.graph.shape))
    problem = program.build(instance)
    (point,) = problem.parameters()
    (allocation,) = problem.variables()

    def solve(z: np.ndarray) -> np.ndarray:
        point.value = z
        problem.solve("CLARABEL")
        return np.array(allocation.value)

    return solve


def constraints(instance: Any) -> Any:
    """Rows (node, resource) of the capacities, over the entries of an allocation in C order."""
    from scipy.sparse import csc_matrix

    edges, resources = instance.graph.shape
    rows = instance.graph.edge_node[:, None] * resources + np.arange(resources)
    return csc_matrix((np.ones(edges * resources), (rows.ravel(), np.arange(edges * resources))))


def by_osqp(instance: Any) -> Callable[[np.ndarray], np.ndarray]:
    """OSQP, set up once."""
    import osqp
    from scipy.sparse import eye, vstack

    graph, size = instance.graph, int(np.prod(instance.graph.shape))
    sums, one = constraints(instance), eye(size, format="csc")
    upper = np.concatenate([graph.capacity.ravel()[: sums.shape[0]], graph.demand[graph.edge_copy].ravel()])
    lower = np.concatenate([np.full(sums.shape[0], -np.inf), np.zeros(size)])
    solver = osqp.OSQP()
    stacked = vstack([sums, one], format="csc")
    solver.setup(
        one, np.zeros(size), stacked, lower, upper, verbose=False, eps_abs=1e-9, eps_rel=1e-9, max_iter=100_000
    )

    def solve(z: np.ndarray) -> np.ndarray:
        solver.update(q=-z.ravel())
        return np.array(solver.solve().x).reshape(z.shape)

    return solve


def by_piqp(instance: Any) -> Callable[[np.ndarray], np.ndarray]:
    """PIQP, set up once."""
    import piqp
    from scipy.sparse import eye

    graph, size = instance.graph, int(np.prod(instance.graph.shape))
    sums = constraints(instance)
    solver = piqp.SparseSolver()
    solver.setup(
        eye(size, format="csc"),
        np.zeros(size),
        G=sums,
        h_u=graph.capacity.ravel()[: sums.shape[0]],
        x_l=np.zeros(size),
        x_u=graph.demand[graph.edge_copy].ravel(),
    )

    def solve(z: np.ndarray) -> np.ndarray:
        solver.update(c=-z.ravel())
        solver.solve()
        return np.array(solver.result.x).reshape(z.shape)

    return solve


def peers() -> None:
    """Print the cost of a projection by peers, and of a whole step here."""
    instance = instance_of("figure2", {"density": "full", "horizon": "2000"})
    step = seconds(instance, 1) / instance.horizon
    short = instance_of("figure2", {"density": "full", "horizon": str(PEERS_SLOTS)})
    given = list(points(short))
    exact = [project(z, short.graph) for z in given]
    solvers = {"CVXPY, CLARABEL": by_program(short)}
    for name, prepare in {"OSQP": by_osqp, "PIQP": by_piqp}.items():
        if find_spec(name.lower()):
            solvers[name] = prepare(short)
        else:
            print(f"{name} is not installed: `pip install {name.lower()}` adds its row")
    solvers |= {
        "Algorithm 1 as printed": lambda z: printed_projection(short.graph, z),
        "project": lambda z: project(z, short.graph, 1),
    }
    print(f"\n{'projection':<24} {'ms/slot':>9} {'times a whole step':>19} {'off':>9}")
    for name, solve in solvers.items():
        solve(given[-1])
        started = perf_counter()
        found = [solve(z) for z in given]
        each = (perf_counter() - started) / len(given)
        off = max(np.abs(a - b).max() for a, b in zip(found, exact, strict=True))
        print(f"{name:<24} {each * 1e3:9.3f} {each / step:19.1f} {off:9.1e}", flush=True)
    print(f"{'a whole step':<24} {step * 1e3:9.3f}")


def growth(longest: int) -> None:
    """Doubling one size at a time, on one thread."""
    print(f"\n{'':<24} {'us/slot':>9} {'growth':>7}")
    for what, values in (("ports", (10, 20, 40, 80, 160)), ("nodes", (64, 128, 256, 512, 1024))):
        before = None
        for value in values:
            instance = instance_of("figure2", {"density": "full", "horizon": "200", what: str(value)})
            each = seconds(instance, 1) / 200
            rate = "" if before is None else f"{each / before:7.2f}"
            print(f"{what} = {value:<16} {each * 1e6:9.1f} {rate:>7}", flush=True)
            before = each
    for horizon in (longest // 100, longest // 10, longest):
        instance = instance_of("default", TINY | {"horizon": str(horizon)})
        each = seconds(instance, 1, 1) / horizon
        print(f"2 x 2 x 2, slots = {horizon:<9} {each * 1e6:5.2f}", flush=True)


def checked(slots: list[int]) -> None:
    """Print the time of a run with the exact check and enclosed rewards, and without."""
    print(f"\n{'preset':<24} {'slots':>6} {'run ms/slot':>12} {'checked':>8} {'times':>6}")
    for (preset, settings, _), horizon in zip((PAPER[0], PAPER[2]), slots, strict=True):
        instance = instance_of(preset, settings | {"horizon": str(horizon)})
        times: dict[str, list[float]] = {"run": [], "checked": []}
        for _ in range(4):  # once to compile
            for name, row in times.items():
                blocks = play(sp.policy("oga_sched", threads=1).build(instance), instance)
                started = process_time()
                review(instance, blocks, "node") if name == "checked" else consumed(blocks)
                row.append(process_time() - started)
        run, whole = (min(times[name][1:]) / horizon * 1e3 for name in times)
        print(f"{' '.join([preset, *settings.values()]):<24} {horizon:6} {run:12.3f} {whole:8.3f} {whole / run:6.2f}")


def consumed(blocks: Iterator[np.ndarray]) -> None:
    """Play all slots, and keep none."""
    for _ in blocks:
        pass


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slots", type=int, nargs=2, default=[8000, 10_000])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--longest", type=int, default=10_000_000, help="slots of the longest run of a tiny system")
    parser.add_argument("--checked", action="store_true", help="only what the exact check of every slot costs")
    arguments = parser.parse_args()
    if arguments.checked:
        checked(arguments.slots)
        return
    paper(arguments.threads, arguments.slots)
    peers()
    growth(arguments.longest)


main()
