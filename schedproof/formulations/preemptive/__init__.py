"""The preemptive family's programs: MINLP (2) and (7), ILP (4) and (8)."""
