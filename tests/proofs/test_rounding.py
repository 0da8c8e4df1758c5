"""The first iteration of proofs/rounding.v, extracted to OCaml, accepts the jobs of the reference and of the policy."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import strategies as st

from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.vertex_counts import split_nodes, tight
from schedproof.proofs_checks.jrp.theorem1 import unsplit_first
from schedproof.proofs_checks.strategies.jrp_rounds import Drawn, Iteration, rounds, vertices
from schedproof.reference import jrp
from schedproof.rounding.jrp import rounds as product
from tests.proofs.extracted import build
from tests.support import size
from tests.tiny.jrp import drawn_cases

CASES = size(50, 50, 200)


@dataclass(frozen=True)
class Run:
    """An iteration, its draw, and two readings.

    Attributes
    ----------
    unsplit
        Whether jobs without a split data node come first among equal priorities; otherwise the file decides.
    timed
        Whether servers test all three resources; otherwise they test storage.
    """

    case: Iteration
    drawn: Drawn
    unsplit: bool = True
    timed: bool = True


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    theories = ("sums", "jrp", "vertex", "rounding", "extract_rounding")
    return build(tmp_path_factory.mktemp("built"), theories, "first_iteration", "run_rounding")


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    cases = drawn_cases(st.one_of(vertices(), rounds()), CASES)
    cases = [at_share(case, Fraction(seed % 3 + 1, 4)) for seed, case in enumerate(cases)]
    return [Run(case, drawn(case, seed), timed=seed % 2 == 0) for seed, case in enumerate(cases)]


def at_share(case: Iteration, share: Fraction) -> Iteration:
    """Return the case at another communication share, with servers that leave LP_I as it is."""
    given = case.instance
    compute, bandwidth = (1 - given.communication_share) / (1 - share), given.communication_share / share
    servers = tuple(
        msgspec.structs.replace(s, compute=s.compute * compute, bandwidth=s.bandwidth * bandwidth)
        for s in given.servers
    )
    return replace(case, instance=Instance(share, servers, given.jobs))


def drawn(case: Iteration, seed: int) -> Drawn:
    """Return a possible draw of line 8."""
    rng = random.Random(seed)
    laws: dict[jrp.Node, list[tuple[int, Fraction]]] = {}
    for k, i, j, x in case.x:
        laws.setdefault((k, i), []).append((j, x))
    picks = {node: (*law, (-1, 1 - sum(x for _, x in law))) for node, law in laws.items()}
    found = {node: rng.choice([j for j, x in pick if x]) for node, pick in picks.items()}
    return {node: j for node, j in found.items() if j >= 0}


def words(run: Run) -> list[object]:
    """Return the words of one run, in the order that run_rounding.ml reads."""
    instance, share = run.case.pruned, run.case.instance.communication_share
    chance = {row[:3]: row[3] for row in run.case.x}
    result: list[object] = ["unsplit" if run.unsplit else "file", "all" if run.timed else "storage", share]
    result += [len(instance.servers)]
    result += [amount for s in instance.servers for amount in (s.storage, s.compute, s.bandwidth)]
    result += [len(instance.jobs)]
    for k, job in enumerate(instance.jobs):
        result += [*jrp.rates(job), run.case.y[k], len(job.nodes)]
        for i, node in enumerate(job.nodes):
            result += [node.size, run.drawn.get((k, i), -1)]
            result += [chance.get((k, i, j), jrp.ZERO) for j in range(len(instance.servers))]
    return [f"{word.numerator} {word.denominator}" if isinstance(word, Fraction) else word for word in result]


def extracted(program: Path, runs: list[Run]) -> list[set[int]]:
    """Return the accepted jobs of each run."""
    text = "\n".join(" ".join(map(str, words(run))) for run in runs)
    ended = subprocess.run([program], input=f"{len(runs)}\n{text}", capture_output=True, text=True, check=True)
    return [set(map(int, line.split())) for line in ended.stdout.splitlines()]


def test_the_accepted_jobs_are_those_of_the_reference(program: Path, runs: list[Run]) -> None:
    for run, found in zip(runs, extracted(program, runs), strict=True):
        fits = jrp.all_three if run.timed else jrp.storage
        assert found == run.case.accepted(run.drawn, unsplit_first(run.case), fits)
        assert len(found) >= sum(run.case.y) - tight(run.case)  # theorem rounding_accepts
    assert sum(bool(split_nodes(run.case)) for run in runs) > CASES / 10
    assert sum(any(0 < y < 1 for y in run.case.y) for run in runs) > CASES / 5


def test_the_accepted_jobs_are_those_of_the_policy(
    program: Path, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    edges: list[np.ndarray] = []
    draw = product.draw

    def recorded(*given: Any) -> np.ndarray:
        edges.append(draw(*given))
        return edges[-1]

    monkeypatch.setattr(product, "draw", recorded)
    replayed, accepted = list[Run](), list[set[int]]()
    for seed, run in enumerate(runs):
        chance = {row[:3]: row[3] for row in run.case.x}
        state = product.Rounds(run.case.pruned, seed, tested=3 if run.timed else 1)
        at, job = state.edges, state.edges.job[state.edges.node]
        columns = (job, at.node - at.first_node[job], at.server)
        places = list(zip(*(column.tolist() for column in columns), strict=True))
        x = np.array([float(chance.get(place, 0)) for place in places])
        y = np.array(run.case.y, dtype=float)
        state.accept(state.left.copy(), x, y, y)
        accepted.append(set(np.flatnonzero(~state.left).tolist()))
        mine = {(k, i): j for k, i, j in (places[edge] for edge in edges[-1].tolist())}
        replayed.append(replace(run, drawn=mine, unsplit=False))
    assert extracted(program, replayed) == accepted


@pytest.mark.parametrize("change", ["order", "test", "draw"])
def test_a_changed_input_is_noticed(program: Path, runs: list[Run], change: str) -> None:
    changed = [
        {
            "order": replace(run, unsplit=False),
            "test": replace(run, timed=not run.timed),
            "draw": replace(run, drawn=dict(list(run.drawn.items())[1:])),
        }[change]
        for run in runs
    ]
    assert extracted(program, changed) != extracted(program, runs)
