"""The architecture drawn from the code: layers by families, how large each part is, and which layer imports which.

``python docs/architecture.py`` writes the picture of ``docs/architecture.md``.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
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
FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement")
SHARED = "shared"
ROOM, GAP = 1.9, 0.25


def layer_of(module: str) -> str:
    """The layer of a module; what the command line is made of is its own, and what checks certificates is core."""
    parts = module.split(".")
    named = parts[1] if len(parts) > 1 else "cli"
    named = "core" if named == "check" else named
    return named if any(named in row for row in LAYERS) else "cli"


def family_of(module: str) -> str:
    """The family that a module belongs to (``jrp``, or a name like ``jrp_rounds``), or `SHARED`."""
    return next((part for name in module.split(".")[2:] if (part := name.split("_")[0]) in FAMILIES), SHARED)


@cache
def modules() -> list[tuple[str, ast.Module, int]]:
    """Every module's name, syntax tree and number of lines."""
    texts = {path.relative_to(ROOT.parent).with_suffix(""): path.read_text() for path in sorted(ROOT.rglob("*.py"))}
    names = (".".join(part for part in path.parts if part != "__init__") for path in texts)
    return [(name, ast.parse(text), text.count("\n")) for name, text in zip(names, texts.values(), strict=True)]


def imports() -> Counter[tuple[str, str]]:
    """(layer, layer it imports from) -> number of import statements between different layers."""
    arrows: Counter[tuple[str, str]] = Counter()
    for name, tree, _ in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("schedproof."):
                arrows[layer_of(name), layer_of(str(node.module))] += 1
    return Counter({pair: n for pair, n in arrows.items() if pair[0] != pair[1]})


def sizes() -> Counter[tuple[str, str]]:
    """(layer, family) -> lines."""
    lines: Counter[tuple[str, str]] = Counter()
    for name, _, count in modules():
        lines[layer_of(name), family_of(name)] += count
    return lines


def draw(ax: Any = None) -> Any:
    """The parts, shaded by their lines; on the right each layer's arrows down, as thick as they are many."""
    ax = axes(ax, (11, 7))
    lines, columns = sizes(), (*FAMILIES, SHARED)
    height = {layer: len(LAYERS) - n for n, row in enumerate(LAYERS) for layer in row}
    for row in LAYERS:
        for k, layer in enumerate(row):
            deep = 0.8 / len(row)
            y = height[layer] + 0.4 - deep * (k + 1)
            ax.text(-GAP, y + deep / 2, layer, ha="right", va="center", fontsize=9)
            for x, family in enumerate(columns):
                count = lines[layer, family]
                if count:
                    shade = f"#{int(245 - 115 * min(1, count / 4500)):02x}{int(248 - 80 * min(1, count / 4500)):02x}ff"
                    ax.add_patch(_rectangle(x * ROOM, y, ROOM - GAP, deep - 0.04, shade))
                    at = (x * ROOM + (ROOM - GAP) / 2, y + deep / 2)
                    ax.text(*at, f"{count:,}", ha="center", va="center", fontsize=8, color=ink(shade))
    for x, family in enumerate(columns):
        ax.text(x * ROOM + (ROOM - GAP) / 2, len(LAYERS) + 0.6, family, ha="center", fontsize=10, weight="bold")
    right = len(columns) * ROOM
    for (above, below), count in imports().items():
        offset = right + 0.16 * height[above]
        style = {"arrowstyle": "-|>", "color": "#4477aa", "linewidth": 0.3 + count / 60, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (offset, height[below]), (offset, height[above]), arrowprops=style)
    ax.text(right + 0.8, len(LAYERS) + 0.6, "imports", ha="center", fontsize=9)
    ax.set_xlim(-1.8, right + 2)
    ax.set_ylim(0.4, len(LAYERS) + 1)
    ax.axis("off")
    return ax


def _rectangle(x: float, y: float, width: float, height: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, facecolor=colour, edgecolor="#4477aa", linewidth=0.6)


if __name__ == "__main__":
    save(draw().figure, sys.argv[1] if sys.argv[1:] else Path(__file__).with_suffix(".png"), dpi=110)
