"""A rule decides as its policy: the same job on the same worker in every slot."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.adversary.exact_ratio.prove import named, rule_file
from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.core.cards import registry
from schedproof.instances.preemptive.timetable import timetable

Arrivals = tuple[tuple[int, int, int], ...]  # slot, size and chunks
POLICIES = (
    ("srtf", {}),
    ("a_online", {"order": "static"}),
    ("a_online", {"order": "residual"}),
    ("tiresias_l", {"thresholds": (1, 3)}),
    ("tiresias_l", {"thresholds": (2,)}),
    ("srpt_floating", {}),
    ("srtf:chunks=floating", {}),
)
PLACES = st.tuples(st.integers(1, 2), st.integers(0, 2), st.integers(0, 3))  # near workers, far ones, their delay
GAPS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5), st.integers(1, 3)), min_size=1, max_size=10)


def decided_by(rule: Rule, arrivals: Arrivals) -> set[tuple[int, int, int]]:
    """Return (job, worker, slot) of all runs by the rule itself."""
    state: Jobs = ()
    ids: list[int] = []  # of the jobs of the state, in its order
    ran, slot, coming = set(), 0, list(enumerate(arrivals))
    at = 1 + ("def keep" in rule.text)  # the position of a job's worker
    while coming or state:
        while coming and coming[0][1][0] == slot:
            job, (_, size, chunks) = coming.pop(0)
            before, state = state, rule.arrive(state, size, 1, chunks)
            new = next(n for n in reversed(range(len(state))) if state[:n] + state[n + 1 :] == before)
            ids.insert(new, job)
        if state:
            chosen = rule.run(state)
            on = [state[n][at] if rule.pinned else chosen[:k].count(n) for k, n in enumerate(chosen)]
            ran |= {(ids[n], worker, slot) for n, worker in zip(chosen, on, strict=True)}
            after = [(job[0] - chosen.count(n), *job[1:]) for n, job in enumerate(state)]
            if rule.uploads:
                after = [(*job[:-1], max(0, job[-1] - 1)) for job in after]
            order = [n for n, job in enumerate(after) if job[0]]
            state = rule.advance(state)
            if tuple(sorted(after[n] for n in order)) == state:  # otherwise jobs are in order of arrival
                order.sort(key=lambda n: (after[n], ids[n]))  # ties: the first
            ids = [ids[n] for n in order]
        slot += 1
    return ran


@pytest.mark.parametrize(("name", "options"), POLICIES)
@given(gaps=GAPS, places=PLACES, speed=st.sampled_from((Fraction(1), Fraction(3, 2), Fraction(2))))
def test_a_rule_equals_its_policy(
    name: str, options: dict[str, Any], gaps: list[tuple[int, int, int]], places: tuple[int, int, int], speed: Fraction
) -> None:
    near, far, delay = places
    text = rule_file(name).read_text()
    delays = (0,) * near + (delay if "UPLOADS" in text else 0,) * far
    rule = Rule(name, text, near + far, speed, options, delays)
    times = accumulate(gap for gap, _, _ in gaps)
    arrivals = tuple(
        (slot, size, chunks if rule.chunked else 1) for slot, (_, size, chunks) in zip(times, gaps, strict=True)
    )
    instance, _ = timetable(delays, [(slot, size, [[(0, 0)]] * chunks) for slot, size, chunks in arrivals])
    id, _, chosen = named(name)
    run = sp.policy(id, speed=speed, **chosen, **options).run(instance)
    theirs = {
        (job, worker + near * server if rule.pinned else chunk, slot)
        for job, chunk, server, _, worker, start, end in run.schedule.intervals.rows()
        for slot in range(start, end)
    }
    mine = decided_by(rule, arrivals)
    assert mine == theirs or (not rule.pinned and how_many(mine) == how_many(theirs))


def how_many(ran: set[tuple[int, int, int]]) -> Counter[tuple[int, int]]:
    return Counter((job, slot) for job, _, slot in ran)


def test_every_rule_is_compared_with_its_policy() -> None:
    entries = registry.families()["preemptive"].policies
    assert {name.partition(":")[0] for name, _ in POLICIES} == {entry.name for entry in entries if entry.rule}
    assert {rule_file(name) for name, _ in POLICIES} == {*rule_file("srtf").parent.glob("[a-z]*.py")}


def test_a_rule_that_decides_otherwise_is_noticed() -> None:
    text = rule_file("srtf").read_text().replace("key=lambda n: jobs[n][0]", "key=lambda n: -jobs[n][0]")
    arrivals = ((0, 1, 1), (0, 3, 1))
    honest, other = (Rule("srtf", each, 1, Fraction(1), {}) for each in (rule_file("srtf").read_text(), text))
    assert decided_by(other, arrivals) != decided_by(honest, arrivals) == {(0, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0, 3)}
