"""The core, in packages by layer: programs, bounds, certificates and claims.

Before version 0.2 the modules of the core were in one folder. An import by an earlier name, such as
`schedproof.core.lazy`, finds the module of that name in its package and warns of the new name.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than this module
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any


class _EarlierNames:
    """The finder and loader of modules by the names that they had earlier."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{__name__}.") or name.split(".")[2] in _NAMES:
            return None
        from importlib.machinery import ModuleSpec
        from pathlib import Path

        root = Path(__path__[0])
        tail = name.removeprefix(f"{__name__}.").replace(".", "/")
        for file in (*root.glob(f"*/{tail}.py"), *root.glob(f"*/{tail}/__init__.py")):
            parts = [part for part in file.relative_to(root).with_suffix("").parts if part != "__init__"]
            return ModuleSpec(name, self, origin=".".join((__name__, *parts)))  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        import warnings
        from importlib import import_module

        warnings.warn(f"`{spec.name}` is now `{spec.origin}`: import it by that name.", FutureWarning, stacklevel=2)
        module = import_module(spec.origin or spec.name)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None  # the import system has just set it to the earlier name's
        module.__spec__ = module.__spec__.loader_state


_NAMES = {entry.split(".")[0] for entry in os.listdir(__path__[0])}  # noqa: PTH208 (pathlib is slow to import)
sys.meta_path.insert(0, _EarlierNames())
