"""The preemptive family's relaxations: the LP of (4) by classes, the duals (6), (9), (11), and certified bounds."""
