"""Start of a process: the working folder holds data, no code and no configuration."""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

READ_HERE = {"matplotlibrc": "matplotlib", ".numba_config.yaml": "numba"}
"""File in the working folder -> the library that reads it on import. Found by tracing all commands."""


def ignore_working_folder() -> None:
    """Ignore code and configuration in the working folder, also in workers."""
    os.environ["PYTHONSAFEPATH"] = "1"  # a worker is started by `python -m`, which would put this folder on its path
    for file, library in READ_HERE.items():
        if os.path.lexists(file) and library not in sys.modules and find_spec(library):
            with chdir(Path(__file__).parent):
                import_module(library)
    if "numba" in sys.modules:
        sys.modules["numba"].config._config_fname = ""  # otherwise numba reads its file again before each compilation
