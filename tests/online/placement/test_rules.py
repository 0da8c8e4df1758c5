from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.adversary.exact_ratio.prove import rule_file
from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.core.cards import registry
from schedproof.core.errors import InputError
from schedproof.proofs_checks.strategies.placement import build

POLICIES = ("tiresias", "optimus")
GAPS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=9)


def starts(rule: Rule, arrivals: list[tuple[int, int]]) -> list[int]:
    state: Jobs = ()
    ids: list[int] = []
    begun: dict[int, int] = {}
    slot, coming = 0, list(enumerate(arrivals))
    while coming or state:
        while coming and coming[0][1][0] == slot:
            task, (_, size) = coming.pop(0)
            state, ids = rule.arrive(state, size), [*ids, task]
        if state:
            chosen = rule.run(state)
            for n in chosen:
                begun.setdefault(ids[n], slot)
            ids = [task for n, task in enumerate(ids) if state[n][0] > (n in chosen)]
            state = rule.advance(state)
        slot += 1
    return [begun[n] for n in range(len(arrivals))]


@pytest.mark.parametrize("name", POLICIES)
@given(gaps=GAPS)
def test_a_rule_equals_its_policy(name: str, gaps: list[tuple[int, int]]) -> None:
    arrivals = [(sum(gap for gap, _ in gaps[: n + 1]), size) for n, (_, size) in enumerate(gaps)]
    tasks = [(slot, [0], [((1,), slots)]) for slot, slots in arrivals]
    instance = build(tasks, [(1,)], max(slot for slot, _ in arrivals) + sum(slots for _, slots in arrivals))
    run = sp.policy(f"placement.{name}").run(instance)
    rule = Rule(name, rule_file(f"placement.{name}").read_text(), 1, Fraction(1), {})
    assert starts(rule, arrivals) == [start.slot for start in sorted(run.schedule.starts, key=lambda s: s.task)]


def test_every_rule_is_compared_with_its_policy() -> None:
    entries = registry.families()["placement"].policies
    assert {*POLICIES} == {entry.name for entry in entries if entry.rule}


def test_the_rule_is_for_one_unit() -> None:
    with pytest.raises(InputError, match="machines=2: the rule"):
        sp.prove("placement.tiresias", machines=2)
    assert sp.prove("placement.tiresias", machines=1, sizes=2).exact == Fraction(3, 2)
