from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

import schedproof as sp
from schedproof.core.base.numbers import from_text
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import Gap, Part, account
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.runtime.files import encode
from tests.gaps import POLICIES, ratios
from tests.support import FAMILIES, size

THIRD = Fraction(1, 3)
PARTS = (
    Part.of("idle", "what idles", others=[THIRD, THIRD]),
    Part.of("late", "jobs that are late", {"a": Fraction(2), "b": Fraction(0), "c": THIRD}),
    Part.of("nothing", "what is never lost"),
)


def test_parts_are_sums() -> None:
    assert [part.amount for part in PARTS] == [2 * THIRD, 7 * THIRD, 0]
    gap = Gap(Fraction(7), Fraction(10), PARTS)
    assert gap.total == 3 and gap["late"].by_job["c"] == THIRD
    assert Gap(Fraction(10), Fraction(7), PARTS).total == 3
    assert [part.name for part in gap.largest_first] == ["late", "idle", "nothing"]


def test_a_wrong_sum_or_negative_part_is_rejected() -> None:
    with pytest.raises(ProgramError, match="no account of the gap: its parts sum to 3, not 4"):
        Gap(Fraction(6), Fraction(10), PARTS)
    with pytest.raises(ProgramError, match="the share of b in late is -1, expected shares >= 0"):
        Part.of("late", "", {"a": Fraction(2), "b": Fraction(-1)})
    with pytest.raises(ProgramError, match=r"an amount of idle is -0\.5, expected amounts >= 0"):
        Part.of("idle", "", others=[Fraction(1), Fraction(-1, 2)])
    loss, gain = (Part("x", "", Fraction(n)) for n in (5, -2))
    with pytest.raises(ProgramError, match="negative: x"):
        Gap(Fraction(7), Fraction(10), (loss, gain))


def test_a_gap_is_a_table_a_frame_and_json() -> None:
    gap = Gap(Fraction(7), Fraction(10), PARTS)
    head, *rows = repr(gap).splitlines()
    assert head == "gap 3 between 7 and 10:"
    assert rows[0].split(maxsplit=3) == ["2.33333", "77.8%", "late", "jobs that are late"]
    assert rows[2].split()[:3] == ["0", "0.0%", "nothing"]
    table = gap.by_job()
    assert list(table.index) == ["a", "b", "c"] and list(table.columns) == ["late", "gap"]
    assert table.loc["a", "gap"] == 2
    told = json.loads(encode(gap.to_json()))
    assert sum(from_text(part["exact"]) for part in told["parts"]) == from_text(told["exact"]) == 3
    assert told["parts"][1]["by_job"] == {"a": 2.0, "c": float(THIRD)}
    assert repr(Gap(Fraction(7), Fraction(7), ())) == "gap 0 between 7 and 7:"
    assert Gap(Fraction(7), Fraction(7), ()).by_job().empty


@pytest.mark.parametrize(("objective", "bound"), [(7, 10), (10, 7)])
def test_the_picture_goes_from_the_objective_to_the_bound(objective: int, bound: int) -> None:
    ax = Gap(Fraction(objective), Fraction(bound), PARTS).plot()
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]
    assert bars[0][0] == objective and bars[-1][1] == pytest.approx(bound) and len(bars) == 2
    assert bars[0][1] == bars[1][0]
    words = [text.get_text() for text in (*ax.texts, *ax.get_legend().get_texts())]
    assert {f"schedule {objective}", f"bound {bound}", "78%", "late  2.333", "idle  0.6667"} <= set(words)
    assert not Gap(Fraction(7), Fraction(7), ()).plot().patches


WITHOUT = {"preemptive.srpt_floating"}  # its chunks are places on workers, and no shares of a job's data


def test_every_policy_has_a_gap_breakdown_for_every_bound() -> None:
    for family in FAMILIES:
        known = {id for id in registry.entries("policy") if id.startswith(f"{family}.") and id not in WITHOUT}
        assert {name for name, _ in POLICIES[family]} == known
        bounds = {id for id in registry.entries("bound") if id.startswith(f"{family}.")}
        wanted = {(name, id) for name in known for id in bounds}
        for seed in range(size(12, 12, 30)):
            if wanted:
                found = (
                    (r.run.policy, r.bound.program) for r in ratios(family, seed) if r.gap_or_why_not()[0] is not None
                )
                wanted -= set(found)
        assert not wanted


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_a_policy_without_a_breakdown_gives_the_reason(name: str) -> None:
    instance = sp.embedded("day")
    ratio = sp.policy(name).run(instance).ratio(sp.bound("preemptive.lp4", instance))
    account, why = ratio.gap_or_why_not()
    assert account is None and "job 'resnet' has a chunk that runs for fewer slots than the bound's system" in why


def test_a_family_without_a_breakdown_says_so() -> None:
    gone = "the family toy has no gap breakdown, only ratios"
    instance = sp.embedded("cells")
    ratio = sp.policy("jrp.greedy").run(instance).ratio(sp.bound("jrp.conic", instance))
    with pytest.raises(SchedproofError, match=gone):
        account(ratio.run.schedule, instance, ratio.run.objective, replace(ratio.bound, program="toy.knapsack"))


def test_a_bound_with_another_kind_of_certificate_has_no_breakdown() -> None:
    for name, policy, bound in (
        ("day", "preemptive.a_online", "preemptive.lp4"),
        ("cluster", "dmlrs.fifo", "dmlrs.rdmlrs_lp"),
        ("cells", "jrp.greedy", "jrp.conic"),
        ("ports", "multiserver.drf", "multiserver.slot_optimum"),
    ):
        instance = sp.embedded(name)
        run, other = sp.policy(policy).run(instance), _unknown(sp.bound(bound, instance))
        with pytest.raises(ProgramError, match=r"no account of the gap to .*: expected \w+, found"):
            account(run.schedule, instance, run.objective, other)


def _unknown(bound: Bound) -> Bound:
    return replace(bound, witness=object())  # type: ignore[arg-type]  # a plug-in's, say
