from __future__ import annotations

from fractions import Fraction

import pytest
from exact_ratios_start import MIGRATING, arrivals, check, draw_slots, panels, play, prove_again

import schedproof as sp
from schedproof.adversary.exact_ratio.best import Best
from schedproof.adversary.exact_ratio.proof import Proof


@pytest.fixture(scope="module")
def srtf() -> Proof:
    return sp.prove(MIGRATING, machines=2, sizes=2, present=4)


@pytest.fixture(scope="module")
def best() -> Best:
    return sp.best_ratio(machines=2, sizes=2, present=4)


def test_each_round_costs_both_rules_the_proven_amounts(srtf: Proof, best: Best) -> None:
    again = prove_again(best)
    assert (srtf.exact, again.exact) == (Fraction(3, 2), best.exact)
    for proof in (srtf, again):
        shorter, longer = (play(proof, arrivals(proof, times)) for times in (2, 5))
        more = sum(present for present, _ in longer) - sum(present for present, _ in shorter)
        assert more == 3 * proof.graph.costs(proof.bounds.walk)[0]
    coming = arrivals(srtf, 5)
    slots = play(srtf, coming)
    assert sum(len(runs) for _, runs in slots) == sum(map(sum, coming)), "every job runs for its slots"


def test_srtf_runs_the_short_jobs_and_the_best_rule_the_long_one(srtf: Proof, best: Best) -> None:
    coming = [[2, 1, 1]]
    assert play(srtf, coming) == [(3, [1, 2]), (1, [0]), (1, [0])]
    assert play(prove_again(best), coming) == [(3, [1, 0]), (2, [0, 2])]


def test_a_slot_has_a_bar_for_each_job_that_runs_and_the_number_of_those_present(srtf: Proof) -> None:
    ax = panels((4, 2))
    draw_slots(play(srtf, [[2, 1, 1]]), 2, ax)
    assert len(ax.patches) == 4
    assert [text.get_text() for text in ax.texts] == ["2", "3", "3", "1", "1", "1", "1"]


def test_a_certificate_is_accepted_and_rejected_with_another_ratio(srtf: Proof, best: Best) -> None:
    assert check(srtf).startswith("proven: the competitive ratio of the rule for the total JCT is 3/2")
    assert check(best).startswith("proven: the least competitive ratio of a policy for the total JCT is 4/3")
    for proof, changed in ((srtf, {"at_most": "7/5"}), (srtf, {"at_least": "8/5"}), (best, {"at_most": "5/4"})):
        assert check(proof, **changed).startswith("refused: ")
