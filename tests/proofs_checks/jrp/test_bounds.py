"""What the claims on MKP, the split of time and the upper bounds rest on, beyond their trials."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from schedproof.core.claim import Case, Claim
from schedproof.core.verdict import Kind
from schedproof.proofs_checks.jrp import (
    assignment,
    builders,
    knapsack,
    linear,
    server_resources,
    time_split,
    upper_bounds,
)
from schedproof.proofs_checks.jrp.model import meets, optimum, shown
from schedproof.proofs_checks.trials import draw
from schedproof.proofs_checks.verify import judge
from tests.support import size

MODULES = (assignment, knapsack, time_split, upper_bounds, server_resources)
CLAIMS: dict[str, Claim] = {id: claim for module in MODULES for id, claim in module.CLAIMS.items()}
VERDICTS: dict[str, Kind] = {
    "mkp_special_case": "refuted_as_printed",
    "split_equivalent": "refuted_as_printed",
    "share_of_time": "refuted_as_printed",
    "lp_i_upper_bound": "refuted_as_printed",
    "assignment6": "refuted_as_printed",
    "split_free_upper_bound": "holds",
    "conic_upper_bound": "holds",
    "server_test": "holds",
}
ZERO, ONE = Fraction(0), Fraction(1)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_a_verdict_follows_at_other_seeds_too(claim):
    for seed in range(1, size(2, 2, 6)):
        result = judge(claim, seed, repair_holds=True)
        assert not result.blocks
        assert result.verdict == VERDICTS.get(claim.id.partition(".")[2], "holds")


# --- multiple knapsack -----------------------------------------------------------------------------------------------


def test_3_partition_on_every_small_instance():
    tried, partitions = 0, 0
    for many, bound, sizes in ((1, 16, range(5, 8)), (2, 16, range(5, 8)), (2, 20, range(6, 10))):
        for chosen in combinations_with_replacement(sizes, 3 * many):
            if sum(chosen) == many * bound:
                finding = knapsack.three_partition(Case(None, {"sizes": list(chosen), "bound": bound}))
                assert not finding.violated
                tried, partitions = tried + 1, partitions + (finding.claimed == 1)
    assert 0 < partitions < tried


def test_partitions_by_hand():
    assert knapsack.in_triples([5, 5, 6, 5, 5, 6], 16) and knapsack.in_triples([], 16)
    assert not knapsack.in_triples([5, 5, 5, 5, 5, 7], 16)


# --- the split of time -----------------------------------------------------------------------------------------------


def test_the_letters_say_what_the_model_says():
    """(10) of a case is (10) of a job on a server, and (16) and (17) are its needs against shares of what it gets."""
    found: list[Case] = []
    draw(time_split._pairs(), size(200, 200, 2000), 0, found.append)
    for case in found:
        d = case.data
        row = builders.job((d["D"],), d["g"], d["h"], d["tau"], epochs=int(d["T"]), sync_period=int(d["lambda"]))
        job = builders.build([builders.server()], [row | {"minibatch_size": d["f"]}]).jobs[0]
        assert time_split.holds10(d) == meets(job, d["D"], d["r_c"], d["r_b"])
        work, sent = job.need(d["D"])
        assert time_split.holds16(d, d["epsilon"]) == (sent <= d["epsilon"] * d["r_b"])
        assert time_split.holds17(d, d["epsilon"]) == (work <= (1 - d["epsilon"]) * d["r_c"])
        shares = [Fraction(n, 60) for n in range(61)]
        some = any(time_split.holds16(d, share) and time_split.holds17(d, share) for share in shares)
        assert not some or time_split.own_closed(case).measured == 1


# --- bounds ----------------------------------------------------------------------------------------------------------


def rows_of(jobs: int) -> list[tuple[int, int, int, int]]:
    return [(k, 0, 0, 1) for k in range(jobs)]


def test_the_schedules_of_the_witnesses_are_feasible():
    """The pages show them: (10, 10) for the job that computes most of its time; (6, 3) and (3, 6) for the two."""
    one, two = CLAIMS["jrp.lp_i_upper_bound"].stored()
    assert shown(one.case.instance, rows_of(1), [(0, 0, 10, 10)]) == 1
    assert shown(two.case.instance, rows_of(2), [(0, 0, 6, 3), (1, 0, 3, 6)]) == 2
    assert linear.best_share(two.case.instance)[0] == linear.lp_i(two.case.instance).value == Fraction(9, 5)


def test_divided_lp_i_cannot_be_divided_by_less():
    """A job that does nothing but compute: LP_I is 1 - epsilon, and 1/2 of two jobs at the best epsilon."""
    jobs = [builders.job((1,), 1, 0), builders.job((1,), 0, 1)]
    alone, both = (builders.build([builders.server(2, 1, 1)], jobs[:n]) for n in (1, 2))
    assert linear.at_share(alone, Fraction(3, 4)).value == Fraction(1, 4) and optimum(alone) == 1
    assert linear.best_share(both)[0] == 1 and optimum(both) == 2


def test_a_server_is_decided_by_what_is_shown():
    whole, wanted = Fraction(9), [(Fraction(4), ONE), (ONE, Fraction(4))]
    given = server_resources.grants(whole, whole, wanted, 16)
    assert given == [(6, 3), (3, 6)] and server_resources.enough(whole, whole, wanted, given)
    assert not server_resources.enough(whole, whole, wanted, [(6, 3), (3, Fraction(11, 2))])
    assert not server_resources.enough(whole, whole, wanted, [(6, 3), (4, 6)])
    assert not server_resources.enough(whole, whole, [(ZERO, ZERO)], [(-ONE, ZERO)])
    assert server_resources.refuses(whole, whole - Fraction(1, 1000), wanted, ONE, 32)
    assert not server_resources.refuses(whole, whole, wanted, ONE, 32)
    assert not server_resources.decided(whole, whole - Fraction(1, 1000), wanted)


def test_trials_reach_irrational_servers_of_both_sorts():
    found: list[Case] = []
    draw(server_resources._servers(), 250, 0, found.append)
    kinds = [server_resources._roots(case.data) for case in found]
    answers = {
        server_resources.closed_test(case).claimed for case, roots in zip(found, kinds, strict=True) if len(roots) > 1
    }
    assert answers == {0, 1}
