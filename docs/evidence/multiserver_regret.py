"""Regret of OGASched: ``python docs/evidence/multiserver_regret.py --longest 1024``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "notebooks"))
from multiserver_arrivals import DUEL
from multiserver_trends import SHAPES_AND_WORST, slopes, trends

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.experiments.table import markdown
from schedproof.instances.multiserver import from_json

RULES = ("constant", "decayed", "printed53", "anytime")


def main() -> None:
    """Print the log-log slope of regret in T, and the last regret, by step rule."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--preset", help="of the multiserver generator; two ports on one node if none is named")
    parser.add_argument("--longest", type=int, default=4096, help="the last of twelve horizons, evenly in ln T from 32")
    parser.add_argument("--trials", type=int, default=100, help="trajectories that the adversarial search looks at")
    parser.add_argument("--step", action="append", choices=RULES, help="all if none is named")
    parser.add_argument("--shape", action="append", choices=SHAPES_AND_WORST, help="all if none is named")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    row = registry.generate("multiserver", given.preset, given.seed, {"horizon": "1"}) if given.preset else DUEL
    table = trends(
        from_json(row),
        [sp.policy("oga_sched", step=step) for step in given.step or RULES],
        shapes=given.shape or SHAPES_AND_WORST,
        horizons=np.unique(np.geomspace(32, given.longest, 12).round().astype(int)).tolist(),
        steps=given.trials,
        seed=given.seed,
    )
    print(markdown(slopes(table)))


if __name__ == "__main__":
    main()
