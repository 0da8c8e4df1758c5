"""``schedproof``, and ``python -m schedproof``: the command line, in a process that an interrupt always ends."""

from schedproof.core.supervision import supervised


def command_line() -> None:
    """What the child does; everything else is imported here."""
    from schedproof.cli import main

    main()


def main() -> None:
    """Run the command line."""
    supervised(command_line)


if __name__ == "__main__":
    main()
