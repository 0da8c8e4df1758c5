"""Exact competitive ratios for request sequences of any length."""
