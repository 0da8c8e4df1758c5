from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.attacks import Branching, attack_on, attacks
from schedproof.adversary.objective import objective
from schedproof.adversary.search import State
from schedproof.adversary.space import of_free
from schedproof.core.runtime.files import write_json
from schedproof.instances import from_json
from tests.command_line import Cli, told
from tests.tiny.multiserver import by_hand

ALL = ["arrivals[*][*]=0..1"]
DUEL = by_hand([[1]], [([1], [0]), ([1], [0])], [[1, 1]] * 4)


def test_the_proposal_is_played_and_no_arrivals_hurt_more() -> None:
    duel, regret = from_json(DUEL | {"arrivals": [[1, 1]] * 3}), "multiserver.regret"
    found = sp.worst("oga_sched", regret, sp.Space(duel, free=ALL), sp.Engine(chains=1, steps=20))
    every = sp.worst("oga_sched", regret, sp.Space(duel, free=ALL), against_options={"points": 2})
    assert every.complete and every.solver_bound is None
    assert found.solver_bound == pytest.approx(every.value, abs=1e-6)
    assert found.value == pytest.approx(every.value, abs=1e-6) and not found.complete and not found.unfinished
    assert found.exact <= found.run.regret().upper[-1] and "not certified" in "".join(found.lines())


def test_fixed_arrivals_stay_unchanged() -> None:
    space = of_free(DUEL, ["arrivals[1][0]=0..1", "arrivals[2][1]=0", "arrivals[3][*]=0..1"])
    goal = objective(sp.policy("oga_sched"), "multiserver", "regret")
    attack = attack_on(space, goal)
    assert attack is not None
    free = {key for key, comes in attack.model().arrivals.comes.items() if not comes.fixed}
    assert free == {(1, 0), (3, 0), (3, 1)}
    state = Branching(space, goal, 400).advance(State(), 1e9)
    best = max(float(goal.judge(from_json(space.document(n))).score) for n in range(space.size or 0))
    assert state.settled and float(state.score or 0) == pytest.approx(best, abs=1e-6)


def test_attempts_have_more_nodes_each_and_end() -> None:
    space, goal = of_free(DUEL, ALL), objective(sp.policy("oga_sched"), "multiserver", "regret")
    piece = Branching(space, goal, 1)
    state = piece.advance(State(), 0)
    assert state.done and state.steps == 1 and not state.settled
    assert state.bound is not None and (state.score is None or float(state.score) <= state.bound)


@pytest.mark.parametrize(
    ("options", "changed", "free"),
    [
        ({"step": "anytime"}, {}, ALL),
        ({"projection": "printed"}, {}, ALL),
        ({}, {"utilities": {"cpu": {"kind": "log", "alpha": 1}}}, ALL),
        ({}, {}, ["arrivals[*][*]=0..2"]),
        ({}, {}, ["nodes[0].capacity.cpu=1..1000"]),
        ({}, {"arrivals": [[1, 1]] * 4000}, ALL),
    ],
)
def test_a_nonlinear_rule_has_no_program(options: dict[str, Any], changed: dict[str, Any], free: list[str]) -> None:
    goal = objective(sp.policy("oga_sched", **options), "multiserver", "regret")
    assert not attacks(of_free(DUEL | changed, free), goal, 1)


def test_other_policies_and_settings_use_the_search() -> None:
    assert attack_on(of_free(DUEL, ALL), objective(sp.policy("drf"), "multiserver", "slot_optimum")) is None
    promised = objective(sp.policy("oga_sched"), "multiserver", "regret", only="guaranteed")
    assert attack_on(of_free(DUEL, ALL), promised) is None
    own = sp.policy(sp.policy("oga_sched").build(from_json(DUEL)))
    assert attack_on(of_free(DUEL, ALL), objective(own, "multiserver", "regret")) is None


def test_the_command_states_the_source_of_the_result(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_json("duel.json", DUEL)
    words = ["worst", "oga_sched", "duel.json", "--against", "regret", "--free", *ALL, "--chains", "1", "--steps", "20"]
    result = told(cli(*words, "--jobs", "1", "--json"))
    assert result["solver_bound"] == pytest.approx(result["value"], abs=1e-5) and not result["complete"]


def test_when_time_is_over_the_proposal_is_the_answer() -> None:
    space, engine = sp.Space(from_json(DUEL), free=ALL), sp.Engine(chains=2, steps=20, time_limit=0)
    found = sp.worst("oga_sched", "multiserver.regret", space, engine)
    assert found.looked_at == (1, 0)
    assert found.solver_bound is not None and float(found.exact) <= found.solver_bound + 1e-6
