from __future__ import annotations

from fractions import Fraction

import schedproof as sp
from schedproof.proofs_checks.preemptive.shared.optima import least_fractional_cost, least_total_jct
from schedproof.proofs_checks.strategies import preemptive as strategies
from schedproof.proofs_checks.strategies.preemptive import CLOUD, Online, build_instance, edge, job
from schedproof.proofs_checks.trials import draw


def test_the_optimum_by_orders_is_that_of_the_exhaustive_search_over_slots() -> None:
    compared: list[tuple[Fraction, Fraction | None]] = []

    def compare(case: Online) -> None:
        instance, small = case.instance, sum(job.slots() for job in case.instance.jobs) < 8
        least = least_total_jct(instance, whole_slots=True)
        if least is not None and small and len(compared) < 12:
            program = sp.program("preemptive.minlp2", chunks="pinned", ps_release="none")
            compared.append((least, program.solve(instance, solver="brute").exact))

    draw(strategies.online(whole=True, most_jobs=3), 80, 0, compare)
    assert len(compared) > 5
    assert all(mine == other for mine, other in compared)


def test_preemption_and_the_cloud_by_hand() -> None:
    # long (6 slots from 0), short (1 slot from 1) on one worker: 2 - 1 + 7; with the cloud at 0 for long: 1 + 6.
    long, short = job("long", 6, {"e": 0}), job("short", 1, {"e": 0}, arrival=1)
    assert least_total_jct(build_instance([edge("e")], [long, short]), True) == 8
    near = build_instance([edge("e"), CLOUD], [long | {"upload_delay": {"e": 0, "cloud": 0}}, short])
    assert least_total_jct(near, True) == 7


def test_jobs_of_several_chunks_are_excluded() -> None:
    assert least_total_jct(build_instance([edge("e")], [job("j", 1, {"e": 0}, chunks=2)]), True) is None


def test_the_fractional_optimum_by_hand() -> None:
    # Two slots from the landing at 1: (1 + 2)/2, and 2/2 more at speed 2; two workers take both in slot 1.
    rows = [job("j", 2, {"e": 1})]
    assert least_fractional_cost(build_instance([edge("e")], rows), Fraction(2)) == Fraction(5, 2)
    assert least_fractional_cost(build_instance([edge("e", workers=2)], rows), Fraction(2)) == 2
