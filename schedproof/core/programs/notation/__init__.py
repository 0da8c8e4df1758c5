"""Rows of LaTeX as trees: sums, fractions, relations and sets are read, renamed and printed.

The part of LaTeX that the groups of programs use, and one rule beyond it: in a subscript, superscript or argument a
small italic letter is an index, ``\\mathrm{c}`` a label that belongs to the name. A parenthesis that follows a symbol
without a space holds its arguments; with a space it is a factor.
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
