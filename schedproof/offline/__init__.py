"""Offline schedulers: all jobs are known in advance."""
