"""Offline schedulers, which know all jobs in advance."""
