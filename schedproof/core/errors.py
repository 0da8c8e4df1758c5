"""What can go wrong, each as one sentence and one exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager


class SchedproofError(Exception):
    """An error that the user reads as one sentence, without a traceback."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))


class InputError(SchedproofError):
    """Bad input: a file, a JSON path, the value found there, and what was expected."""

    def __init__(self, expected: str, *, path: str = "", value: object = None, file: str = "") -> None:
        self.expected, self.path, self.value, self.file = expected, path, value, file
        given = f" = {short(value)}" if value is not None else ""
        where = ": ".join(part for part in (file, f"{path}{given}" if path else "") if part)
        super().__init__(f"{where}: {expected}" if where else expected)

    def in_file(self, file: str) -> InputError:
        """The same error, naming the file it was found in."""
        return type(self)(self.expected, path=self.path, value=self.value, file=file)


class WrongFile(InputError):
    """A file of another sort than the expected one: a schedule for an instance, say."""


class MissingExtra(SchedproofError):
    """An optional solver or engine is not installed; the sentence names the extra."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; install it with: pip install 'schedproof[{extra}]'")


class UnknownName(SchedproofError):
    """A program, policy, claim, option or solver that does not exist; nearly the same names, or all of them."""

    def __init__(self, kind: str, name: str, known: Iterable[object]) -> None:
        super().__init__(f"unknown {kind} '{name}'; {suggestion(str(name), known)}")


def suggestion(name: str, known: Iterable[object]) -> str:
    """What may have been meant by a name that is not known: nearly the same names, or all of them."""
    names = sorted(map(str, known))
    near = close_names(name, names)
    return f"did you mean {' or '.join(near)}?" if near else f"available: {', '.join(names) or 'none'}"


def close_names(name: str, known: Sequence[str]) -> list[str]:
    """At most three similar names, compared with or without the part before a dot."""
    from difflib import get_close_matches

    whole = {text.casefold(): known_name for known_name in known for text in (known_name, known_name.partition(".")[2])}
    whole.pop("", None)
    matches = get_close_matches(name.casefold(), whole, n=3, cutoff=0.65)
    return list(dict.fromkeys(whole[text] for text in matches))


class ProgramError(SchedproofError):
    """A program was put together in a way that cannot be built or solved."""


class NoSolution(SchedproofError):
    """A solver ended without a solution: infeasible, unbounded, or out of time without an incumbent."""

    exit_code = 3


class InexactPoint(NoSolution):
    """A solver's point holds within the solver's tolerance, and in exact arithmetic it does not."""


class PolicyError(SchedproofError):
    """A policy broke its protocol: it looked into the future or rewrote the past."""

    exit_code = 1


class Contradiction(SchedproofError):
    """A checked schedule is better than a certified bound allows: one of the two is wrong, and no number is quoted."""

    exit_code = 1


def require(given: object, kind: type | tuple[type, ...], what: str) -> None:
    """Refuse an argument that is of another kind, in a sentence that says what is expected."""
    if not isinstance(given, kind):
        raise InputError(f"expected {what}, found {short(given)}")


def expect(holds: bool, expected: str, path: str, value: object = None) -> None:
    """Refuse what is found at a path of a file, unless it is as expected."""
    if not holds:
        raise InputError(expected, path=path, value=value)


def family_of(instance: object) -> str:
    """The family of an instance; a sentence for what is none."""
    family = getattr(instance, "family", None)
    if not isinstance(family, str):
        raise InputError(f"expected an instance, as sp.read(FILE) gives one, found {short(instance)}")
    return family


def is_plain(instance: object) -> bool:
    """Whether something is plain data, of no family: a dict or other mapping, a dataclass, a record."""
    record = any(hasattr(type(instance), name) for name in ("__dataclass_fields__", "__struct_fields__", "_fields"))
    return (record or isinstance(instance, Mapping)) and not hasattr(instance, "family")


def require_family(id: str, instance: object) -> None:
    """Refuse an instance of another family than that of an id; plain data are of any."""
    if is_plain(instance):
        return
    if (actual := family_of(instance)) != (family := id.partition(".")[0]):
        raise InputError(f"{id} takes a {family} instance, this one is {actual}")


@contextmanager
def one_sentence(begins: str, kind: type[SchedproofError] = SchedproofError) -> Iterator[None]:
    """What code that is not ours raises, as a sentence that begins so and names its line; the error is its cause."""
    try:
        yield
    except (SchedproofError, MemoryError):
        raise
    except Exception as error:
        raise kind(f"{begins} {describe(error)}") from error


def describe(error: BaseException) -> str:
    """An error of code that we call, with the last line of that code: not ours, nor a library's, where there is one."""
    import os
    import traceback
    from pathlib import Path

    words = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<frozen")]
    others = (str(Path(__file__).parents[1]), str(Path(os.__file__).parent))
    theirs = [f for f in frames if not f.filename.startswith(others) and "site-packages" not in f.filename]
    if isinstance(error, SyntaxError | ImportError) and not theirs:
        return words
    last = (theirs or frames)[-1]
    return f"{words} ({Path(last.filename).name}, line {last.lineno}, in {last.name})"


def _one_line(text: str) -> str:
    """The text with line breaks and other unprintable characters escaped, and the middle of a very long one cut out."""
    return printable(text if len(text) <= 1000 else f"{text[:600]} ... {text[-390:]}")


def printable(text: str) -> str:
    """The text with what would not be seen, or would move the cursor, escaped: names come from files."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# what reading a value of unknown form may raise
UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, SchedproofError, TypeError, ValueError)


def short(value: object) -> str:
    """A value as a sentence can bear it."""
    if isinstance(value, int) and abs(value) >= 10**100:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
