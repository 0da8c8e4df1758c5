"""``schedproof`` and ``python -m schedproof``: the supervised command line."""

import os
import signal

signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # until `supervise` waits for a child that may have to clean up

from schedproof.core.runtime.supervision import supervise  # noqa: E402  # handle interrupts from the first line on


def command_line() -> None:
    """Run the command line in the child process; all other imports are here."""
    import gc

    from schedproof.core.runtime.garbage import collected_rarely
    from schedproof.core.runtime.startup import ignore_working_folder

    ignore_working_folder()
    try:
        with collected_rarely():
            from schedproof.cli import main

            main()
    finally:
        gc.freeze()  # else Python searches all modules for garbage before it ends


def main() -> None:
    """Run the command line."""
    supervise(command_line)


if __name__ == "__main__":
    main()
