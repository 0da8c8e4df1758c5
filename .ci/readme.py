"""Run every command and Python example of the README and the guides.

A block of ``text`` after an example is its exact output. Blocks of ``console`` are not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ONE_PROGRAM = DOCS / "howto" / "systems.md"  # its blocks continue each other: tests/adversary/systems/test_guide.py
HOW_TO = [page for page in sorted(DOCS.glob("howto/*.md")) if page != ONE_PROGRAM]
PAGES = (ROOT / "README.md", DOCS / "start.md", DOCS / "commands.md", *HOW_TO)
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", flags=re.MULTILINE | re.DOTALL)


def main() -> None:
    """Stop at the first failing example; the calling script has run the set-up commands."""
    count = sum(run(page) for page in PAGES)
    if not count:
        raise SystemExit("the pages have no examples")
    print(f"{count} examples ran")


def run(page: Path) -> int:
    """Run the examples of a page in order, in a new folder, and return their number."""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    shared = ROOT.parent / "shared"
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "examples").symlink_to(ROOT / "examples")
        if shared.is_dir():
            Path(folder, "traces").symlink_to(shared / "traces")
        for language, body, printed in BLOCK.findall(page.read_text(encoding="utf-8")):
            if "venv" in body or ("traces/" in body and not shared.is_dir()):
                continue
            command = ["bash", "-euo", "pipefail", "-c", body] if language == "sh" else [sys.executable, "-c", body]
            print(f"--- {page.name}: {language}\n{body}", flush=True)
            ran = subprocess.run(command, cwd=folder, env=environment, check=True, text=True, stdout=subprocess.PIPE)
            print(ran.stdout, flush=True)
            if printed and ran.stdout != printed:
                raise SystemExit(f"{page}: expected this output:\n{printed}")
            count += 1
    return count


main()
