"""Bring MathJax and Pyodide from package registries onto the site.

MathJax is a file of a PyPI package. Pyodide (Python for the browser) comes by npm. Without npm the site is built
without it, and a page's button explains how to run its script. A page opened as a file may not fetch files, but may run
scripts: Pyodide's data are therefore packed into a script.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import tarfile
from base64 import b64encode
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from made import ROOT, keep
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

log = logging.getLogger(__name__)
PYODIDE = "pyodide@0.29.5"
KEPT = ROOT / "build" / "browser_files"  # between builds
MATHJAX = "static/mathjax/tex-svg-full.js"  # one file, its fonts included


def bring(app: Sphinx, config: Config) -> None:
    """Add the files to the site's static files."""
    found = find_spec("sphinx-mathjax-offline")
    assert found is not None and found.origin is not None, "install the extra docs"
    mathjax = KEPT / "mathjax" / "tex-svg-full.js"
    keep(mathjax, (Path(found.origin).parent / MATHJAX).read_bytes())
    config.mathjax_path = "mathjax/tex-svg-full.js"
    if not (KEPT / "pyodide" / "data.js").is_file():
        try:
            _pyodide(KEPT / "pyodide")
        except (OSError, subprocess.SubprocessError) as error:
            log.info("without Pyodide, which npm did not bring: %s", error)
    config.html_static_path.append(str(KEPT))


def _pyodide(folder: Path) -> None:
    with TemporaryDirectory() as temporary:
        words = ["npm", "pack", "--silent", "--pack-destination", temporary, PYODIDE]
        subprocess.run(words, check=True, capture_output=True, timeout=120)
        with tarfile.open(next(Path(temporary).glob("*.tgz"))) as archive:
            archive.extractall(temporary, filter="data")
        package = Path(temporary) / "package"
        for name in ("pyodide.js", "pyodide.asm.js"):
            text = (package / name).read_text()
            keep(folder / name, "\n".join(x for x in text.splitlines() if "sourceMappingURL" not in x).encode())
        data = ("pyodide.asm.wasm", "python_stdlib.zip")
        packed = {name: b64encode(gzip.compress((package / name).read_bytes(), mtime=0)).decode() for name in data}
        lock = json.loads((package / "pyodide-lock.json").read_text()) | {"packages": {}}
        packed["pyodide-lock.json"] = b64encode(gzip.compress(json.dumps(lock).encode(), mtime=0)).decode()
        keep(folder / "data.js", f"const PYODIDE_DATA = {json.dumps(packed)};\n".encode())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", bring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
