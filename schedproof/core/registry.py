"""What there is: programs, policies, bounds, claims, instances, generators and traces, found through entry points.

schedproof's own families are registered in ``pyproject.toml`` exactly as another package registers its own: a mapping
from ids to objects under one of the groups in `KINDS`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from schedproof.core.errors import SchedproofError, UnknownName
from schedproof.core.program import Program

KINDS = {
    "programs": "id -> factory(**options) returning a Program",
    "policies": "id -> factory(**options) returning a policy of one of the three protocols",
    "bounds": "program id -> bound(instance, **options) returning a Bound",
    "regrets": "family -> regret(run, **options) returning its regret against the best fixed decision, over time",
    "claims": "id -> Claim",
    "instances": "family -> reader(parsed JSON) returning an Instance",
    "schemas": "family -> schema() returning the JSON Schema of its instance files",
    "generators": "family -> generate(preset, seed, settings) returning the instance as a JSON object",
    "traces": "format -> load(files, seed, options) returning (instance as a JSON object, report)",
}


@cache
def table(kind: str) -> Mapping[str, Any]:
    """Every registered entry of one kind, by id."""
    found: dict[str, Any] = {}
    for entry in sorted(entry_points(group=f"schedproof.{kind}"), key=lambda e: e.name):
        try:
            rows = entry.load()
            if not isinstance(rows, Mapping) or not all(isinstance(id, str) for id in rows):
                raise TypeError(f"expected a mapping from ids to entries, found {rows!r}")
        except (Exception, SystemExit) as error:
            raise SchedproofError(f"the plug-in '{entry.name}' ({entry.value}) cannot be loaded: {error}") from error
        if twice := found.keys() & rows.keys():
            raise SchedproofError(f"two packages register the {kind} {sorted(twice)}")
        found.update(rows)
    return found


def look_up(kind: str, name: str, family: str | None = None) -> tuple[str, Any]:
    """The id and entry of a name; a short name is resolved by the family."""
    rows = table(kind)
    for candidate in (name, f"{family}.{name}" if family else name):
        if candidate in rows:
            return candidate, rows[candidate]
    matches = [i for i in rows if i.endswith(f".{name}")]
    if family is None and len(matches) == 1:
        return matches[0], rows[matches[0]]
    raise UnknownName(kind.removesuffix("s").replace("policie", "policy"), name, rows)


def call(what: str, factory: Callable[..., Any], options: Mapping[str, Any], *arguments: Any) -> Any:
    """Call a registered factory; an option that it does not have, or needs and does not get, is one clear sentence."""
    every = inspect.signature(factory).parameters.values()
    accepted = {p.name: p.default for p in every if p.kind is inspect.Parameter.KEYWORD_ONLY}
    for option in options:
        if option not in accepted:
            raise UnknownName(f"option of {what}", option, accepted)
    for option, default in accepted.items():
        if default is inspect.Parameter.empty and option not in options:
            raise SchedproofError(f"{what} needs the option {option}")
    return factory(*arguments, **options)


def program(id: str, **options: Any) -> Program:
    """The program of that id (``preemptive.ilp4``), with its options."""
    name, factory = look_up("programs", id)
    result = call(name, factory, options)
    if not isinstance(result, Program):
        raise SchedproofError(f"{name}: expected a Program from its factory, got {type(result).__name__}")
    return result


def pick(what: str, value: str, choices: Mapping[str, Any]) -> Any:
    """The choice that an option's value names."""
    if value not in choices:
        raise UnknownName(what, value, choices)
    return choices[value]
