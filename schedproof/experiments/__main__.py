"""``python -m schedproof.experiments NAME ...``: an experiment, in a process that an interrupt always ends."""

import os
import signal
import sys

signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # until somebody waits for a child that may have to tidy up

from schedproof.core.runtime.supervision import supervise  # noqa: E402  # an interrupt is heard from the first line on

NAMES = (
    "figures",
    "formal",
    "ledger",
    "mathematics",
)


def experiment() -> object:
    """What the child does; everything else is imported here."""
    from importlib import import_module

    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        print(f"usage: python -m schedproof.experiments NAME ..., one of {', '.join(NAMES)}", file=sys.stderr)
        return 2
    return import_module(f"schedproof.experiments.{sys.argv[1]}").main(sys.argv[2:])


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:  # a command by now
        os.execv(sys.executable, [sys.executable, "-m", "schedproof", *sys.argv[1:]])
    supervise(experiment)
