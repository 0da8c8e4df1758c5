"""Hypothesis profiles: ``dev`` (the default, minutes), ``ci`` and ``deep``, chosen by SCHEDPROOF_PROFILE."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.support import PROFILE

EXAMPLES = {"dev": 10, "ci": 20, "deep": 1000}

for name, examples in EXAMPLES.items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,  # nothing is judged by the clock
        print_blob=True,
        derandomize=name != "deep",  # a run that fails once fails again
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(PROFILE)
