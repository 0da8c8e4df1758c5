"""Write the gallery's table of theorems: python examples/gallery/theorems.py docs/gallery_of_theorems.md

Each file in a folder beside this one is one theorem, with these names:

- the docstring: the statement, then the source;
- ``SYSTEM``, ``GAME`` or ``value(**size)``: what is computed, an exact ratio, a game's value, or another number;
- ``theory(**size)``: the theorem's value;
- ``RELATION`` (default "="): the relation of the computed value to the theorem's, also "<=" or ">=";
- ``SIZES``: the sizes that are computed;
- ``KNOWN``: how the computed values are known.
"""

import sys
from math import inf
from operator import eq, ge, le
from pathlib import Path

import schedproof as sp
from schedproof.core.cards.plug_ins import module_in

HERE = Path(__file__).parent
COMPARE = {"=": eq, "<=": le, ">=": ge}
START, END = "<!-- table -->\n", "<!-- end -->\n"


def theorems(folder="*"):
    """The theorems' modules."""
    modules = (module_in(path) for path in sorted(HERE.glob(f"{folder}/*.py")))
    return [module for module in modules if hasattr(module, "KNOWN")]


def prove(theorem, size):
    """The proof of a system's ratio, with its worst sequence and its certificate."""
    return sp.prove(f"{theorem.__file__}:{theorem.SYSTEM.__name__}", **size)


def computed(theorem, size):
    """The value to compare with the theorem's."""
    if hasattr(theorem, "SYSTEM"):
        proof = prove(theorem, size)
        return proof.least if proof.least == inf else proof.exact
    return sp.game(theorem.GAME(**size)).value if hasattr(theorem, "GAME") else theorem.value(**size)


def relation(theorem):
    return getattr(theorem, "RELATION", "=")


def row(theorem, values):
    """The theorem's row of the table, with its computed values."""
    path = Path(theorem.__file__).relative_to(HERE)
    statement, source = (" ".join(part.split()) for part in theorem.__doc__.split("\n\n")[:2])
    pairs = zip(theorem.SIZES, values, strict=True)
    cells = (
        f"[{path.stem}](../examples/gallery/{path.as_posix()})",
        statement,
        source.removeprefix("Source: "),
        *("<br>".join(lines) for lines in zip(*(_line(theorem, size, value) for size, value in pairs), strict=True)),
        theorem.KNOWN,
    )
    return f"| {' | '.join(cells)} |\n"


def _line(theorem, size, value):
    """The size, the computed value and the theorem's."""
    sign = {"=": "", "<=": "≤ ", ">=": "≥ "}[relation(theorem)]
    words = ", ".join(f"{name} = {given}" for name, given in size.items())
    return words, _text(value), sign + _text(theorem.theory(**size))


def _text(value):
    return "infinite" if value == inf else str(value)


def table():
    """The tables of all folders."""
    for folder in sorted(path.name for path in HERE.iterdir() if path.is_dir() and any(path.glob("*.py"))):
        yield f"\n## {folder.replace('_', ' ').capitalize()}\n\n"
        yield "| file | theorem | source | sizes | computed | theory | known |\n|---|---|---|---|---|---|---|\n"
        for theorem in theorems(folder):
            yield row(theorem, [computed(theorem, size) for size in theorem.SIZES])


if __name__ == "__main__":
    page = Path(sys.argv[1])
    head, _, rest = page.read_text().partition(START)
    page.write_text(f"{head}{START}{''.join(table())}\n{END}{rest.partition(END)[2]}")
