"""The command line. A command is a function with the decorator `command.command`."""

from schedproof.cli.app import app, main

__all__ = ["app", "main"]
