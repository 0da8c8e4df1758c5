from __future__ import annotations

import gc

import pytest

from schedproof.core.runtime.garbage import collected_rarely


def test_the_former_thresholds_return_after_an_error_too() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyError), collected_rarely():
        assert gc.get_threshold()[0] == 70_000
        raise KeyError
    assert gc.get_threshold() == before
