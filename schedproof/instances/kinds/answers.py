"""A stock kind of schedule for online problems: one answer for each request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from schedproof.core.base.numbers import as_fraction
from schedproof.core.data.checking import Violation
from schedproof.core.errors import InputError, PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.instance import Schedule
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy, Hidden
from schedproof.instances.arriving import arrivals
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import AMOUNT, JOB, rows

Key = int | str | None  # an answer; an entity is stored by its name
Past = tuple[tuple[Any, Any], ...]  # earlier requests with their answers
MOST = 20_000  # sequences of answers that are enumerated


class Answer(NamedTuple):
    """An answer to a request, by position, and its amount."""

    request: JOB
    answer: Key
    amount: AMOUNT = Fraction(1)


@dataclass(frozen=True)
class View:
    """A request with the history before it; later requests are hidden.

    Attributes
    ----------
    request
        The current request, an entity of the instance's first list.
    past
        Pairs of an earlier request and its answer, in order. An answer is an integer, a text or None. In a family with
        fractional answers it is a mapping from answers to their positive amounts.
    system
        The other fields of the instance.
    """

    request: Any
    past: Past
    system: Any
    kind: Any = field(repr=False)

    @cached_property
    def allowed(self) -> tuple[Key, ...]:
        """The family's answers to this request."""
        return tuple(key(answer) for answer in self.kind.allowed(self))

    def given(self, answer: Any) -> Fraction:
        """Return the total amount of an answer so far."""
        name, fractional = key(answer), self.kind.fractional
        amounts = (past.get(name, 0) if fractional else past == name for _, past in self.past)
        return sum(map(as_fraction, amounts), Fraction(0))


