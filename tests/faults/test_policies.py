"""Every command that runs a user's policy ends with an error message, whatever the policy does."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.command_line import EXAMPLES
from tests.support import PROFILE

MOST = 2**32  # bytes of a command's address space
ACTS = (
    "while True: pass",
    "time.sleep(9999)",
    "sys.exit(0)",
    "os._exit(0)",
    "raise KeyboardInterrupt",
    "raise BaseException('mine')",
    "held = [bytearray(2**26) for _ in range(10**6)]",
    "os.kill(os.getpid(), 9)",
    "return evil(sack)",
)
HARMLESS = ("print('objective 0')", "sys.stdout.close()")
COMMANDS = {
    "run": "run evil sack.json --time-limit 2",
    "ratio": "ratio evil sack.json --bound knapsack.best --time-limit 2",
    "compare": "compare sack.json --policy evil --policy greedy --time-limit 2",
    "evaluate": "evaluate evil.py:evil sack.json --time-limit 5 --memory 2048",
    "sweep": "sweep plan.toml --jobs 1",
    "sweep in processes": "sweep plan.toml --jobs 2",
    "worst": "worst evil --against best --preset coarse --chains 1 --steps 4 --jobs 1 --time-limit 2",
    "worst in processes": "worst evil --against best --preset coarse --chains 2 --steps 4 --jobs 2 --time-limit 2",
    "doctor": "doctor knapsack --draws 1 --preset coarse --time-limit 3",
    "refute": "refute knapsack.some --cases 20 --time-limit 2",
    "verify": "verify knapsack.some --time-limit 2",
}
EVERY = [  # `evaluate` does not accept entities as an answer
    (name, act) for name, act in product(COMMANDS, (*ACTS, *HARMLESS)) if name != "evaluate" or act in ACTS
]
PAIRS = {
    "dev": [("worst in processes", ACTS[5]), ("doctor", ACTS[0])],
    "ci": [  # a loop and a sleep in turn
        *((name, ACTS[n % 2]) for n, name in enumerate(COMMANDS)),
        *product(("worst in processes",), (ACTS[0], ACTS[5], ACTS[8])),
    ],
    "deep": sorted({*product(COMMANDS, ACTS[:1]), *product(("worst in processes",), ACTS), *EVERY[::3]}),
}[PROFILE]
PLAN = 'policies = ["evil", "greedy"]\ntime_limit = 2\n[[generators]]\nname = "knapsack"\npresets = ["coarse"]\n'
SACK = '{"family": "knapsack", "version": 1, "capacity": 9, "items": [{"name": "a", "weight": 4, "value": 5}]}'
PACKED = "[[item for item in sack.items if item.weight <= sack.capacity][:1]]"
CLAIM = '''

@KNAPSACK.claim("here", false={"least": 99999})
def some(sack, least=0):
    """The value is at least 0."""
    from schedproof.core.claims.claim import Finding

    return Finding(sp.policy("knapsack.evil").run(sack).objective, least, "at least")
'''


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by prlimit")
@pytest.mark.parametrize(("name", "act"), PAIRS)
def test_a_command_survives_the_policy(name: str, act: str, tmp_path: Path) -> None:
    policy = f"def evil(sack):\n    import os, sys, time\n    {act}\n    return {PACKED}\n"
    card = (EXAMPLES / "knapsack.py").read_text()
    (tmp_path / "sack.py").write_text(f"{card}\n\n@KNAPSACK.policy\n{policy}{CLAIM}")
    (tmp_path / "evil.py").write_text(policy)
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "sack.json").write_text(SACK)
    words = [sys.executable, "-P", "-m", "schedproof", "--plugin", "sack.py", *COMMANDS[name].split()]
    words += ["--time-limit", "60"] if act in HARMLESS and "--time-limit" in words else []  # the last one counts
    done = subprocess.run(
        ["prlimit", f"--as={MOST}", *words], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("schedproof: ")]
    assert "Traceback" not in done.stderr
    assert "sack.json" not in done.stderr, "the instance has been refused"
    if act in HARMLESS:
        assert done.returncode == 0 or (done.returncode == 3 and name in ("refute", "verify"))
        assert not said
        assert "objective 0" not in done.stdout
    else:
        assert done.returncode in (1, 2, 3, 130)
        assert len([line for line in said if "resumes from there" not in line]) <= 1
        assert said or done.stdout
        assert done.stderr.count("\n") <= 3, done.stderr
        if "mine" in act and name in ("worst", "worst in processes"):
            assert "BaseException: mine (sack.py, line " in done.stderr
    print(f"{name}; {act}; exit code {done.returncode}; {(said or done.stdout.splitlines())[-1]}")
