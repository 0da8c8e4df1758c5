"""The command line: a command is a function under `command.command`; `words` reads off it what it takes."""

from schedproof.cli.app import app, main

__all__ = ["app", "main"]
