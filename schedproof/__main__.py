"""``schedproof``, and ``python -m schedproof``: the command line, in a process that an interrupt always ends."""

import os
import signal

signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # until somebody waits for a child that may have to tidy up

from schedproof.core.runtime.supervision import supervise  # noqa: E402  # an interrupt is heard from the first line on


def command_line() -> None:
    """What the child does; everything else is imported here.

    Of the hundreds of thousands of objects that a large instance is made of none goes before the end: garbage is looked
    for a hundred times less often than Python does.
    """
    import gc

    from schedproof.cli import main

    gc.set_threshold(70_000, 10, 10)
    main()


def main() -> None:
    """Run the command line."""
    supervise(command_line)


if __name__ == "__main__":
    main()
