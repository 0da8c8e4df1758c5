"""The toy family's checker in the standard library: a program's rows, and a game."""

import json
import sys
from pathlib import Path


def rows(instance: str, program: str, parameters: str) -> None:
    """The relaxed knapsack from the file, independent of the package's model."""
    if program != "toy.knapsack (relaxed)":
        sys.exit(2)
    sack = json.loads(Path(instance).read_text(encoding="utf-8"))
    columns = [[f"taken.x[{n}]", str(item["value"]), "0", "1"] for n, item in enumerate(sack["items"])]
    weights = [[n, str(item["weight"])] for n, item in enumerate(sack["items"])]
    fits = ["fits.row", None, str(sack["capacity"]), weights]
    print(json.dumps({"sense": "maximize", "constant": "0", "columns": columns, "rows": [fits]}))


def game(strategy: str) -> None:
    """The larger number wins: each answer has a larger number."""
    given = json.loads(Path(strategy).read_text(encoding="utf-8"))
    if any(answer <= number for number, answer in given["moves"]):
        sys.exit("an answer is not above its number")
    print(f"No number of {len(given['moves'])} is the largest.")


if __name__ == "__main__":
    {"rows": rows, "game": game}[sys.argv[1]](*sys.argv[2:])
