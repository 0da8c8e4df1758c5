"""Hostile inputs, one case for each kind and seed.

``python -m tests.faults.inputs --kind option --seed 123`` runs one. Every case succeeds or prints one sentence,
within 10 s and 1 GiB; a checker within 2 s and 500 MiB. ``--count`` runs several seeds; the last line counts the
outcomes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from functools import partial

from tests.faults import checked, files, flags, learned, names, options, paths, stores
from tests.faults.guard import Kinds, attack, serve

KINDS: Kinds = {
    "option": options.case,
    "flag": flags.case,
    "instance": files.instance_case,
    "schedule": files.schedule_case,
    "sidecar": files.sidecar_case,
    "certificate": files.certificate_case,
    "checked best": checked.best_case,
    "checked bound": checked.bound_case,
    "checked game": checked.game_case,
    "checked optimum": checked.optimum_case,
    "checked ratio": checked.ratio_case,
    "checked regret": checked.regret_case,
    "state": files.state_case,
    "witness": stores.witness_case,
    "ledger": stores.ledger_case,
    "path": paths.case,
    "plan": stores.plan_case,
    "name": names.case,
    **{f"{name} store": partial(stores.store_case, name) for name in stores.WORK},
    "weights": learned.weights_case,
    "training": learned.training_case,  # needs PyTorch
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.inputs", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, required="--serve" not in sys.argv)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help="for the harness itself: seeds and kinds from stdin")
    asked = parser.parse_args()
    if asked.serve:
        serve(KINDS)
        return
    outcomes: Counter[str] = Counter()
    longest, largest = 0.0, 0
    try:
        for report in attack(asked.kind, range(asked.seed, asked.seed + asked.count)):
            outcomes["failure" if report.failure else report.outcome] += 1
            longest, largest = max(longest, report.seconds), max(largest, report.mebibytes)
            if report.failure:
                print(report.failure, flush=True)
            elif asked.count == 1:
                print(report.what, report.outcome, report.detail, sep="\n")
    finally:
        print(f"{asked.kind}: {dict(outcomes)}, longest {longest:.2f} s, largest {largest} MiB")
    if outcomes["failure"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
