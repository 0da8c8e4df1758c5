"""Jobs in slots are a system: its general graph gives the ratios of the tables of `prove`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.exact_ratio.automata import Kind
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.adversary.exact_ratio.rule import Jobs
from tests.command_line import EXAMPLES

SLOT = "slot"
Request = Kind | str


class JobsInSlots(sp.System):
    """A rule against the schedules of a proof; a request is an arriving job or a slot."""

    def __init__(self, proof: Proof) -> None:
        self.proof, self.schedule = proof, proof.graph.schedule
        self.number = {state: n for n, state in enumerate(self.schedule.states)}

    def start(self) -> Jobs:
        return ()

    def offline(self) -> Any:
        return self.schedule.states[0]

    def requests(self, offline: Any, state: Jobs = ()) -> Iterable[Request]:
        present = len(state), self.schedule.present[self.number[offline]]
        return [*([SLOT] if any(present) else []), *(self.proof.kinds if max(present) < self.proof.present else [])]

    def answer(self, state: Jobs, request: Any) -> tuple[Jobs, int]:
        rule = self.proof.rule
        if request == SLOT:
            return rule.advance(state) if state else (), sum(rule.numbers(job)[1] for job in state)
        return rule.arrive(state, *(request if isinstance(request, tuple) else (request,))), 0

    def moves(self, offline: Any, request: Any) -> Iterable[tuple[Any, int]]:
        before = self.number[offline]
        slot = request == SLOT
        after = self.schedule.slots if slot else self.schedule.arrive[self.proof.kinds.index(request)]
        cost = int(self.schedule.cost[before]) if slot else 0
        return [(self.schedule.states[n], cost) for n in {*after[:, before].tolist()} if n >= 0]


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("srtf", {"present": 4}),
        ("srtf", {"machines": 3, "present": 3, "far": 2, "delay": 1}),
        ("a_online", {"sizes": 3, "present": 3, "speed": "3/2"}),
        ("tiresias_l", {"sizes": 3, "present": 3}),
        ("srpt_floating", {"present": 3, "chunks": 2}),
        ("placement.optimus", {"machines": 1, "sizes": 3, "present": 3}),
        (str(EXAMPLES / "highest_density.py"), {"machines": 1, "weights": 2, "present": 3}),
        (str(EXAMPLES / "migrating_srtf.py"), {"sizes": 3, "present": 4}),
    ],
)
def test_the_system_has_the_ratio_of_the_tables(policy: str, options: dict[str, Any]) -> None:
    proof = sp.prove(policy, **options)
    system = sp.prove(JobsInSlots(proof))
    assert system.exact == proof.exact
    merged = dict(zip(proof.policy.states, proof.one.tolist(), strict=True))
    found = {(merged[belief[0][0]], offline) for belief, offline, _ in system.potential}
    theirs = (proof.graph.schedule.states[n] for n in proof.graph.theirs.tolist())
    assert found == {*zip(proof.graph.mine.tolist(), theirs, strict=True)}
