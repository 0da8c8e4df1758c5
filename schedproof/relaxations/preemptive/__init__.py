"""Relaxations: LP of (4) by classes, duals (6), (9), (11), certified bounds."""
