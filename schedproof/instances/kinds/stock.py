"""The base class of stock kinds: a family names the instance's jobs and places."""

from __future__ import annotations

from typing import Any, ClassVar

from schedproof.core.errors import InputError
from schedproof.core.simulation.instance import Schedule

PLACES = "name the field with the places, for example places='servers' in sp.family(...) or in the schedule class"


class Stock(Schedule):
    """A schedule of the jobs or items of an instance.

    Attributes
    ----------
    jobs
        Name of the instance's field with the jobs or items; default: its only list of entities besides the places.
    """

    jobs: ClassVar[str] = ""

    @classmethod
    def needs(cls) -> dict[str, str]:
        """Return the instance's required fields, each with a remedy if it is missing."""
        return {}

    @classmethod
    def suit(cls, instance: type[Any]) -> None:
        kind = next(one.__name__ for one in cls.__mro__ if one.__module__.startswith("schedproof.instances.kinds."))
        for name, remedy in cls.needs().items():
            if not hasattr(instance, name) and name not in (known := instance.__dataclass_fields__):
                raise InputError(
                    f"{instance.__name__} has no field '{name}', which sp.{kind} needs; {remedy} "
                    f"(fields of {instance.__name__}: {', '.join(known) or 'none'})"
                )
