"""Mixed-integer programs whose solutions are worst documents, for policies whose rules are linear or projections.

A family's card names them. A solver proposes a document, which the policy then plays like any other: what is measured
of it is exact, whatever the solver's tolerances. What the solver says that no document exceeds is its word alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from schedproof.adversary.documents import Document
from schedproof.adversary.objective import Objective
from schedproof.adversary.search import Piece, State, keep, score_of, work_on
from schedproof.adversary.space import Documents
from schedproof.core.base.numbers import as_float
from schedproof.core.base.untyped import Model
from schedproof.core.cards import registry
from schedproof.core.solvers import pyomo_models

FEWEST = 100  # nodes of branch and bound in the first attempt, four times as many in the next
NODES = 10  # for each document that the search may look at

NEAR = 1e-4  # of the bound, relatively: a score that is so near settles the search


class Attack(Protocol):
    """A program whose solutions are documents of a space; the better, the worse for the policy."""

    def model(self) -> Model:
        """The program as a Pyomo model."""

    def document(self, model: Model) -> Document:
        """What a solved model says."""

    def most(self, value: float) -> float:
        """What no score in the space exceeds, where the program's objective does not exceed a value."""


def attack_on(space: Documents, objective: Objective) -> Attack | None:
    """The program that fits a space and what is searched for there; None where there is none.

    Programs know the ratio or the regret alone, not which instances a guarantee speaks of.
    """
    policy, family = objective.policy, objective.against.partition(".")[0]
    if policy.own is None and space.size is not None and objective.only == "all":
        id = registry.find("policy", policy.name, family)[0]
        for row in registry.family(family).attacks:
            if (f"{family}.{row.policy}", f"{family}.{row.against}") == (id, objective.against):
                result: Attack | None = registry.load(row.home)(space, objective)
                return result
    return None


@dataclass(frozen=True)
class Branching:
    """Branch and bound, anew with more nodes until it is complete or has had as many as it may.

    Attributes
    ----------
    nodes
        Of the last attempt. They are counted, not seconds, so that one search is the same everywhere.
    """

    space: Documents
    objective: Objective
    nodes: int

    @property
    def name(self) -> str:
        """How far it goes."""
        return f"branch and bound, {self.nodes} nodes"

    def advance(self, state: State, seconds: float) -> State:
        """Go on from a state for about so many seconds, by one attempt at least."""
        return work_on(state, seconds, self._step)

    def _step(self, state: State) -> None:
        attack = attack_on(self.space, self.objective)
        assert attack is not None
        model, nodes = attack.model(), min(self.nodes, FEWEST << 2 * state.steps)
        outcome = pyomo_models.solve(model, "highs", settings={"mip_max_nodes": nodes})
        state.steps += 1
        if outcome.has_point:
            document = attack.document(model)
            score = score_of(self.objective, document, state)
            if score is not None:
                keep(state, document, score)
        state.bound = None if outcome.bound is None else attack.most(outcome.bound)
        if state.bound is not None and state.score is not None:
            state.settled = as_float(state.score) >= state.bound - NEAR * abs(state.bound)
        state.done = nodes >= self.nodes or outcome.status not in ("feasible", "time_limit")


def attacks(space: Documents, objective: Objective, documents: int) -> Sequence[Piece]:
    """The program's piece of a search that may look at so many documents, but not at all of the space."""
    few = space.size is not None and space.size <= documents
    return [] if few or attack_on(space, objective) is None else [Branching(space, objective, NODES * documents)]
