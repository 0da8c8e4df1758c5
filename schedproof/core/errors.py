"""Errors: each has a one-line message and an exit code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

NEAR = 0.8  # similarity of a misspelt name, of `difflib`


class SchedproofError(Exception):
    """An error shown to the user as one line, without a traceback."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))


class InputError(SchedproofError):
    """Invalid input: file, JSON path, the value found and what was expected."""

    def __init__(self, expected: str, *, path: str = "", value: object = None, file: str = "") -> None:
        self.expected, self.path, self.value, self.file = expected, path, value, file
        given = f" = {short(value)}" if value is not None else ""
        where = ": ".join(part for part in (file, f"{path}{given}" if path else "") if part)
        super().__init__(f"{where}: {expected}" if where else expected)

    def in_file(self, file: str) -> InputError:
        """Return the same error with the name of its file."""
        return type(self)(self.expected, path=self.path, value=self.value, file=file)


class WrongFile(InputError):
    """A file of another kind than expected, for example a schedule for an instance."""


class MissingExtra(SchedproofError):
    """An optional solver or engine is not installed; the message names its extra."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; install it with: pip install 'schedproof[{extra}]'")


class UnknownName(SchedproofError):
    """An unknown program, policy, claim, option or solver; the message suggests names."""

    def __init__(self, kind: str, name: str, known: Iterable[object]) -> None:
        super().__init__(f"unknown {kind} '{name}'; {suggestion(str(name), known)}")


def suggestion(name: str, known: Iterable[object]) -> str:
    """Suggest similar names for an unknown one, or list all known names."""
    names = sorted(map(str, known))
    near = close_names(name, names)
    return f"did you mean {' or '.join(near)}?" if near else f"available: {', '.join(names) or 'none'}"


def close_names(name: str, known: Sequence[str]) -> list[str]:
    """Return up to three similar names, compared with and without the family prefix."""
    from difflib import get_close_matches

    whole = {text.casefold(): known_name for known_name in known for text in (known_name, known_name.partition(".")[2])}
    whole.pop("", None)
    matches = get_close_matches(name.casefold(), whole, n=3, cutoff=0.65)
    return list(dict.fromkeys(whole[text] for text in matches))


def refuse_misspelt(given: object, settings: Collection[str], *, methods: bool = False) -> None:
    """Refuse a user's attribute that is named almost like an unset setting.

    Parameters
    ----------
    given
        An object or a class; attributes that begin with an underscore are not examined.
    settings
        Names of the optional attributes.
    methods
        Whether the settings are methods.

    Raises
    ------
    InputError
        With the name of the setting.
    """
    from difflib import get_close_matches
    from inspect import getattr_static

    kind = given if isinstance(given, type) else type(given)
    ours = ("schedproof", "builtins")
    classes = [vars(one) for one in kind.__mro__ if (one.__module__ or "").partition(".")[0] not in ours]
    own = {name for names in (*classes, getattr(given, "__dict__", {})) for name in names if name[0] != "_"}
    for name in sorted(own - {*settings}):
        near = get_close_matches(name, {*settings} - own, n=1, cutoff=NEAR)
        if near and callable(getattr_static(given, name)) == methods:
            raise InputError(f"{kind.__name__}.{name} is no setting; did you mean {near[0]}? If not, rename it")


class ProgramError(SchedproofError):
    """A program's parts do not fit together, so it cannot be built or solved."""


class NoSolution(SchedproofError):
    """The solver found no solution: infeasible, unbounded or no incumbent in time."""

    exit_code = 3


class InexactPoint(NoSolution):
    """A point is feasible within the solver's tolerance but not in exact arithmetic."""


class PolicyError(SchedproofError):
    """A policy broke its protocol: it used the future or changed past decisions."""

    exit_code = 1


class PolicyTimeout(PolicyError):
    """A policy did not end within the time limit."""


class Contradiction(SchedproofError):
    """A checked schedule beats a certified bound, so one of them is wrong.

    No result is reported in this case.
    """

    exit_code = 1


def require(given: object, kind: type | tuple[type, ...], what: str) -> None:
    """Raise an `InputError` unless an argument has the expected type."""
    if not isinstance(given, kind):
        raise InputError(f"expected {what}, found {short(given)}")


def expect(holds: bool, expected: str, path: str, value: object = None) -> None:
    """Raise an `InputError` for a value at a path of a file unless a condition holds."""
    if not holds:
        raise InputError(expected, path=path, value=value)


def family_of(instance: object) -> str:
    """Return the family of an instance; raise an `InputError` for other objects."""
    family = getattr(instance, "family", None)
    if not isinstance(family, str):
        raise InputError(f"expected an instance, for example from sp.read(FILE), found {short(instance)}")
    return family


def is_plain(instance: object) -> bool:
    """Whether an object is plain data without a family: mapping, dataclass or record."""
    record = any(hasattr(type(instance), name) for name in ("__dataclass_fields__", "__struct_fields__", "_fields"))
    return (record or isinstance(instance, Mapping)) and not hasattr(instance, "family")


def require_family(id: str, instance: object) -> None:
    """Raise an `InputError` if the instance is not of the family in ``id``.

    Plain data fit every family.
    """
    if is_plain(instance):
        return
    if (actual := family_of(instance)) != (family := id.partition(".")[0]):
        raise InputError(f"{id} takes a {family} instance, but the family of this instance is {actual}")


@contextmanager
def one_sentence(begins: str, kind: type[SchedproofError] = SchedproofError) -> Iterator[None]:
    """Re-raise errors of foreign code as a one-line error with the line of its origin.

    The message starts with `begins`; the original error is the cause.
    """
    try:
        yield
    except (SchedproofError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise kind(f"{begins} {describe(error)}") from error


def describe(error: BaseException) -> str:
    """Describe an error and the last line of user code in its traceback.

    Without user code in the traceback, the last line of any code is named.
    """
    import os
    import traceback
    from pathlib import Path

    words = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<frozen")]
    others = (str(Path(__file__).parents[1]), str(Path(os.__file__).parent))
    theirs = [f for f in frames if not f.filename.startswith(others) and "site-packages" not in f.filename]
    theirs = [f for f in theirs if f.filename != "<string>"] or theirs  # a dataclass's own functions have no file
    if isinstance(error, SyntaxError | ImportError) and not theirs:
        return words
    last = (theirs or frames)[-1]
    return f"{words} ({Path(last.filename).name}, line {last.lineno}, in {last.name})"


@contextmanager
def stopped_in_one_sentence() -> Iterator[None]:
    """Re-raise what is outside `Exception`, except an interrupt, as one sentence."""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise SchedproofError(f"the command was stopped by {describe(error)}") from error


def place_of(thing: Callable[..., object] | type) -> str:
    """Return a function's or class's place as `` (mine.py:12)``; empty if unknown."""
    import inspect
    from pathlib import Path

    for one in inspect.getmro(thing) if isinstance(thing, type) else (inspect.unwrap(thing),):
        try:
            return f" ({Path(inspect.getfile(one)).name}:{inspect.getsourcelines(one)[1]})"
        except (OSError, TypeError):  # for example typed at a prompt, or made by `type`
            continue
    return ""


def _one_line(text: str) -> str:
    return printable(text if len(text) <= 1000 else f"{text[:600]} ... {text[-390:]}")


def printable(text: str) -> str:
    """Escape line breaks and other unprintable characters; names come from files."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# errors raised while a value of unknown form is read
UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, SchedproofError, TypeError, ValueError)


def short(value: object) -> str:
    """Return a value as text of at most 60 characters."""
    if isinstance(value, int) and abs(value) >= 10**100:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
