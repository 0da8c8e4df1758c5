"""A time limit ends every program and every bound, and reports the best result."""

from __future__ import annotations

import random

import pytest

from tests.faults.limits import allowed, cases, timed
from tests.support import PROFILE, size

EVERY = list(cases())
LIMITS = (1.0, 5.0, 20.0) if PROFILE == "deep" else (1.0,)
OTHER_WORK = size(20, 20, 0)  # seconds more beside other tests; what does not hear a limit takes minutes


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("case", random.Random(size(1, 2, 3)).sample(EVERY, size(2, 4, len(EVERY))))
def test_a_time_limit_holds(case: str, limit: float) -> None:
    ended = timed(case, limit, OTHER_WORK)
    assert ended.code in (0, 3), f"python -m tests.faults.limits '{case}' {limit}: {ended.words}"
    assert ended.seconds is not None and ended.words, f"python -m tests.faults.limits '{case}' {limit}: {ended.words}"
    assert ended.seconds <= allowed(limit) + OTHER_WORK, f"python -m tests.faults.limits '{case}' {limit}"
