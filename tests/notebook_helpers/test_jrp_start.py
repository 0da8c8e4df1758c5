from __future__ import annotations

from fractions import Fraction

from jrp_start import everything_that_can_happen, pruned, somebody, stored, triangle


def test_the_draws_of_a_round_are_all_of_them() -> None:
    _, accepts = stored("proposition1_accepts")
    rounds = list(everything_that_can_happen(accepts.case))
    assert sum(chance for chance, _, _ in rounds) == 1
    nobody = sum(chance for chance, _, count in rounds if not count)
    assert nobody == Fraction(1, 9) == 1 - somebody(accepts.case.instance)


def test_one_job_of_three_that_meet_in_pairs_is_accepted_with_seven_sixteenths() -> None:
    assert somebody(triangle(1)) == Fraction(1, 4) * (1 + Fraction(1, 2) + Fraction(1, 4))


def test_prune_leaves_the_witness_without_a_server() -> None:
    assert not all(pruned(stored("prune_safe")[1].case.instance))
