"""Valid bounds of all families, and forged ones, for the tests of both checkers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from schedproof.check.bound import Refused, check
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import bound, read_bound, write_certificate
from schedproof.core.certificates.program_bound import ProgramBound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import NoSolution, ProgramError, SchedproofError
from schedproof.core.simulation.instance import Instance
from schedproof.instances.multiserver import from_json as ports_from_json
from tests.formulations.preemptive.micro import micro_instance
from tests.relaxations.dmlrs.test_column_generation import scarce
from tests.tiny.jrp import tiny_cells
from tests.tiny.multiserver import tiny_multiserver
from tests.tiny.placement import tiny_instance


def instance_of(family: str, seed: int) -> Instance:
    if family == "preemptive":
        return micro_instance(seed, units=8, late=9)
    if family == "dmlrs":
        return scarce(seed, exact_utilities=seed % 2 == 0, machines=1 + seed % 3, reserved=seed % 4 == 3)
    if family == "jrp":
        return tiny_cells(seed, split=seed % 3 == 0)
    if family == "placement":
        return tiny_instance(seed, tasks=2 + seed % 5)
    return ports_from_json(tiny_multiserver(seed, copies=1 + seed % 3, gangs=seed % 4 == 1))


OPTIONS: dict[str, list[dict[str, Any]]] = {  # of every bound: every variant of what it can be asked with
    "preemptive.lp4": [
        {"cost": cost, "speed": speed, "prices": prices, "block": block}
        for cost in ("half", "printed")
        for speed in ("1", "3/2", "2/3")
        for prices, block in (("lp", 1), ("lp", 3), ("free", 1), ("ascent", 1))
    ],
    "preemptive.configuration_lp": [{"speed": speed, "steps": 9} for speed in ("1", "3/2", "2/3")],
    "preemptive.floating_configuration_lp": [{"speed": speed, "steps": 9} for speed in ("1", "3/2")],
    "dmlrs.rdmlrs_lp": [{}, {"fineness": "exact"}, {"fineness": 3, "gap": "1/2"}],
    "jrp.conic": [{}, {"gap": "1/10", "rounds": 1}],
    "jrp.split_free_lp": [{}],
    "jrp.lp_i": [{}],
    "multiserver.stationary": [
        {"gain": gain, "gap": gap} for gain in ("node", "total") for gap in ("1/10", "1/10000000")
    ],
    "multiserver.slot_optimum": [{"gain": gain} for gain in ("node", "total")],
    "placement.lp": [{}],
}


def honest(family: str, count: int) -> Iterator[tuple[int, Instance, Bound]]:
    """Return valid bounds with their instances and seeds, all variants in turn."""
    variants = [(id, options) for id, all_ in OPTIONS.items() if id.startswith(family) for options in all_]
    made, seed = 0, 0
    while made < count:
        id, options = variants[seed % len(variants)]
        instance = instance_of(family, seed)
        try:
            yield seed, instance, bound(id, instance, **options)
            made += 1
        except (NoSolution, ProgramError):  # a horizon that is too short for a slower system
            pass
        seed += 1


@dataclass(frozen=True)
class Desk:
    """A folder with the files of an instance and a certificate."""

    folder: Path

    def put(self, instance: Instance) -> None:
        write_object(self.folder / "instance.json", instance.to_json())

    def refusals(self, instance: Instance, row: Any) -> tuple[str, str]:
        """Return why each of the two checkers rejects a certificate, or nothing."""
        write_certificate(self.folder / "bound.json", row)
        first = second = ""
        try:
            check(str(self.folder / "instance.json"), str(self.folder / "bound.json"))
        except Refused as refused:
            first = str(refused)
        try:
            found = read_bound(self.folder / "bound.json", instance)
            (replace(found, of=None) if isinstance(found, ProgramBound) else found).check(instance)
        except SchedproofError as refused:
            second = str(refused)
        return first, second


Forgery = Callable[[random.Random, dict[str, Any], Instance], None]  # changes a certificate's JSON object


def _value(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    value, step = Fraction(row["value"]), Fraction(rng.choice([-1, 1]), rng.choice([2, 10, 1000, 2**20]))
    changed = value + step * max(abs(value), 1)
    row["value"] = f"{changed.numerator}/{changed.denominator}"


def _number(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    row["value"] = rng.choice([None, 7, "1/0", "nan", "1e999999999", "0x10", "", "7//3", " 1/2", "inf", ["1/2"]])


def _label(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    key = rng.choice(["kind", "among", "program", "version"])
    other = {
        "kind": ["lower", "upper", "exact", None],
        "among": ["", "schedules that split their time at communication_share", "all"],
        "program": [*(id for id in OPTIONS), "jrp.exact", "preemptive.lp5", "", None],
        "version": [2, 0, "1", None],
    }
    alike = {row[key], *({"jrp.conic", "jrp.split_free_lp"} if row[key] in ("jrp.conic", "jrp.split_free_lp") else ())}
    row[key] = rng.choice([word for word in other[key] if word not in alike])  # the two may well prove the same


def _parameter(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    asked = row["parameters"]
    if asked and rng.random() < 0.7:
        name = rng.choice(sorted(asked))
        if rng.random() < 0.3:
            del asked[name]
        else:
            asked[name] = rng.choice(["0", "-1", "", "1/0", None, 1, "everything"])
    else:
        asked[rng.choice(["half", "slots", "share", "ps_release", "Cost"])] = rng.choice(["1", "half"])


def _identity(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    digits = list(row["instance_sha256"])
    place = rng.randrange(len(digits))
    digits[place] = rng.choice([digit for digit in "0123456789abcdef" if digit != digits[place]])
    row["instance_sha256"] = rng.choice(["".join(digits), "", None])


def _field(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    where = rng.choice([row, row["multipliers"]])
    if rng.random() < 0.5:
        del where[rng.choice(sorted(where))]
    else:
        where[rng.choice(["note", "slots", "half", "speed"])] = 1


def _kind_of_a_number(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    lists = [value for value in _lists(row["multipliers"]) if value and not isinstance(value[0], list | dict)]
    if lists:
        numbers = rng.choice(lists)
        numbers[rng.randrange(len(numbers))] = rng.choice([None, "x", -1, [1], {}, True, "-1/3"])
    else:
        row["multipliers"] = []


def _length(rng: random.Random, row: dict[str, Any], _: Instance) -> None:
    proof = row["multipliers"]
    if "starts" in proof:  # without one of its prices it may well prove the same
        rows = rng.choice([proof["resources"], proof["starts"]])
        rows.append(rows[0] if rows else 1)
        return
    proof = rng.choice(proof["patterns"]) if proof.get("patterns") else proof
    full = [name for name in ("values", "fineness", "storage", "compute", "bandwidth", "weights") if name in proof]
    full += ["prices"] if "weights" in proof or not full else []
    rows = proof[rng.choice(full)]
    if rows and rng.random() < 0.5:
        rows.pop()
    else:
        rows.append(rows[0] if rows else 1)


def _price(rng: random.Random, row: dict[str, Any], instance: Any) -> None:
    proof = row["multipliers"]
    if instance.family == "preemptive":
        rows = [row for row in proof["prices"] if row[0]] or proof["prices"]
        if rows:
            rng.choice(rows)[2].append(1 << rng.randrange(45, 60))
        else:
            proof["prices"].append([[0], rng.randrange(instance.horizon), [1 << rng.randrange(45, 60)]])
    elif instance.family == "jrp":
        side = rng.choice(["storage", "compute", "bandwidth"])
        j = max(range(len(instance.servers)), key=lambda j: getattr(instance.servers[j], side))
        huge = 10**30 if getattr(instance.servers[j], side) else -1
        proof[side][j] = f"{huge}/{rng.randrange(1, 99)}"
    elif instance.family == "dmlrs":
        proof["prices"] = [[t, h, h, *[1 << 57] * len(instance.resources)] for t in range(1) for h in range(1)]
        proof["prices"][0][3 + rng.randrange(len(instance.resources))] += rng.randrange(1 << 50)
    elif instance.family == "placement":
        t = 1 + max((price[-2] for price in [*proof["resources"], *proof["starts"]]), default=instance.horizon)
        proof["starts"].append([rng.randrange(len(instance.clusters)), t, 1 << rng.randrange(40, 60)])
    else:
        parts = rng.choice(proof["patterns"]) if "patterns" in proof else proof
        r, k = max(
            ((r, k) for r in range(len(instance.nodes)) for k in range(len(instance.resources))),
            key=lambda at: instance.nodes[at[0]].capacity.get(instance.resources[at[1]], 0),
        )
        full = instance.nodes[r].capacity.get(instance.resources[k], 0) > 0
        parts["prices"][r][k] = rng.choice([1e15, 3e20, 1e80]) if full else -1.0


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _lists(each)
    elif isinstance(value, list):
        yield value
        for each in value:
            yield from _lists(each)


FORGERIES: tuple[Forgery, ...] = (
    _value,
    _value,
    _number,
    _label,
    _parameter,
    _identity,
    _field,
    _kind_of_a_number,
    _length,
    _price,
)
