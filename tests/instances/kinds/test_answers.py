from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.errors import InputError, PolicyError, SchedproofError
from schedproof.instances.kinds.answers import Answer
from tests.command_line import plugged_in

EXAMPLES = {
    "paging": "paging",
    "matching": "matching",
    "set_cover": "cover",
    "trading": "trading",
    "balancing": "balancing",
}


@pytest.fixture(scope="module")
def examples() -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(plugged_in(f"answers/{name}")) for name in EXAMPLES}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_computed_number_is_the_theorems(name: str, examples: dict[str, Any]) -> None:
    computed, theory = examples[name].computed(), examples[name].THEORY
    assert computed <= theory if name == "set_cover" else computed == theory


@pytest.mark.parametrize("family", EXAMPLES.values())
def test_the_doctor_finds_no_flaw(family: str, examples: dict[str, Any]) -> None:
    health = sp.doctor(family, draws=3)
    assert health.sound, health.lines()


@settings(max_examples=10, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_drivers_schedule_is_accepted_and_round_trips(
    name: str, data: st.DataObject, examples: dict[str, Any]
) -> None:
    draft = next(value for value in vars(examples[name]).values() if isinstance(value, sp.Draft))
    one = data.draw(draft.strategy())
    for policy in vars(draft.policies):
        run = sp.policy(f"{draft.name}.{policy}").run(one)
        assert run.violations == ()
        again = draft.schedule.from_json(run.schedule.to_json(one), one)
        assert again == run.schedule and again.objective(one) == run.objective
        assert len(run.to_frame()) == len([*run.schedule.occupied(one)])


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_drawn(name: str, examples: dict[str, Any]) -> None:
    draft = next(value for value in vars(examples[name]).values() if isinstance(value, sp.Draft))
    run = sp.policy(f"{draft.name}.{next(iter(vars(draft.policies)))}").run(sp.generate(draft.name, seed=2))
    assert run.plot() is not None


def quotes(*prices: int, examples: dict[str, Any]) -> Any:
    trading = examples["trading"]
    return trading.Quotes(tuple(trading.Quote(f"q{n}", price) for n, price in enumerate(prices)))


def jobs(*sizes: int, examples: dict[str, Any]) -> Any:
    balancing = examples["balancing"]
    return balancing.Jobs(2, tuple(balancing.Job(f"j{n}", size) for n, size in enumerate(sizes)))


WRONG: list[tuple[Any, str]] = [
    ([(0, 0), (1, 1)], ""),
    ([(0, 0)], "once"),  # no answer to j1
    ([(0, 0), (1, 1), (1, 0)], "once"),
    ([(0, 0), (1, 2)], "allowed"),
    ([(0, 0), (1, None)], "allowed"),
    ([(0, 0), (1, 1, Fraction(1, 2))], "amount"),
]


@pytest.mark.parametrize(("rows", "rule"), WRONG)
def test_a_wrong_answer_is_refused(rows: Any, rule: str, examples: dict[str, Any]) -> None:
    one, schedule = jobs(2, 1, examples=examples), examples["balancing"].BALANCING.schedule
    plan = schedule.by("hand", one, tuple(Answer(*row) for row in rows))
    assert {broken.constraint for broken in plan.violations(one)} == ({rule} if rule else set()) | (
        {"total"} if rule == "amount" else set()
    )
    assert plan.objective(one) == (2 if not rule or rows[0] == (0, 0) else 0)


FRACTIONAL: list[tuple[Any, str]] = [
    ([(0, "sell", Fraction(1, 3)), (1, "sell", Fraction(2, 3))], ""),
    ([(1, "sell", 1)], ""),
    ([(0, "sell", Fraction(2, 3)), (1, "sell", Fraction(2, 3))], "total"),
    ([(0, "sell", Fraction(4, 3))], "amount"),
    ([(0, "sell", Fraction(1, 3)), (0, "sell", Fraction(1, 3))], "once"),
    ([(0, "keep", 1)], "allowed"),
]


@pytest.mark.parametrize(("rows", "rule"), FRACTIONAL)
def test_a_wrong_amount_is_refused(rows: Any, rule: str, examples: dict[str, Any]) -> None:
    one, schedule = quotes(2, 3, examples=examples), examples["trading"].TRADING.schedule
    plan = schedule.by("hand", one, tuple(Answer(*row) for row in rows))
    named = {broken.constraint for broken in plan.violations(one)}
    assert named == set() if not rule else rule in named


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"request": "q9"}, "name of a quote"),
        ({"amount": "1/0"}, "expected a number"),
        ({"amount": "nan"}, "expected a number"),
        ({"amount": 0}, "expected a number > 0"),
        ({"amount": -1}, "expected a number"),
        ({"answer": 1.5}, "answer"),
    ],
)
def test_a_file_with_a_wrong_row_is_refused(change: Any, words: str, examples: dict[str, Any]) -> None:
    one, schedule = quotes(2, 3, examples=examples), examples["trading"].TRADING.schedule
    file = sp.policy("trading.at_once").run(one).schedule.to_json(one)
    row = {"request": "q0", "answer": "sell", "amount": "1/3"}
    assert schedule.from_json({**file, "answers": [row]}, one).answers == (Answer(0, "sell", Fraction(1, 3)),)
    with pytest.raises(InputError, match=words):
        schedule.from_json({**file, "answers": [row | change]}, one)


