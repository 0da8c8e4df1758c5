"""The recorder's command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import tests.recorder
from tests.recorder import suite
from tests.recorder.digests import DIGESTS, SECTIONS, compare, record, write

SECONDS = 3.0  # of processor time, in which an item must be there to be recorded


def main(words: Sequence[str]) -> int:
    """Record or compare; return exit code 1 if an item differs."""
    parser = argparse.ArgumentParser(description=tests.recorder.__doc__)
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join([*SECTIONS, "tests"]))
    parser.add_argument("--tree", type=Path, default=Path.cwd(), help="the tree whose package is looked at")
    parser.add_argument("--only", default="", help="compare the items whose name contains this")
    parser.add_argument("--full", type=Path, help="a folder for the items themselves")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time of an item that is recorded")
    asked = parser.parse_args(words)
    tree = asked.tree.resolve()
    sys.path.insert(0, str(tree))
    import schedproof

    if not Path(schedproof.__file__).is_relative_to(tree):
        parser.error(f"the package is that of {schedproof.__file__}; something imported it before --tree was read")
    differ = False
    for section in asked.sections or [*SECTIONS, "tests"]:
        if asked.action == "compare":
            told = suite.missing(asked.tree) if section == "tests" else compare(section, asked.full, asked.only)
            differ = differ or bool(told)
            print("\n".join([f"{section}: differs" if told else f"{section}: as recorded", *told]), flush=True)
        elif section == "tests":
            suite.record(asked.tree)
        else:
            recorded, full = record(section, asked.seconds)
            write(DIGESTS / f"{section}.json", recorded)
            if asked.full:
                write(asked.full / f"{section}.json", full)
    return int(differ)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
