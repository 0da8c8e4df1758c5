"""Import of the objects that cards name as ``module:attribute``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from operator import attrgetter

from schedproof.core.base.lazy import missing
from schedproof.core.base.untyped import Loaded
from schedproof.core.errors import SchedproofError, describe, suggestion


@cache
def load(home: str) -> Loaded:
    """Import and return the object at ``module:attribute``."""
    module, colon, attribute = home.partition(":")
    if not colon:
        raise SchedproofError(f"a card names {home}; expected module:attribute")
    try:
        result = import_module(module)
    except (AttributeError, ImportError, SyntaxError) as error:
        if isinstance(error, ImportError) and (extra := missing(error)):
            raise extra from None
        raise SchedproofError(f"a card names {home}, which cannot be imported: {describe(error)}") from error
    try:
        return attrgetter(attribute)(result)
    except (AttributeError, ImportError, SyntaxError) as error:
        if hasattr(result, attribute.partition(".")[0]) or not isinstance(error, AttributeError):
            raise SchedproofError(f"a card names {home}, which cannot be imported: {describe(error)}") from error
        names = [name for name in vars(result) if not name.startswith("_")]
        more = f"{module} has no '{attribute}'; {suggestion(attribute, names)}"
        raise SchedproofError(f"a card names {home}, which cannot be imported: {more}") from None
