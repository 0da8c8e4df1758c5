"""The example OASiS: its three programs, policies, checker and claim agree on small instances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from tests.command_line import Cli, plugged_in
from tests.support import size

SEEDS = range(size(6, 10, 200))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_programs_are_in_order_and_no_policy_beats_them(seed: int) -> None:
    with plugged_in("oasis"):
        instance = sp.generate("oasis", "tiny", seed=seed)
        best = Fraction(sp.program("oasis.exact").solve(instance).objective).limit_denominator(10**6)
        schedules, pooled = sp.bound("oasis.schedules", instance), sp.bound("oasis.pooled", instance)
        assert best <= schedules.exact <= pooled.exact
        for policy in ("oasis.oasis", "oasis.fifo"):
            run = sp.policy(policy).run(instance)
            assert run.feasible and run.objective <= best
            for bound in (schedules, pooled):
                assert run.objective == 0 or run.ratio(bound).value >= 1


def test_the_doctor_finds_no_fault() -> None:
    with plugged_in("oasis"):
        health: Any = sp.doctor("oasis", draws=size(1, 1, 3))
        assert health.sound, "\n".join(health.lines())


def test_the_commands_of_the_first_lines_run(cli: Cli, tmp_path: Any) -> None:
    with plugged_in("oasis"):
        jobs = tmp_path / "jobs.json"
        assert cli("generate", "oasis", "--seed", "1", "--out", jobs)[0] == 0
        code, out, _ = cli("ratio", "oasis", jobs, "--bound", "schedules")
        assert code == 0 and "certified ratio" in out
