from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

import pytest

from schedproof.core.runtime import supervision

DEAF = (
    "import signal, time; from schedproof.core.runtime.supervision import supervise\n"
    "def work():\n    {}\nsupervise(work)\n"
)
PATIENT = "from schedproof.core.runtime import supervision; supervision.PATIENCE = 3600.0\n"  # no time limit


def started(
    work: str, ready: Path, ignored: Sequence[int] = (), own_group: bool = False, before: str = PATIENT
) -> subprocess.Popen[str]:
    def ignore() -> None:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)

    now = f"open({str(ready)!r}, 'w').close() or time.sleep("
    process = subprocess.Popen(
        [sys.executable, "-c", before + DEAF.format(work.replace("time.sleep(", now, 1).replace("\n", "\n    "))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=ignore,
        start_new_session=own_group or bool(ignored),
    )
    while not ready.exists():
        sleep(0.01)
    return process


def interrupted(work: str, ready: Path, number: int = signal.SIGINT, before: str = PATIENT) -> tuple[int, str, str]:
    process = started(work, ready, before=before)
    process.send_signal(number)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_one_message(tmp_path: Path, number: int) -> None:
    ended = interrupted("time.sleep(3600)", tmp_path / "ready", number)
    assert ended == (128 + number, "", "schedproof: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_the_caller_ignores_stays_ignored(tmp_path: Path, number: int) -> None:
    process = started("time.sleep(0.5)\nprint('done')", tmp_path / "ready", [number])
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (0, "done\n", "")


def test_sigterm_ends_it_if_interrupts_are_ignored(tmp_path: Path) -> None:
    work = "try:\n    time.sleep(3600)\nexcept KeyboardInterrupt:\n    print('the best so far')"
    process = started(work, tmp_path / "ready", [signal.SIGINT])
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (128 + signal.SIGTERM, "the best so far\n", "schedproof: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_process_group_interrupts_the_work(tmp_path: Path, number: int) -> None:
    work = "try:\n    time.sleep(3600)\nexcept KeyboardInterrupt:\n    print('the best so far')"
    process = started(work, tmp_path / "ready", own_group=True)
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (128 + number, "the best so far\n", "schedproof: interrupted\n")


def test_an_interrupt_wrapped_by_a_library_is_recognised(tmp_path: Path) -> None:
    work = "try:\n    time.sleep(3600)\nexcept KeyboardInterrupt:\n    raise RuntimeError('__set_name__') from None"
    assert interrupted(work, tmp_path / "ready") == (130, "", "schedproof: interrupted\n")


def test_cleanup_code_runs_and_may_print(tmp_path: Path) -> None:
    work = "try:\n    time.sleep(3600)\nexcept KeyboardInterrupt:\n    print('the best so far')"
    assert interrupted(work, tmp_path / "ready") == (130, "the best so far\n", "schedproof: interrupted\n")


def test_an_interrupt_that_is_raised_again_while_the_work_ends_prints_no_traceback(tmp_path: Path) -> None:
    slow = "import signal, time\nmask, naps = signal.pthread_sigmask, [0, 0, 0.2, 0]\n"
    slow += "signal.pthread_sigmask = lambda *given: (time.sleep(naps.pop(0)), mask(*given))\n"
    work = "try:\n    time.sleep(3600)\nexcept KeyboardInterrupt:\n    print('the best so far')"
    ended = interrupted(work, tmp_path / "ready", before="from schedproof.core.runtime import supervision\n" + slow)
    assert ended == (130, "the best so far\n", "schedproof: interrupted\n")


def test_a_wait_that_missed_an_interrupt_is_woken(tmp_path: Path) -> None:
    work = (
        "import collections, ctypes\nsleeps = map(ctypes.CDLL(None).sleep, [3600, 3600])\n"
        "try:\n    time.sleep(0)\n    collections.deque(sleeps, 0)\n"
        "except KeyboardInterrupt:\n    print('the best so far')"
    )
    assert interrupted(work, tmp_path / "ready") == (130, "the best so far\n", "schedproof: interrupted\n")


@pytest.mark.parametrize(
    "deaf",
    [
        "while True:\n    try:\n        time.sleep(3600)\n    except KeyboardInterrupt:\n        pass",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\ntime.sleep(3600)",
    ],
)
def test_unresponsive_work_is_ended(tmp_path: Path, deaf: str) -> None:
    assert supervision.PATIENCE < 2  # seconds after an interrupt
    assert interrupted(deaf, tmp_path / "ready", before="") == (130, "", "schedproof: interrupted\n")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it goes with the next write")
def test_a_subprocess_of_unresponsive_work_is_ended(tmp_path: Path) -> None:
    deaf = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])"
    work = f"""{deaf}
from schedproof.core.runtime.files import atomic
with atomic({str(tmp_path / "out")!r}) as part:
    open({str(tmp_path / "held")!r}, 'w').close()
    time.sleep(3600)"""
    process = started(work, tmp_path / "ready", before="")
    while not (tmp_path / "held").exists():
        sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert {file.name for file in tmp_path.iterdir()} == {"ready", "held"}


@pytest.mark.parametrize(
    "swallows",
    [
        "class A:\n    def __del__(self):\n        time.sleep(3600)\nA()",
        "import sqlite3\nbase = sqlite3.connect(':memory:')\nbase.create_function('f', 0, lambda: time.sleep(3600))\n"
        "try:\n    base.execute('SELECT f()')\nexcept sqlite3.OperationalError as error:\n    print(error)",
    ],
)
def test_a_swallowed_interrupt_is_raised_again(tmp_path: Path, swallows: str) -> None:
    code, _, err = interrupted(f"{swallows}\nwhile True:\n    pass", tmp_path / "ready")
    assert (code, err) == (130, "schedproof: interrupted\n")


@pytest.mark.skipif(sys.platform != "linux", reason="nobody lists the files of a process")
def test_a_signal_handler_imports_no_module(tmp_path: Path) -> None:
    work = f"""import os, sys
from schedproof.core.runtime import supervision
file = open({str(tmp_path / ".schedproof-1.part.json")!r}, "w")
sys.modules["pathlib"] = None
print(supervision._parts_of(os.getpid()))"""
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{[str(tmp_path / '.schedproof-1.part.json')]}\n", "")


def test_the_last_result_of_unresponsive_work_is_printed() -> None:
    early = "from schedproof.core.runtime.supervision import say_at_an_early_end as say\n    say('it goes on')\n    "
    for end, words in (
        ("os.kill(os.getppid(), signal.SIGINT)", "it goes on\nschedproof: interrupted"),
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            "it goes on\nschedproof: the system killed the process, probably because",
        ),
        ("say(''); os.kill(os.getppid(), signal.SIGINT)", "interrupted"),
        ("raise SystemExit('no')", ""),
    ):
        work = f"{early}import os; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]); {end}; time.sleep(3600)"
        done = subprocess.run([sys.executable, "-c", DEAF.format(work)], capture_output=True, text=True, check=False)
        assert done.stderr.startswith(f"schedproof: {words}") if words else done.stderr == "no\n"


