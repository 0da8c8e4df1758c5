r"""Rows of LaTeX as trees: sums, fractions, relations and sets.

The notation is the part of LaTeX that groups use, with one more rule: in a subscript, superscript or argument a small
italic letter is an index, and ``\mathrm{c}`` is a label in the name. A parenthesis directly after a symbol contains its
arguments; after a space it is a factor.
"""

from schedproof.core.programs.notation.printing import children, indices, is_index, substitute, to_latex
from schedproof.core.programs.notation.reading import read, symbol
from schedproof.core.programs.notation.trees import (
    Enclosed,
    Label,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Row,
    Script,
    Set,
    Statement,
    Symbol,
    Total,
)

__all__ = [
    "Enclosed",
    "Label",
    "Number",
    "Over",
    "Power",
    "Product",
    "Quotient",
    "Relation",
    "Row",
    "Script",
    "Set",
    "Statement",
    "Symbol",
    "Total",
    "children",
    "indices",
    "is_index",
    "read",
    "substitute",
    "symbol",
    "to_latex",
]
