"""The preemptive family's policies: A_online, its variants, three baselines, and SRPT for moving chunks."""
