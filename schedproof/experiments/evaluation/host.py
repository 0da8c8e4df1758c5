"""The process of a policy.

It is started as ``python -m schedproof.experiments.evaluation.host POLICY MEMORY OPTIONS``.

It loads the policy and answers calls of its methods. It may not read files other than modules, start a process or open
a connection: hooks on Python's audit events refuse these. The hooks stop a policy that searches the disk for the
instance; they are no sandbox against code that attacks Python itself.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from inspect import isfunction
from pathlib import Path
from typing import Any

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards import registry
from schedproof.core.errors import PolicyError, SchedproofError, describe
from schedproof.core.simulation.policy import Rule, arguments_of
from schedproof.experiments.evaluation.messages import pack, unpack_call

REFUSED = (
    "os.chdir", "os.exec", "os.fork", "os.forkpty", "os.kill", "os.posix_spawn", "os.system", "socket.bind",
    "socket.connect", "subprocess.Popen",
)  # fmt: skip
METHODS = ("start", "arrive", "advance", "decide", "observe", "respond", "assign")


def load(words: str, options: dict[str, str]) -> AnyFamily:
    """Return the policy ``FILE.py:NAME``, or the only policy in ``FILE.py``.

    Raises
    ------
    SchedproofError
        If the file has no policy, or several policies.
    """
    from schedproof.core.cards import plug_ins
    from schedproof.core.results.run import policy as wrapped

    if ":" not in words:
        module = plug_ins.module_in(words)
        mine = [name for name, value in vars(module).items() if _is_policy(value, module.__name__)]
        if len(mine) != 1:
            found = f"several: {', '.join(mine)}" if mine else "none"
            raise SchedproofError(
                f"{Path(words).name}: expected one policy, found {found}; select a policy as FILE.py:NAME"
            )
        words = f"{words}:{mine[0]}"
    policy = wrapped(words, **options)
    return policy.own(**policy.options) if isinstance(policy.own, type) else policy.own


def _is_policy(value: object, module: str) -> bool:
    if getattr(value, "__module__", "") != module or getattr(value, "__name__", "_")[0] == "_":
        return False
    return isfunction(value) or (isinstance(value, type) and any(hasattr(value, name) for name in METHODS))


def _describe(policy: AnyFamily) -> dict[str, Any]:
    name = policy.function.__name__ if isinstance(policy, Rule) else type(policy).__name__
    facts = {each: getattr(policy, each) for each in ("sees_durations",) if hasattr(policy, each)}
    facts |= {"arguments": arguments_of(policy)} if hasattr(policy, "assign") else {}
    methods = [each for each in METHODS if callable(getattr(policy, each, None))]
    return {"name": name, "methods": methods, "facts": facts}


def _refuse_files_and_processes() -> None:
    packages = {path for path in sys.path if path.endswith("-packages")}
    modules = tuple({*packages, sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]), "/dev/null", "/proc/self"})
    suffixes = (".py", ".pyc", ".so", "-info/entry_points.txt", "-info/METADATA", "-info/PKG-INFO")

    def refuse(event: str, given: tuple[Any, ...]) -> None:
        if event in REFUSED:
            raise PolicyError(f"the policy called {event}, which is forbidden during an evaluation")
        if event == "open" and not isinstance(given[0], int):
            file = os.path.abspath(os.fsdecode(given[0]))  # noqa: PTH100  # `Path.resolve` would open files itself
            if not file.startswith(modules) and not file.endswith(suffixes):
                raise PolicyError(f"the policy opened {Path(file).name}, which is forbidden during an evaluation")

    sys.addaudithook(refuse)


def _limit(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(words: str, memory: str, options: str) -> None:
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the policy prints is lost
    _limit(int(memory))

    def answer(work: Any) -> AnyFamily:
        result = None
        try:
            result = work()
            data = pack((True, result))
        except MemoryError:
            data = pack((False, f"the policy needs more memory than the limit of {int(memory) >> 20} MiB"))
        except BaseException as error:
            reason = str(error) if isinstance(error, SchedproofError) else f"stopped with {describe(error)}"
            data = pack((False, reason))
        answers.write(data)
        answers.flush()
        return result

    held: list[AnyFamily] = []

    def begin() -> dict[str, Any]:
        import schedproof.families  # noqa: F401  # imports all modules that the records need

        registry.families()  # and those of plug-ins
        _refuse_files_and_processes()
        held.append(load(words, json.loads(options)))
        return _describe(held[0])

    answer(begin)

    def respond() -> AnyFamily:
        name, given = unpack_call(calls)
        return getattr(held[0], name)(*given)

    while held and calls.peek():
        answer(respond)


if __name__ == "__main__":
    main(*sys.argv[1:])