@dataclass(frozen=True, repr=False)
class Answers(Schedule):
    """One answer for each request; the family defines the answers and their values.

    The first list of the instance has the requests, ordered by ``arrival`` if they have arrivals, otherwise as in the
    file. A family overrides ``allowed`` and ``value``, and with fractional answers optionally ``total`` and ``most``.
    These functions, like the policy, receive a `View`, which hides later requests.

    Attributes
    ----------
    answers
        The rows of the schedule, in any order.
    fractional
        Whether a request may have amounts of several answers. Amounts are exact rationals.
    """

    answers: tuple[Answer, ...]

    fractional: ClassVar[bool] = False

    @staticmethod
    def allowed(view: View) -> Iterable[Any]:
        """Return the answers to the view's request: integers, texts, entities or None."""
        raise InputError(f"{view.kind.__name__}: define allowed(view), the answers to a request")

    @staticmethod
    def value(view: View, answer: Key) -> Any:
        """Return the cost or gain of one unit of an answer to the view's request."""
        raise InputError(f"{view.kind.__name__}: define value(view, answer), the cost or gain of an answer")

    @staticmethod
    def total(view: View) -> tuple[Any, Any]:
        """Return the least and largest sum of the request's amounts."""
        return 1, 1

    @staticmethod
    def most(view: View, answer: Key) -> Any:
        """Return the largest amount of an answer to the view's request."""
        return 1

    @classmethod
    def view(cls, instance: Any, request: Any, past: Past = ()) -> View:
        """Return the view of a request after others with their answers."""
        fields = instance.__dataclass_fields__.keys() - {instance.card.own.size[0]}
        return View(request, past, Hidden.of(instance, *fields), cls)

    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        """Return the sum of the answers' values, up to the first invalid answer."""
        result = Fraction(0)
        for view, given, broken in checkers.replay(self, instance):
            if broken:
                break
            result += sum((amount * type(self).value(view, answer) for answer, amount in given.items()), Fraction(0))
        return result

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Answers:
        """Run ``rule(view)`` for every request; it returns an answer.

        With fractional answers it may return ``{answer: amount}``.
        """
        past: Past = ()
        result = list[Answer]()
        requests = in_order(instance)
        for n, request in enumerate(requests):
            view = cls.view(instance, request, past)
            given = _amounts(view, policy.assign(view))
            result += (Answer(request.index, answer, amount) for answer, amount in given.items())
            past += ((request, remembered(cls, given)),)
            context.progress(f"{n + 1} of {len(requests)} requests", (n + 1) / len(requests))
        return cls.by(decided_by, instance, tuple(result))

    @classmethod
    def best(cls, instance: Any) -> Fraction | None:
        """Return the offline optimum by enumeration; None if some request has no answer."""
        if cls.fractional:
            raise InputError("expected answers without fractions: enumeration does not support fractional answers")
        plans = [*islice(cls._plans(instance, in_order(instance), ()), MOST + 1)]
        if len(plans) > MOST:
            raise InputError(f"expected at most {MOST} sequences of answers: enumeration supports no more")
        values = (plan.objective(instance) for plan in plans)
        return (min if instance.sense == "minimize" else max)(values, default=None)

    @classmethod
    def _plans(cls, instance: Any, requests: Any, past: Past) -> Iterator[Answers]:
        if not requests:
            yield cls.by("enumeration", instance, tuple(Answer(request.index, answer) for request, answer in past))
            return
        for answer in cls.view(instance, requests[0], past).allowed:
            yield from cls._plans(instance, requests[1:], (*past, (requests[0], answer)))

    def check(self, instance: Any) -> list[Violation]:
        """Return every broken constraint."""
        return checkers.answers(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield each answer in its turn; the answers' places are in order of first use."""
        turn = {request.index: n for n, request in enumerate(in_order(instance))}
        places = self._places()
        for request, answer, amount in self.answers:
            yield Occupied(request, places[answer], "amount", turn[request], turn[request] + 1, amount)

    def _places(self) -> dict[Key, int]:
        return {answer: n for n, answer in enumerate(dict.fromkeys(row.answer for row in self.answers))}

    def frame_of(self, instance: Any) -> Any:
        """Return one row per answer (pandas)."""
        import pandas as pd

        names = [request.name for request in rows(instance)]
        held = [(names[row.request], row.answer, float(row.amount)) for row in self.answers]
        return pd.DataFrame(held, columns=[instance.extent[1], "answer", "amount"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw each answer's requests over time, with their amounts."""
        names = [request.name for request in rows(instance)]
        ax = draw_gantt(self.occupied(instance), names, [str(answer) for answer in self._places()] or [""], ax=ax)
        ax.set_xlabel("request")
        return ax


def in_order(instance: Any) -> list[Any]:
    """Return the requests by arrival if they have arrivals, otherwise in file order."""
    requests = rows(instance)
    if not all(hasattr(request, "arrival") for request in requests):
        return [*requests]
    return [request for _, there in arrivals(requests) for request in there]


def key(answer: Any) -> Key:
    """Return an answer as it is stored; refuse values that are no answers."""
    result = getattr(answer, "name", answer)
    if isinstance(result, bool) or not isinstance(result, int | str | None):
        raise InputError(f"expected answers that are integers, texts, entities or None, found {short(answer)}")
    return result


def remembered(kind: Any, given: Mapping[Key, Fraction]) -> Any:
    """Return an answer for the history: its key, or its amounts if fractional."""
    return MappingProxyType(dict(given)) if kind.fractional else next(iter(given), None)


def _amounts(view: View, decided: Any) -> dict[Key, Fraction]:
    """Return a policy's answer as amounts; refuse answers outside the family's set."""
    several = view.kind.fractional and isinstance(decided, Mapping)
    result = dict[Key, Fraction]()
    for answer, amount in decided.items() if several else [(decided, 1)]:
        where = f"the policy's answer to {view.request.name}"
        try:
            name, exact = key(answer), as_fraction(amount)
        except InputError:
            name, exact = "", Fraction(-1)
        except (ValueError, TypeError, OverflowError):
            raise PolicyError(f"{where}: expected a number as the amount of {short(answer)}, got {amount}") from None
        if exact < 0 or name not in view.allowed:
            known = ", ".join(map(str, view.allowed[:9])) or "no answer"
            if not several:
                amounts = isinstance(decided, Mapping)
                fix = "; amounts of several answers need `fractional = True` in the schedule class" if amounts else ""
                raise PolicyError(f"{where}: expected one of {known}, got {short(decided)}{fix}")
            raise PolicyError(f"{where}: expected an amount >= 0 of {known}, got {short(amount)} of {short(answer)}")
        if exact:
            result[name] = result.get(name, Fraction(0)) + exact
    return result
