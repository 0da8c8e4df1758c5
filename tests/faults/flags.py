"""Every flag of every command with thirty values: exit code and one sentence."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import get_args

import schedproof as sp
import schedproof.cli.app  # so that all commands are there
from schedproof.cli.command import COMMANDS
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.runtime.files import write_json
from tests.faults.checked import optima
from tests.faults.commands import PLAN
from tests.faults.guard import Attempt
from tests.faults.options import TRACES, run

VALUES = (
    *("", " ", "0", "-1", "1", "2", "1.5", "1e400", "1e-400", "nan", "inf", "1_0", "٣", "9" * 5000, "1/3", "1/0"),
    *(
        "None",
        "[]",
        "{}",
        "a=b",
        "=",
        "a" * 10_000,
        "../x",
        "/",
        "/dev/full",
        "*",
        "\u202e",
        "a\nb",
        "\x1b[31m",
        "%s%n",
    ),
)
FORMS = {int: "[0-9]+", float: r"[0-9.]+(e-?[0-9]+)?|inf"}
NAMES = ("baseline", "bound", "cases_of", "device", "engine", "family", "paper", "preset", "reading", "scheduler")
NAMES += ("solver", "verdict")  # of which no value is one
MANY = "1000000000"  # where a time limit ends it
WORDS = {  # of every command that has a flag with a value; of figures, which take minutes, one that there is not
    "tour": "",
    "programs": "",
    "policies": "",
    "claims": "",
    "show": "preemptive.lp4",
    "solve": "preemptive.lp4 day.json",
    "run": "srtf day.json",
    "check": "day.json plan.json",
    "bound": "preemptive.lp4 day.json",
    "ratio": "srtf day.json --bound preemptive.lp4",
    "regret": "oga_sched ports.json",
    "worst": "srtf --against preemptive.lp4 --chains 1 --steps 2 --keep 9/10 --jobs 1 --store w.sqlite",
    "worst-regret": "multiserver --option slots=2",
    "refute": "preemptive.lemma1 --cases 2 --store r.sqlite",
    "game": "bin_stretching --option bins=2 --option capacity=3",
    "prove": "srtf --option sizes=1 --option present=2",
    "best-ratio": "--option sizes=1 --option present=2",
    "doctor": "jrp --draws 1",
    "verify": "preemptive.eq4e_redundant --budget 0",
    "errata": "--paper jrp --out jrp.html",
    "check-bound": "day.json bound.json",
    "check-optimum": "small.json optimum.json",
    "check-regret": "regret.json",
    "check-ratio": "srtf ratio.json",
    "check-best": "best.json",
    "check-game": "game.json",
    "generate": "jrp --preset tiny --out drawn.json",
    "trace": "openb part-0 part-1 --option horizon=10 --out drawn.json",
    "train": "placement --option updates=1 --out w.safetensors",
    "sweep": "plan.toml --jobs 1 --store s.sqlite",
    "compare": "day.json --policy srtf --out c",
    "plot": "day.json plan.json --out plan.svg",
    "figure": "jrp:fig0",
    "figures": "--paper 999",
}


@cache
def flags() -> list[tuple[str, str, str, str]]:
    """Return all commands with flags that have a value, the kind of value, and values."""
    found = []
    for command in WORDS:
        parameters = inspect.signature(COMMANDS[command].run).parameters
        for name, parameter in parameters.items():
            kind, info, *_ = get_args(parameter.annotation)
            if "Option" in type(info).__name__ and kind is not bool:
                values = (*VALUES, MANY) if "time_limit" in parameters else VALUES
                form = next(
                    (FORMS[each] for each in FORMS if each in (kind, *get_args(kind))), "(?!)" if name in NAMES else ""
                )
                found += [(command, f"--{name.replace('_', '-')}", form, value) for value in values]
    return found


def case(seed: int, folder: Path) -> Attempt:
    """A flag with a value, and the required arguments."""
    command, flag, form, value = flags()[seed * 7919 % len(flags())]  # of many flags in a few cases
    limit = ["--time-limit", "1"] if flag != "--time-limit" and command in _limited() else []
    words = [command, *WORDS[command].split(), *limit, f"{flag}={value}"]
    for name, content in files().items():
        (folder / name).write_bytes(content)

    def attempt() -> str:
        ended = run(*words)
        assert ended == "exit 2" or not form or re.fullmatch(form, value), (
            f"taken for a number or a name: {value!r:.80}"
        )
        return ended

    return Attempt(f"flag {command} {flag}={value!r:.80}", attempt)


@cache
def _limited() -> set[str]:
    return {name for name, each in COMMANDS.items() if "time_limit" in inspect.signature(each.run).parameters}


@cache
def files() -> dict[str, bytes]:
    from tempfile import TemporaryDirectory

    day = sp.embedded("day")
    with TemporaryDirectory() as name:
        home = Path(name)
        write_json(home / "day.json", day.to_json())
        write_json(home / "plan.json", sp.policy("srtf").run(day).schedule.to_json(day))
        write_bound(home / "bound.json", sp.bound("preemptive.lp4", day))
        write_json(home / "game.json", sp.game("bin_stretching", bins=2, capacity=3).to_file())
        write_json(home / "ports.json", sp.embedded("ports").to_json())
        write_json(home / "regret.json", sp.worst_regret("multiserver", slots=2).to_file())
        small = {"sizes": 1, "present": 2}
        write_json(home / "ratio.json", sp.prove("srtf", **small).to_file())
        write_json(home / "best.json", sp.best_ratio(**small).to_file())
        for name, content in zip(("small.json", "optimum.json"), optima()[0], strict=True):
            (home / name).write_bytes(content)
        (home / "plan.toml").write_text(PLAN)
        for n, text in enumerate(TRACES["openb"][0]):
            (home / f"part-{n}").write_text(text)
        return {file.name: file.read_bytes() for file in home.iterdir()}
