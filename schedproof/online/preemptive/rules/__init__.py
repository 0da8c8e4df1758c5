"""Policies as functions of a finite state, for jobs on one or two servers.

`schedproof prove` reads them. A rule has no imports, so that `schedproof.check.ratio` can execute its text. Tests
compare each rule with its policy.

Versions of this algorithm: docs/architecture.md.
"""
