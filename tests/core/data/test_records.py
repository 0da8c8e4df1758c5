"""NumPy's numbers in instances built in Python become Python's."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pytest

import schedproof as sp
from schedproof.core.data.records import plain


def by_numpy(value: Any) -> Any:
    """Return a value with NumPy's integers, booleans and texts, without positions."""
    if isinstance(value, Fraction):
        return Fraction(np.int64(value.numerator), np.int64(value.denominator))
    if isinstance(value, msgspec.Struct):
        inner = {name: by_numpy(getattr(value, name)) for name in value.__struct_fields__ if name != "index"}
        return type(value)(**inner)
    if isinstance(value, tuple):
        return tuple(map(by_numpy, value))
    if isinstance(value, dict):
        return {by_numpy(key): by_numpy(inner) for key, inner in value.items()}
    scalar = {bool: np.bool_, int: np.int64, str: np.str_}.get(type(value))
    return scalar(value) if scalar else value


@pytest.mark.parametrize("name", ["day", "cluster", "ports", "clusters", "cells"])
def test_an_instance_of_numpys_numbers_is_the_same(name: str) -> None:
    given = sp.embedded(name)
    built = type(given)(**{field.name: by_numpy(getattr(given, field.name)) for field in fields(given)})
    assert built.sha256 == given.sha256 and built.to_json() == given.to_json()


def test_bounds_of_numpys_numbers_do_not_overflow() -> None:
    given = sp.embedded("day")
    jobs = [by_numpy(job) for job in given.jobs]
    built = type(given)(horizon=np.int64(given.horizon), servers=given.servers, jobs=jobs)  # a list
    assert built.jobs == given.jobs
    assert sp.bound("preemptive.lp4", built).exact == sp.bound("preemptive.lp4", given).exact


def test_plain_values_stay_the_same_objects() -> None:
    values = ({"a": (1, 2.5)}, Fraction(1, 3), np.arange(3), sp.embedded("day").jobs, None)
    assert plain(values) is values
    assert plain((np.float64(0.5), {np.str_("a"): np.int64(1)})) == (0.5, {"a": 1})
    assert type(plain(np.float64(0.5))) is float
