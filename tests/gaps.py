"""Runs of all policies against all bounds of a family, on tiny instances."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import Gap, account
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.results.ratio import Infeasible, Ratio
from schedproof.core.results.run import Run
from schedproof.core.simulation.instance import Instance
from tests.certificates import OPTIONS, instance_of

POLICIES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "preemptive": [
        *(
            (f"preemptive.a_online{edge}", {"order": order})
            for edge in ("", "_edge")
            for order in ("static", "residual")
        ),
        *((f"preemptive.{name}", {}) for name in ("srtf", "tiresias_l", "batch_sche", "gang_online")),
        *((f"preemptive.{name}", {}) for name in ("fifo", "easy", "sjf")),
        ("preemptive.offline", {"rounds": 3}),
        *((f"preemptive.{name}", {"speed": speed}) for name in ("a_online", "srtf") for speed in ("1/2", "2")),
    ],
    "dmlrs": [
        *(("dmlrs.pd_ors", {"span": span, "bounds": bounds}) for span in (2, 12) for bounds in ("printed", "repaired")),
        ("dmlrs.pd_ors", {"theta": "lp_rounding_shrunk"}),
        *((f"dmlrs.{name}", {}) for name in ("oasis", "fifo", "drf", "dorm")),
        ("dmlrs.fifo", {"workers": 1}),
        ("dmlrs.offline", {"rounds": 3}),
    ],
    "jrp": [
        *(("jrp.jrp_rounding", {"batches": batches}) for batches in (1, 3)),
        *((f"jrp.{name}", {"resources": kind}) for name in ("random", "greedy") for kind in ("split", "cone")),
    ],
    "placement": [
        *((f"placement.{name}", {}) for name in ("random", "minimum", "tiresias", "optimus", "table", "tapfinger")),
        ("placement.offline", {"rounds": 3}),
    ],
    "multiserver": [
        ("multiserver.oga_sched", {}),
        ("multiserver.slot_optimum", {}),
        *(
            (f"multiserver.{name}", {"protocol": protocol})
            for name in ("drf", "fairness", "fairness_arrived", "binpacking", "spreading")
            for protocol in ("commits", "responds")
        ),
    ],
}


def bounds_of(instance: Instance) -> Iterator[Bound]:
    for id, variants in OPTIONS.items():
        for options in variants if id.startswith(f"{instance.family}.") else ():
            with suppress(NoSolution, ProgramError):  # a horizon that is too short for a slower system
                yield sp.bound(id, instance, **options)


def ratios(family: str, seed: int) -> Iterator[Ratio]:
    instance = instance_of(family, seed)
    bounds = list(bounds_of(instance))
    for name, options in POLICIES[family]:
        for gain in ("node", "total") if family == "multiserver" else (None,):
            policy = sp.policy(name, **options, **({} if gain is None else {"gain": gain}))
            runs: list[Run] = []
            with suppress(NoSolution):
                runs = [policy.run(instance, seed)]
            for run, bound in product(runs, bounds):
                with suppress(ProgramError, Infeasible):  # nothing earned, or a bound that asks something else
                    yield run.ratio(bound)


def adds_up(gap: Gap) -> None:
    """Check that parts are >= 0, that jobs' shares are within them, and the exact sum."""
    assert sum(part.amount for part in gap.parts) == gap.total == abs(gap.bound - gap.objective)
    for part in gap.parts:
        assert part.amount >= 0 and part.sentence
        assert all(share >= 0 for share in part.by_job.values()) and sum(part.by_job.values()) <= part.amount


def gap_of(run: Run, bound: Bound, **changes: Any) -> Gap:
    schedule = changes.get("schedule", run.schedule)
    return account(schedule, run.instance, run.objective, replace(bound, witness=changes.get("witness", bound.witness)))


def refused(run: Run, bound: Bound, **changes: Any) -> None:
    """Check that a valid gap is broken down, and a changed one rejected."""
    adds_up(gap_of(run, bound))
    with pytest.raises(ProgramError, match="no account of the gap"):
        gap_of(run, bound, **changes)
