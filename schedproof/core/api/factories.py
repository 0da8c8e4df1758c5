"""Factories, options and outcomes of the functions that a family registers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature, getdoc, signature
from numbers import Rational
from typing import get_args, get_type_hints

from schedproof.core.base.numbers import as_fraction
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.data.options import REQUIRED, Kind, Option
from schedproof.core.errors import InputError, ProgramError, one_sentence, short
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.instance import Schedule
from schedproof.core.simulation.policy import Rule
from schedproof.core.solvers.status import Outcome

Factory = Callable[..., AnyFamily]


def sentence(thing: object) -> str:
    """Return the first line of a docstring."""
    return (getdoc(thing) or "").partition("\n")[0]


def outcome(value: Callable[[AnyFamily], Fraction | None], rests_on: str = "") -> Callable[..., Outcome]:
    """Return a solver that calls a function of the instance for its optimum."""

    def solve(instance: AnyFamily, *, context: Context = USUAL, **parameters: Value) -> Outcome:
        with one_sentence(f"{value.__name__}, the function of the optimum, stopped with", ProgramError):
            best = value(instance, **parameters)
        if best is None:
            return Outcome("infeasible", rests_on=rests_on)
        if not isinstance(best, Rational):
            raise ProgramError(f"{value.__name__}: expected an int or a Fraction as the optimum, got {short(best)}")
        return Outcome("optimal", float(best), float(best), exact=as_fraction(best), rests_on=rests_on)

    return solve


def deciding(id: str, schedule: type[Schedule], to_schedule: Factory) -> Factory:
    """Return a program's ``to_schedule`` that always returns a schedule."""

    def decide(model: Model, instance: AnyFamily) -> Schedule:
        result = to_schedule(model, instance)
        return result if isinstance(result, Schedule) else schedule.by(id, instance, _rows(schedule, result))

    return decide


SHARED = {field.name for field in fields(Schedule)}  # fields of all schedules


def _rows(schedule: type[Schedule], result: Value) -> Value:
    """Return the value of a schedule's only field; rows may be plain tuples."""
    own = next(field.name for field in fields(schedule) if field.name not in SHARED)
    kind: Value = next(iter(get_args(get_type_hints(schedule)[own])), None)
    return tuple(map(kind._make, result)) if hasattr(kind, "_make") else result


def rule_factory(rule: Factory) -> Factory:
    """Return the factory of a policy that is a function."""

    def make(**options: Value) -> Rule:
        return Rule(rule, options)

    make.__signature__ = Signature([p for p in _keywords(rule) if p.name != "notes"])  # type: ignore[attr-defined]  # read by `inspect.signature`
    return make


def augmented(factory: Factory, options: tuple[Option, ...]) -> Factory:
    """Return a factory that also accepts the options that `drive` applies."""
    if not options:
        return factory
    parameters = signature(factory).parameters
    for option in options:
        if option.name in parameters:
            raise InputError(f"expected no option {option.name} of the policy: the driver applies it to every policy")

    def make(**given: Value) -> AnyFamily:
        return factory(**{name: value for name, value in given.items() if name in parameters})

    more = [Parameter(option.name, Parameter.KEYWORD_ONLY) for option in options]
    make.__signature__ = Signature([*parameters.values(), *more])  # type: ignore[attr-defined]  # read by `inspect`
    return make


def without_rules(method: Factory) -> Factory:
    """Return a method that also accepts rules; its own parameters receive theirs."""
    parameters = signature(method).parameters
    if any(p.kind is Parameter.VAR_KEYWORD for p in parameters.values()):
        return method

    @wraps(method)
    def accepting(self: AnyFamily, instance: AnyFamily, /, **rules: Value) -> Value:
        return method(self, instance, **{name: value for name, value in rules.items() if name in parameters})

    return accepting


def _keywords(function: Factory) -> list[Parameter]:
    every = signature(function, eval_str=True).parameters.values()
    return [p for p in every if p.kind is Parameter.KEYWORD_ONLY]


def options(function: Factory) -> tuple[Option, ...]:
    """Return the options of a function, its keyword-only arguments."""
    return tuple(_option(parameter) for parameter in _keywords(function) if parameter.name not in ("context", "notes"))


def _option(parameter: Parameter) -> Option:
    kind, *meaning = getattr(parameter.annotation, "__metadata__", (parameter.annotation,))
    if not isinstance(kind, Kind):
        raise InputError(
            f"expected {parameter.name}: a kind of option, like sp.number(0), sp.whole(1) or sp.choice('a', 'b'), "
            f"found {short(kind)}"
        )
    default = REQUIRED if parameter.default is Parameter.empty else parameter.default
    return Option(parameter.name, kind, default, *meaning)
