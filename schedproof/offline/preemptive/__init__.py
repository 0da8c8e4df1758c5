"""The preemptive family's offline schedules."""
