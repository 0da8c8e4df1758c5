from __future__ import annotations

import doctest
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import Context
from schedproof.core.simulation import policy as policy_protocols
from schedproof.core.simulation.policy import FOREVER, Decisions, Hidden, drive_arrivals, drive_commits, drive_responses
from schedproof.instances.multiserver.drive import system as ports
from schedproof.instances.preemptive.drive import system
from tests.tiny.multiserver import tiny_ports
from tests.tiny.preemptive import tiny_instance


def decided(times: Sequence[int], jobs: Sequence[int]) -> Decisions:
    return Decisions(np.array(times, dtype=np.int64), np.array(jobs, dtype=np.int64), {})


class Policy:
    """A policy that returns given decisions at each ``until`` and records its input."""

    def __init__(self, **at: Callable[[Any], Decisions]) -> None:
        self.at = at
        self.seen: list[tuple[Any, ...]] = []

    def start(self, system: Any) -> None:
        self.system = system

    def arrive(self, time: int, jobs: Sequence[Any]) -> None:
        self.seen.append((time, [job.index for job in jobs]))

    def advance(self, until: int) -> Decisions:
        self.seen.append((until,))
        name = "end" if until == FOREVER else f"at_{until}"
        return self.at.get(name, lambda system: decided([], []))(self.system)


def arrivals() -> list[tuple[int, list[Any]]]:
    return [(t, [SimpleNamespace(index=n, name=f"job-{n}")]) for n, t in enumerate([2, 5, 9])]


def drive(**at: Callable[[Any], Decisions]) -> Decisions:
    return drive_arrivals(Policy(**at), Hidden(horizon=20), arrivals(), at_once=True)


def test_an_honest_policy_sees_arrivals_in_order_and_its_decisions_are_kept() -> None:
    policy = Policy(at_5=lambda _: decided([2, 5], [0, 0]), end=lambda _: decided([9, 12], [2, 1]))
    heard: list[tuple[str, float | None]] = []
    context = Context(progress=lambda message, done=None: heard.append((message, done)))
    kept = drive_arrivals(policy, Hidden(horizon=20), arrivals(), context, at_once=True)
    assert policy.seen == [(2,), (2, [0]), (5,), (5, [1]), (9,), (9, [2]), (FOREVER,)]
    assert (kept.time.tolist(), kept.job.tolist()) == ([2, 5, 9, 12], [0, 0, 2, 1])
    assert heard == [("1 of 3 jobs", 1 / 3), ("2 of 3 jobs", 2 / 3), ("3 of 3 jobs", 1.0)]


def test_a_slot_policy_is_called_slot_by_slot_and_sees_no_future() -> None:
    policy = Policy(at_6=lambda _: decided([5, 6], [0, 0]), at_12=lambda _: decided([11], [2]))
    kept = drive_arrivals(policy, Hidden(horizon=12), arrivals())
    asked = [seen[0] for seen in policy.seen if len(seen) == 1]
    assert asked == [*range(1, 13), FOREVER] and (5, [1]) in policy.seen
    assert (kept.time.tolist(), kept.job.tolist()) == ([5, 6, 11], [0, 0, 2])
    with pytest.raises(PolicyError, match="rewrote the past: in slot 8 it returned a decision for slot 4"):
        drive_arrivals(Policy(at_9=lambda _: decided([4], [0])), Hidden(horizon=12), arrivals())


@pytest.mark.parametrize("name", ["jobs", "largest_chunk_count", "arrivals", "sha256"])
def test_a_policy_that_peeks_is_stopped(name: str) -> None:
    instance = tiny_instance(1)
    policy = Policy(at_1=lambda system: decided([], [len(getattr(system, name))]))
    with pytest.raises(PolicyError, match=f"looked into the future: '{name}'"):
        drive_arrivals(policy, system(instance), [(0, instance.jobs)])