@pytest.mark.parametrize(
    ("decided", "words"),
    [
        (lambda view: {"keep": 1}, "of sell"),
        (lambda view: {"sell": nan}, "expected a number"),
        (lambda view: {"sell": inf}, "expected a number"),
        (lambda view: {"sell": "much"}, "expected a number"),
        (lambda view: {"sell": -1}, "amount >= 0"),
        (lambda view: None, "of sell"),
        (lambda view: [1], "of sell"),
        (lambda view: view.system.quotes[1], "looked into the future"),
        (lambda view: {True: 1}, "of sell"),
    ],
)
def test_a_policy_with_a_wrong_answer_gives_one_message(decided: Any, words: str, examples: dict[str, Any]) -> None:
    with pytest.raises(PolicyError, match=words):
        sp.policy(decided).run(quotes(2, 3, examples=examples))


def test_amounts_whose_sum_is_too_large_make_the_run_infeasible(examples: dict[str, Any]) -> None:
    one = quotes(2, 3, 4, examples=examples)
    run = sp.policy(lambda view: {"sell": Fraction(3, 5)}).run(one)
    assert [str(broken) for broken in run.violations] == ["total at q1 by 1/5"]
    assert run.objective == 1 + Fraction(3, 5)  # only the valid answers count


def test_a_policy_sees_only_earlier_requests_and_its_own_answers(examples: dict[str, Any]) -> None:
    seen = []

    def watching(view: Any) -> int:
        seen.append((view.request.name, [(job.name, machine) for job, machine in view.past], view.system.machines))
        assert view.given(1) == len(seen) - 1
        return 1

    sp.policy(watching).run(jobs(2, 1, examples=examples))
    assert seen == [("j0", [], 2), ("j1", [("j0", 1)], 2)]


class Late(sp.Entity):
    name: sp.Name
    arrival: sp.Count


class Lates(sp.Instance):
    """Requests with arrivals."""

    requests: tuple[Late, ...]


def test_requests_come_by_arrival() -> None:
    with plugged_in("answers/balancing"):

        class Turns(sp.Answers):
            def allowed(view: Any) -> Any:  # type: ignore[override]
                return [len(view.past)]

            def value(view: Any, answer: Any) -> Any:  # type: ignore[override]
                return answer * view.request.arrival

        turns: Any = sp.family("turns", Lates, Turns)
        late: Any = Late
        one = turns.instance((late(name="a", arrival=5), late(name="b", arrival=2)))
        run = sp.policy(lambda view: view.allowed[0]).run(one)
        assert run.feasible and run.objective == 5 == turns.schedule.best(one)


def test_a_family_without_answers_is_refused_in_one_sentence() -> None:
    with plugged_in("answers/balancing") as balancing:

        class Mute(sp.Answers):
            pass

        sp.family("mute", type("Other", (balancing.Jobs,), {"__doc__": "Jobs."}), Mute)
        one = sp.generate("mute", seed=1)
        with pytest.raises(SchedproofError, match="define allowed"):
            sp.policy(lambda view: 0).run(one)


def test_enumeration_refuses_fractional_and_too_many_answers(examples: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="enumeration"):
        examples["trading"].TRADING.schedule.best(quotes(2, examples=examples))
    with pytest.raises(InputError, match="enumeration"):
        examples["balancing"].BALANCING.schedule.best(jobs(*[1] * 20, examples=examples))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "expected one of 0, 1, got None"),
        ("third", "expected one of 0, 1, got 'third'"),
        ({0: Fraction(1, 2), 1: Fraction(1, 2)}, "need `fractional = True` in the schedule class"),
    ],
)
def test_a_wrong_answer_is_named_with_the_family_s_answers(answer: Any, message: str, examples: dict[str, Any]) -> None:
    class Fixed:
        def assign(self, view: Any) -> Any:
            return answer

    with pytest.raises(PolicyError, match=message):
        sp.policy(Fixed()).run(jobs(1, 2, examples=examples))
