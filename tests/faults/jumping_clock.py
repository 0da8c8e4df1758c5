"""Run the command line while a clock jumps: CLOCK SECONDS CALLS COMMAND...

The clock is a function of `time`. It jumps by SECONDS once, after CALLS calls.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator


def jumping(clock: str, seconds: float, calls: int) -> None:
    read, left = getattr(time, clock), iter(range(calls))

    def jumped() -> Iterator[float]:
        yield from (read() for _ in left)
        while True:
            yield read() + seconds

    readings = jumped()
    setattr(time, clock, lambda: next(readings))


if __name__ == "__main__":
    name, by, after, *sys.argv[1:] = sys.argv[1:]
    jumping(name, float(by), int(after))
    from schedproof.__main__ import main

    main()
