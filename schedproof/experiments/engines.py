"""Engines: compute the cells of a sweep in processes, on Dask or on Slurm.

An engine takes a function and an iterable of calls. It yields each call with its result when the call finishes. Then it
asks an iterator for further calls, even if the iterator was at its end. If a process is killed, for example for lack of
memory, its call has the result `Lost`; the other calls continue.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import rmtree
from time import sleep
from typing import Any, Generic, TypeVar

from schedproof.core.data.options import pick, whole
from schedproof.core.data.options import read as read_option
from schedproof.core.errors import InputError, MissingExtra, SchedproofError, describe, stopped_in_one_sentence
from schedproof.core.runtime import deadline
from schedproof.core.runtime.startup import ignore_working_folder

T = TypeVar("T")
R = TypeVar("R")
MOST_PROCESSES = 1000  # processes on this machine that start before the first call
IN_ONE_ARRAY = 500  # most jobs at a time; Slurm allows 1000 by default
LOG = logging.getLogger("schedproof")
ENDED = "the process of this cell was killed, for lack of memory or after the time limit"
POLL = 0.5  # seconds between two checks of Slurm's jobs
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Lost:
    """The reason why a call has no result."""

    why: str


@dataclass(frozen=True)
class Place:
    """The workers of an engine.

    Attributes
    ----------
    jobs
        Number of parallel calls; by default the number of processors, or of the cluster's workers.
    scheduler
        The address of Dask's scheduler; by default a local scheduler.
    slurm
        Options of `submitit`: ``partition``, ``time``, ...; ``cluster=local`` for processes on this machine.
    folder
        For Slurm: a folder that all nodes share, for inputs and results.
    """

    jobs: int | None = None
    scheduler: str | None = None
    slurm: Mapping[str, str] | None = None
    folder: Path = Path("slurm")

    def require_used(self, engine: str, time_limit: float | None = None) -> None:
        """Refuse options of another engine; warn if it may not keep the time limit."""
        if time_limit is not None and engine in ("dask", "slurm"):
            LOG.warning("with the engine %s, the time limit does not end a policy that waits in a library call", engine)
        for name, given in (("dask", self.scheduler), ("slurm", self.slurm)):
            if given and engine != name:
                raise InputError(
                    f"{'scheduler' if name == 'dask' else name}: has an effect only with the engine {name}; remove it"
                )

    @property
    def at_once(self) -> int:
        if self.jobs is not None:
            return read_option("jobs", whole(most=MOST_PROCESSES), self.jobs)
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


Results = Generator[tuple[T, R | Lost], None, None]
Dispatch = Callable[[Callable[[T], R], Iterable[T], Place], Results[T, R]]


def by_joblib(work: Callable[[T], R], calls: Iterable[T], place: Place) -> Results[T, R]:
    if place.at_once == 1:
        yield from ((call, work(call)) for call in calls)
        return
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.process_executor import BrokenProcessPool

    def pool(size: int) -> Any:
        threads = str(max(1, place.at_once // size))
        return ProcessPoolExecutor(
            size, initializer=_be_worker, initargs=(os.getpid(),), env=dict.fromkeys(THREADS, threads)
        )

    def well(future: Future[R]) -> bool:
        return future.done() and not isinstance(future.exception(), BrokenProcessPool)

    work = partial(_with_its_line, work)
    rest, waiting, at_work = iter(calls), list[T](), dict[Future[R], T]()
    workers = pool(place.at_once)
    try:
        while True:
            waiting += islice(rest, place.at_once - len(at_work) - len(waiting))
            with suppress(BrokenProcessPool):
                while waiting:
                    at_work[workers.submit(work, waiting[-1])] = waiting[-1]
                    waiting.pop()
            if not at_work and not waiting:
                workers.shutdown()
                break
            done, _ = wait(at_work, return_when=FIRST_COMPLETED)
            yield from ((at_work.pop(future), future.result()) for future in list(at_work) if well(future))
            if waiting or not all(well(future) for future in done):
                workers.shutdown(
                    kill_workers=True
                )  # a call has killed its process: run each call separately to find it
                for call in at_work.values():
                    workers = pool(1)
                    future = workers.submit(work, call)
                    wait([future])
                    workers.shutdown(kill_workers=True)
                    yield call, future.result() if well(future) else Lost(ENDED)
                at_work, workers = {}, pool(place.at_once)
    finally:
        workers.shutdown(kill_workers=True)


def _with_its_line(work: Callable[[T], R], call: T) -> R:
    """Compute a call in a worker; an error names its line, as the traceback stays."""
    with stopped_in_one_sentence():
        return work(call)


def _be_worker(parent: int) -> None:
    """Ignore interrupts and the working folder; end with the parent or a time limit."""
    ignore_working_folder()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if hasattr(signal, "setitimer"):
        deadline.end_process_after = deadline.end_process_by_alarm
    if os.getppid() != parent:  # killed while this process was starting
        os._exit(1)


def by_dask(work: Callable[[T], R], calls: Iterable[T], place: Place) -> Results[T, R]:
    """Compute calls on the workers of a Dask scheduler, by default a local one."""
    try:
        import cryptography  # noqa: F401  # for `security`
        import dask
        from distributed import Client, LocalCluster, as_completed
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise MissingExtra("the engine dask (the package distributed)", "dask") from None

    try:
        local = None
        if (
            not place.scheduler
        ):  # workers run any code that the port receives: accept only this machine, with fresh keys
            limits = {"host": "127.0.0.1", "security": True, "dashboard_address": "127.0.0.1:0"}
            limits["scheduler_kwargs"] = {"dashboard": False}  # without it, an address starts bokeh's pages
            with dask.config.set({f"distributed.{each}.http.routes": [] for each in ("scheduler", "worker", "nanny")}):
                local = LocalCluster(place.at_once, threads_per_worker=1, silence_logs="CRITICAL", **limits)
        client = Client(place.scheduler or local, timeout=10)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {place.scheduler}: {describe(error)}") from None
    at_work = {}
    try:
        if local is not None:
            client.run(ignore_working_folder)
        rest, ended = iter(calls), as_completed()

        def submit() -> None:
            more = {client.submit(work, call, pure=False): call for call in rest}
            at_work.update(more)
            ended.update(list(more))

        submit()
        for future in ended:
            call, failure = at_work.pop(future), future.exception()
            if isinstance(failure, KilledWorker):
                yield call, Lost("the Dask workers of this cell were killed, most likely for lack of memory")
            elif isinstance(failure, SchedproofError) or failure is None:
                yield call, future.result()
            else:
                raise SchedproofError(f"a Dask worker stopped with {describe(failure)}") from failure
            submit()
    finally:
        client.cancel(list(at_work))
        client.close()
        if local is not None:
            local.close()


def by_slurm(work: Callable[[T], R], calls: Iterable[T], place: Place) -> Results[T, R]:
    """Compute each call as a job of Slurm, by `submitit`."""
    try:
        import submitit
    except ImportError:
        raise MissingExtra("the engine slurm (the package submitit)", "slurm") from None

    words = {name: int(text) if text.isdigit() else text for name, text in (place.slurm or {}).items()}
    cluster = words.pop("cluster", None)
    try:
        executor = submitit.AutoExecutor(place.folder, cluster=cluster)
        executor.update_parameters(**words)
    except (RuntimeError, NameError, TypeError, ValueError, AssertionError) as error:
        raise InputError(f"the engine slurm cannot be used with these options: {error}") from None
    limit = place.at_once if cluster == "local" else place.jobs or IN_ONE_ARRAY
    rest, at_work, lost = iter(calls), dict[Any, T](), False
    try:
        while True:
            more = list(islice(rest, limit - len(at_work)))
            at_work |= dict(zip(executor.map_array(work, more), more, strict=True)) if more else {}
            if not at_work:
                break
            for job in [job for job in at_work if job.done()]:
                call = at_work.pop(job)
                try:
                    yield call, job.result()
                except submitit.core.utils.UncompletedJobError as error:
                    lost = True
                    yield (
                        call,
                        Lost(f"its Slurm job {job.job_id} ended without a result: {str(error).splitlines()[0]}"),
                    )
            sleep(POLL)
    finally:
        for job in at_work:
            job.cancel()
        if not lost:
            rmtree(place.folder, ignore_errors=True)  # otherwise keep the output of the lost jobs


ENGINES: Mapping[str, Dispatch[Any, Any]] = {"joblib": by_joblib, "dask": by_dask, "slurm": by_slurm}


class Workers(Generic[T, R]):
    """Compute several rounds of calls on an engine, whose workers start once."""

    def __init__(self, engine: Dispatch[T, R], work: Callable[[T], R], place: Place) -> None:
        self._calls: Iterator[T] = iter(())
        self._next: list[T] = []
        self._at_work = 0
        self._results = engine(work, self, place)

    def compute(self, calls: Iterable[T]) -> Iterator[tuple[T, R | Lost]]:
        """Yield each call of a round with its result when the call finishes."""
        self._calls = iter(calls)
        while self._at_work or self._has_next():
            result = next(self._results)
            self._at_work -= 1
            yield result

    def close(self) -> None:
        self._results.close()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        result = self._next.pop() if self._next else next(self._calls)
        self._at_work += 1
        return result

    def _has_next(self) -> bool:
        self._next += islice(self._calls, 1)
        return bool(self._next)


def engine_of(name: str) -> Dispatch[Any, Any]:
    result: Dispatch[Any, Any] = pick("engine", name, ENGINES)
    return result
