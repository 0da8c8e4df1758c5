"""Wrong objects handed to a function end in one sentence: the error and its fix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime
from schedproof.core.errors import SchedproofError
from schedproof.core.simulation.policy import Decisions
from schedproof.instances.placement.drive import Place


class Base:
    """A placement policy that starts no task; tests change one method each."""

    def start(self, system: Any) -> None:
        pass

    def decide(self, view: Any) -> Any:
        return []


class WithoutDecide:
    def start(self, system: Any) -> None:
        pass


class Arrivals:
    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def start(self, system: Any) -> None:
        self.system = system

    def arrive(self, time: int, jobs: Any) -> None:
        pass

    def advance(self, until: int) -> Any:
        return self.answer(self, until) if callable(self.answer) else self.answer


class Responder:
    protocol = "responds"

    def __init__(self, answer: Any, protocol: str = "responds") -> None:
        self.answer, self.protocol = answer, protocol

    def start(self, system: Any) -> None:
        pass

    def respond(self, slot: int, arrivals: Any) -> Any:
        return self.answer


class Batch:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def assign(self, instance: Any) -> Any:
        return self.answer


class Rated(Base):
    def guarantee(self, instance: Any) -> Any:
        return 2.0


def deciding(answer: Any) -> Base:
    made = type("Deciding", (Base,), {"decide": lambda self, view: answer(view) if callable(answer) else answer})
    found: Base = made()
    return found


def columns(**changes: Any) -> dict[str, np.ndarray]:
    names = ("what", "chunk", "server", "kind", "worker", "starts")
    return {name: np.zeros(1, dtype=np.int64) for name in names} | changes


def one(time: int = 0, job: int = 0, **changes: Any) -> Decisions:
    return Decisions(np.array([time]), np.array([job]), columns(**changes))


def run(policy: Any, instance: str = "clusters", **options: Any) -> Any:
    return sp.policy(policy, **options).run(sp.embedded(instance))


@dataclass(frozen=True)
class Number:
    x: Fraction


def claim(check: Any = None, strategy: Any = None, **changes: Any) -> Claim[Any]:
    reading = Reading("as printed", "For every x.", check or (lambda case: Finding(case.x**2, case.x, "at least")))
    strategy = strategy if strategy is not None else st.builds(Number, st.fractions(2, 4, max_denominator=5))
    variant = FalseVariant("x >= x^2", lambda case: Finding(case.x, case.x**2, "at least"))
    given: dict[str, Any] = {
        "id": "notes.square",
        "source": Paper("Me", ("M. E.",), "Notes", "unpublished", 2026).at("page 1"),
        "statement": "x^2 >= x.",
        "readings": (reading,),
        "domain": Domain(Number, strategy, (Regime("x > 1", lambda case: case.x > 1),)),
        "false_variants": (variant,),
    }
    return Claim(**given | changes)


def raising(*given: Any) -> Any:
    raise KeyError("size")


def raising_group(role: Any = "constraints", needs: tuple[str, ...] = ("starts",), build: Any = raising) -> Any:
    return sp.group(role, "(9)", "", needs)(build)


def exact() -> Any:
    return sp.program("placement.exact")


HERE = "test_wrong_objects.py, line"


def certified(by: Any) -> Any:
    return replace(sp.bound("placement.lp", sp.embedded("clusters")), witness=by)


OBJECTS: list[tuple[Callable[[], Any], int, str, str]] = [
    # what is no policy
    (lambda: sp.policy("tiresia"), 2, "tiresia", "placement.tiresias"),
    (lambda: run("a_online"), 2, "preemptive.a_online", "placement"),
    (lambda: sp.policy(object()), 1, "object", "'assign' of BatchPolicy"),
    (lambda: sp.policy(WithoutDecide()), 1, "WithoutDecide", "'decide' of SlotPolicy"),
    (lambda: sp.policy(WithoutDecide), 1, "WithoutDecide", "'respond' of ResponsePolicy"),
    (lambda: sp.policy(print), 1, "builtin", "'start' and 'decide' of SlotPolicy"),
    (lambda: run(type("Slots", (WithoutDecide,), {"assign": print})(), "cluster"), 1, "None", "a list of Placement"),
    (lambda: run(type("Slots", (), {"assign": print})(), "ports"), 1, "Slots", "'start'"),
    (lambda: run(type("Slots", (WithoutDecide,), {"assign": print})()), 1, "None", "a list of Start"),
    (lambda: run(type("Slots", (Base,), {"assign": print})(), "day"), 1, "None", "expected Decisions(time"),
    (lambda: run(Base(), k=2), 2, "object", "sp.policy(Base"),
    (lambda: run(Base, k=2), 2, "'k'", "Base"),
    (lambda: run(Base(), "day"), 1, "Base", "'arrive'"),
    (lambda: sp.policy(Base()).run("clusters.json"), 2, "clusters.json", "cannot be read"),
    # what a method answers
    (lambda: run(deciding(None)), 1, "None", "a list of Place and Stop"),
    (lambda: run(deciding([0])), 1, "0 in its list", "Place or Stop"),
    (lambda: run(deciding([Place(99, 0, (1, 1))])), 1, "99", "not seen"),
    (lambda: run(deciding([Place("t1", 0, (1, 1))])), 1, "'t1'", "ValueError"),
    (lambda: run(deciding(lambda view: [Place(view.pending[0].index, 9, (1, 1))])), 1, "number 9", "D_j"),
    (lambda: run(deciding(lambda view: view.tomorrow)), 1, "tomorrow", HERE),
    (lambda: run(deciding(lambda view: view.pending[0].modes)), 1, "modes", "cannot see"),
    (lambda: run(Arrivals([]), "day"), 1, "advance", "Decisions"),
    (lambda: run(Arrivals(Decisions(np.zeros(0), np.zeros(0), {})), "day"), 1, "'what'", "chunk, server"),
    (lambda: run(Arrivals(one(chunk=np.zeros(2, int))), "day"), 1, "chunk", "1 times"),
    (lambda: run(Arrivals(one(chunk=np.zeros(1))), "day"), 1, "chunk", "integers"),
    (lambda: run(Arrivals(one(job=99)), "day"), 1, "99", "before it arrived"),
    (lambda: run(Arrivals(lambda self, until: one(self.system.jobs)), "day"), 1, "'jobs'", "not known before"),
    (lambda: run(Responder(None), "ports"), 1, "object", "float64"),
    (lambda: run(Responder(np.zeros((2, 2))), "ports"), 1, "(2, 2)", "expected float64 of"),
    (lambda: run(Responder(None, "response"), "ports"), 1, "response", "responds"),
    (lambda: run(Batch(None), "cells"), 1, "None", "Assignment"),
    (lambda: run(Rated()), 1, "2.0", "Guarantee"),
    # programs and groups
    (lambda: sp.program("placement.exct"), 2, "placement.exct", "placement.exact"),
    (lambda: exact().solve("clusters.json"), 2, "clusters.json", "cannot be read"),
    (lambda: exact().add(raising), 2, "raising", "sp.group"),
    (lambda: exact().add(exact().group("capacity")), 2, "'capacity'", "drop it first"),
    (lambda: exact().add(raising_group(needs=("strts",))), 2, "'strts'", "starts"),
    (lambda: raising_group(role="constraint"), 2, "'constraint'", "constraints"),
    (lambda: raising_group(build="rows"), 2, "rows", "function"),
    (lambda: exact().add(raising_group()).solve(sp.embedded("clusters")), 2, "'size'", HERE),
    (lambda: sp.program(object()), 2, "object", "like 'preemptive.ilp4'"),
    (lambda: sp.group("constraints", "(1)", 3), 2, "3", "LaTeX"),
    (lambda: sp.group("constraints", "(1)", "x", "starts"), 2, "'starts'", "a tuple"),
    (lambda: sp.Program("exact", "minimize", ()), 2, "'exact'", "family.name"),
    (lambda: sp.Program("a.exact", "min", ()), 2, "'min'", "minimize"),
    (lambda: sp.Program("a.exact", "minimize", exact().group("capacity")), 2, "capacity", "a tuple of groups"),
    (lambda: sp.dualise(exact()), 2, "placement.exact", "Program.build"),
    (lambda: exact().solve(sp.embedded("clusters"), time_limit=-1), 2, "-1", "seconds"),
    (lambda: exact().solve(sp.embedded("clusters"), progress="dots"), 2, "'dots'", "function"),
    (lambda: exact().group("capacty"), 2, "'capacty'", "capacity"),
    (lambda: exact().solve(sp.embedded("clusters"), "cpsta"), 2, "'cpsta'", "cpsat"),
    # bounds
    (lambda: sp.bound("placement.lpp", sp.embedded("clusters")), 2, "placement.lpp", "placement.lp"),
    (lambda: sp.bound("placement.lp", "clusters.json"), 2, "clusters.json", "cannot be read"),
    (lambda: run("tiresias").ratio(3.0), 2, "3.0", "sp.bound"),
    (lambda: run("tiresias").ratio(certified(by=Number(Fraction(1)))), 1, "Number", "as certificate of"),
    # files, workloads, comparisons
    (lambda: sp.read(None), 2, "None", "name of a file"),
    (lambda: sp.read_schedule(3, sp.embedded("clusters")), 2, "3", "name of a file"),
    (lambda: sp.embedded("cluster_"), 2, "cluster_", "clusters"),
    (lambda: sp.generate(["jrp"]), 2, "['jrp']", "name of a generator"),
    (lambda: sp.generate("jrp", seed="7"), 2, "'7'", "integer >= 0"),
    (lambda: sp.trace("philly", "cluster_job_log"), 2, "two files", "the jobs and the machine list"),
    (lambda: sp.compare(3), 2, "3", "list of instances"),
    (lambda: sp.compare([3]), 2, "3", "sp.read"),
    (lambda: sp.compare([sp.embedded("day")], [7]), 1, "int", "ArrivalPolicy"),
    (lambda: sp.policy("srtf").run(sp.embedded("day"), seed=-1), 2, "-1", "integer >= 0"),
    # claims
    (lambda: sp.claim(claim()), 2, "notes.square", "name of a claim"),
    (lambda: sp.claim("jrp.split_equivalen"), 2, "jrp.split_equivalen", "jrp.split_equivalent"),
    (lambda: sp.verify(3), 2, "3", "Claim"),
    (lambda: sp.verify(claim(id="square")), 2, "square", "family.name"),
    (lambda: sp.verify(claim(strategy=st.builds(raising))), 2, "'size'", HERE),
    (lambda: sp.verify(claim(strategy=7)), 2, "7", "strategy"),
    (lambda: sp.verify(claim(check=raising)), 2, "'size'", HERE),
    (lambda: sp.verify(claim(check=lambda case: None)), 2, "None", "Finding"),
    (lambda: sp.verify(claim(check=lambda case: Finding(1, "x"))), 2, "x", "Fraction"),
    (lambda: sp.verify(claim(check=lambda case: Finding(0.5, 1))), 2, "0.5", "a Fraction"),
    (lambda: sp.verify(claim(readings=())), 2, "notes.square", "reading"),
]


@pytest.mark.parametrize(("ask", "code", "wrong", "way_on"), OBJECTS)
def test_a_wrong_object_gives_one_message_with_a_fix(
    ask: Callable[[], Any], code: int, wrong: str, way_on: str
) -> None:
    with pytest.raises(SchedproofError) as caught:
        ask()
    error = str(caught.value)
    assert caught.value.exit_code == code and error.count("\n") == 0, error
    assert wrong in error and way_on in error.replace(wrong, "", 1), error
