"""A search for arrivals that hurt a policy, on systems whose trajectories cannot all be tried.

A beam of trajectories is improved by local moves: in an interval of slots, of any length from one slot up, a port
comes, stays away, or comes alone, or the interval is moved. One seed gives one result; a search that writes a file goes
on where it was stopped, to the same result.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.files import writable, write_bytes
from schedproof.core.options import read, whole
from schedproof.core.reading import parse, read_text
from schedproof.core.run import Policy
from schedproof.experiments.arrival_patterns import PATTERNS
from schedproof.experiments.cells import texts
from schedproof.experiments.worst_arrivals import BestFixed, Opponent, Progress, Worst
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.reward import slot_rewards

ROUND = 50  # trials between two points at which a search can be stopped and taken up again
AHEAD = 1000  # slots times ports up to which a start is made with an optimum for each choice in each slot

Beam = list[tuple[float, np.ndarray]]  # regret and trajectory, best first


def search(
    cluster: Instance,
    choice: Policy,
    slots: int,
    *,
    trials: int = 1000,
    beam: int = 4,
    seed: int = 0,
    starts: Sequence[np.ndarray] = (),
    file: str | Path | None = None,
    best_fixed: BestFixed | None = None,
    progress: Progress = lambda tried, regret: None,
) -> Worst:
    """The worst trajectory that is found, its regret certified.

    Parameters
    ----------
    cluster, choice, slots, best_fixed
        As for `Opponent`.
    trials
        Changes that are tried; Ctrl-C ends them early and keeps what there is.
    beam
        Trajectories that are improved side by side.
    starts
        Trajectories (T, L) to start from, besides those of `arrival_patterns` and of `starving`.
    file
        Where the state is kept, every fifty trials; a search of the same system, policy, slots, beam and seed goes on
        from there.
    progress
        Told (trajectories tried, the largest regret).
    """
    opponent = Opponent(cluster, choice, slots, best_fixed)
    count, width = read("trials", whole(0), trials), read("beam", whole(), beam)
    identity = {
        "instance_sha256": opponent.cluster.sha256,
        "policy": choice.name,
        "options": texts(choice.options),
        "width": width,
        "seed": seed,
    }
    path = None if file is None else writable(file)
    state = _State(opponent, identity, path)
    try:
        if not state.beam:
            state.begin([*starts, *_starts(opponent, seed)], width)
        while state.trials < count:
            state.round(min(ROUND, count - state.trials), seed)
            progress(opponent.tried, state.beam[0][0])
    except KeyboardInterrupt:
        if not state.beam:
            raise
    return opponent.certified(state.beam[0][1], tuple(state.curve))


class _State:
    """The beam, how many changes were tried, and how the largest regret has grown."""

    def __init__(self, opponent: Opponent, identity: dict[str, Any], path: Path | None) -> None:
        self.opponent, self.identity, self.path = opponent, identity, path
        self.beam: Beam = []
        self.trials = 0
        self.curve: list[tuple[int, float]] = []
        if path is not None and path.exists():
            self._read(path)

    def begin(self, starts: Iterable[np.ndarray], width: int) -> None:
        """The best of some trajectories."""
        found = sorted([(self.opponent.regret(x), x) for x in starts], key=lambda pair: -pair[0])
        self.beam = found[:width]
        self._write()

    def round(self, trials: int, seed: int) -> None:
        """Try some changes, each of a trajectory of the beam drawn at random, whose place a better one takes."""
        rng = np.random.default_rng([seed, self.trials])
        self.opponent.forget()
        beam = list(self.beam)
        for _trial in range(trials):
            n = int(rng.integers(len(beam)))
            moved = beam[n][1]
            for _ in range(int(rng.geometric(0.5))):  # one move, or two with probability 1/4, and so on
                moved = move(moved, rng)
            regret = self.opponent.regret(moved)
            if regret >= beam[n][0] and not any((moved == x).all() for _, x in beam):
                beam[n] = regret, moved
        self.beam = sorted(beam, key=lambda pair: -pair[0])  # only now: an interrupted round leaves no trace
        self.trials += trials
        self._write()

    def _write(self) -> None:
        self.curve.append((self.opponent.tried, self.beam[0][0]))
        if self.path is not None:
            rows = [[value, np.packbits(x).tobytes().hex()] for value, x in self.beam]
            state = {"trials": self.trials, "tried": self.opponent.tried, "beam": rows, "curve": self.curve}
            write_bytes(self.path, json.dumps(self.identity | state).encode() + b"\n")

    def _read(self, path: Path) -> None:
        row = parse(read_text(path))
        if not isinstance(row, dict) or any(row.get(name) != value for name, value in self.identity.items()):
            raise InputError("expected the state of this very search", file=str(path))
        shape = self.opponent.slots, self.opponent.ports
        for value, text in row["beam"]:
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8), count=shape[0] * shape[1])
            self.beam.append((float(value), bits.reshape(shape)))
        self.trials, self.opponent.tried = row["trials"], row["tried"]
        self.curve = [(int(n), float(value)) for n, value in row["curve"]]


def move(arrivals: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A trajectory that differs in one interval, whose length is a power of 2: one slot is as likely as T/4 of them."""
    slots, ports = arrivals.shape
    length = min(slots, 1 << int(rng.integers(slots.bit_length())))
    begin = int(rng.integers(slots - length + 1))
    port, kind = int(rng.integers(ports)), int(rng.integers(4))
    answer = arrivals.copy()
    part = answer[begin : begin + length]
    if kind == 0:
        part[:, port] ^= 1
    elif kind == 1:
        part[:, port] = rng.integers(2)
    elif kind == 2:
        part[:] = 0
        part[:, port] = 1
    else:
        part[:] = np.roll(part, int(rng.integers(1, length + 1)), axis=0)
    return answer


def starving(opponent: Opponent, ahead: bool = False) -> np.ndarray:
    """Slot by slot the arrivals for which y(t) was most wrong: what is best for them less what they earn.

    They are nobody, everybody, one port alone, or all but one.

    Parameters
    ----------
    ahead
        Also add how much more the best fixed allocation of the slots so far can earn; a new optimum for each choice.
    """
    graph, ports = opponent.cluster.graph, opponent.ports
    one = np.eye(ports, dtype=np.uint8)
    choices = np.unique(np.vstack([0 * one[:1], one, 1 - one, 0 * one[:1] + 1]), axis=0)
    alone = np.array([opponent.optimum(x.astype(np.int64)) for x in choices])
    counts, answer = np.zeros(ports, dtype=np.int64), []
    opponent.policy.start(opponent.system)
    for slot in range(opponent.slots):
        y = np.array(opponent.policy.decide(slot))
        earned = slot_rewards(graph, np.repeat(y[None], len(choices), axis=0), choices, opponent.gain)
        score = alone - earned
        if ahead:
            score = score / 2 + np.array([opponent.optimum(counts + x) for x in choices]) - earned
        best = choices[int(np.argmax(score))]
        opponent.policy.observe(slot, best)
        counts = counts + best
        answer.append(best)
    return np.array(answer, dtype=np.uint8)


def _starts(opponent: Opponent, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    found = [pattern(opponent.slots, opponent.ports, rng) for pattern in PATTERNS.values()]
    found.append(starving(opponent))
    if opponent.slots * opponent.ports <= AHEAD:
        found.append(starving(opponent, ahead=True))
    return found
