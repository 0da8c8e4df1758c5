"""Readings of one check that differ in its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schedproof.core.claim import Answer, Proof, Reading, with_settings
from schedproof.core.untyped import Case, Value


def readings(
    check: Callable[..., Answer], *rows: tuple[str, str, Mapping[str, Value]], proof: Proof | None = None
) -> tuple[Reading[Case], ...]:
    """A reading for each row: its name, its sentence, and the settings of the check; a proof is one of them all."""
    return tuple(Reading(name, sentence, with_settings(check, **settings), proof) for name, sentence, settings in rows)
