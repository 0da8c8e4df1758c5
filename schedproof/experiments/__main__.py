"""``python -m schedproof.experiments NAME ...``: run an experiment, supervised."""

import os
import signal
import sys

signal.signal(
    signal.SIGINT, lambda *_: os._exit(130)
)  # until `supervise` waits for a child, which may have to clean up

from schedproof.core.runtime.supervision import supervise  # noqa: E402  # handle interrupts from the first line on

NAMES = (
    "figures",
    "formal",
    "ledger",
    "mathematics",
)


def experiment() -> object:
    """Run the experiment in the child process, which does all other imports."""
    from importlib import import_module

    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        print(f"usage: python -m schedproof.experiments NAME ..., one of {', '.join(NAMES)}", file=sys.stderr)
        return 2
    return import_module(f"schedproof.experiments.{sys.argv[1]}").main(sys.argv[2:])


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:  # experiments that are now commands of the command line
        os.execv(sys.executable, [sys.executable, "-m", "schedproof", *sys.argv[1:]])
    supervise(experiment)
