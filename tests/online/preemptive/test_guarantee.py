"""The premises of the repaired Theorem 3 on instances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.online.preemptive.guarantee import a_online_guarantee
from schedproof.proofs_checks.strategies.preemptive import build_instance, edge, job

LANDING = "chunks land in the order of placement, or all jobs have as many"


@pytest.mark.parametrize(
    ("delays", "chunks", "answer"),
    [((5, 0), (1, 1), "yes"), ((5, 0), (2, 2), "yes"), ((5, 0), (1, 2), "no"), ((0, 5), (1, 2), "yes")],
)
def test_landings_must_be_in_order_only_if_jobs_differ_in_chunks(
    delays: tuple[int, int], chunks: tuple[int, int], answer: str
) -> None:
    rows = [job(f"j{n}", 2, {"e": delays[n]}, arrival=n, chunks=chunks[n]) for n in range(2)]
    promised = a_online_guarantee(
        build_instance([edge("e")], rows), Fraction(2), residual=True, use_cloud=True, served=True
    )
    assert promised.premises[LANDING] == answer
    assert set(promised.premises.values()) - {answer} <= {"yes"}


def test_the_proof_counts_no_restarts() -> None:
    instance = build_instance([edge("e")], [job("j", 2, {"e": 0})])
    for restart, answer in ((0, "yes"), (1, "no")):
        promised = a_online_guarantee(instance.with_restart(restart), Fraction(2), True, True, True)
        assert promised.premises["restarts take no slots"] == answer
