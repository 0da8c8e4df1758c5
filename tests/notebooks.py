"""Run the notebooks' cells in this process: all, or those that sliders need."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dis import get_instructions
from functools import wraps
from pathlib import Path
from symtable import Function, SymbolTable, symtable
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
SLIDERS = "sliders"
sys.path.insert(0, str(Path(__file__).parents[1] / "notebooks"))  # where a notebook's helpers lie


@dataclass
class Picture:
    """A picture with sliders.

    Attributes
    ----------
    widget
        The displayed widget.
    figures
        All figures drawn so far, in order.
    """

    widget: Any
    figures: list[Any]

    @property
    def controls(self) -> list[Any]:
        return [child for child in self.widget.children if hasattr(child, "options")]

    @property
    def shown(self) -> bytes:
        return bytes(self.widget.children[-1].value)

    def moves(self, control: Any) -> Iterator[Any]:
        """Move a control through its values and back; yield each value."""
        start = control.value
        values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        for value in [*(value for value in values if value != start), start]:
            control.value = value
            yield value


def cells(path: Path) -> list[str]:
    every = json.loads(path.read_text())["cells"]
    return ["".join(cell["source"]) for cell in every if cell["cell_type"] == "code"]


def pictures(path: Path) -> list[Picture]:
    """Return the pictures with sliders of a notebook; run only the cells they need."""
    from sliders import sliders

    found: list[Picture] = []

    def watched(draw: Callable[..., Any], **values: Any) -> None:
        figures: list[Any] = []

        @wraps(draw)
        def kept(**place: Any) -> Any:
            figures.append(draw(**place))
            return figures[-1]

        found.append(Picture(sliders(kept, **values), figures))

    space: dict[str, Any] = {"__name__": path.stem}
    for statement in _needed([node for cell in cells(path) for node in ast.parse(cell).body]):
        exec(compile(ast.Module([statement], []), path.name, "exec"), space)
        if SLIDERS in space:
            space[SLIDERS] = watched
    return found


def _needed(statements: list[ast.stmt]) -> list[ast.stmt]:
    wanted: set[str] = set()
    kept = []
    for statement in reversed(statements):
        loaded, stored = _names(statement)
        if isinstance(statement, ast.Expr):
            take = SLIDERS in loaded
        else:
            take = bool(stored & wanted)
            wanted -= stored if take else set()
        if take:
            wanted |= loaded
            kept.append(statement)
    return kept[::-1]


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return set(), {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    every = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    loaded, stored = ({n.id for n in every if isinstance(n.ctx, kind)} for kind in (ast.Load, ast.Store))
    if isinstance(statement, ast.FunctionDef):
        own = {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)} | stored
        return loaded - own, {statement.name}
    if isinstance(statement, ast.AugAssign):
        loaded |= stored
    return loaded, stored


STORES = {"STORE_NAME", "STORE_GLOBAL"}  # the symbol table of Python 3.12 has names of comprehensions, too


def rebound(cells: list[str]) -> set[str]:
    """Return names that a picture with sliders reads and a later cell binds again."""
    read: set[str] = set()
    found: set[str] = set()
    functions: dict[str, set[str]] = {}
    for cell in cells:
        table = symtable(cell, "cell", "exec")
        found |= read & {
            step.argval for step in get_instructions(compile(cell, "cell", "exec")) if step.opname in STORES
        }
        functions |= {child.get_name(): _read_when_called(child) for child in table.get_children()}
        used = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()} | {"lambda"}
        if SLIDERS in used:
            read |= _reached(used, functions)
    return found


def _read_when_called(table: SymbolTable) -> set[str]:
    own = set(table.get_globals()) if isinstance(table, Function) else set()
    return own.union(*map(_read_when_called, table.get_children()))


def _reached(names: set[str], functions: dict[str, set[str]]) -> set[str]:
    read: set[str] = set()
    calling = [name for name in names if name in functions]
    while calling:
        more = functions[calling.pop()] - read
        read |= more
        calling += [name for name in more if name in functions]
    return read
