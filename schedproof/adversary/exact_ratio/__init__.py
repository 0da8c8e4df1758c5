"""Exact competitive ratios: a policy beside any other schedule, step by step, for sequences of any length."""
