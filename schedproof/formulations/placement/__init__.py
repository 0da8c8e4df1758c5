"""The placement family's program: where, when and with how much of each resource the tasks start, (1)-(8)."""
