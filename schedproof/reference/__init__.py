"""Exact, slow reference implementations of the algorithms as printed.

Each implementation is for tiny instances and shares no code with the optimised version. Claims, tests and benchmarks
use them.
"""
