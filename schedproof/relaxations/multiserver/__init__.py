"""Relaxations: the stationary optimum, and certified bounds for both games."""
