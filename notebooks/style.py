"""How the notebooks' pictures look, and their colours by name."""

from __future__ import annotations

import matplotlib.pyplot as plt

from schedproof.core.pictures import COLOURS, RED, panels

__all__ = ["BLUE", "CYAN", "GREEN", "GREY", "ORANGE", "PURPLE", "RED", "YELLOW", "panels"]

BLUE, ORANGE, GREEN, YELLOW, PURPLE, CYAN, *_, GREY = COLOURS
plt.rc("figure", dpi=100)
plt.rc("axes", titlesize=10, titley=1, **{"spines.top": False, "spines.right": False})
