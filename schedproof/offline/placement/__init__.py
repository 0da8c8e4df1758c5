"""The placement family's offline schedules."""
