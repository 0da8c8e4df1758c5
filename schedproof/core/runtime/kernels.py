"""Kernels: loops over arrays, compiled by numba if installed, else run as Python."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from schedproof.core.base.untyped import Compiled

if find_spec("numba"):
    from schedproof.core.runtime.compiled import COMPILING as COMPILING
    from schedproof.core.runtime.compiled import njit as njit
else:
    logging.getLogger("schedproof").info(
        "kernels run as Python, slowly on large instances; to compile them: pip install 'schedproof[fast]'"
    )

    def njit(**options: Compiled) -> Compiled:
        """As numba's ``njit``, without compiling."""
        return lambda function: function


kernel: Compiled = njit(cache=True)
"""Decorator that compiles a function on its first call, with a cache."""
