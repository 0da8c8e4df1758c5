"""Prove a policy's competitive ratio by the worst cycle of a product graph."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from schedproof.adversary.exact_ratio import automata
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.adversary.exact_ratio.rule import Rule
from schedproof.adversary.systems.proof import SystemProof, prove_system, prove_system_in
from schedproof.adversary.systems.source import is_in_file
from schedproof.adversary.systems.system import System
from schedproof.adversary.walks.search import Bounds, search
from schedproof.adversary.walks.trials import NO_TRIALS, Trials, kept
from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, number, parse_options, whole
from schedproof.core.data.reading import content_of
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within

SETTING = (
    Option("machines", whole(1, 8), 2, "number of machines"),
    Option("sizes", whole(1, 100), 2, "slots of the longest job"),
    Option("unit", whole(1, 100), 1, "common divisor of all jobs' slots"),
    Option("present", whole(1, 30), 4, "most jobs present, in the policy's and in the offline schedule"),
    Option("speed", number(), Fraction(1), "speed of the policy's machines; a job takes its slots / speed, rounded up"),
)

OF_RULES = (
    *SETTING,
    Option("weights", whole(1, 100), 1, "largest weight of a job; above 1 the objective is the weighted JCT"),
    Option("chunks", whole(1, 8), 1, "most chunks of a job, each on any machine in any slot"),
    Option("far", whole(0, 8), 0, "number of remote machines, the last ones"),
    Option("delay", whole(0, 100), 0, "slots of an upload to a remote machine"),
)


def prove(
    policy: str | Path | System,
    /,
    *,
    store: str | Path | None = None,
    progress: Progress = silent,
    time_limit: float | None = None,
    **options: Value,
) -> Proof | SystemProof:
    """Prove the competitive ratio of a policy, or of a finite system's algorithm.

    The ratio of a policy holds for sequences of any length with at most ``present`` jobs at a time, in the policy's and
    in the offline schedule. The upper bound does not cover offline schedules with more jobs present.

    Parameters
    ----------
    policy
        The name of a policy with a rule, like ``srtf`` or ``srtf:chunks=floating``, or the file of a rule
        (`schedproof.adversary.exact_ratio.rule`). Or a finite system: an object of a class derived from
        `schedproof.System`, or the class as ``FILE.py:NAME``.
    store
        An SQLite file that keeps the outcome of each ratio tried. The same call resumes from there; only an unfinished
        ratio is tried again.
    progress
        Called with the progress.
    time_limit
        Seconds; the result is the interval proven within them.
    options
        ``machines``, ``sizes``, ``unit``, ``present``, ``speed``, ``weights``, ``chunks``, ``far``, ``delay``
        (`OF_RULES`), and the options of the rule; for a system in a file, the arguments of its class.

    Raises
    ------
    InputError
        For a text that is not a rule, or too many states.
    Interrupted
        On Ctrl-C; the error's ``best`` is the result so far.
    NoSolution
        If no bound is proven within the time limit.
    PolicyError
        If the rule runs jobs that no schedule could run.

    Examples
    --------
    >>> import schedproof as sp
    >>> sp.prove("srtf", machines=1, sizes=3).exact
    Fraction(1, 1)
    """
    context = Context(progress=progress, time_limit=time_limit)
    if isinstance(policy, str | Path):
        return proof(str(policy), options, context, store)
    if options:
        raise InputError(f"{next(iter(options))}: a system takes no options here; set them in its class")
    return prove_system(policy, context, store=store)


def proof(
    policy: str, given: Mapping[str, Value], context: Context, store: str | Path | None = None
) -> Proof | SystemProof:
    if is_in_file(policy):
        return prove_system_in(policy, given, context, store)

    def work(inner: Context) -> Proof:
        with kept(store) as trials:
            return _prove(policy, given, inner, trials)

    result = best_within(context, work)
    if result is None:
        raise NoSolution(f"{policy}: no bound was proven within the time limit")
    return result


def _prove(policy: str, given: Mapping[str, Value], context: Context, trials: Trials = NO_TRIALS) -> Proof:
    usual = {option.name: option.default for option in OF_RULES}
    names = usual.keys()
    setting = usual | parse_options("prove", OF_RULES, {name: given[name] for name in given if name in names})
    machines, present, weights, chunks = (setting[name] for name in ("machines", "present", "weights", "chunks"))
    sizes = sizes_of(setting)
    far = setting["far"] if setting["delay"] else 0
    if far > machines:
        raise InputError(f"far={far}: expected at most machines={machines}")
    delays = (*[0] * (machines - far), *[setting["delay"]] * far)
    rule = _rule(policy, machines, setting["speed"], {name: given[name] for name in given if name not in names}, delays)
    if weights > 1 and not rule.weighted:
        raise InputError(f"weights={weights}: the rule {rule.name} supports no weights")
    if chunks > 1 and not rule.chunked:
        raise InputError(f"chunks={chunks}: the rule {rule.name} supports one-chunk jobs only")
    kinds = automata.kinds_of(sizes, weights, chunks)
    near = automata.pinned if rule.pinned else automata.migrating if rule.preemptive else automata.whole
    others = partial(automata.pinned, delays=delays) if far else near
    context.progress("states of each side")
    policy_states = automata.policy(rule, kinds, present)
    merged, one = automata.merged(policy_states)
    graph = Product(merged, others(machines, kinds, present), context)

    def proven(bounds: Bounds) -> Proof:
        return Proof(rule, sizes, weights, chunks, present, bounds, graph, policy_states, one)

    start = proven(Bounds()).to_json()
    key = {name: start[name] for name in ("rule", "setting", "options")}
    return proven(search(graph, context, lambda bounds: context.keep(proven(bounds)), trials.of(**key)))


def sizes_of(setting: Mapping[str, Value]) -> range:
    if setting["sizes"] < setting["unit"]:
        raise InputError(f"sizes={setting['sizes']}: expected at least unit={setting['unit']}")
    return range(setting["unit"], setting["sizes"] + 1, setting["unit"])


def _rule(policy: str, machines: int, speed: Fraction, given: Mapping[str, Value], delays: tuple[int, ...]) -> Rule:
    file = rule_file(policy)
    try:
        text = content_of(file).decode()
    except ValueError as error:
        raise InputError(f"cannot be read: {error}", file=policy) from None
    if policy.endswith(".py"):
        return Rule(file.stem, text, machines, speed, {name: _value(given[name]) for name in given}, delays)
    id, entry, chosen = named(policy)
    more = {name: chosen[name] for name in chosen if f"{{{name}}}" not in entry.rule}
    reading = ",".join(f"{name}={chosen[name]}" for name in chosen if name not in more)
    name = f"{id}:{reading}" if reading else id
    return Rule(name, text, machines, speed, more | parse_options(id, entry.options, given), delays)


def named(policy: str) -> tuple[str, Entry, dict[str, Value]]:
    """Return id, card row and options of ``NAME`` or ``NAME:key=value,key=value``."""
    name, _, words = policy.rpartition(":") if "=" in policy else (policy, "", "")
    id, entry = registry.find("policy", name)
    given = dict(word.partition("=")[::2] for word in words.split(",") if word)
    return id, entry, parse_options(id, entry.options, given)


def rule_file(policy: str) -> Path:
    """Return the file of a policy's rule: the card's, or `policy` if it is a file.

    Raises
    ------
    InputError
        If the policy has no rule.
    """
    if policy.endswith(".py"):
        return Path(policy)
    id, entry, chosen = named(policy)
    if not entry.rule:
        able = [id for id, each in registry.entries("policy").items() if each.rule]
        raise InputError(f"{id} has no rule; expected one of {', '.join(able)}, or a file RULE.py")
    usual = {option.name: option.default for option in entry.options}
    module, _, name = entry.rule.format(**usual | chosen).partition(":")
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / name


def _value(given: Value) -> Value:
    if not isinstance(given, str):
        return given
    parts = [int(part) if part.lstrip("-").isdigit() else part for part in given.split(",")]
    return parts[0] if len(parts) == 1 else tuple(parts)
