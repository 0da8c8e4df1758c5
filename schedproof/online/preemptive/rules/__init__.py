"""Policies as functions of a finite state, for jobs on one server, or two: what `schedproof prove` reads.

A rule imports nothing, so that `schedproof.check.ratio` can run its text alone. The tests hold each to its policy.

Versions of this algorithm: docs/architecture.md.
"""
