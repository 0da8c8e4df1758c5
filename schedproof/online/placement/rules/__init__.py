"""Policies as functions of a finite state, for tasks of one duration on one unit.

`schedproof prove` reads them. A rule has no imports, so that `schedproof.check.ratio` can execute its text. Tests
compare each rule with its policy.

Versions of this algorithm: docs/architecture.md.
"""
