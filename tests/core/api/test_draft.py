from __future__ import annotations

import pickle
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.claims.claim import Proof
from schedproof.core.data.options import REQUIRED
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.programs import named
from schedproof.core.simulation import drawing
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.formulations import completion as stock
from tests.command_line import plugged_in


@pytest.fixture(scope="module")
def knapsack() -> Iterator[Any]:
    with plugged_in("knapsack") as module:
        yield module


def test_every_name_on_the_card_exists(knapsack: Any) -> None:
    card = registry.family("knapsack")
    assert card.sentence == "A knapsack and its items."
    assert [entry.name for entry in card.policies] == ["greedy", "greedy_or_largest"]
    assert card.own.size == ("items", "item") and card.own.measure.total == "value"
    assert card.load("instance") is knapsack.Sack and named.program("knapsack.best") is knapsack.best
    assert all(callable(card.load(role)) for role in ("schedule", "drive", "check", "picture"))


def test_its_names_are_attributes_of_package_and_draft(knapsack: Any) -> None:
    assert dir(sp.knapsack) == ["best", "greedy", "greedy_or_largest"] and "knapsack" in dir(sp)
    assert sp.knapsack.best is knapsack.best and sp.knapsack.greedy == sp.policy("knapsack.greedy")
    assert knapsack.KNAPSACK.programs.best is knapsack.best and "greedy" in dir(knapsack.KNAPSACK)
    with pytest.raises(AttributeError):
        _ = sp.knapsack.laziest
    with pytest.raises(AttributeError):
        _ = sp.no_such_family


@pytest.mark.parametrize("family", ["preemptive", "dmlrs", "multiserver", "jrp", "placement"])
def test_a_users_family_is_shown(family: str) -> None:
    module, card = getattr(sp, family), registry.family(family)
    programs = {row.name for row in card.programs if not any(option.default is REQUIRED for option in row.options)}
    assert programs <= {*dir(module)} and len(dir(module)) == len(programs) + len(card.policies)
    assert all(isinstance(getattr(module, name), sp.Program | sp.Policy) for name in dir(module))


def test_an_embedded_instance_is_a_first_draw(knapsack: Any) -> None:
    assert sp.embedded("knapsack").sha256 == sp.generate("knapsack", "coarse", 0).sha256


def test_groups_of_a_program_are_found_by_its_name(knapsack: Any) -> None:
    assert all(pickle.loads(pickle.dumps(g)) is g for g in knapsack.best.groups)


def test_a_function_is_a_policy_without_a_name_too(knapsack: Any) -> None:
    sack = sp.embedded("knapsack")
    assert sp.policy(knapsack.greedy).run(sack).objective == sp.policy("greedy").run(sack).objective > 0


class Job(sp.Entity):
    name: sp.Name
    times: tuple[sp.Count, ...]
    weight: sp.Amount


class Shop(Instance):
    machines: sp.Positive
    jobs: tuple[Job, ...]


@pytest.fixture
def shop() -> Iterator[Any]:
    from schedproof.core.cards import plug_ins

    yield sp.family("draft_shop", Shop, sp.Order, presets={"some": RANGES})
    plug_ins.DRAFTS.pop("draft_shop")
    registry.forget()


RANGES = {
    "machines": [2, 4],
    "jobs": (1, 3),
    "jobs[*].times": "machines",
    "jobs[*].times[*]": (3, 5),
    "jobs[*].weight": 7,
}


def in_range(shop: Any) -> bool:
    fits = shop.machines in (2, 4) and 1 <= len(shop.jobs) <= 3
    of_jobs = (len(job.times) == shop.machines and set(job.times) <= {3, 4, 5} and job.weight == 7 for job in shop.jobs)
    return fits and all(of_jobs)


def test_draws_keep_to_their_ranges_and_seeds_repeat(shop: Any) -> None:
    drawn = [sp.generate("draft_shop", "some", seed) for seed in range(30)]
    assert all(map(in_range, drawn)) and len({one.sha256 for one in drawn}) > 10
    assert sp.generate("draft_shop", "some", 3).sha256 == drawn[3].sha256
    assert len(sp.generate("draft_shop", "some", 3, jobs="9").jobs) == 9


