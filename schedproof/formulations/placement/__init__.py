"""The placement family's program (1)-(8): the tasks' clusters, slots, resources."""