def test_the_policys_view_of_the_system_has_no_jobs() -> None:
    instance = tiny_instance(1)
    shown = system(instance)
    assert shown.horizon == instance.horizon and shown.servers == instance.servers
    reachable = [value for value in vars(shown).values() if callable(value)]
    for method in reachable:
        assert getattr(method, "__self__", SimpleNamespace(jobs=())).jobs == ()


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ({"at_9": lambda _: decided([4], [0])}, "rewrote the past: in slot 5 it returned a decision for slot 4"),
        ({"at_9": lambda _: decided([8, 7], [0, 0])}, "rewrote the past"),
        ({"at_9": lambda _: decided([10], [0])}, "ran ahead: advance\\(9\\) returned a decision for slot 10"),
        ({"at_2": lambda _: decided([1], [0])}, "job number 0 before it arrived"),
        ({"at_9": lambda _: decided([6], [2])}, "job number 2 before it arrived"),
        ({"end": lambda _: decided([11], [7])}, "job number 7 before it arrived"),
        ({"end": lambda _: decided([11], [-1])}, "job number -1 before it arrived"),
    ],
)
def test_a_policy_that_violates_its_protocol_is_stopped(
    at: dict[str, Callable[[Any], Decisions]], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        drive(**at)


def test_decisions_at_until_are_kept_and_the_next_call_may_continue_there() -> None:
    kept = drive(at_5=lambda _: decided([3, 5], [0, 0]), at_9=lambda _: decided([5], [1]))
    assert (kept.time.tolist(), kept.job.tolist()) == ([3, 5, 5], [0, 0, 1])


def test_a_thousand_decisions_are_kept_in_order() -> None:
    kept = drive(at_2=lambda _: decided([], []), at_5=lambda _: decided([4] * 1000, [0] * 1000),
                 at_9=lambda _: decided([7] * 3000, [1] * 3000))  # fmt: skip
    assert kept.time.tolist() == [4] * 1000 + [7] * 3000 and kept.job.tolist() == [0] * 1000 + [1] * 3000


def test_a_policy_that_waits_for_the_whole_log_cannot_decide_in_the_past() -> None:
    with pytest.raises(PolicyError, match="rewrote the past"):
        drive(end=lambda _: decided([2, 6, 12], [0, 1, 2]))


def test_committed_allocations_do_not_change_with_the_policys_array() -> None:
    mine = decided([3, 5], [0, 0])

    def spoil(_: Any) -> Decisions:
        mine.time[:], mine.job[:] = 1, 0
        return decided([], [])

    kept = drive(at_5=lambda _: mine, at_9=spoil)
    assert mine.time.tolist() == [1, 1] and kept.time.tolist() == [3, 5]


class Committer:
    """A policy that overwrites its answer after the arrivals are known."""

    def __init__(self) -> None:
        self.allocation = np.zeros(2)
        self.learned: list[np.ndarray] = []

    def decide(self, slot: int) -> np.ndarray:
        self.allocation[:] = slot
        return self.allocation

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        self.learned.append(arrivals)
        self.allocation[:] = 99
        arrivals[:] = -1


def test_drive_commits_copies_the_allocation_before_the_arrivals_are_seen() -> None:
    policy, seen = Committer(), [np.array([1, 0]), np.array([0, 1])]
    log = list(drive_commits(policy, seen))
    assert [row.tolist() for row in log] == [[0, 0], [1, 1]]
    assert [row.tolist() for row in seen] == [[1, 0], [0, 1]]
    assert len(policy.learned) == 2


def test_drive_commits_requests_a_slot_after_the_previous_one() -> None:
    policy = Committer()
    slots = drive_commits(policy, (np.array([n]) for n in range(10**9)))
    assert [next(slots).tolist() for _ in range(3)] == [[0, 0], [1, 1], [2, 2]]
    assert len(policy.learned) == 3


class Responder:
    """A policy that allocates 1 to every job, then overwrites its answer and input."""

    def __init__(self) -> None:
        self.given: list[np.ndarray] = []

    def respond(self, slot: int, arrivals: np.ndarray) -> np.ndarray:
        self.given.append(arrivals)
        for earlier in self.given[:-1]:
            earlier[:] = 99
        return arrivals


def test_a_response_policy_can_change_neither_its_output_nor_the_input() -> None:
    policy, seen = Responder(), [np.array([1, 0]), np.array([0, 1]), np.array([1, 1])]
    log = list(drive_responses(policy, seen))
    assert [row.tolist() for row in log] == [row.tolist() for row in seen] == [[1, 0], [0, 1], [1, 1]]
    assert policy.given[0].tolist() == [99, 99]


class Peeking:
    """A commit policy that tries to read future arrivals."""

    def __init__(self, look: Callable[[Any], Any]) -> None:
        self.look = look

    def start(self, system: Any) -> None:
        self.system = system

    def decide(self, slot: int) -> np.ndarray:
        return np.asarray(self.look(self.system), dtype=float)

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        pass


@pytest.mark.parametrize("name", ["arrivals", "counts", "present", "blocks", "sha256"])
def test_a_policy_that_looks_for_coming_arrivals_is_stopped(name: str) -> None:
    instance = tiny_ports(1)
    policy = Peeking(lambda system: getattr(system, name))
    policy.start(ports(instance))
    with pytest.raises(PolicyError, match=f"looked into the future: '{name}'"):
        list(drive_commits(policy, instance.present(0, instance.horizon)))


def test_the_view_of_ports_does_not_depend_on_the_order_of_arrivals() -> None:
    one, other = (tiny_ports(3, copies=2) for _ in range(2))
    object.__setattr__(other, "arrivals", one.arrivals[::-1])
    known, same = vars(ports(one)), vars(ports(other))
    assert known.keys() == same.keys() == {"family", "horizon", "resources", "nodes", "ports", "graph", "cluster"}
    assert known["cluster"].arrivals.tolist() == same["cluster"].arrivals.tolist() == [list(one.copies)]
    assert all(known[key] == same[key] for key in ("family", "horizon", "resources", "nodes", "ports"))
    assert all(np.array_equal(a, b) for a, b in zip(*(vars(s["graph"]).values() for s in (known, same)), strict=True))


def test_the_example_of_a_slot_policy_runs() -> None:
    assert doctest.testmod(policy_protocols) == (0, 10)
