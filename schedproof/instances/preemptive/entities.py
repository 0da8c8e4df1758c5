"""Servers, worker classes and jobs of the preemptive family."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from msgspec import UNSET, UnsetType

from schedproof.core.data.codecs import Codec, derive
from schedproof.core.data.reading import Amount, Count, Name, Positive, PositiveAmount
from schedproof.core.data.records import Entity
from schedproof.core.errors import InputError, expect

LONGEST_CHUNK = 10**12  # slots of one chunk; beyond any horizon, without overflow
ANY = "*"  # in upload_delay: all other edge servers; in parameter_servers: a plain count, any type
Counts = dict[str, Count]


def _counts(given: int | Counts | UnsetType, path: str, row: Server, _: object) -> Counts:
    """Return counts by type; a plain count has type `ANY`, the cloud has no counts."""
    above, _, key = path.rpartition(".")
    if row.cloud:
        expect(given is UNSET, "expected no such key: the cloud is unlimited", path)
        return {}
    if isinstance(given, UnsetType):
        raise InputError(f"the object is missing the required field {key}", path=above)
    if isinstance(given, int):
        return {ANY: given}
    if key == "parameter_servers":
        expect(
            ANY not in given,
            "expected a type of parameter servers; a plain count instead of the object serves every type",
            f"{path}.{ANY}",
        )
    return given


def _by_type(counts: Counts, server: Server, _: object) -> Counts | UnsetType:
    return UNSET if server.cloud else counts


def _plain(counts: Counts, server: Server, _: object) -> int | Counts | UnsetType:
    return counts[ANY] if counts.keys() == {ANY} else _by_type(counts, server, _)


WORKERS = Codec(Counts | UnsetType, _counts, _by_type, UNSET)
PARAMETER_SERVERS = Codec(Count | Counts | UnsetType, _counts, _plain, UNSET)


class Server(Entity, frozen=True, kw_only=True):
    """An edge server, or the cloud with unlimited resources.

    Attributes
    ----------
    workers
        Worker type -> count (W_s).
    parameter_servers
        Type -> count (P_s); a plain count serves every job.
    storage
        U_s in GB; unset if unlimited.
    """

    name: Name
    workers: Annotated[Counts, WORKERS]
    parameter_servers: Annotated[Counts, PARAMETER_SERVERS]
    storage: Amount | None = None
    cloud: bool = False


@dataclass(frozen=True, slots=True)
class WorkerClass:
    """The W_q interchangeable workers of one type on one edge server."""

    index: int
    server: Server
    type: str
    count: int

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """Return each worker as (server, type's position in its list, number)."""
        kind = list(self.server.workers).index(self.type)
        return [(self.server.index, kind, number) for number in range(self.count)]


def _chunk_time(row: Job, _: object) -> Fraction:
    time = _chunk_time_in_cloud(row, _)
    if row.gradient_size:
        time += row.epochs * row.minibatches * 2 * row.gradient_size / row.bandwidth
    return time


def _chunk_time_in_cloud(row: Job, _: object) -> Fraction:
    each = row.minibatch_time + row.update_time if row.update_time else row.minibatch_time
    count = row.epochs * row.minibatches
    return each if count == 1 else count * each  # as in a trace without further data


class Job(Entity, frozen=True, kw_only=True):
    """A training job of D_j chunks; a chunk can be trained after its upload.

    Attributes
    ----------
    arrival, chunks
        r_j (slot), D_j.
    epochs, minibatches, minibatch_time, update_time
        E_j, B_j, m_j and G_j (slots).
    gradient_size, bandwidth
        q_j (MB), b_j (MB per slot).
    upload_delay
        Server name or ``"*"`` -> Delta_js in slots.
    chunk_size
        u_j in GB.
    ps_types
        Types of parameter servers that may serve the job; unset for all types.
    """

    name: Name
    arrival: Count
    chunks: Positive
    epochs: Positive
    minibatches: Positive
    worker_types: tuple[str, ...]
    minibatch_time: Amount
    update_time: Amount
    gradient_size: Amount
    bandwidth: PositiveAmount
    upload_delay: dict[str, Count]
    chunk_size: Amount = Fraction(0)
    ps_types: tuple[str, ...] | None = None
    # E_j B_j / n_j in slots: across servers (zeta_j = 0), and with the whole job in the cloud (zeta_j = 1)
    chunk_time: Annotated[Fraction, derive(_chunk_time)]
    chunk_time_in_cloud: Annotated[Fraction, derive(_chunk_time_in_cloud)]

    def delay(self, server: Server) -> int | None:
        """Return the upload delay Delta_js in slots; None if the server cannot serve it."""
        if server.cloud:
            return self.upload_delay.get(server.name)
        return self.upload_delay.get(server.name, self.upload_delay.get(ANY))

    def slots(self, in_cloud: bool = False, speed: Fraction | int = 1) -> int:
        """Return one chunk's whole slots under ``ceil_chunk``: time / speed, rounded up."""
        time, parts = (self.chunk_time_in_cloud if in_cloud else self.chunk_time).as_integer_ratio()
        fast, slow = speed.as_integer_ratio()
        slots = -(-time * slow // (parts * fast))
        if slots > LONGEST_CHUNK:
            raise InputError(f"{self.name}: at speed {speed} a chunk takes {slots} slots, more than {LONGEST_CHUNK}")
        return slots

    def opens(self, server: Server, ps_type: str) -> bool:
        """Return whether a server's parameter servers of a type may serve a job (o_jsp)."""
        if self.delay(server) is None:
            return False
        return server.cloud or ps_type == ANY or not self.ps_types or ps_type in self.ps_types
