"""Kernels: loops over arrays, compiled where numba is installed, and else run as the Python that they are."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from schedproof.core.base.untyped import Compiled

if find_spec("numba"):
    from schedproof.core.runtime.compiled import COMPILING as COMPILING
    from schedproof.core.runtime.compiled import njit as njit
else:
    logging.getLogger("schedproof").info(
        "kernels run as Python, slowly on large instances; to have them compiled: pip install 'schedproof[fast]'"
    )

    def njit(**options: Compiled) -> Compiled:
        """As numba's, without compiling."""
        return lambda function: function


kernel: Compiled = njit(cache=True)
"""Compile a function on its first call, and keep the result beside its file."""
