"""The columns of a comparison for each family: bound, baseline and measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schedproof.core.base.numbers import above, plural
from schedproof.core.cards import registry
from schedproof.core.results.run import Policy, Run
from schedproof.experiments import profiles
from schedproof.experiments.profiles import Profile
from schedproof.instances.preemptive.slots import Distortion
from schedproof.workloads.preemptive.recorded import NOT_COVERED

WithOptions = tuple[str, Mapping[str, Any]]
FLOATING = {"chunks": "floating"}
ON_A_CLUSTER: Sequence[WithOptions] = (  # defaults on instances without a cloud, as from logs
    *((name, options) for name in ("fifo", "easy", "sjf", "srtf", "tiresias_l") for options in ({}, FLOATING)),
    ("srpt_floating", {}),
    ("a_online", {"order": "residual"}),
    ("gang_online", {}),
)


@dataclass(frozen=True)
class Comparison:
    """The columns of a family's comparison; the defaults are for other families.

    Attributes
    ----------
    bound
        The program of the certified bound.
    bounds_draws
        Whether generated instances have this bound by default, too.
    baseline
        The policy that the objective is relative to.
    sizes
        Numbers of an instance, by name. With ``inflation`` and ``short_jobs``, tables have notes on the slots
        (`schedproof.experiments.finer_slots`).
    measures
        Numbers of a run and its table, by name. Tables show them next to the objective.
    counted
        Measures and their descriptions; a note names the policies for which the measure is positive.
    profiles
        Numbers of a run for each slot, by name.
    speeds
        Whether the policies have the option ``speed``.
    facts
        Facts about a run, by description, that explain equal rows.
    policies
        The default policies on a given instance, with their options; None for those of the family's card.
    settings
        The instance's values of what-if settings, for multiples like ``1.5x``.
    notes
        Sentences on the contents of the runs on a given instance, and on the limits of the model.
    """

    bound: str | None = None
    bounds_draws: bool = True
    baseline: str = ""
    sizes: Mapping[str, Callable[[Any], float]] = field(default_factory=dict)
    measures: Mapping[str, Callable[[Run, Any], float]] = field(default_factory=dict)
    counted: Mapping[str, str] = field(default_factory=dict)
    profiles: Mapping[str, Callable[[Run], Profile]] = field(default_factory=dict)
    speeds: bool = False
    facts: Mapping[str, Callable[[Mapping[str, Any]], bool]] = field(default_factory=dict)
    policies: Callable[[Any], Sequence[WithOptions] | None] = lambda instance: None
    settings: Mapping[str, Callable[[Any], int]] = field(default_factory=dict)
    notes: Callable[[Any], Sequence[str]] = lambda instance: ()


def _on_chunks(instance: Any) -> list[str]:
    restarts = f"an interrupted chunk resumes with {plural(instance.restart, 'slot')} without progress; the bound is "
    notes = [restarts + "valid, but counts none"] if instance.restart else []
    chunk = "a chunk is the part of a job that needs one worker: a job of a log has one for each GPU"
    return [chunk, *notes, f"not covered: {NOT_COVERED}"] if instance.cloud is None else notes


COMPARISONS: Mapping[str, Comparison] = {
    "preemptive": Comparison(
        bound="preemptive.lp4",
        baseline="srtf",
        sizes={
            "jobs": lambda instance: len(instance.jobs),
            "chunks": lambda instance: sum(job.chunks for job in instance.jobs),
            "inflation": lambda instance: above(Distortion.of(instance).inflation),  # of the work by rounding to slots
            "short_jobs": lambda instance: Distortion.of(instance).short,  # jobs that are shorter than a slot
        },
        measures={
            "mean_jct": lambda run, jobs: float(run.objective) / max(1, len(jobs)),
            # slots from the first arrival to the last completion
            "makespan": lambda run, jobs: int(jobs["completion"].max() - jobs["arrival"].min()),
            "preemptions": lambda run, jobs: run.schedule.preemptions(),  # interruptions of a chunk
            "cloud_jobs": lambda run, jobs: int(jobs["in_cloud"].sum()),  # jobs with a chunk in the cloud
            "split_jobs": lambda run, jobs: (
                run.schedule.split_jobs()
            ),  # jobs that at some time run on only part of their workers
        },
        counted={"split_jobs": "jobs that run on only part of their workers at some time"},
        profiles={"at_work": profiles.at_work, "submitted": profiles.arrivals},
        speeds=True,
        facts={
            "no job waits": lambda row: row["queue_max"] == 0,
            "every job has one chunk": lambda row: row["jobs"] == row["chunks"],
            "no chunk is interrupted": lambda row: row["preemptions"] == 0,
        },
        policies=lambda instance: ON_A_CLUSTER if instance.cloud is None else None,
        settings={
            "machines": lambda instance: len(instance.edges),
            "restart": lambda instance: instance.restart,
            **dict.fromkeys(("load", "speed", "parts"), lambda instance: 1),
        },
        notes=_on_chunks,
    ),
    "dmlrs": Comparison(
        bound="dmlrs.rdmlrs_lp",
        baseline="oasis",
        sizes={
            "jobs": lambda instance: len(instance.jobs),
            "machines": lambda instance: len(instance.machines),
            "horizon": lambda instance: instance.horizon,
            "infeasible_alone": lambda instance: len(
                instance.unservable_jobs
            ),  # jobs that cannot finish even on an empty cluster
        },
        measures={
            "completed": lambda run, jobs: int(jobs["completion"].notna().sum()),
            # the paper's Fig. 9: the training time of an unfinished job is T
            "median_time": lambda run, jobs: float(jobs["training_time"].fillna(run.instance.horizon).median()),
        },
    ),
    "multiserver": Comparison(
        bound="multiserver.slot_optimum",  # valid for a policy that sees x(t) late or early
        bounds_draws=False,  # the larger presets have thousands of arrival patterns, each with a program
        baseline="fairness",
        sizes={
            "ports": lambda instance: len(instance.ports),
            "nodes": lambda instance: len(instance.nodes),
            "horizon": lambda instance: instance.horizon,
        },
        measures={
            "average_reward": lambda run, ports: float(run.objective) / run.instance.horizon,
            "gain": lambda run, ports: profiles.gain(run),
            "overhead": lambda run, ports: profiles.gain(run) - float(run.objective) / run.instance.horizon,
        },
        profiles={"average_so_far": profiles.average_so_far, "reward_so_far": profiles.reward_so_far},
        notes=lambda instance: ["bound slot_optimum: the optimum knows each slot's arrivals before it allocates"],
    ),
    "jrp": Comparison(
        bound="jrp.conic",
        baseline="greedy",
        sizes={
            "jobs": lambda instance: len(instance.jobs),
            "servers": lambda instance: len(instance.servers),
            "data_nodes": lambda instance: sum(len(job.nodes) for job in instance.jobs),
            "infeasible_alone": lambda instance: len(
                instance.unservable_jobs
            ),  # jobs with a data node that no server can serve
        },
        measures={
            "utilisation": lambda run, jobs: float(
                run.schedule.utilisation(run.instance)
            ),  # utilisation of storage, section V-A
            "iterations": lambda run, jobs: len(run.schedule.trace),
        },
    ),
    "placement": Comparison(
        bound="placement.lp",  # this bound does not hold for preemptive policies
        baseline="minimum",
        sizes={
            "tasks": lambda instance: len(instance.tasks),
            "clusters": lambda instance: len(instance.clusters),
        },
        measures={
            "mean_slots": lambda run, tasks: float(run.objective) / max(1, len(tasks)),
            "median_slots": lambda run, tasks: float(tasks["slots"].median()),
        },
        profiles={
            "slots_taken": profiles.durations,
            "in_system": profiles.in_system,
            "gpus_held": profiles.gpu_use,
        },
    ),
}


def comparison(family: str) -> Comparison:
    return COMPARISONS.get(family, Comparison())


def default_policies(family: str, instance: Any = None) -> list[Policy]:
    """Return the default policies of a comparison, on draws or a given instance."""
    chosen = None if instance is None else comparison(family).policies(instance)
    if chosen is not None:
        return [Policy(name, dict(options)) for name, options in chosen]
    return [Policy(row.name, dict(options)) for row in registry.family(family).policies for options in row.compared]
