"""Policies of the preemptive family: A_online, its variants, baselines, SRPT."""