def test_settings_without_effect_give_one_message(shop: Any) -> None:
    with pytest.raises(InputError, match=r"1\.\.12"):
        sp.generate("draft_shop", "some", 3, jobs="many")
    with pytest.raises(SchedproofError, match="preset"):
        sp.generate("draft_shop", "huge", 3)
    with pytest.raises(SchedproofError, match=r"unknown setting 'jobz'; did you mean jobs"):
        sp.generate("draft_shop", "some", 3, jobz="3")
    with pytest.raises(InputError, match=r"jobs = -3: expected a number of entries"):
        sp.generate("draft_shop", "some", 3, jobs="-3")


def test_a_preset_of_an_unknown_field_gives_one_message() -> None:
    with pytest.raises(SchedproofError, match=r"unknown setting 'jobs\[\*\]\.wieght'; did you mean jobs\[\*\]\.weight"):
        sp.family("draft_shop", Shop, sp.Order, presets={"some": {"jobs[*].wieght": 7}})


def test_the_strategy_draws_the_same_instances(shop: Any) -> None:
    @given(shop.strategy("some"))
    def look(drawn: Any) -> None:
        assert in_range(drawn) and Shop.from_json(drawn.to_json()).sha256 == drawn.sha256

    look()


def test_a_family_of_wrong_classes_gives_one_message() -> None:
    for name, instance, schedule in (("a", int, sp.Order), ("a", Shop, Fraction), ("a b", Shop, sp.Order)):
        with pytest.raises(InputError, match="expected"):
            sp.family(name, instance, schedule)  # type: ignore[arg-type]
    assert issubclass(sp.Order, Schedule)


def test_a_preset_lists_differences_and_a_kind_has_list_lengths() -> None:
    lengths = sp.Intervals.lengths("jobs")
    given = {"few": {"machines": 3, "jobs": 2}, "many": {"jobs": 9}}
    assert drawing.presets(Shop, given, lengths) == {
        "few": {"jobs[*].times": "machines", "machines": 3, "jobs": 2},
        "many": {"jobs[*].times": "machines", "machines": 3, "jobs": 9},
    }
    assert [*drawing.presets(Shop, None, {})] == ["tiny", "small", "large"]


def test_choices_of_a_kind_are_classes_of_the_family(shop: Any) -> None:
    assert shop.schedule is not sp.Order and not hasattr(sp.Order, "family")
    assert sp.Intervals.choices() == {"jobs", "places", "everywhere", "at_once", "preemptive"}
    assert sp.Bins.choices() == {"jobs", "places", "most", "every"} and sp.Order.choices() == {"jobs"}
    assert pickle.loads(pickle.dumps(shop.schedule)) is shop.schedule


def test_a_claims_docstring_is_its_statement_and_proof(shop: Any) -> None:
    @shop.claim("section 2", false={"less": 2, "more": 3})
    def positive(one: Any, less: int = 0, more: int = 0) -> sp.Finding:
        """Every job has a weight
        of 7.

        Look at it.
        - *Really?* Yes.
        """
        return sp.Finding(Fraction(7), one.jobs[0].weight - less - more, "at most")

    assert positive.statement == "Every job has a weight of 7." and positive.id == "draft_shop.positive"
    assert [reading.proof for reading in positive.readings] == [Proof("Look at it.\n- *Really?* Yes.")]
    assert [variant.name for variant in positive.false_variants] == ["less = 2", "more = 3"]


def test_numbers_in_a_table_are_typed_and_counted(shop: Any, tmp_path: Any) -> None:
    seen: list[Any] = []

    @shop.table
    def wide(rows: list[dict[str, Any]]) -> dict[str, Any]:
        """A table."""
        seen.extend(rows[0].values())
        return {"machines": 2, "jobs": [{"name": r["name"], "times": [r["a"], r["b"]], "weight": r["w"]} for r in rows]}

    file = tmp_path / "wide.csv"
    file.write_text("name,a,b,w\ntrue,3,4,1.5\n")
    one, report = sp.trace("wide", [file], family="draft_shop")
    assert one.jobs[0].times == (3, 4) and one.jobs[0].weight == Fraction(3, 2) and report == {"jobs": 1}
    assert seen == ["true", 3, 4, Decimal("1.5")]
    file.write_text("name,a,b\ntrue,3,4\n")
    with pytest.raises(InputError, match=r"wide\.csv.*'w'"):
        sp.trace("wide", [file], family="draft_shop")


def test_whether_a_program_has_integers_is_read_from_its_rows_of_variables(knapsack: Any, shop: Any) -> None:
    class total:
        """The least total."""

        cost, completion = stock.cost, stock.completion

    program = shop.program(total)
    assert knapsack.best.integer and not program.integer
    assert program.solve(sp.generate("draft_shop", "some", 1)).objective == 0
