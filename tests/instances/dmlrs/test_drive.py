from __future__ import annotations

from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import USUAL
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.dmlrs import Instance, Placement, Schedule, from_json
from schedproof.instances.dmlrs.drive import drive
from tests.tiny.dmlrs import tiny_dmlrs


class AtOnce:
    """A policy that returns given placements."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def assign(self, instance: Instance) -> Any:
        if isinstance(self.answer, Interrupted):
            raise self.answer
        return self.answer


def run(answer: Any) -> Schedule:
    return drive(AtOnce(answer), from_json(tiny_dmlrs(1)), DecidedBy("test"), USUAL)


def test_a_batch_policy_answers_with_every_placement() -> None:
    rows = [Placement(1, 2, 0, 1, 1), Placement(0, 1, 0, 1, 1)]
    assert run(iter(rows)).placements == (rows[1], rows[0])
    with pytest.raises(Interrupted) as caught:
        run(Interrupted(rows))
    assert caught.value.best.placements == (rows[1], rows[0])
    assert sp.policy(AtOnce(rows)).run(from_json(tiny_dmlrs(1))).schedule.placements == (rows[1], rows[0])


@pytest.mark.parametrize("answer", [None, 3, [(0, 0, 0, 1, 1)], [None]])
def test_an_answer_without_placements_gives_one_message(answer: Any) -> None:
    with pytest.raises(PolicyError, match=r"assign of the policy returned .*, expected a list of Placement"):
        run(answer)
