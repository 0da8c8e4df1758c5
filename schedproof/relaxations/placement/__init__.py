"""Relaxation: the time-indexed LP, and a certified price bound without a horizon."""
