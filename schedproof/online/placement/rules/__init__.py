"""Policies as functions of a finite state, for tasks of one duration on one unit: what `schedproof prove` reads.

A rule imports nothing, so that `schedproof.check.ratio` can run its text alone. The tests hold each to its policy.

Versions of this algorithm: docs/architecture.md.
"""
