"""Helpers of the notebook `exact_ratios`: rules on a cycle's arrivals, and checks."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from sliders import sliders
from style import BLUE, GREEN, ORANGE, RED, beside, panels

import schedproof as sp
from schedproof.adversary.exact_ratio.automata import slots_and_weight
from schedproof.adversary.exact_ratio.best import Best
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.adversary.exact_ratio.repeated import repeated
from schedproof.adversary.lift import along
from schedproof.check import ratio as checker
from schedproof.core.base.untyped import Axes, Json
from schedproof.core.runtime.files import write_bytes, write_json
from schedproof.core.simulation.pictures import ink, job_colour

__all__ = [
    "BLUE",
    "GREEN",
    "MIGRATING",
    "ORANGE",
    "RED",
    "along",
    "arrivals",
    "beside",
    "check",
    "draw_slots",
    "panels",
    "play",
    "prove_again",
    "repeated",
    "sliders",
]
MIGRATING = Path(__file__).parents[1] / "examples" / "migrating_srtf.py"
Slot = tuple[int, list[int]]  # number of present jobs, and the numbers of running ones


def arrivals(proof: Proof, times: int) -> list[list[int]]:
    """Return each slot's arrivals: the path to the cycle, and the cycle repeated."""
    slots: list[list[int]] = [[]]
    for kind, _ in [*proof.way, *proof.cycle * times]:
        if kind:
            slots[-1].append(slots_and_weight(kind)[0])
        else:
            slots.append([])
    return slots if slots[-1] else slots[:-1]


def play(proof: Proof, coming: list[list[int]]) -> list[Slot]:
    """Return a rule's decisions in each slot, with migration, until all jobs are done."""
    left: dict[int, int] = {}
    slots, number = list[Slot](), 0
    while len(slots) < len(coming) or left:
        for size in coming[len(slots)] if len(slots) < len(coming) else []:
            left[number] = size
            number += 1
        order = sorted(left, key=lambda n: (left[n], n))
        runs = [order[k] for k in proof.rule.run(tuple((left[n],) for n in order))]
        slots.append((len(left), runs))
        left = {n: most - (n in runs) for n, most in left.items() if most > (n in runs)}
    return slots


def draw_slots(slots: list[Slot], machines: int, ax: Axes) -> None:
    """Draw the job of each machine and slot, and in red the number of present jobs."""
    for slot, (present, runs) in enumerate(slots):
        for machine, job in enumerate(runs):
            ax.barh(machine, 1, 0.8, slot, color=job_colour(job), edgecolor="white")
            ax.text(slot + 0.5, machine, str(job + 1), ha="center", va="center", fontsize=8, color=ink(job_colour(job)))
        ax.text(slot + 0.5, machines - 0.35, str(present), ha="center", va="center", fontsize=9, color=RED)
    ax.set(xlabel="slot", yticks=range(machines), ylim=(-0.6, machines))
    ax.set_yticklabels([f"machine {machine + 1}" for machine in range(machines)])


def prove_again(best: Best) -> Proof:
    """Return the ratio of the table found, proved by the search for rules."""
    with TemporaryDirectory() as folder:
        rule = Path(folder) / "best.py"
        best.write_rule(rule)
        options = {name: value for name, value in best.setting.items() if name != "schedules"}
        found = sp.prove(rule, **options)
    assert isinstance(found, Proof)  # a rule has no other
    return found


def check(proof: Proof | Best, **changes: Json) -> str:
    """Return the checker's statement on a certificate, after optional changes to it."""
    with TemporaryDirectory() as folder:
        rule, certificate = Path(folder) / "rule.py", Path(folder) / "proof.json"
        write_json(certificate, proof.to_file() | changes)
        files = [certificate]
        if isinstance(proof, Proof):
            write_bytes(rule, proof.rule.text.encode())
            files = [rule, certificate]
        try:
            return "\n".join(checker.lines(checker.check(*map(str, files))))
        except checker.Refused as refused:
            return f"refused: {refused}"
