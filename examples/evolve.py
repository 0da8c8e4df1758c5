"""Improve a policy by random edits of its source, scored by the certified ratio.

python examples/evolve.py --edits 30
"""

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import schedproof as sp

SOURCE = """
from schedproof.online.preemptive.gang import GangPolicy


class Evolved(GangPolicy):
    def order(self, gang, now):
        return {remaining} * gang.remaining(now) + {chunks} * gang.job.chunks, not gang.running
"""


def score(weights, jobs, bound, folder):
    """Return the certified ratio of the policy with these weights, or infinity if it fails."""
    file = Path(folder, "policy.py")
    file.write_text(SOURCE.format(**weights))
    found = sp.evaluate(file, jobs, bound)
    return found.ratio.value if found.feasible else float("inf")


def evolve(edits, seed):
    """Yield the best weights and their ratio at the start and after each improvement."""
    draw = random.Random(seed)
    jobs = sp.generate("preemptive", "tiny", seed=seed, jobs=20)
    bound = sp.bound("preemptive.lp4", jobs)
    best = {"remaining": 0, "chunks": -1}  # the jobs with the most chunks first
    with TemporaryDirectory() as folder:
        least = score(best, jobs, bound, folder)
        yield best, least
        for _ in range(edits):
            edited = best | {draw.choice(list(best)): draw.randint(-3, 3)}
            if (ratio := score(edited, jobs, bound, folder)) < least:
                best, least = edited, ratio
                yield best, least


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for weights, ratio in evolve(given.edits, given.seed):
        print(f"ratio <= {ratio:.4f} with {weights}")
