"""Readings of one check that differ in its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schedproof.core.claim import Finding, Reading, with_settings
from schedproof.core.untyped import Case, Value


def readings(
    check: Callable[..., Finding | None], *rows: tuple[str, str, Mapping[str, Value]]
) -> tuple[Reading[Case], ...]:
    """A reading for each row: its name, its sentence, and the settings of the check."""
    return tuple(Reading(name, sentence, with_settings(check, **settings)) for name, sentence, settings in rows)
