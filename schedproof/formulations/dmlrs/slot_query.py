"""The arguments of `dmlrs.slot`: job, slot, samples, and resource prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Value
from schedproof.core.data.options import number, read
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import Instance, Job, Machine

PRICE = number(from_equal=True)
Prices = Fraction | Mapping[str, Mapping[str, Fraction]]


@dataclass(frozen=True)
class SlotQuery:
    """One slot of one job.

    Attributes
    ----------
    internal_workers, external_workers
        The workers that train the samples in a slot: ceil(v c_i) at the internal rate, ceil(v c_e) at the external
        rate.
    prices
        Prices per unit: one for all resources, or machine -> resource -> price. A missing price is 0.
    """

    instance: Instance
    job: Job
    slot: int
    internal_workers: int
    external_workers: int
    prices: Prices

    def price(self, machine: Machine, resource: str) -> Fraction:
        """Return the price p_h^r of a resource on a machine."""
        if isinstance(self.prices, Fraction):
            return self.prices
        return self.prices.get(machine.name, {}).get(resource, Fraction(0))

    def worker_price(self, machine: Machine) -> Fraction:
        """Return the price of a worker: p_h^w = sum_r p_h^r alpha^r."""
        return self._cost(machine, self.job.worker)

    def ps_price(self, machine: Machine) -> Fraction:
        """Return the price of a parameter server: p_h^s = sum_r p_h^r beta^r."""
        return self._cost(machine, self.job.ps)

    def _cost(self, machine: Machine, demand: Mapping[str, Fraction]) -> Fraction:
        return sum((self.price(machine, r) * amount for r, amount in demand.items()), Fraction(0))

    def free(self, machine: Machine, resource: str) -> Fraction:
        """The unreserved amount of a resource in this slot (18)."""
        return self.instance.free(self.slot, machine, resource)


def slot_query(instance: Instance, job: str, slot: int, workload: Fraction, prices: Prices) -> SlotQuery:
    """Return the query after checking the options against the instance.

    Raises
    ------
    InputError
        For an unknown job, machine or resource, or a slot in which the job cannot train.
    """
    mine = next((j for j in instance.jobs if j.name == job), None)
    if mine is None:
        raise InputError(f"job={job}: expected the name of a job of this instance")
    if not mine.arrival <= slot < instance.horizon:
        raise InputError(f"slot={slot}: expected a slot from the arrival, {mine.arrival}, to {instance.horizon - 1}")
    if isinstance(prices, Mapping):
        machines = {machine.name for machine in instance.machines}
        for name, row in prices.items():
            if name not in machines:
                raise InputError(f"prices: the instance has no machine '{name}'")
            for resource in row:
                if resource not in instance.resources:
                    raise InputError(f"prices of machine '{name}': the instance has no resource '{resource}'")
    internal, external = (ceil(workload * time) for time in (mine.internal_time, mine.external_time))
    return SlotQuery(instance, mine, slot, internal, external, prices)


def read_prices(value: Value) -> Prices:
    """Read a number, a mapping machine -> resource -> price, or a JSON file of either."""
    if not isinstance(value, Mapping):
        try:
            Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            value = _from_file(str(value))
        else:
            return _price("prices", value)
    if not all(isinstance(row, Mapping) for row in value.values()):
        raise InputError("prices: expected a number or a mapping machine -> resource -> price")
    return {
        name: {resource: _price(f"prices.{name}.{resource}", price) for resource, price in row.items()}
        for name, row in value.items()
    }


def _price(name: str, value: Value) -> Fraction:
    price: Fraction = read(name, PRICE, value)
    return price


def _from_file(path: str) -> Value:
    try:
        return parse(read_text(path))
    except InputError as error:
        raise InputError(f"prices={path}: expected a number or a JSON file of prices: {error.expected}") from None
