"""The options of every command that computes on an engine."""

from __future__ import annotations

from typing import Annotated

import typer

Engine = Annotated[str, typer.Option(help="Where it is computed: joblib, dask or slurm.")]
Jobs = Annotated[int | None, typer.Option(help="How many at once; one for each processor if not given.", min=1)]
Scheduler = Annotated[
    str | None, typer.Option(help="Dask's scheduler, like tcp://node1:8786; one on this machine if not given.")
]
Slurm = Annotated[list[str], typer.Option(help="A parameter of submitit, key=value, like slurm_partition=long.")]
NOTHING: list[str] = []  # typer reads the default, nobody writes to it
