"""The preemptive family's policies: A_online, its edge-only variant, and the paper's three baselines."""
