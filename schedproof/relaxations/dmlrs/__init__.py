"""Relaxations: slot problem, best schedules at prices, column generation, duals."""
