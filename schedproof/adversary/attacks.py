"""Mixed-integer programs whose solutions are bad instances for one policy.

Such programs exist for policies whose rules are linear or projections; the family's card names them. A solver proposes
a document, which the policy plays, so the measured score is exact. The solver's bound on all documents is not
certified.
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

FEWEST = 100  # nodes of branch and bound in the first attempt; each later attempt has four times as many
NODES = 10  # nodes for each document that the search may evaluate

NEAR = 1e-4  # relative distance to the solver's bound at which the search is settled


class Attack(Protocol):
    """A program over the documents of a space that maximises the policy's loss."""

    def model(self) -> Model:
        """Return the program as a Pyomo model."""

    def document(self, model: Model) -> Document:
        """Return the document of a solved model."""

    def most(self, value: float) -> float:
        """Convert an upper bound on the program's objective into one on all scores."""


def attack_on(space: Documents, objective: Objective) -> Attack | None:
    """Return the program for a space and an objective, if the card has one.

    Programs maximise the ratio or the regret over all instances, so only ``objective.only == "all"`` is supported.
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
    """Branch and bound, restarted with more nodes until complete or at its limit.

    Attributes
    ----------
    nodes
        Node limit of the last attempt. Nodes are counted instead of seconds, so that a search is reproducible.
    """

    space: Documents
    objective: Objective
    nodes: int

    @property
    def name(self) -> str:
        return f"branch and bound, {self.nodes} nodes"

    def advance(self, state: State, seconds: float) -> State:
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
    """Return the program as a piece of a search, unless the search is exhaustive."""
    few = space.size is not None and space.size <= documents
    return [] if few or attack_on(space, objective) is None else [Branching(space, objective, NODES * documents)]
