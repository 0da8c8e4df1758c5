"""Run every command and every Python example of the README and the guide, in order, in a folder with our examples.

A block of ``text`` after an example is what that example prints, to the letter.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/guide.md")


def main() -> None:
    """Stop at the first example that fails; the set-up commands are what the calling script did before."""
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, flags=re.MULTILINE | re.DOTALL)
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "examples").symlink_to(ROOT / "examples")
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            Path(folder, "traces").symlink_to(shared / "traces")
        count = 0
        for language, body, printed in blocks:
            if "venv" in body or ("traces/" in body and not shared.is_dir()):
                continue
            command = ["bash", "-euo", "pipefail", "-c", body] if language == "sh" else [sys.executable, "-c", body]
            print(f"--- {language}\n{body}", flush=True)
            ran = subprocess.run(command, cwd=folder, env=environment, check=True, text=True, stdout=subprocess.PIPE)
            print(ran.stdout, flush=True)
            if printed and ran.stdout != printed:
                raise SystemExit(f"the page says that this is printed:\n{printed}")
            count += 1
    if not count:
        raise SystemExit("the pages have no examples")
    print(f"{count} examples ran")


main()
