"""The gallery's table and drawings: python examples/gallery/theorems.py docs/gallery_of_theorems.md

Each file in a folder beside this one is one theorem, with these names:

- the docstring: the statement, then the source;
- ``SYSTEM``, ``GAME``, ``proof(**size)`` or ``value(**size)``: a system or a proof, whose exact ratio is computed, a
  game, whose value is computed, or another number;
- with ``value`` also ``proof``, or ``worst(**size)``: each request of a worst sequence with the totals of both sides;
- ``theory(**size)``: the theorem's value, and ``RELATION``, "=" if it is missing, between the computed value and it;
- ``SIZES``: the sizes that are computed;
- ``KNOWN``: how the computed values are known.
"""

import sys
from fractions import Fraction
from functools import cache
from math import inf
from operator import eq, ge, le
from pathlib import Path

from drawing import svg

import schedproof as sp
from schedproof.core.cards.plug_ins import module_in

HERE = Path(__file__).parent
COMPARE = {"=": eq, "<=": le, ">=": ge}
PICTURES = "pictures/theorems"
START, END = "<!-- table -->\n", "<!-- end -->\n"


def theorems(folder="*"):
    """The theorems' modules."""
    modules = (module_in(path) for path in sorted(HERE.glob(f"{folder}/*.py")))
    return [module for module in modules if hasattr(module, "KNOWN")]


def once(work):
    """Compute a theorem's value of one size once."""
    kept = cache(lambda theorem, size: work(theorem, dict(size)))
    return lambda theorem, size: kept(theorem, tuple(size.items()))


@once
def prove(theorem, size):
    """The proof of a ratio, with its worst sequence."""
    if hasattr(theorem, "SYSTEM"):
        return sp.prove(f"{theorem.__file__}:{theorem.SYSTEM.__name__}", **size)
    return theorem.proof(**size)


@once
def computed(theorem, size):
    """The value to compare with the theorem's."""
    if hasattr(theorem, "value"):
        return theorem.value(**size)
    if hasattr(theorem, "GAME"):
        return sp.game(theorem.GAME(**size)).value
    proof = prove(theorem, size)
    return proof.least if proof.least == inf else proof.exact


def drawing(theorem):
    """The drawing of the worst sequence at the size where it has the largest ratio, and its description."""
    rows = max((worst(theorem, size) for size in theorem.SIZES), key=ratio)
    own, other = rows[-1][1:]
    name = Path(theorem.__file__).stem
    return svg(rows, hasattr(theorem, "GAME")), f"worst sequence of {name}: {_text(own)} against {_text(other)}"


def ratio(rows):
    """The larger total by the smaller one."""
    own, other = sorted(rows[-1][1:])
    return Fraction(other, own) if own else inf


@once
def worst(theorem, size):
    """Each request of the worst sequence, with the totals of the algorithm and of the offline side."""
    if hasattr(theorem, "worst"):
        return theorem.worst(**size)
    if hasattr(theorem, "GAME"):
        return [(move, payoff, 1) for move, payoff in play(theorem.GAME(**size), computed(theorem, size))]
    totals, rows = (0, 0), []
    for request, *_, own, other in prove(theorem, size).walk:
        totals = totals[0] + own, totals[1] + other
        rows.append((request, *totals))
    return rows


def play(game, value):
    """Each move and the payoff after it, when both sides play their best for the game's value."""

    @cache
    def forced(state):
        return game.payoff(state) >= value or any(safe(state, move) for move in game.moves(state))

    def safe(state, move):
        return all(map(forced, game.answers(state, move)))

    @cache
    def bounded(state):
        if game.payoff(state) > value:
            return False
        answered = (any(map(bounded, game.answers(state, move))) for move in game.moves(state))
        return game.hopeless(state, value) or all(answered)

    state = game.start()
    while game.payoff(state) < value:
        move = next(move for move in game.moves(state) if safe(state, move))
        state = min(filter(bounded, game.answers(state, move)), key=game.payoff)
        yield move, game.payoff(state)


def relation(theorem):
    return getattr(theorem, "RELATION", "=")


def row(theorem, values):
    """The theorem's row of the table, with its computed values."""
    path = Path(theorem.__file__).relative_to(HERE)
    statement, source = (" ".join(part.split()) for part in theorem.__doc__.split("\n\n")[:2])
    pairs = zip(theorem.SIZES, values, strict=True)
    cells = (
        f"[{path.stem}](../examples/gallery/{path.as_posix()})<br>![{drawing(theorem)[1]}]({PICTURES}/{path.stem}.svg)",
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
    pictures = page.parent / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for theorem in theorems():
        (pictures / f"{Path(theorem.__file__).stem}.svg").write_text(drawing(theorem)[0])
