from __future__ import annotations

import schedproof as sp
from schedproof.core.api import factories
from schedproof.instances.kinds.intervals import Stay


def test_rows_of_a_schedule_may_be_plain_tuples() -> None:
    rows = factories._rows(sp.Intervals, [(0, 1, 2, 5)])
    assert rows == (Stay(0, 1, 2, 5),) and rows[0].end == 5
    assert factories._rows(sp.Order, [2, 0, 1]) == [2, 0, 1]
