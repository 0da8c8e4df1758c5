"""What `dmlrs.slot` is asked: the job, the slot, the samples, and a price for each machine's resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.core.errors import InputError
from schedproof.core.numbers import ceil
from schedproof.core.reading import parse, read_text
from schedproof.instances.dmlrs import Instance, Job, Machine

Prices = Fraction | Mapping[str, Mapping[str, Fraction]]


@dataclass(frozen=True)
class Asked:
    """One slot of one job.

    Attributes
    ----------
    together, apart
        The workers that train the samples in a slot at the internal rate, ceil(v c_i), and at the external one.
    prices
        Per unit of a resource: one for all, or machine -> resource -> price; what is not named is free of charge.
    """

    instance: Instance
    job: Job
    slot: int
    together: int
    apart: int
    prices: Prices

    def price(self, machine: Machine, resource: str) -> Fraction:
        """p_h^r."""
        if isinstance(self.prices, Fraction):
            return self.prices
        return self.prices.get(machine.name, {}).get(resource, Fraction(0))

    def worker_price(self, machine: Machine) -> Fraction:
        """p_h^w = sum_r p_h^r alpha^r."""
        return self._cost(machine, self.job.worker)

    def ps_price(self, machine: Machine) -> Fraction:
        """p_h^s = sum_r p_h^r beta^r."""
        return self._cost(machine, self.job.ps)

    def _cost(self, machine: Machine, demand: Mapping[str, Fraction]) -> Fraction:
        return sum((self.price(machine, r) * amount for r, amount in demand.items()), Fraction(0))

    def free(self, machine: Machine, resource: str) -> Fraction:
        """What is not reserved of a resource in this slot (18)."""
        return self.instance.free(self.slot, machine, resource)


def asked(instance: Instance, job: str, slot: int, workload: Fraction, prices: Prices) -> Asked:
    """The options on an instance.

    Raises
    ------
    InputError
        For a job, machine or resource that the instance does not have, or a slot in which the job cannot train.
    """
    mine = next((j for j in instance.jobs if j.name == job), None)
    if mine is None:
        raise InputError(f"job={job}: expected the name of a job of this instance")
    if not mine.arrival <= slot < instance.horizon:
        raise InputError(f"slot={slot}: expected a slot from {mine.arrival}, its arrival, to {instance.horizon - 1}")
    if isinstance(prices, Mapping):
        machines = {machine.name for machine in instance.machines}
        for name, row in prices.items():
            if name not in machines:
                raise InputError(f"prices: expected the names of machines, '{name}' is none of this instance")
            for resource in row:
                if resource not in instance.resources:
                    raise InputError(f"prices: expected the names of resources, '{resource}' is none of this instance")
    times = (workload * mine.internal_time, workload * mine.external_time)
    return Asked(instance, mine, slot, ceil(times[0]), ceil(times[1]), prices)


def not_negative(name: str, value: Any) -> Fraction:
    """A rational of at least 0: ``3/2``, ``1.5`` or a number."""
    number = _number(value)
    if number is None or number < 0:
        raise InputError(f"{name}={value}: expected a number >= 0, like 1.5 or 3/2")
    return number


def slot_number(value: str | int) -> int:
    """A slot: a whole number of at least 0."""
    number = _number(value)
    if number is None or number < 0 or number.denominator != 1:
        raise InputError(f"slot={value}: expected a whole number >= 0")
    return int(number)


def read_prices(value: Any) -> Prices:
    """A number for every resource alike, a mapping machine -> resource -> price, or a JSON file that holds one."""
    if not isinstance(value, Mapping) and (number := _number(value)) is not None:
        return not_negative("prices", number)
    table = value if isinstance(value, Mapping) else _from_file(str(value))
    if not all(isinstance(row, Mapping) for row in table.values()):
        raise InputError("prices: expected machine -> resource -> price")
    return {
        name: {resource: not_negative(f"prices.{name}.{resource}", price) for resource, price in row.items()}
        for name, row in table.items()
    }


def _from_file(path: str) -> Mapping[str, Any]:
    try:
        return parse(read_text(path))
    except InputError as error:
        raise InputError(f"prices={path}: expected a number or a JSON file of prices: {error.expected}") from None


def _number(value: Any) -> Fraction | None:
    """The rational that a number, or a word for one, says; None for anything else or beyond any measure."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
    return number if abs(number) < 10**18 else None
