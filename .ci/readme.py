"""Run every command and every Python example of the README, in order, in one empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Stop at the first example that fails; the two set-up commands are what the calling script did before."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            Path(folder, "traces").symlink_to(shared / "traces")
        count = 0
        for language, body in blocks:
            if "venv" in body or ("traces/" in body and not shared.is_dir()):
                continue
            command = ["bash", "-euo", "pipefail", "-c", body] if language == "sh" else [sys.executable, "-c", body]
            print(f"--- {language}\n{body}", flush=True)
            subprocess.run(command, cwd=folder, env=environment, check=True)
            count += 1
    if not count:
        raise SystemExit("the README has no examples")
    print(f"{count} examples ran")


main()
