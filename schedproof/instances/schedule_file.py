"""What the schedule files of all families begin with: whose instance it is, and who decided it with which options."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import version
from typing import Annotated, Any

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.instance import Schedule


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """A family's file adds its decisions."""

    version: Annotated[int, msgspec.Meta(ge=1, le=1)]
    family: str
    instance_sha256: str
    policy: str
    options: dict[str, Any]
    seed: int
    software: str

    def require(self, instance: Any) -> None:
        """Refuse a schedule of another family or another instance.

        Raises
        ------
        InputError
            Where it stands in the file, what stands there, and what was expected.
        """
        if self.family != instance.family:
            raise InputError(f"expected {instance.family}", path="family", value=self.family)
        if self.instance_sha256 != instance.sha256:
            raise InputError(
                "expected a schedule of this very instance", path="instance_sha256", value=self.instance_sha256
            )


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
