"""Draw the architecture: layers by families, and the packages of `core`.

``python docs/architecture.py [FOLDER]`` writes the two pictures of ``docs/architecture.md``.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import schedproof
from schedproof.core.simulation.pictures import axes, ink, save

ROOT = Path(schedproof.__file__).parent
LAYERS = (  # a layer imports from those below it; two in one row do not import each other
    ("cli",),
    ("experiments",),
    ("adversary",),
    ("proofs_checks",),
    ("offline",),
    ("online",),
    ("rounding",),
    ("relaxations",),
    ("workloads", "formulations", "reference"),
    ("instances",),
    ("families",),
    ("core",),
)
CORE = (  # packages of core, in the same way
    ("api",),
    ("results",),
    ("certificates", "claims"),
    ("programs",),
    ("simulation", "solvers"),
    ("cards",),
    ("data",),
    ("runtime",),
    ("base",),
    ("errors",),
)
FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement")
SHARED = "shared"
ROOM, GAP = 1.9, 0.25
PER_LINE = 13  # modules in a line of a box


def layer_of(module: str) -> str:
    """Return the layer of a module.

    The command line's modules are a separate layer; checkers of certificates belong to core.
    """
    parts = module.split(".")
    named = parts[1] if len(parts) > 1 else "cli"
    named = "core" if named == "check" else named
    return named if any(named in row for row in LAYERS) else "cli"


def family_of(module: str) -> str:
    """Return a module's family (``jrp``, or a name like ``jrp_rounds``), or `SHARED`."""
    return next((part for name in module.split(".")[2:] if (part := name.split("_")[0]) in FAMILIES), SHARED)


@cache
def modules() -> list[tuple[str, list[ast.Import | ast.ImportFrom], int]]:
    """Return every module's name, import statements and number of lines."""
    texts = {path.relative_to(ROOT.parent).with_suffix(""): path.read_text() for path in sorted(ROOT.rglob("*.py"))}
    names = (".".join(part for part in path.parts if part != "__init__") for path in texts)
    return [(name, statements(text), text.count("\n")) for name, text in zip(names, texts.values(), strict=True)]


def statements(text: str) -> list[ast.Import | ast.ImportFrom]:
    """Return the import statements of a module's text."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imports() -> Counter[tuple[str, str]]:
    """Count import statements by (layer, imported layer)."""
    arrows: Counter[tuple[str, str]] = Counter()
    for name, nodes, _ in modules():
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("schedproof."):
                arrows[layer_of(name), layer_of(str(node.module))] += 1
    return Counter({pair: n for pair, n in arrows.items() if pair[0] != pair[1]})


def sizes() -> Counter[tuple[str, str]]:
    """Count lines by (layer, family)."""
    lines: Counter[tuple[str, str]] = Counter()
    for name, _, count in modules():
        lines[layer_of(name), family_of(name)] += count
    return lines


def core_packages() -> dict[str, list[str]]:
    """Map each package of `core` to its modules.

    A folder inside a package counts as one module. ``errors`` is one module below all packages.
    """
    result: dict[str, list[str]] = {}
    for name, _, _ in modules():
        parts = name.split(".")
        if parts[1:2] == ["core"] and len(parts) > 2:
            result.setdefault(parts[2], []).extend(parts[3:4])
    return {package: list(dict.fromkeys(names)) for package, names in result.items()}


def core_imports() -> Counter[tuple[str, str]]:
    """Count import statements by (package of core, imported package)."""
    arrows: Counter[tuple[str, str]] = Counter()
    for name, nodes, _ in modules():
        for node in nodes:
            if name.startswith("schedproof.core.") and isinstance(node, ast.ImportFrom):
                parts = str(node.module).split(".")
                if parts[:2] == ["schedproof", "core"] and len(parts) > 2:
                    arrows[name.split(".")[2], parts[2]] += 1
    return Counter({pair: n for pair, n in arrows.items() if pair[0] != pair[1]})


def core_sizes() -> Counter[str]:
    """Package of core -> lines."""
    lines: Counter[str] = Counter()
    for name, _, count in modules():
        if name.startswith("schedproof.core."):
            lines[name.split(".")[2]] += count
    return lines


def draw(ax: Any = None) -> Any:
    """Return axes with all layers, shaded by lines, and their imports as arrows."""
    ax = axes(ax, (11, 7))
    lines, columns = sizes(), (*FAMILIES, SHARED)
    for layer, y, deep in _places(LAYERS):
        ax.text(-GAP, y + deep / 2, layer, ha="right", va="center", fontsize=9)
        for x, family in enumerate(columns):
            if count := lines[layer, family]:
                _box(ax, x * ROOM, y, deep, count, f"{count:,}")
    for x, family in enumerate(columns):
        ax.text(x * ROOM + (ROOM - GAP) / 2, len(LAYERS) + 0.6, family, ha="center", fontsize=10, weight="bold")
    _arrows(ax, LAYERS, imports(), len(columns) * ROOM)
    return ax


def draw_core(ax: Any = None) -> Any:
    """Return axes with the packages of `core`, their modules and their imports."""
    ax = axes(ax, (11, 7))
    packages, lines = core_packages(), core_sizes()
    for package, y, deep in _places(CORE):
        ax.text(-GAP, y + deep / 2, f"{package}  {lines[package]:,}", ha="right", va="center", fontsize=9)
        names = [packages[package][n : n + PER_LINE] for n in range(0, len(packages[package]), PER_LINE)]
        _box(ax, 0, y, deep, lines[package], "\n".join(", ".join(row) for row in names), 6 * ROOM)
    _arrows(ax, CORE, core_imports(), 6 * ROOM)
    return ax


def _places(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, float, float]]:
    for n, row in enumerate(rows):
        deep = 0.8 / len(row)
        for k, name in enumerate(row):
            yield name, len(rows) - n + 0.4 - deep * (k + 1), deep


def _box(ax: Any, x: float, y: float, deep: float, count: int, text: str, width: float = ROOM) -> None:
    from matplotlib.patches import Rectangle

    dark = min(1, count / 4500)
    shade = f"#{int(245 - 115 * dark):02x}{int(248 - 80 * dark):02x}ff"
    box = Rectangle((x, y), width - GAP, deep - 0.04, facecolor=shade, edgecolor="#4477aa", linewidth=0.6)
    ax.add_patch(box)
    ax.text(x + (width - GAP) / 2, y + deep / 2, text, ha="center", va="center", fontsize=8, color=ink(shade))


def _arrows(ax: Any, rows: Sequence[Sequence[str]], arrows: Counter[tuple[str, str]], right: float) -> None:
    """Draw imports as downward arrows, thicker for more statements."""
    height = {name: len(rows) - n for n, row in enumerate(rows) for name in row}
    for (above, below), count in arrows.items():
        offset = right + 0.16 * height[above]
        style = {"arrowstyle": "-|>", "color": "#4477aa", "linewidth": 0.3 + count / 60, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (offset, height[below]), (offset, height[above]), arrowprops=style)
    ax.text(right + 0.8, len(rows) + 0.6, "imports", ha="center", fontsize=9)
    ax.set_xlim(-1.8, right + 2)
    ax.set_ylim(0.4, len(rows) + 1)
    ax.axis("off")


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parent)
    save(draw().figure, folder / "architecture.png", dpi=110)
    save(draw_core().figure, folder / "core.png", dpi=110)
