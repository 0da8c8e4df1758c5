"""Modules of the core are found by the names that they had before they were sorted into packages."""

from __future__ import annotations

import warnings
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        ("schedproof.core.lazy", "schedproof.core.base.lazy"),
        ("schedproof.core.bounds", "schedproof.core.certificates.bounds"),
        ("schedproof.core.untyped", "schedproof.core.base.untyped"),
        ("schedproof.core.exact.curves", "schedproof.core.programs.exact.curves"),
    ],
)
def test_an_earlier_name_gives_the_same_module_and_a_warning(earlier: str, now: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module = import_module(earlier)
    assert f"`{earlier}` is now `{now}`: import it by that name." in [str(warning.message) for warning in caught]
    assert module is import_module(now)
    assert module.__name__ == now
    assert module.__spec__ is not None and module.__spec__.name == now


def test_a_name_that_never_existed_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"schedproof\.core\.nothing"):
        import_module("schedproof.core.nothing")