def test_a_swallowed_timeout_is_raised_again_without_a_message() -> None:
    work = """from schedproof.core.runtime import deadline
    from schedproof.core.runtime.context import Context
    from schedproof.core.runtime.deadline import best_within
    deadline.LAST = 1500.0
    class A:
        def __del__(self):
            while True: time.sleep(0.01)
    def forever(context):
        A()
        while True: time.sleep(0.01)
    print(best_within(Context(time_limit=20.0, started=time.perf_counter() - 20), forever))"""
    done = subprocess.run([sys.executable, "-c", DEAF.format(work)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")


def test_a_crash_gives_one_message() -> None:
    for number, words in (
        (signal.SIGSEGV, "a library crashed (SIGSEGV)"),
        (signal.SIGKILL, "the system killed the process"),
    ):
        work = f"import os; os.kill(os.getpid(), {int(number)})"
        done = subprocess.run([sys.executable, "-c", DEAF.format(work)], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.startswith(f"schedproof: {words}") and "\n" not in done.stderr[:-1]


def test_a_hanging_library_is_ended_at_the_time_limit() -> None:
    work = "\n    ".join(
        [
            "from schedproof.core.runtime.context import Context",
            "from schedproof.core.runtime.deadline import best_within",
            "deaf = lambda _: [signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]), time.sleep(3600)]",
            "best_within(Context(time_limit=0.1), deaf)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", DEAF.format(work)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 3 and "the time limit passed" in done.stderr


def test_exit_code_and_output_are_those_of_the_child(tmp_path: Path) -> None:
    for code in (0, 1, 3):
        work = f"print('said'); raise SystemExit({code})"
        done = subprocess.run([sys.executable, "-c", DEAF.format(work)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (code, "said\n", "")


def runs(process: str) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child does not hear of its parent's end")
def test_a_killed_parent_leaves_no_child(tmp_path: Path) -> None:
    child = tmp_path / "child"
    process = started(
        f"import os; open({str(child)!r}, 'w').write(str(os.getpid())); time.sleep(3600)", tmp_path / "ready"
    )
    while not (child.exists() and child.read_text()):
        sleep(0.01)
    process.kill()
    process.communicate(timeout=300)
    until = monotonic() + 60
    while runs(child.read_text()) and monotonic() < until:
        sleep(0.05)
    assert not runs(child.read_text())


def test_an_interrupt_just_after_the_childs_end_gives_one_message() -> None:
    code = (
        "import os, signal\nfrom schedproof.core.runtime import supervision\nwait = os.waitpid\n"
        "def late(*words):\n    ended = wait(*words)\n    os.kill(os.getpid(), signal.SIGINT)\n    return ended\n"
        "os.waitpid = late\nsupervision.supervise(lambda: None)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "schedproof: interrupted\n")
