"""One reference implementation for each algorithm, line by line as printed: slow, exact, for tiny instances.

Claims, tests and benchmarks use it; what it is the reference of shares no code with it.
"""
