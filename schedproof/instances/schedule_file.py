"""What the schedule files of all families share: how they begin, and names that stand for rows of the instance."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib.metadata import version
from typing import Annotated, Any, Self, TypeVar

import msgspec

from schedproof.core import registry
from schedproof.core.errors import InputError
from schedproof.core.instance import Schedule
from schedproof.core.options import Option
from schedproof.core.reading import convert

T = TypeVar("T")


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """Whose instance it is, and who decided it with which options; a family's file adds its decisions."""

    version: Annotated[int, msgspec.Meta(ge=1, le=1)]
    family: str
    instance_sha256: str
    policy: str
    options: dict[str, Any]
    seed: int
    software: str

    @classmethod
    def read(cls, value: Any, instance: Any) -> Self:
        """A parsed JSON object as such a file, of a schedule of this family and this instance.

        Raises
        ------
        InputError
            Where it is something else: the path, the value found and what was expected.
        """
        file = convert(value, cls)
        if file.family != instance.family:
            raise InputError(f"expected {instance.family}", path="family", value=file.family)
        if file.instance_sha256 != instance.sha256:
            raise InputError(
                "expected a schedule of this very instance", path="instance_sha256", value=file.instance_sha256
            )
        for rule in registry.family(file.family).rules:
            if rule.name in file.options:
                _require(rule, file.options[rule.name])
        return file


def _require(rule: Option, value: Any) -> None:
    """Refuse what no option of that name can be, although a schedule is never judged by what it says of itself."""
    try:
        rule.kind.read(value)
    except ValueError:
        raise InputError(f"expected {rule.kind.words}", path=f"options.{rule.name}", value=value) from None


def header(schedule: Schedule) -> dict[str, Any]:
    """The JSON object of a `Header`."""
    return {
        "version": 1,
        "family": schedule.family,
        "instance_sha256": schedule.instance_sha256,
        "policy": schedule.policy,
        "options": {key: str(v) if isinstance(v, Fraction) else v for key, v in schedule.options.items()},
        "seed": schedule.seed,
        "software": f"schedproof {version('schedproof')}",
    }


def named(known: Mapping[str, T], name: str, kind: str, path: str) -> T:
    """What a name in a file stands for.

    Raises
    ------
    InputError
        When it is not the name of a job, a server, or whatever ``kind`` says.
    """
    if name not in known:
        raise InputError(f"expected the name of a {kind}", path=path, value=name)
    return known[name]
