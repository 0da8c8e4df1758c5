"""Look-up of programs by id: ``program("preemptive.ilp4")``."""

from __future__ import annotations

from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError, require
from schedproof.core.programs.program import Program
from schedproof.core.runtime.context import Context


def program(id: str, /, **options: Value) -> Program:
    """Return the program with this id; without options, always the same object.

    Parameters
    ----------
    id
        Family and name, like ``preemptive.ilp4``.
    options
        Values of options that the program's card declares.

    Raises
    ------
    UnknownName
        For an unknown id.
    SchedproofError
        If the factory does not return a program.
    """
    require(id, str, "a program's id, like 'preemptive.ilp4'")
    return _made(id, **options) if options else _default(id)


@registry.cached
def _default(id: str) -> Program:
    return _made(id)


def _made(id: str, /, **options: Value) -> Program:
    name, entry = registry.find("program", id)
    result = entry.call(name, options, Context())
    if not isinstance(result, Program):
        raise SchedproofError(f"{name}: expected a Program from its factory, got {type(result).__name__}")
    return result
