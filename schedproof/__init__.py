"""schedproof: papers on online scheduling of distributed ML jobs, as things that run.

>>> import schedproof as sp
>>> inst = sp.embedded("day")
>>> sp.program("preemptive.ilp4").without("one_worker_per_chunk").relaxed()   # doctest: +ELLIPSIS
Program(id='preemptive.ilp4', ...
"""

from __future__ import annotations

from typing import Any

_HOMES = {  # public name -> where it lives; imported on first use, so that `import schedproof` is quick
    "read": "schedproof.instances",
    "embedded": "schedproof.instances",
    "program": "schedproof.core.registry",
    "policy": "schedproof.core.run",
    "bound": "schedproof.core.bounds",
    "dualise": "schedproof.core.duality",
    "verify": "schedproof.proofs_checks.verify",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'schedproof' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
