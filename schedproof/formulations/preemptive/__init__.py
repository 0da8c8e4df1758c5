"""The preemptive family's programs: MINLP (2) and (7), ILP (4) and (8)."""

from schedproof.formulations.preemptive.ilp import ilp4
from schedproof.formulations.preemptive.minlp import minlp2
from schedproof.formulations.preemptive.storage import ilp8, minlp7

PROGRAMS = {
    "preemptive.minlp2": minlp2,
    "preemptive.ilp4": ilp4,
    "preemptive.minlp7": minlp7,
    "preemptive.ilp8": ilp8,
}
