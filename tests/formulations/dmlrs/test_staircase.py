from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.formulations.dmlrs.staircase import corners, finishing_rows, lower_left, serving_rows, whole_row
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def meets(rows: list[tuple[int, int, int]], x: int, y: int) -> bool:
    return all(p * x + q * y >= r for p, q, r in rows)


def test_worker_slots_satisfy_the_rows_iff_they_finish_the_job() -> None:
    out_of_reach = 0
    for seed in range(size(20, 36, 600)):
        for job in tiny_cluster(seed).jobs:
            most = job.batch_size * (1 + seed % 6)
            rows = finishing_rows(job, most)
            done = [(a, b) for a in range(most + 1) for b in range(most + 1 - a) if meets(rows, a, b) != job.done(a, b)]
            assert not done, (seed, job.name, done)
            assert all(max(p, q, r) <= most + most**2 for p, q, r in rows) and len(rows) <= most + 2
            out_of_reach += rows == [(1, 0, most + 1)]
    assert out_of_reach


def test_counts_meet_the_rows_iff_the_parameter_servers_serve_the_workers() -> None:
    for gamma in ("1", "2", "3", "0.5", "1.5", "0.7", "2.25", "1.333333333", "1.333333334", "0.001", "1000"):
        for most in (1, 2, 4, 7):
            job = cluster(job_row("a", batch_size=most, workers_per_ps=Fraction(gamma))).jobs[0]
            rows = serving_rows(job)
            for n in range(most + 1):
                for s in {0, 1, 2, 3, 4, 5, job.ps_needed(n) - 1, job.ps_needed(n), job.ps_needed(n) + 1}:
                    assert meets(rows, n, s) == (s >= 0 and n <= job.workers_per_ps * s), (gamma, most, n, s)


def test_twelve_digits_decide() -> None:
    # Three worker-slots train three samples of one slot each, and not quite three of 1.000000000001.
    for time, needed in (("1", 3), ("1.000000000001", 4), ("0.999999999999", 3)):
        job = cluster(job_row("a", samples=3, batch_size=4, sample_time=Fraction(time))).jobs[0]
        rows = finishing_rows(job, 16)
        assert next(a for a in range(17) if meets(rows, a, 0)) == needed
        assert max(max(row) for row in rows) <= 4


def test_rows_and_corners_by_hand() -> None:
    points = [(0, 5), (1, 3), (2, 2), (3, 2), (4, 0), (6, 0)]
    assert corners(points) == [(0, 5), (1, 3), (4, 0)]
    assert lower_left(points) == [(1, 0, 0), (2, 1, 5), (1, 1, 4), (0, 1, 0)]
    assert lower_left([(2, 3)]) == [(1, 0, 2), (0, 1, 3)]


@pytest.mark.parametrize(
    ("row", "limit", "found"),
    [
        (["0.1", "0.3"], "1", ([1, 3], 10)),
        (["6", "4"], "9", ([3, 2], 4)),
        (["1/3", "1/2"], "1/4", ([2, 3], 1)),
        (["0", "0"], "2.5", ([0, 0], 2)),
        (["1000000000000", "3000000000000"], "7999999999999", ([1, 3], 7)),
    ],
)
def test_a_row_in_integers_keeps_every_integer_point(row: list[str], limit: str, found: tuple[list[int], int]) -> None:
    coefficients = [Fraction(c) for c in row]
    assert whole_row(coefficients, Fraction(limit)) == found
    (a, b), most = found
    for x in range(12):
        for y in range(12):
            held = coefficients[0] * x + coefficients[1] * y <= Fraction(limit)
            assert (a * x + b * y <= most) == held
